/** The sessions of the current user: this device, the others, and how to revoke them. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { LogOut, MonitorCheck } from 'lucide-react'
import { useState } from 'react'
import { describeDevice } from '../../../../src/lib/device.ts'
import { hasCode, queryClient } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { useDeviceText } from '../../components/device.tsx'
import { ConfirmDialog, type DialogHandlers } from '../../components/dialog.tsx'
import { ErrorNote, Note, Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead, Section } from '../../components/layout.tsx'
import { Pending, TableSkeleton } from '../../components/skeleton.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, signOut, useSession } from '../../session/session.ts'
import { messages } from './index.ts'
import { type ListedSession, SessionTable, ThisDevice, useSessionColumns } from './session-parts.tsx'

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call('GET /list-sessions', { query: { authentication: 'true' } }),
  refetchOnWindowFocus: 'always',
})

/** What the user is about to end: one session, all but this one, or all. */
type Choice = ListedSession | 'others' | 'all'

/** The most recently used first. */
const byActivity = (one: ListedSession, other: ListedSession) => (one.updatedAt < other.updatedAt ? 1 : -1)

async function revoke(choice: Choice): Promise<void> {
  if (choice === 'others') await call('POST /revoke-other-sessions', {})
  else if (choice === 'all') {
    await call('POST /revoke-sessions', {})
    await signOut()
  } else {
    await call('POST /revoke-session', { body: { token: choice.token } }).catch((error: unknown) => {
      // It has ended in the meantime, which is what the user wants.
      if (!hasCode(error, 'SESSION_NOT_FOUND')) throw error
    })
  }
}

interface RevocationProps extends Pick<DialogHandlers, 'onDone' | 'focusAfter'> {
  readonly others: readonly ListedSession[]
}

/** The dialog before sessions are revoked, and the button to open it. */
function useRevocation({ others, onDone, focusAfter }: RevocationProps) {
  const t = useMessages(messages)
  const deviceText = useDeviceText()
  const { session } = useSession()
  const [choice, setChoice] = useState<Choice>('others')
  const [isOpen, setOpen] = useState(false)
  const count = { count: others.length }
  const device = typeof choice === 'string' ? '' : deviceText(describeDevice(choice.userAgent)).name
  const texts = {
    one: [t('revokeQuestion', { device }), t('revokeText'), t('revokeSession')],
    others: [t('revokeOthersQuestion'), t('revokeOthersText', count), t('revokeCount', count)],
    all: [t('signOutEverywhereQuestion'), t('signOutEverywhereText', { count: count.count + 1 }), t('signOutEverywhere')],
  } as const
  const [title, text, confirmLabel] = texts[typeof choice === 'string' ? choice : 'one']
  const revokeChosen = async () => {
    await revoke(choice)
    // The page is left.
    if (choice === 'all') return false
    queryClient.setQueryData(sessionsQuery.queryKey, (list) =>
      list?.filter(({ id }) => (choice === 'others' ? id === session.id : id !== choice.id)),
    )
    void queryClient.invalidateQueries(sessionsQuery)
    onDone(choice === 'others' ? t('revokedOthers', count) : t('revoked', { device }))
    return true
  }
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      title={title}
      confirmLabel={confirmLabel}
      call={revokeChosen}
      focusAfter={focusAfter}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
  const open = (next: Choice) => {
    setChoice(next)
    setOpen(true)
  }
  return { dialog, open }
}

export function Screen() {
  const t = useMessages(messages)
  const { session: current } = useSession()
  const { data, error, refetch } = useQuery(sessionsQuery)
  const result = useResult()
  const others = (data ?? []).filter(({ id }) => id !== current.id).sort(byActivity)
  const { dialog, open } = useRevocation({ others, onDone: result.show, focusAfter: result.ref })
  const choose = (choice: Choice) => {
    result.clear()
    open(choice)
  }
  return (
    <>
      <PageHead
        title={t('sessions')}
        actions={
          others.length > 0 && !current.impersonatedBy ? (
            <Button variant="danger" onClick={() => choose('others')}>
              <LogOut aria-hidden className="size-4" />
              {t('revokeOthers')}
            </Button>
          ) : null
        }
      >
        {t('sessionsLead')}
      </PageHead>
      <ThisDevice session={current} proofs={data?.find(({ id }) => id === current.id)?.amr} action={<SignOutButton />} />
      <div className="mt-8">
        <NotWhileImpersonating>
          <Section title={t('otherSessions')} detail={data ? others.length : undefined}>
            {result.note}
            <OtherSessions sessions={data && others} error={error} retry={() => void refetch()} onRevoke={choose} />
          </Section>
          <Section
            title={t('signOutEverywhere')}
            description={t('signOutEverywhereLead')}
            isDanger
            actions={
              <Button variant="danger" onClick={() => choose('all')}>
                {t('signOutEverywhere')}
              </Button>
            }
          />
        </NotWhileImpersonating>
      </div>
      {dialog}
    </>
  )
}

function SignOutButton() {
  const t = useMessages(messages)
  const { mutate, isPending, error } = useMutation({ mutationFn: signOut })
  return (
    <>
      <Button isBusy={isPending} onClick={() => mutate()}>
        {t('signOut')}
      </Button>
      {error ? <ErrorNote error={error} /> : null}
    </>
  )
}

interface OthersProps {
  readonly sessions: readonly ListedSession[] | undefined
  readonly error: unknown
  readonly retry: () => void
  readonly onRevoke: (session: ListedSession) => void
}

function OtherSessions({ sessions, error, retry, onRevoke }: OthersProps) {
  const t = useMessages(messages)
  const columns = useSessionColumns()
  if (!sessions)
    return (
      <Pending error={error} retry={retry}>
        <TableSkeleton columns={columns} icon="square" hasActions rows={3} />
      </Pending>
    )
  return (
    <div className="grid grid-cols-1 gap-4">
      {error ? <ErrorNote error={error} /> : null}
      {sessions.length === 0 ? (
        <Card>
          <Placeholder icon={MonitorCheck} title={t('noOthers')}>
            {t('noOthersText')}
          </Placeholder>
        </Card>
      ) : (
        <>
          <SessionTable sessions={sessions} onRevoke={onRevoke} />
          <Note>
            <p>
              {t('unrecognized')} {t('unrecognizedText')}{' '}
              <TextLink to="/account/password" isInline>
                {t('changePassword')}
              </TextLink>
              .
            </p>
          </Note>
        </>
      )}
    </div>
  )
}
