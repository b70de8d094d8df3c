/** Warns before the session ends by its age or without use, and keeps the user signed in (WCAG 2.2.1). */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useEffect, useState } from 'react'
import { queryClient, refreshSession, type Session, send, sessionQuery } from '../api/calls.ts'
import { Button } from '../components/button.tsx'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { isImpersonation } from '../session/impersonation.ts'
import { extendSignIn } from '../session/session.ts'

const stepMs = 5000
const longestNoticeMs = 300_000

/**
 * Whether a session is about to end: in five minutes, and in less for one that is shorter than 15 minutes. A session that has ended by
 * the clock of this computer, but exists, says that the clock is wrong.
 */
function isDue({ session: { expiresAt, updatedAt } }: Session): boolean {
  const [now, end] = [Date.now(), Date.parse(expiresAt)]
  return now < end && now >= end - Math.min(longestNoticeMs, (end - Date.parse(updatedAt)) / 3)
}

/** Calls and other tabs renew the session too. Looking it up must not: only the user extends it. */
async function readEnd(): Promise<Session | null> {
  const query = { disableRefresh: 'true', disableCookieCache: 'true', disableCustomSession: 'true' } as const
  const session = await send('GET /get-session', { query })
  // An ended one is read again as such, so that the page asks to sign in again.
  if (session) queryClient.setQueryData(sessionQuery.queryKey, session)
  else await refreshSession()
  return session
}

/** @returns the session while it is about to end; null: it is not */
function useEndingSession(): Session | null {
  const session = useQuery(sessionQuery).data ?? null
  const [warned, setWarned] = useState<string | null>(null)
  useEffect(() => {
    if (!session || isImpersonation(session)) return
    let isReading = false
    const look = async () => {
      if (isReading || !isDue(session)) return
      isReading = true
      // Without a connection, the next look tries again.
      const current = await readEnd().catch(() => undefined)
      isReading = false
      if (current !== undefined) setWarned(current && isDue(current) ? current.session.expiresAt : null)
    }
    const timer = setInterval(() => void look(), stepMs)
    void look()
    return () => clearInterval(timer)
  }, [session])
  return session && session.session.expiresAt === warned && isDue(session) ? session : null
}

export function SessionEndBar() {
  const t = useFrameMessages()
  const { format } = useLocale()
  const session = useEndingSession()
  // A session that any use extends is extended by this; for another, the user signs in again.
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const extended = await refreshSession()
      if (extended && isDue(extended)) await extendSignIn()
    },
  })
  return (
    <div role="alert" className={session ? 'sticky top-(--fixed-bars) z-30 bg-info-soft text-info' : undefined}>
      {session ? (
        <div className="flex min-h-12 flex-wrap items-center justify-center gap-x-4 gap-y-1 px-4 py-1.5 text-13 font-medium">
          <span className="inline-flex min-w-0 items-center gap-2">
            <Clock aria-hidden className="size-4 shrink-0" />
            {t('sessionEnds', { time: format.hour(new Date(session.session.expiresAt)) })}
          </span>
          <Button isBusy={isPending} onClick={() => mutate()}>
            {t('staySignedIn')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
