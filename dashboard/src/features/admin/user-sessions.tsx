/** The sessions of a user: where they are signed in, and how to end that. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut, MonitorOff } from 'lucide-react'
import { useState } from 'react'
import { describeDevice } from '../../../../src/lib/device.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, Section, Tag, Time } from '../../components/layout.tsx'
import { Cell, Row, RowHead, Table } from '../../components/table.tsx'
import { DeviceIcon, useDeviceText } from '../../frame/devices.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session.ts'
import { refreshAdmin, sessionsQuery, type UserSession } from './data.ts'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { useAllowed } from './user-menu.tsx'

export function UserSessions({ user, onChoose, onDone, focusAfter }: PartProps) {
  const t = useMessages(messages)
  const allows = useAllowed()
  const { data, error, refetch } = useQuery(sessionsQuery(user.id))
  const [chosen, setChosen] = useState<UserSession | null>(null)
  const mayRevoke = allows('revoke')
  return (
    <Section
      title={t('sessions')}
      detail={data?.length}
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
        <SessionList sessions={data} onRevoke={mayRevoke ? setChosen : undefined} />
      ) : (
        <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
      )}
      <RevokeDialog session={chosen} onClose={() => setChosen(null)} onDone={onDone} focusAfter={focusAfter} />
    </Section>
  )
}

interface ListProps {
  readonly sessions: readonly UserSession[]
  /** Undefined: not permitted. */
  readonly onRevoke: ((session: UserSession) => void) | undefined
}

function SessionList({ sessions, onRevoke }: ListProps) {
  const t = useMessages(messages)
  if (sessions.length === 0)
    return (
      <Card>
        <Placeholder icon={MonitorOff} title={t('noSessions')} heading="h3">
          {t('noSessionsText')}
        </Placeholder>
      </Card>
    )
  const columns = [
    { label: t('device') },
    { label: t('ipAddress') },
    { label: t('lastActive') },
    { label: t('signedIn'), isWideOnly: true },
    { label: t('expires'), isWideOnly: true },
  ]
  return (
    <Table label={t('sessions')} columns={columns} hasActions={onRevoke !== undefined}>
      {sessions.map((session) => (
        <SessionRow key={session.id} session={session} onRevoke={onRevoke} />
      ))}
    </Table>
  )
}

function SessionRow({ session, onRevoke }: Pick<ListProps, 'onRevoke'> & { readonly session: UserSession }) {
  const t = useMessages(messages)
  const device = describeDevice(session.userAgent)
  const { name, detail } = useDeviceText()(device)
  const isOwn = useSession().session.id === session.id
  // Expired ones stay in the list until they are deleted: the clock of this browser may be wrong.
  const isExpired = Date.parse(session.expiresAt) < Date.now()
  const tag = session.impersonatedBy ? <Tag tone="brass">{t('impersonation')}</Tag> : isOwn ? <Tag>{t('yourSession')}</Tag> : null
  return (
    <Row
      head={<RowHead icon={<DeviceIcon kind={device.kind} />} name={name} tag={tag} detail={detail} room="button" />}
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

/** The last one keeps its content while it closes. */
function RevokeDialog({ session, onClose, onDone, focusAfter }: RevokeProps) {
  const t = useMessages(messages)
  const deviceText = useDeviceText()
  const [last, setLast] = useState<UserSession | null>(null)
  const device = last ? deviceText(describeDevice(last.userAgent)).name : ''
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (token: string) => call('POST /admin/revoke-user-session', { body: { sessionToken: token } }),
    onSuccess: async () => {
      await refreshAdmin()
      onClose()
      onDone(t('revoked', { device }))
    },
  })
  if (session && session !== last) {
    setLast(session)
    reset()
  }
  return (
    <ConfirmDialog
      isOpen={session !== null}
      onClose={onClose}
      title={t('revokeQuestion', { device })}
      confirmLabel={t('revokeSession')}
      isBusy={isPending}
      error={error}
      onConfirm={() => last && mutate(last.token)}
      focusAfter={focusAfter}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
