/** Buttons that lead to a provider: to sign in again, and to link an account. */
import { type ReactNode, useEffect, useState } from 'react'
import { useErrorText } from '../api/errors.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote, useCountdown } from '../components/feedback.tsx'
import { ProviderMark } from '../components/provider-mark.tsx'
import { useMessages } from '../i18n/messages.ts'
import { socialMessages as messages } from '../messages/index.ts'

export interface Provider {
  readonly id: string
  readonly name: string
}

/** Starts what leaves the page; `id` names the provider until it has. A browser that shows the page again can start again. */
export function useDeparture(start: (id: string) => Promise<void>) {
  const [busy, setBusy] = useState<string>()
  const [error, setError] = useState<unknown>(undefined)
  const errorText = useErrorText()
  const wait = useCountdown(error, error === undefined ? undefined : errorText(error).retryAfter)
  useEffect(() => {
    const reset = ({ persisted }: PageTransitionEvent) => persisted && setBusy(undefined)
    addEventListener('pageshow', reset)
    return () => removeEventListener('pageshow', reset)
  }, [])
  const go = (id: string) => {
    if (busy !== undefined) return
    setBusy(id)
    setError(undefined)
    start(id).catch((failure: unknown) => {
      setError(failure)
      setBusy(undefined)
    })
  }
  return { busy, setBusy, error, wait, go }
}

interface ProviderButtonsProps {
  readonly providers: readonly Provider[]
  /** Resolves when the browser is about to leave the page, or the buttons are of no more use. */
  readonly start: (id: string) => Promise<void>
  /** `stay`: the page stays, and the button can be pressed again. */
  readonly after?: 'leave' | 'stay'
  readonly children?: ReactNode
}

/** One button per provider, and what went wrong. */
export function ProviderButtons({ providers, start, after = 'leave', children }: ProviderButtonsProps) {
  const t = useMessages(messages)
  const { busy, setBusy, error, wait, go } = useDeparture(async (id) => {
    await start(id)
    if (after === 'stay') setBusy(undefined)
  })
  return (
    <div className="grid grid-cols-1 gap-3">
      {error === undefined ? null : <ErrorNote error={error} />}
      {children}
      <ul className="grid grid-cols-1 gap-2">
        {providers.map(({ id, name }) => (
          <li key={id}>
            <Button
              size="large"
              isBusy={busy === id}
              disabled={wait > 0 || (busy !== undefined && busy !== id)}
              onClick={() => go(id)}
            >
              {busy === id ? null : <ProviderMark id={id} name={name} />}
              <span className="min-w-0 grow text-center">{t('continueWith', { provider: name })}</span>
              {/* Centers the text, while there is room. */}
              <span className="w-4.5 shrink-999" />
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Between two sign-in methods. */
export function OrDivider() {
  const t = useMessages(messages)
  return (
    <div className="flex items-center gap-3 text-13 text-muted before:grow before:border-t before:border-border after:grow after:border-t after:border-border">
      {t('or')}
    </div>
  )
}
