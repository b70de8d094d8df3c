/** The organizations of the instance: search and pages in the address. */
import { useQuery } from '@tanstack/react-query'
import { Building2, SearchX } from 'lucide-react'
import { organizationLogo } from '../../api/pictures.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock, Placeholder } from '../../components/feedback.tsx'
import { Card, Time } from '../../components/layout.tsx'
import { ListPages } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, SearchField, Table } from '../../components/table.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useListPage, useSearchText } from '../../routes/list-state.ts'
import { organizationMessages as messages } from './index.ts'
import { allOrganizationsQuery, pageSize } from './organization-data.ts'

export function Screen() {
  const t = useMessages(messages)
  const { text, setText, searched } = useSearchText()
  const { after } = useListPage()
  const query = useQuery(allOrganizationsQuery({ search: searched, cursor: after }))
  return (
    <AdminPage
      title={t('organizations')}
      lead={t('organizationsLead')}
      query={query}
      controls={
        <div className="mb-3 flex flex-wrap gap-2">
          <SearchField
            label={t('searchOrganizations')}
            placeholder={t('searchOrganizationsHint')}
            title={t('searchOrganizationsNote')}
            value={text}
            onSearch={setText}
          />
        </div>
      }
      skeleton={<TableSkeleton columns={useOrganizationColumns()} icon="square" hasPages />}
    >
      {({ organizations, total, totalIsEstimate: isEstimate, nextCursor: next }) =>
        organizations.length === 0 ? (
          <NoOrganizations search={searched} onClear={() => setText('')} />
        ) : (
          <OrganizationTable
            organizations={organizations}
            footer={<ListPages {...{ pageSize, count: organizations.length, total, isEstimate, next }} />}
          />
        )
      }
    </AdminPage>
  )
}

interface TableProps {
  readonly organizations: readonly {
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly logo: string | null
    readonly createdAt: string
    readonly memberCount: number
  }[]
  readonly footer: React.ReactNode
}

function useOrganizationColumns() {
  const t = useMessages(messages)
  return [{ label: t('organization') }, { label: t('members') }, { label: t('created') }]
}

function OrganizationTable({ organizations, footer }: TableProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (
    <Table label={t('organizations')} columns={useOrganizationColumns()} footer={footer}>
      {organizations.map(({ id, name, slug, logo, createdAt, memberCount }) => (
        <Row
          key={id}
          head={
            <RowHead
              icon={<Avatar name={name} picture={organizationLogo({ id, logo })} isSquare />}
              name={name}
              detail={slug}
              to={`/admin/organizations/${encodeURIComponent(id)}`}
            />
          }
        >
          <Cell label={t('members')}>{format.number(memberCount)}</Cell>
          <Cell label={t('created')}>
            <Time value={createdAt} style="date" />
          </Cell>
        </Row>
      ))}
    </Table>
  )
}

function NoOrganizations({ search, onClear }: { readonly search: string | undefined; readonly onClear: () => void }) {
  const t = useMessages(messages)
  return (
    <Card>
      {search === undefined ? (
        <Placeholder icon={Building2} title={t('noOrganizations')}>
          <p className="mb-3">{t('noOrganizationsText')}</p>
          <CodeBlock code="latchkey orgs create" label={t('command')} copyLabel={t('copyCommand')} />
        </Placeholder>
      ) : (
        <Placeholder
          icon={SearchX}
          title={t('noOrganizationFound')}
          actions={<Button onClick={onClear}>{t('clearSearch')}</Button>}
        >
          {t('noOrganizationFoundText')}
        </Placeholder>
      )}
    </Card>
  )
}
