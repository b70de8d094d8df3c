/** The dialog in which the user signs in again, while the page behind keeps its input: with the password, or with a linked provider. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { type Account, accountsQuery, hasPassword } from '../accounts.ts'
import { lastSession, pageURL, queryClient, refreshSession, send, useSettings } from '../api.ts'
import { Button } from '../components/button.tsx'
import { useCaptcha } from '../components/captcha.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ErrorNote, Note } from '../components/feedback.tsx'
import { PasswordField } from '../components/field.tsx'
import { Form, useApiForm } from '../components/form.tsx'
import { Avatar } from '../components/layout.tsx'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { loadSocialMessages, socialMessages as messages, phoneMessages, useFrameMessages } from '../messages.ts'
import { onSignIn } from '../session.ts'
import type { SignInRequest } from '../sign-in-request.ts'
import { RedirectNote } from './redirect-note.tsx'
import { OrDivider, type Provider, ProviderButtons } from './social-sign-in.tsx'

/** Repeats what failed without the session. */
async function finishSignIn({ finish }: SignInRequest): Promise<void> {
  await refreshSession()
  finish(true)
  await queryClient.invalidateQueries()
}

function PasswordAgain(request: SignInRequest) {
  const t = useFrameMessages()
  const user = lastSession()?.user
  const captcha = useCaptcha('/sign-in/email')
  const state = useApiForm({
    schema: () => import('../schemas.ts').then(({ passwordOnly }) => passwordOnly),
    defaults: { password: '' },
    fields: { INVALID_EMAIL_OR_PASSWORD: 'password' },
    submit: async ({ password }) => {
      await captcha.send('POST /sign-in/email', { body: { email: user?.email ?? '', password } })
      await finishSignIn(request)
    },
  })
  return (
    <Form state={state} submitLabel={t('continue')} actions={<CancelButton {...request} />}>
      <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
      <PasswordField label={t('password')} autoComplete="current-password" {...state.field('password')} />
      {captcha.widget}
    </Form>
  )
}

function CancelButton({ reason, finish }: SignInRequest) {
  const t = useFrameMessages()
  return <Button onClick={() => finish(false)}>{reason === 'ended' ? t('goToSignIn') : t('cancel')}</Button>
}

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
      else if (session) await finishSignIn(request)
    }
    return onSignIn((code) => {
      if (code !== undefined) setOutcome({ kind: 'failed', code })
      else compareUser().catch((error: unknown) => setOutcome({ kind: 'unread', error }))
    })
  }, [request])
  return [outcome, setOutcome] as const
}

/** The page would lose its input by a redirect, so the provider has a window of its own. */
function ProviderAgain({ request, providers }: { readonly request: SignInRequest; readonly providers: readonly Provider[] }) {
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
      const { url } = await captcha.send('POST /sign-in/social', { body })
      opened.location.replace(url ?? callbackURL)
      setOutcome({ kind: 'started' })
    } catch (error) {
      opened.close()
      throw error
    }
  }
  return (
    <ProviderButtons providers={providers} start={start} after="stay">
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

/** The sign-in methods as they were known before the session ended; all of them when they were not. */
function useMethods() {
  const { locale } = useLocale()
  const { socialProviders } = useSettings()
  const { isSuccess, isPending } = useQuery({
    queryKey: ['sign-in-texts', locale],
    queryFn: () => loadSocialMessages(locale),
    networkMode: 'always',
  })
  const accounts = queryClient.getQueryData<readonly Account[]>(accountsQuery.queryKey)
  const isLinked = (id: string) => accounts?.some(({ providerId }) => providerId === id) ?? true
  const providers = isSuccess ? socialProviders.filter(({ id }) => isLinked(id)) : []
  return { isPending, providers, canUsePassword: providers.length === 0 || !accounts || hasPassword(accounts) }
}

interface MethodsProps {
  readonly request: SignInRequest
  readonly providers: readonly Provider[]
  readonly canUsePassword: boolean
}

const PhoneAgain = lazy(() => import('./phone-again.tsx').then((module) => ({ default: module.PhoneAgain })))

/** The number of a user who has no other sign-in method; null for all others. */
function useOnlyPhone(): string | null {
  const { locale } = useLocale()
  const { phoneNumber } = useSettings()
  const user = lastSession()?.user
  const accounts = queryClient.getQueryData<readonly Account[]>(accountsQuery.queryKey)
  const isOnly = phoneNumber?.codes && user?.phoneNumberVerified && accounts?.length === 0
  const { isSuccess } = useQuery({
    queryKey: ['phone-texts', locale],
    queryFn: () => phoneMessages.load(locale).then(() => true),
    enabled: isOnly === true,
    networkMode: 'always',
  })
  return isOnly && isSuccess ? (user.phoneNumber ?? null) : null
}

const Methods = ({ request, providers, canUsePassword }: MethodsProps) => (
  <>
    {providers.length > 0 ? <ProviderAgain request={request} providers={providers} /> : null}
    {providers.length > 0 && canUsePassword ? <OrDivider /> : null}
    {canUsePassword ? (
      <PasswordAgain {...request} />
    ) : (
      <div className="flex">
        <CancelButton {...request} />
      </div>
    )}
  </>
)

export function SignInAgain({ request }: { readonly request: SignInRequest }) {
  const t = useFrameMessages()
  const user = lastSession()?.user
  const { isPending, providers, canUsePassword } = useMethods()
  const onlyPhone = useOnlyPhone()
  const isExpired = request.reason !== 'not-fresh'
  const question = providers.length > 0 ? t('confirmSignIn') : t('confirmIdentity')
  return (
    <Dialog
      isOpen
      // Escape must not leave the page with what was entered.
      onClose={() => request.reason === 'ended' || request.finish(false)}
      title={isExpired ? t('signInAgain') : question}
      description={isExpired ? t('sessionExpired') : t('notFresh')}
    >
      <div className="flex items-center gap-2.5 text-13">
        <Avatar name={user?.name ?? ''} />
        <div className="min-w-0">
          <div className="truncate font-medium">{user?.name}</div>
          <div className="truncate text-12 text-muted">{user?.email}</div>
        </div>
      </div>
      {onlyPhone === null && !isPending ? (
        <Methods request={request} providers={providers} canUsePassword={canUsePassword} />
      ) : null}
      {onlyPhone === null ? null : (
        <Suspense>
          <PhoneAgain number={onlyPhone} cancel={<CancelButton {...request} />} onSignedIn={() => finishSignIn(request)} />
        </Suspense>
      )}
    </Dialog>
  )
}
