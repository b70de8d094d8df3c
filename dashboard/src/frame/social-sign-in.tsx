/** Sign-in with a provider. The sign-in page loads this file only when providers are configured. */
import { type ReactNode, useEffect, useState } from 'react'
import { pageURL, useSettings } from '../api.ts'
import { Button, TextLink } from '../components/button.tsx'
import { useCaptcha } from '../components/captcha.tsx'
import { ErrorNote, useCountdown } from '../components/feedback.tsx'
import { ProviderMark } from '../components/provider-mark.tsx'
import { useErrorText } from '../errors.ts'
import { useMessages } from '../i18n/messages.ts'
import { socialMessages as messages } from '../messages.ts'
import { useErrorParameter, useParameter } from '../router-hooks.ts'
import { RedirectNote } from './redirect-note.tsx'

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

interface SocialSignInProps {
  readonly page: '/sign-in' | '/sign-up'
  /** Whether it stands below a form. */
  readonly isAlternative: boolean
}

/** The buttons of the sign-in and the sign-up page. A failure comes back to the same page. */
export function SocialSignIn({ page, isAlternative }: SocialSignInProps) {
  const { socialProviders } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const captcha = useCaptcha('/sign-in/social')
  const isSignUp = page === '/sign-up'
  const start = async (provider: string) => {
    const { url } = await captcha.send('POST /sign-in/social', {
      body: {
        provider,
        callbackURL: callbackURL ?? pageURL('/account'),
        errorCallbackURL: pageURL(page, { callbackURL, provider }),
        ...(isSignUp && { requestSignUp: true }),
      },
    })
    if (url !== undefined) location.assign(url)
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      {isAlternative ? <OrDivider /> : null}
      <ProviderButtons providers={socialProviders.filter(({ signUp }) => !isSignUp || signUp !== 'never')} start={start}>
        {captcha.widget}
      </ProviderButtons>
    </div>
  )
}

/** What the provider or the API rejected, when a sign-in came back to this page with an error. */
export function SocialError() {
  const t = useMessages(messages)
  const code = useErrorParameter()
  const id = useParameter('provider')
  const callbackURL = useParameter('callbackURL')
  const { socialProviders, emailPassword } = useSettings()
  const provider = socialProviders.find((each) => each.id === id)
  if (code === undefined) return null
  const canSignUp = emailPassword?.signUp || provider?.signUp === 'requested'
  const needsSignUp = code === 'signup_disabled' && canSignUp
  const sentence = () => {
    if (needsSignUp) return t('noAccountYet')
    return code === 'account_not_linked' && provider ? t('accountNotLinked', { provider: provider.name }) : undefined
  }
  return (
    <RedirectNote
      code={code}
      title={provider ? t('notSignedInWith', { provider: provider.name }) : t('notSignedIn')}
      sentence={sentence()}
    >
      {needsSignUp ? (
        <p>
          <TextLink to="/sign-up" search={{ callbackURL }} isInline>
            {t('createAccount')}
          </TextLink>
        </p>
      ) : null}
    </RedirectNote>
  )
}
