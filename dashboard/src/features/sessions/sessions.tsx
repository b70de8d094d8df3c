/** The sessions of the current user: this device, the others, and how to revoke them. */
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { LogOut, MonitorCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { describeDevice } from '../../../../src/lib/device.ts'
import { hasCode, queryClient } from '../../api.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, LoadError, Note, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, PageHead, Section } from '../../components/layout.tsx'
import { showToast } from '../../components/toast.tsx'
import { useDeviceText } from '../../frame/devices.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, signOut, useSession } from '../../session.ts'
import { messages } from './index.ts'
import { type ListedSession, SessionTable, ThisDevice } from './session-parts.tsx'

const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => call('GET /list-sessions', {}),
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

interface RevocationProps {
  readonly others: readonly ListedSession[]
  /** Says what was revoked. */
  readonly onDone: (text: string) => void
  readonly focusAfter: React.RefObject<HTMLElement | null>
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
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: revoke,
    onSuccess: (_, done) => {
      if (done === 'all') return
      queryClient.setQueryData(sessionsQuery.queryKey, (list) =>
        list?.filter(({ id }) => (done === 'others' ? id === session.id : id !== done.id)),
      )
      void queryClient.invalidateQueries(sessionsQuery)
      setOpen(false)
      const result = done === 'others' ? t('revokedOthers', count) : t('revoked', { device })
      onDone(result)
      showToast(result)
    },
  })
  const dialog = (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={() => setOpen(false)}
      title={title}
      confirmLabel={confirmLabel}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate(choice)}
      focusAfter={focusAfter}
    >
      <p>{text}</p>
    </ConfirmDialog>
  )
  const open = (next: Choice) => {
    reset()
    setChoice(next)
    setOpen(true)
  }
  return { dialog, open }
}

export function Screen() {
  const t = useMessages(messages)
  const { session: current } = useSession()
  const { data, error, refetch } = useQuery(sessionsQuery)
  const [result, setResult] = useState<string>()
  const resultRef = useRef<HTMLDivElement>(null)
  const others = (data ?? []).filter(({ id }) => id !== current.id).sort(byActivity)
  const { dialog, open } = useRevocation({ others, onDone: setResult, focusAfter: resultRef })
  const choose = (choice: Choice) => {
    setResult(undefined)
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
      <ThisDevice session={current} action={<SignOutButton />} />
      <div className={current.impersonatedBy ? 'mt-6' : undefined}>
        <NotWhileImpersonating>
          <Section title={t('otherSessions')} detail={data ? others.length : undefined}>
            {result ? (
              <div ref={resultRef} tabIndex={-1} className="mb-4 outline-none">
                <Note tone="success" isLive>
                  {result}
                </Note>
              </div>
            ) : null}
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
  if (!sessions) return <Card className="px-4 py-2">{error ? <LoadError error={error} retry={retry} /> : <Skeleton />}</Card>
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
