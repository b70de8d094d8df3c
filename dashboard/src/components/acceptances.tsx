/** Which versions of documents a user has accepted, when and from where. */
import { useSettings } from '../api/calls.ts'
import { useLocale } from '../i18n/messages.ts'
import { textIn } from '../messages/index.ts'
import { useDeviceName } from './device.tsx'
import { Time } from './layout.tsx'
import { Cell, Row, RowHead, Table } from './table.tsx'

interface Acceptance {
  readonly document: string
  readonly version: string
  readonly acceptedAt: Date | string
  readonly device: string | null
  readonly ipAddress: string | null
}

interface Props {
  readonly label: string
  readonly acceptances: readonly Acceptance[]
  /** The text of the screen for each of these. */
  readonly t: (text: 'document' | 'version' | 'acceptedAt' | 'from' | 'unknownDevice') => string
}

export const acceptanceColumns = (t: Props['t']) => [{ label: t('document') }, { label: t('acceptedAt') }, { label: t('from') }]

export const Acceptances = ({ label, acceptances, t }: Props) => (
  <Table label={label} columns={acceptanceColumns(t)}>
    {acceptances.map((one) => (
      <AcceptanceRow key={`${one.document} ${one.version}`} acceptance={one} t={t} />
    ))}
  </Table>
)

function AcceptanceRow({ acceptance, t }: Pick<Props, 't'> & { readonly acceptance: Acceptance }) {
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
