/** How many users have accepted, postponed and not answered each version of the documents. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Tag, Time } from '../../components/layout.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { textIn } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { messages } from './index.ts'
import { termsMessages } from './terms-messages.ts'

const readStatus = () => call('GET /admin/terms', {})
const statusQuery = queryOptions({ queryKey: ['admin', 'terms'], queryFn: readStatus })
type Version = Awaited<ReturnType<typeof readStatus>>['versions'][number]

export function Screen() {
  const titles = useMessages(messages)
  const t = useMessages(termsMessages)
  const columns = [
    ...[{ label: t('document') }, { label: t('state') }, { label: t('accepted') }, { label: t('postponed') }],
    ...[{ label: t('outstanding') }, { label: t('deleted') }],
  ]
  return (
    <AdminPage
      title={titles('terms')}
      lead={t('termsLead')}
      query={useQuery(statusQuery)}
      skeleton={<TableSkeleton columns={columns} />}
      actions={<ExportButton source="terms-acceptances" filter={{}} label={t('export')} text={t('exportText')} />}
    >
      {({ versions }) => (
        <Table label={titles('terms')} columns={columns}>
          {versions.map((version) => (
            <VersionRow key={`${version.id} ${version.version}`} version={version} />
          ))}
        </Table>
      )}
    </AdminPage>
  )
}

const states = { 'in-force': 'inForce', announced: 'announced', former: 'former' } as const

function VersionRow({ version: found }: { readonly version: Version }) {
  const t = useMessages(termsMessages)
  const { locale, format } = useLocale()
  const { version, title, state, requiredFrom, accepted, postponed, outstanding, deleted } = found
  const counts = { accepted, postponed, outstanding, deleted }
  return (
    <Row head={<RowHead name={textIn(locale, title)} detail={`${t('version')} ${version}`} />}>
      <Cell label={t('state')}>
        <span className="flex flex-wrap items-center gap-2">
          <Tag tone={state === 'in-force' ? 'accent' : 'neutral'}>{t(states[state])}</Tag>
          {requiredFrom === null ? null : <Time value={requiredFrom} style="date" />}
        </span>
      </Cell>
      {Object.entries(counts).map(([name, count]) => (
        <Cell key={name} label={t(name as keyof typeof counts)}>
          {count === null ? '–' : format.number(count)}
        </Cell>
      ))}
    </Row>
  )
}
