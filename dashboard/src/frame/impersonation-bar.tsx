/** The bar on every page while an administrator acts as its user: who, as whom, why, how long, and the way out. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { UserRoundCog } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Session, sessionQuery } from '../api/calls.ts'
import { useErrorText } from '../api/errors.ts'
import { readNote } from '../browser/impersonation-note.ts'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { isImpersonation, stopImpersonating } from '../session/impersonation.ts'

/** Whole seconds until a time. */
const secondsUntil = (time: number) => Math.max(0, Math.ceil((time - Date.now()) / 1000))

function useSecondsUntil(time: number): number {
  const [left, setLeft] = useState(() => secondsUntil(time))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(time)), 1000)
    return () => clearInterval(timer)
  }, [time])
  return left
}

export function ImpersonationBar() {
  const session = useQuery(sessionQuery).data
  return session && isImpersonation(session) ? <Bar session={session} /> : null
}

function Bar({ session }: { readonly session: Session }) {
  const t = useFrameMessages()
  const { format } = useLocale()
  const errorText = useErrorText()
  const note = readNote(session.session.id)
  const left = useSecondsUntil(Date.parse(session.session.expiresAt))
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      await stopImpersonating(session)
      // Until the browser has left the page.
      await new Promise(() => undefined)
    },
  })
  const names = { user: session.user.name || session.user.email, administrator: note?.administrator ?? '' }
  return (
    <aside
      aria-label={t('impersonation')}
      className="fixed-bar sticky top-0 z-30 flex min-h-12 flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-amber px-4 py-1.5 text-13 text-on-amber"
    >
      <div role="status" className="flex min-w-0 items-center gap-2 font-semibold">
        <UserRoundCog aria-hidden className="size-4 shrink-0" />
        <span className="line-clamp-2 min-w-0 wrap-anywhere">{t(note ? 'administratorActsAs' : 'actingAs', names)}</span>
      </div>
      {note ? (
        <span className="hidden max-w-80 truncate console:inline" title={note.reason}>
          {t('impersonationReason', { reason: note.reason })}
        </span>
      ) : null}
      <span className="tabular-nums">{t('timeLeft', { time: format.duration(left) })}</span>
      <button
        type="button"
        aria-busy={isPending || undefined}
        onClick={() => isPending || mutate()}
        className="min-h-8 cursor-pointer rounded-control bg-on-amber px-3 py-1 font-medium text-amber hover:underline focus-visible:outline-on-amber"
      >
        {t('exitImpersonation')}
      </button>
      {error ? (
        <span role="alert" className="basis-full text-center font-semibold">
          {errorText(error).sentence}
        </span>
      ) : null}
    </aside>
  )
}
