/** What a user has accepted, for those who may read it. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSettings } from '../../api/calls.ts'
import { useDeviceName } from '../../components/device.tsx'
import { Card, Section, Time } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { textIn } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { termsMessages } from './terms-messages.ts'
import type { PartProps } from './user.tsx'

/** More than any user has accepted in years; the export has all. */
const limit = 100

const readAcceptances = (userId: string) => call('GET /admin/list-terms-acceptances', { query: { userId, limit } })
const acceptancesQuery = (userId: string) =>
  queryOptions({ queryKey: ['admin', 'terms', userId], queryFn: () => readAcceptances(userId) })
type Acceptance = Awaited<ReturnType<typeof readAcceptances>>['acceptances'][number]

export function UserTerms({ user }: Pick<PartProps, 'user'>) {
  const t = useMessages(termsMessages)
  const columns = [{ label: t('document') }, { label: t('acceptedAt') }, { label: t('from') }]
  return (
    <Section title={t('acceptedTerms')}>
      <Loaded query={useQuery(acceptancesQuery(user.id))} skeleton={<TableSkeleton columns={columns} />}>
        {({ acceptances }) =>
          acceptances.length === 0 ? (
            <Card>
              <p className="px-4 py-3.5 text-13 text-muted">{t('nothingAccepted')}</p>
            </Card>
          ) : (
            <Table label={t('acceptedTerms')} columns={columns}>
              {acceptances.map((acceptance) => (
                <AcceptanceRow key={acceptance.id} acceptance={acceptance} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </Section>
  )
}

function AcceptanceRow({ acceptance }: { readonly acceptance: Acceptance }) {
  const t = useMessages(termsMessages)
  const { locale } = useLocale()
  const { terms } = useSettings()
  const deviceName = useDeviceName()
  const { document, version, acceptedAt, device, ipAddress } = acceptance
  const known = terms?.documents.find((one) => one.id === document && one.version === version)
  return (
    <Row head={<RowHead name={known ? textIn(locale, known.title) : document} detail={`${t('version')} ${version}`} />}>
      <Cell label={t('acceptedAt')}>
        <Time value={acceptedAt} style="dateTime" />
      </Cell>
      <Cell label={t('from')}>
        {device === null ? t('unknownDevice') : deviceName(device)}
        {ipAddress === null ? null : <span className="ms-2 font-mono text-12 text-muted">{ipAddress}</span>}
      </Cell>
    </Row>
  )
}
