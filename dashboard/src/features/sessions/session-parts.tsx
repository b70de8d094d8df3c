/** The session of this device as a card, and the others as a table that becomes cards below 640 px. */
import type { ReactNode } from 'react'
import { describeDevice } from '../../../../src/lib/device.ts'
import type { Session } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { DeviceIcon, useDeviceText } from '../../components/device.tsx'
import { Card, Facts, Tag, Time } from '../../components/layout.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

export type ListedSession = Session['session'] & { readonly amr?: readonly string[] | undefined }

/** Of what a session was authenticated with, in the order of a sign-in. Codes of an app and such that were sent are both a code. */
const words = [
  [['pwd'], 'password'],
  [['fed'], 'linkedAccount'],
  [['hwk', 'swk'], 'passkey'],
  [['rc'], 'backupCode'],
  [['otp'], 'code'],
  [['email'], 'emailLink'],
] as const

function useProofText(): (amr: readonly string[]) => string {
  const t = useMessages(messages)
  return (amr) => {
    const names = words.flatMap(([values, name]) => (values.some((value) => amr.includes(value)) ? [name] : []))
    // A backup code is a code too, and so is one that was sent by email.
    const less = names.includes('backupCode') ? 'code' : names.includes('code') ? 'emailLink' : null
    const shown = names.filter((name) => name !== less).map((name) => t(name))
    return shown.length === 0 ? t('notKnown') : new Intl.ListFormat(document.documentElement.lang).format(shown)
  }
}

function IPAddress({ session }: { readonly session: ListedSession }) {
  const t = useMessages(messages)
  return session.ipAddress ? (
    <bdi className="font-mono text-12 wrap-anywhere card:wrap-break-word">{session.ipAddress}</bdi>
  ) : (
    <span className="text-muted">{t('unknownAddress')}</span>
  )
}

interface ThisDeviceProps {
  readonly session: ListedSession
  /** Undefined until they are loaded. */
  readonly proofs: readonly string[] | undefined
  readonly action: ReactNode
}

export function ThisDevice({ session, proofs, action }: ThisDeviceProps) {
  const t = useMessages(messages)
  const proofText = useProofText()
  const device = describeDevice(session.userAgent)
  const { name, detail } = useDeviceText()(device)
  return (
    <section aria-label={t('thisDevice')}>
      <Card className="relative px-4 pt-4 pb-2 before:absolute before:-start-px before:top-5 before:h-8 before:w-[5px] before:rounded-e-sm before:bg-brass card:px-5">
        <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-3">
          <DeviceIcon kind={device.kind} />
          <div className="min-w-0 grow basis-40">
            <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <h2 className="text-14 wrap-anywhere">
                <bdi>{name}</bdi>
              </h2>
              <Tag tone="brass">{t('thisDevice')}</Tag>
            </div>
            <p className="text-13 text-muted wrap-anywhere">{detail}</p>
          </div>
          {action}
        </div>
        <div className="card:ps-12">
          <Facts
            facts={[
              [t('ipAddress'), <IPAddress key="address" session={session} />],
              [t('signedInWith'), proofs ? proofText(proofs) : '…'],
              [t('signedIn'), <Time key="created" value={session.createdAt} style="dateTime" />],
              [t('lastActive'), <Time key="updated" value={session.updatedAt} />],
              [t('expires'), <Expiry key="expires" session={session} />],
            ]}
          />
        </div>
      </Card>
    </section>
  )
}

function Expiry({ session }: { readonly session: ListedSession }) {
  const t = useMessages(messages)
  return (
    <>
      <Time value={session.expiresAt} style="date" /> <span className="text-muted">{t('ifNotUsed')}</span>
    </>
  )
}

interface TableProps {
  readonly sessions: readonly ListedSession[]
  readonly onRevoke: (session: ListedSession) => void
}

function SessionRow({ session, onRevoke }: { readonly session: ListedSession; readonly onRevoke: () => void }) {
  const t = useMessages(messages)
  const device = describeDevice(session.userAgent)
  const { name, detail } = useDeviceText()(device)
  const proofs = useProofText()(session.amr ?? [])
  return (
    <Row
      head={
        <RowHead
          icon={<DeviceIcon kind={device.kind} />}
          name={name}
          detail={[detail, proofs].filter(Boolean).join(' · ')}
          room="button"
        />
      }
      action={
        <Button onClick={onRevoke} aria-label={t('revokeNamed', { device: name })}>
          {t('revoke')}
        </Button>
      }
    >
      <Cell label={t('ipAddress')}>
        <IPAddress session={session} />
      </Cell>
      <Cell label={t('lastActive')}>
        <Time value={session.updatedAt} />
      </Cell>
      <Cell label={t('signedIn')} isWideOnly>
        <Time value={session.createdAt} style="date" />
      </Cell>
      <Cell label={t('expires')} isWideOnly>
        <Time value={session.expiresAt} style="date" />
      </Cell>
    </Row>
  )
}

export function useSessionColumns() {
  const t = useMessages(messages)
  return [
    { label: t('device') },
    { label: t('ipAddress') },
    { label: t('lastActive') },
    { label: t('signedIn'), isWideOnly: true },
    { label: t('expires'), isWideOnly: true },
  ]
}

export function SessionTable({ sessions, onRevoke }: TableProps) {
  const columns = useSessionColumns()
  return (
    <Table columns={columns} hasActions>
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} onRevoke={() => onRevoke(session)} />
      ))}
    </Table>
  )
}
