/** What the current user has accepted. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { FileCheck } from 'lucide-react'
import { useSettings } from '../../api/calls.ts'
import { useDeviceName } from '../../components/device.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead, Time } from '../../components/layout.tsx'
import { Loaded } from '../../components/list.tsx'
import { TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { textIn } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { messages } from './index.ts'
import { screenMessages } from './screen-messages.ts'

const readAccepted = () => call('GET /terms/acceptances', {})
const acceptedQuery = queryOptions({ queryKey: ['terms', 'accepted'], queryFn: readAccepted })
type Acceptance = Awaited<ReturnType<typeof readAccepted>>['acceptances'][number]

export function Screen() {
  const titles = useMessages(messages)
  const t = useMessages(screenMessages)
  const columns = [{ label: t('document') }, { label: t('acceptedAt') }, { label: t('from') }]
  return (
    <>
      <PageHead title={titles('acceptedTerms')}>{t('acceptedLead')}</PageHead>
      <Loaded query={useQuery(acceptedQuery)} skeleton={<TableSkeleton columns={columns} />}>
        {({ acceptances }) =>
          acceptances.length === 0 ? (
            <Card>
              <Placeholder icon={FileCheck} title={t('nothingAccepted')}>
                {t('nothingAcceptedText')}
              </Placeholder>
            </Card>
          ) : (
            <Table label={titles('acceptedTerms')} columns={columns}>
              {acceptances.map((acceptance) => (
                <AcceptanceRow key={`${acceptance.document} ${acceptance.version}`} acceptance={acceptance} />
              ))}
            </Table>
          )
        }
      </Loaded>
    </>
  )
}

function AcceptanceRow({ acceptance }: { readonly acceptance: Acceptance }) {
  const t = useMessages(screenMessages)
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
