/** Stories of tables with their search, filters and pages. */
import { Ellipsis } from 'lucide-react'
import { Acceptances } from '../components/acceptances.tsx'
import { Avatar } from '../components/avatar.tsx'
import { Button } from '../components/button.tsx'
import { Filters } from '../components/filters.tsx'
import { Tag } from '../components/layout.tsx'
import { ListPages, Loaded, Pages } from '../components/list.tsx'
import { Cell, Filter, Row, RowHead, SearchField, Table } from '../components/table.tsx'
import { ColumnHead, PageButtons, SelectBox } from '../components/table-parts.tsx'
import { Tabs } from '../components/tabs.tsx'
import { longText, type Story } from './story.ts'

const menu = (name: string) => (
  <Button variant="ghost" isIcon aria-label={`Actions for ${name}`}>
    <Ellipsis aria-hidden className="size-4" />
  </Button>
)
const nothing = () => undefined

const head = <RowHead icon={<Avatar name="Ada" />} name="Ada" tag={<Tag>You</Tag>} detail="ada@example.com" />
const longHead = <RowHead icon={<Avatar name={longText} />} name={longText} detail={longText} />

const table = (label: string) => (
  <Table
    label={label}
    columns={[{ label: 'Member' }, { label: 'Role' }, { label: 'Joined', isWideOnly: true }]}
    hasActions
    footer={<Pages page={2} pageSize={50} count={50} total={2431} goBack={nothing} goNext={nothing} />}
  >
    <Row head={head} action={menu('Ada')}>
      <Cell label="Role">Owner</Cell>
      <Cell label="Joined" isWideOnly>
        Today
      </Cell>
    </Row>
    <Row head={longHead} action={menu('Halden')}>
      <Cell label="Role" isWrapping>
        <Tag>Admin</Tag> <Tag>Billing</Tag>
      </Cell>
      <Cell label="Joined" isWideOnly>
        Yesterday
      </Cell>
    </Row>
  </Table>
)

const response = { error: null, refetch: () => Promise.reject(new Error('A story reads nothing')), isPlaceholderData: true }

const options = [
  { value: '', label: 'Any role' },
  { value: 'owner', label: longText },
]

const acceptance = { document: 'privacy', version: '2027-01', acceptedAt: '2026-11-25T03:29:00Z', ipAddress: '2001:db8::1' }
const acceptances = [
  { ...acceptance, device: null },
  { ...acceptance, document: longText, ipAddress: null, device: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0' },
]

export const tables: readonly Story[] = [
  {
    component: 'Acceptances',
    states: { normal: <Acceptances label="Accepted terms" acceptances={acceptances} t={(text) => text} /> },
  },
  { component: 'Table', states: { normal: table('Members') } },
  { component: 'Row', states: { 'with a menu': table('Rows') } },
  {
    component: 'RowHead',
    states: {
      normal: head,
      'long texts': longHead,
      'room for a button': <RowHead name="Ada" room="button" />,
      'without an action': <RowHead name="Ada" room="none" />,
    },
  },
  { component: 'Cell', states: { 'of one line, and of tags': table('Cells') } },
  {
    component: 'Pages',
    states: {
      first: <Pages page={1} pageSize={50} count={50} total={2431} goBack={undefined} goNext={nothing} />,
      'the only one': <Pages page={1} pageSize={50} count={3} total={3} goBack={undefined} goNext={undefined} />,
      'without a total': <Pages page={3} pageSize={50} count={12} goBack={nothing} goNext={undefined} />,
    },
  },
  { component: 'ListPages', states: { first: <ListPages pageSize={50} count={50} total={2431} next="after" /> } },
  {
    component: 'Loaded',
    states: {
      'older than the address': <Loaded query={{ ...response, data: 'Ada' }}>{(name) => name}</Loaded>,
      'not read again': (
        <Loaded query={{ ...response, data: 'Ada', error: new TypeError('Failed to fetch') }}>{(name) => name}</Loaded>
      ),
      'load error with advice': (
        <Loaded query={{ ...response, data: undefined, error: new TypeError('Failed to fetch') }} advice="Use fewer filters.">
          {() => null}
        </Loaded>
      ),
    },
  },
  {
    component: 'Filters',
    states: {
      'one is set': (
        <Filters
          title="Filter members"
          applyLabel="Show members"
          unfiltered={{}}
          fields={[
            { name: 'role', label: 'Role', value: 'owner', sentence: 'Role is', kind: 'choice', options },
            { name: 'joined', label: 'Joined after', value: undefined, sentence: 'Joined after', kind: 'day' },
          ]}
        />
      ),
    },
  },
  { component: 'PageButtons', states: { 'on the last page': <PageButtons goBack={nothing} goNext={undefined} /> } },
  {
    component: 'SelectBox',
    states: {
      selected: <SelectBox label="Select Ada" isSelected onToggle={nothing} />,
      'some of the rows': <SelectBox label="Select all" isSelected="mixed" onToggle={nothing} />,
    },
  },
  {
    component: 'ColumnHead',
    states: {
      'by which the rows are sorted': (
        <table>
          <thead>
            <tr>
              <ColumnHead label="Created" sort={{ direction: 'desc', onSort: nothing }} />
              <ColumnHead label="Name" sort={{ direction: null, onSort: nothing }} />
            </tr>
          </thead>
        </table>
      ),
    },
  },
  {
    component: 'Tabs',
    states: {
      normal: (
        <Tabs
          label="Views"
          tabs={[
            { label: 'All', search: {}, isCurrent: true },
            { label: 'Banned', count: 1204, search: {}, isCurrent: false },
            { label: longText, search: {}, isCurrent: false },
          ]}
        />
      ),
    },
  },
  {
    component: 'SearchField',
    states: {
      empty: <SearchField label="Search members" placeholder="Start of a name or email" onSearch={nothing} />,
      filled: <SearchField label="Search members again" placeholder="" defaultValue={longText} onSearch={nothing} />,
    },
  },
  {
    component: 'Filter',
    states: {
      all: <Filter label="Role" value="" options={options} onChange={nothing} />,
      chosen: <Filter label="Role of members" value="owner" options={options} onChange={nothing} />,
    },
  },
]
