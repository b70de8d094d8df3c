/** The sessions of a user: where they are signed in, and how to end that. */
import { useQuery } from '@tanstack/react-query'
import { LogOut, MonitorOff } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { describeDevice } from '../../../../src/lib/device.ts'
import { Button } from '../../components/button.tsx'
import { DeviceIcon, useDeviceText } from '../../components/device.tsx'
import { ConfirmDialog, useLast } from '../../components/dialog.tsx'
import { Placeholder } from '../../components/feedback.tsx'
import { Card, Section, Tag, Time } from '../../components/layout.tsx'
import { Pending, TableSkeleton } from '../../components/skeleton.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session/session.ts'
import { refreshAdmin, sessionsQuery, type UserSession } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { useAllowed } from './user-menu.tsx'

interface SectionProps extends PartProps {
  readonly detail: (count: number) => ReactNode
  readonly skeleton: (mayRevoke: boolean) => ReactNode
  /** @param onRevoke undefined: not permitted */
  readonly children: (sessions: readonly UserSession[], onRevoke: ListProps['onRevoke']) => ReactNode
}

/** Sessions of the user, all of which, or one, may be revoked. */
export function SessionsSection({ user, onChoose, onDone, focusAfter, detail, skeleton, children }: SectionProps) {
  const t = useMessages(messages)
  const mayRevoke = useAllowed()('revoke')
  const { data, error, refetch } = useQuery(sessionsQuery(user.id))
  const [chosen, setChosen] = useState<UserSession | null>(null)
  return (
    <Section
      title={t('sessions')}
      detail={data && detail(data.length)}
      actions={
        mayRevoke && data && data.length > 0 ? (
          <Button variant="danger" onClick={() => onChoose('revoke')}>
            <LogOut aria-hidden className="size-4" />
            {t('revokeAll')}
          </Button>
        ) : null
      }
    >
      {data ? (
        children(data, mayRevoke ? setChosen : undefined)
      ) : (
        <Pending heading="h3" error={error} retry={refetch}>
          {skeleton(mayRevoke)}
        </Pending>
      )}
      <RevokeDialog session={chosen} onClose={() => setChosen(null)} onDone={onDone} focusAfter={focusAfter} />
    </Section>
  )
}

export function UserSessions(props: PartProps) {
  const columns = useSessionColumns()
  return (
    <SessionsSection
      {...props}
      detail={(count) => count}
      skeleton={(mayRevoke) => <TableSkeleton columns={columns} icon="square" hasActions={mayRevoke} rows={3} />}
    >
      {(sessions, onRevoke) => <SessionList sessions={sessions} onRevoke={onRevoke} />}
    </SessionsSection>
  )
}

function useSessionColumns() {
  const t = useMessages(messages)
  return [
    { label: t('device') },
    { label: t('ipAddress') },
    { label: t('lastActive') },
    { label: t('signedIn'), isWideOnly: true },
    { label: t('expires'), isWideOnly: true },
  ]
}

interface ListProps {
  readonly sessions: readonly UserSession[]
  /** Undefined: not permitted. */
  readonly onRevoke: ((session: UserSession) => void) | undefined
}

function SessionList({ sessions, onRevoke }: ListProps) {
  const t = useMessages(messages)
  const columns = useSessionColumns()
  if (sessions.length === 0)
    return (
      <Card>
        <Placeholder icon={MonitorOff} title={t('noSessions')} heading="h3">
          {t('noSessionsText')}
        </Placeholder>
      </Card>
    )
  return (
    <Table label={t('sessions')} columns={columns} hasActions={onRevoke !== undefined}>
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} onRevoke={onRevoke} />
      ))}
    </Table>
  )
}

/** What is special about a session. */
export function SessionTag({ session }: { readonly session: UserSession }) {
  const t = useMessages(messages)
  const isOwn = useSession().session.id === session.id
  if (session.impersonatedBy) return <Tag tone="brass">{t('impersonation')}</Tag>
  return isOwn ? <Tag>{t('yourSession')}</Tag> : null
}

function SessionRow({ session, onRevoke }: Pick<ListProps, 'onRevoke'> & { readonly session: UserSession }) {
  const t = useMessages(messages)
  const device = describeDevice(session.userAgent)
  const { name, detail } = useDeviceText()(device)
  // Expired ones stay in the list until they are deleted: the clock of this browser may be wrong.
  const isExpired = Date.parse(session.expiresAt) < Date.now()
  return (
    <Row
      head={
        <RowHead
          icon={<DeviceIcon kind={device.kind} />}
          name={name}
          tag={<SessionTag session={session} />}
          detail={detail}
          room="button"
        />
      }
      action={
        onRevoke ? (
          <Button onClick={() => onRevoke(session)} aria-label={t('revokeNamed', { device: name })}>
            {t('revoke')}
          </Button>
        ) : undefined
      }
    >
      <Cell label={t('ipAddress')}>
        {session.ipAddress ? (
          <bdi className="font-mono text-12 wrap-anywhere card:wrap-break-word">{session.ipAddress}</bdi>
        ) : (
          <span className="text-muted">{t('unknownAddress')}</span>
        )}
      </Cell>
      <Cell label={t('lastActive')}>
        <Time value={session.updatedAt} />
      </Cell>
      <Cell label={t('signedIn')} isWideOnly>
        <Time value={session.createdAt} style="date" />
      </Cell>
      <Cell label={t('expires')} isWideOnly>
        {isExpired ? <span className="text-muted">{t('expired')}</span> : <Time value={session.expiresAt} />}
      </Cell>
    </Row>
  )
}

interface RevokeProps extends Pick<PartProps, 'onDone' | 'focusAfter'> {
  readonly session: UserSession | null
  readonly onClose: () => void
}

function RevokeDialog({ session, onClose, onDone, focusAfter }: RevokeProps) {
  const t = useMessages(messages)
  const deviceText = useDeviceText()
  const { last } = useLast(session)
  const device = last ? deviceText(describeDevice(last.userAgent)).name : ''
  const revoke = async ({ token }: UserSession) => {
    await call('POST /admin/revoke-user-session', { body: { sessionToken: token } })
    await refreshAdmin()
    onDone(t('revoked', { device }))
  }
  return (
    <ConfirmDialog
      isOpen={session !== null}
      onClose={onClose}
      title={t('revokeQuestion', { device })}
      confirmLabel={t('revokeSession')}
      call={async () => last && revoke(last)}
      focusAfter={focusAfter}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
