/** Sign-in with a linked provider, in the dialog to sign in again. */
import { useEffect, useState } from 'react'
import { lastSession, pageURL, send } from '../../api/calls.ts'
import { onSignIn } from '../../browser/sign-in-channel.ts'
import { useCaptcha } from '../../components/captcha.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { RedirectNote } from '../../frame/redirect-note.tsx'
import { ProviderButtons } from '../../frame/social-sign-in.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { socialMessages as messages } from '../../messages/index.ts'
import { finishSignIn, type SignInAgainProps, type SignInRequest } from '../../session/sign-in-request.ts'
import { linkedProviders } from './again.ts'

/** How a sign-in in the other window ended. */
type Outcome =
  | { readonly kind: 'started' }
  | { readonly kind: 'blocked' }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'unread'; readonly error: unknown }
  | { readonly kind: 'another user'; readonly email: string }

function useOtherWindow(request: SignInRequest) {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    const compareUser = async () => {
      const session = await send('GET /get-session', { query: { disableCustomSession: 'true' } })
      if (session && session.user.id !== lastSession()?.user.id) setOutcome({ kind: 'another user', email: session.user.email })
      else if (session) await finishSignIn(request, session)
    }
    return onSignIn((code) => {
      if (code !== undefined) setOutcome({ kind: 'failed', code })
      else compareUser().catch((error: unknown) => setOutcome({ kind: 'unread', error }))
    })
  }, [request])
  return [outcome, setOutcome] as const
}

/** The page would lose its input by a redirect, so the provider has a window of its own. */
export function SignInAgain({ request, ...known }: SignInAgainProps) {
  const [outcome, setOutcome] = useOtherWindow(request)
  const captcha = useCaptcha('/sign-in/social')
  const email = lastSession()?.user.email ?? ''
  const start = async (provider: string) => {
    // Before the call: browsers open windows only as the direct consequence of a click.
    const opened = window.open('', '_blank', 'popup,width=520,height=720')
    if (!opened) return setOutcome({ kind: 'blocked' })
    // The provider must not reach this page.
    opened.opener = null
    const callbackURL = pageURL('/signed-in-again', { window: 'opened' })
    try {
      const body = { provider, callbackURL, errorCallbackURL: callbackURL, loginHint: email }
      const result = await captcha.send('POST /sign-in/social', { body })
      opened.location.replace('url' in result && result.url ? result.url : callbackURL)
      setOutcome({ kind: 'started' })
    } catch (error) {
      opened.close()
      throw error
    }
  }
  return (
    <ProviderButtons providers={linkedProviders(known)} start={start} after="stay">
      {captcha.widget}
      <OutcomeNote outcome={outcome} own={email} />
    </ProviderButtons>
  )
}

function OutcomeNote({ outcome, own }: { readonly outcome: Outcome | undefined; readonly own: string }) {
  const t = useMessages(messages)
  if (!outcome) return null
  if (outcome.kind === 'failed') return <RedirectNote code={outcome.code} title={t('notSignedIn')} />
  if (outcome.kind === 'unread') return <ErrorNote error={outcome.error} />
  if (outcome.kind === 'started') return <Note isLive>{t('finishInOtherWindow')}</Note>
  return (
    <Note tone="warning" isLive>
      {outcome.kind === 'blocked' ? t('windowBlocked') : t('anotherUser', { email: outcome.email, own })}
    </Note>
  )
}
