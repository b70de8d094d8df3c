/** The sign-in page, also for apps that send their users here with `callbackURL`. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ClientError, pageURL, sessionQuery, type User, useSettings } from '../../api.ts'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { Note } from '../../components/feedback.tsx'
import { Checkbox, PasswordField, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useHistoryState, useParameter } from '../../router-hooks.ts'
import { canSignUp } from '../../settings.ts'
import { messages } from './index.ts'

const SignedIn = lazy(() => import('./signed-in.tsx').then((module) => ({ default: module.SignedIn })))
const social = () => import('../../frame/social-sign-in.tsx')
const SocialError = lazy(() => social().then((module) => ({ default: module.SocialError })))
const SocialSignIn = lazy(() => social().then((module) => ({ default: module.SocialSignIn })))
const byEmail = () => import('../../schemas.ts').then(({ signIn }) => signIn)
const byName = () => import('../../schemas.ts').then(({ signInByName }) => signInByName)

/** What the user must do with an email before they can sign in. */
const mailed: Readonly<Record<string, string>> = { EMAIL_NOT_VERIFIED: 'verify', PASSWORD_MUST_BE_REPLACED: 'replace' }

function useSignInForm(captcha: ReturnType<typeof useCaptcha>, callbackURL: string | undefined) {
  const navigate = useNavigate()
  const { email = '' } = useHistoryState()
  const { username } = useSettings()
  return useApiForm({
    schema: username ? byName : byEmail,
    defaults: { email, password: '', rememberMe: true },
    fields: {
      INVALID_EMAIL: 'email',
      INVALID_EMAIL_OR_PASSWORD: 'password',
      INVALID_USERNAME_OR_PASSWORD: 'password',
      USERNAME_IS_TOO_SHORT: 'email',
      USERNAME_IS_TOO_LONG: 'email',
      USERNAME_IS_INVALID: 'email',
    },
    submit: async (values) => {
      if (!values.email.includes('@'))
        return (await import('./by-username.ts')).signInByUsername(captcha.send, values, callbackURL)
      // Without a target, the links in emails end on hosted pages.
      const body = callbackURL === undefined ? values : { ...values, callbackURL }
      const { url } = await captcha.send('POST /sign-in/email', { body })
      location.assign(url ?? pageURL('/account'))
    },
    onError: (error, values) => {
      const reason = error instanceof ClientError ? mailed[error.code] : undefined
      if (reason === undefined) return false
      void navigate({
        to: '/check-email',
        search: { reason, callbackURL } as never,
        state: values.email.includes('@') ? { email: values.email } : {},
      })
      return true
    },
  })
}

/** @param current the user who stays signed in while another account is added */
function SignInPage({ current }: { readonly current?: User | undefined }) {
  const t = useMessages(messages)
  const settings = useSettings()
  const { appName, emailPassword, passwordReset, phoneNumber, socialProviders, username } = settings
  const hasProviders = socialProviders.length > 0
  const callbackURL = useParameter('callbackURL')
  const { isNew = false } = useHistoryState()
  const captcha = useCaptcha('/sign-in/email')
  const state = useSignInForm(captcha, callbackURL)
  const link = { search: { callbackURL }, state: () => ({ email: state.form.getValues('email') }) }
  const resetLink = (error: unknown) =>
    passwordReset && error instanceof ClientError && error.status === 429 ? (
      <p>
        <TextLink to="/forgot-password" {...link} isInline>
          {t('resetWithoutWaiting')}
        </TextLink>
      </p>
    ) : null
  const forgot = (
    <TextLink to="/forgot-password" {...link}>
      {t('forgotPassword')}
    </TextLink>
  )
  return (
    <HostedPage
      title={current ? t('addAccount') : t('signIn')}
      lead={current ? t('stayLead', { email: current.email }) : t('signInLead', { appName })}
    >
      {isNew ? <Note tone="success">{t('accountCreated')}</Note> : null}
      {hasProviders ? (
        <Suspense>
          <SocialError />
        </Suspense>
      ) : null}
      {emailPassword ? (
        <Form state={state} size="large" submitLabel={t('signIn')} errorDetail={resetLink}>
          <TextField
            size="large"
            label={username ? t('emailOrUsername') : t('email')}
            type={username ? 'text' : 'email'}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            {...state.field('email')}
          />
          <PasswordField
            size="large"
            label={t('password')}
            autoComplete="current-password"
            action={passwordReset ? forgot : null}
            {...state.field('password')}
          />
          <Checkbox label={t('rememberMe')} {...state.form.register('rememberMe')} />
          {captcha.widget}
        </Form>
      ) : null}
      {hasProviders ? (
        <Suspense>
          <SocialSignIn page="/sign-in" isAlternative={emailPassword !== null} />
        </Suspense>
      ) : null}
      {phoneNumber && (phoneNumber.codes || phoneNumber.passwords) ? (
        <ButtonLink to="/sign-in/phone" search={{ callbackURL }} size="large">
          {t('signInByPhone')}
        </ButtonLink>
      ) : null}
      {canSignUp(settings) ? (
        <HostedAlternative>
          {t('noAccountYet')}{' '}
          <TextLink to="/sign-up" {...link}>
            {t('createAccount')}
          </TextLink>
        </HostedAlternative>
      ) : null}
      {current ? (
        <HostedAlternative>
          <TextLink to="/account">{t('backToAccount')}</TextLink>
        </HostedAlternative>
      ) : null}
    </HostedPage>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const { emailPassword, socialProviders, multiSession } = useSettings()
  const isAnother = useParameter('account') === 'another' && multiSession !== null
  const { data: session } = useQuery({ ...sessionQuery, retry: false, refetchOnWindowFocus: false })
  if (!session && !emailPassword && socialProviders.length === 0) return <HostedPage title={t('signIn')} lead={t('noMethod')} />
  if (!session || isAnother) return <SignInPage current={session?.user} />
  return (
    <Suspense>
      <SignedIn user={session.user} />
    </Suspense>
  )
}
