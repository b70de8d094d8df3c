/** The organizations of the instance: search and pages in the address. */
import { useQuery } from '@tanstack/react-query'
import { Building2, SearchX } from 'lucide-react'
import { ClientError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock, ErrorNote, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Avatar, Card, PageHead, Time } from '../../components/layout.tsx'
import { Cell, Pages, Row, RowHead, SearchField, Table } from '../../components/table.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useListPage, useSearchText } from '../../list-state.ts'
import { organizationMessages as messages } from './index.ts'
import { allOrganizationsQuery, pageSize } from './organization-data.ts'

export function Screen() {
  const t = useMessages(messages)
  const { text, setText, searched } = useSearchText()
  const { after, page, goToNext, goBack } = useListPage()
  const { data, error, refetch, isPlaceholderData } = useQuery(allOrganizationsQuery({ search: searched, cursor: after }))
  if (error instanceof ClientError && error.status === 403) return <NotPermitted />
  return (
    <>
      <PageHead title={t('organizations')}>{t('organizationsLead')}</PageHead>
      <div className="mb-3 flex flex-wrap gap-2">
        <SearchField
          label={t('searchOrganizations')}
          placeholder={t('searchOrganizationsHint')}
          title={t('searchOrganizationsNote')}
          value={text}
          onSearch={setText}
        />
      </div>
      {error && data ? (
        <div className="mb-3">
          <ErrorNote error={error} />
        </div>
      ) : null}
      {data === undefined ? (
        <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
      ) : data.organizations.length === 0 ? (
        <NoOrganizations search={searched} onClear={() => setText('')} />
      ) : (
        <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : undefined}>
          <OrganizationTable
            organizations={data.organizations}
            footer={
              <Pages
                {...{ page, pageSize, goBack, count: data.organizations.length }}
                {...{ total: data.total, isEstimate: data.totalIsEstimate }}
                goNext={data.nextCursor === null ? undefined : () => goToNext(data.nextCursor ?? '')}
              />
            }
          />
        </div>
      )}
    </>
  )
}

interface TableProps {
  readonly organizations: readonly {
    readonly id: string
    readonly name: string
    readonly slug: string
    readonly createdAt: string
    readonly memberCount: number
  }[]
  readonly footer: React.ReactNode
}

function OrganizationTable({ organizations, footer }: TableProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (
    <Table
      label={t('organizations')}
      columns={[{ label: t('organization') }, { label: t('members') }, { label: t('created') }]}
      footer={footer}
    >
      {organizations.map(({ id, name, slug, createdAt, memberCount }) => (
        <Row
          key={id}
          head={
            <RowHead
              icon={<Avatar name={name} isSquare />}
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
