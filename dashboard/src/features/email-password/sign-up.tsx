/** The sign-up page, with the configured fields. */
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useCallback } from 'react'
import { pageURL, useSettings } from '../../api.ts'
import { TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { NewPasswordField, newPasswordErrors } from '../../components/new-password-field.tsx'
import { emptyInputs, readInputs, UserFields } from '../../components/user-fields.tsx'
import { UsernameField, usernameErrors } from '../../components/username-field.tsx'
import { checkCallback, leave } from '../../frame/continue.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useHistoryState, useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

const social = () => import('../../frame/social-sign-in.tsx')
const SocialError = lazy(() => social().then((module) => ({ default: module.SocialError })))
const SocialSignIn = lazy(() => social().then((module) => ({ default: module.SocialSignIn })))

function useSignUpForm(captcha: ReturnType<typeof useCaptcha>, callbackURL: string | undefined) {
  const navigate = useNavigate()
  const settings = useSettings()
  const { email: given = '' } = useHistoryState()
  const fields = settings.userFields.filter(({ isOnSignUp }) => isOnSignUp)
  const state = useApiForm({
    schema: useCallback(() => import('../../schemas.ts').then(({ signUp }) => signUp(settings)), [settings]),
    defaults: { name: '', email: given, password: '', username: '', fields: emptyInputs(fields) },
    fields: {
      INVALID_EMAIL: 'email',
      USER_ALREADY_EXISTS: 'email',
      ...newPasswordErrors('password' as const),
      ...usernameErrors('username' as const),
    },
    submit: async ({ name, email, username, password, fields: inputs }) => {
      await checkCallback(callbackURL)
      const verified = pageURL('/email-verified', { callbackURL })
      const more = { ...readInputs(fields, inputs), ...(username && { username }) }
      const body = { name, email, password, callbackURL: verified, ...more }
      const { token } = await captcha.send('POST /sign-up/email', { body })
      if (token !== null) return leave(callbackURL)
      const search = { callbackURL } as never
      if (settings.emailPassword?.requiresVerification)
        await navigate({ to: '/check-email', search: { reason: 'verify', callbackURL } as never, state: { email } })
      else await navigate({ to: '/sign-in', search, state: { email, isNew: true } })
    },
  })
  return { state, fields }
}

export function Screen() {
  const t = useMessages(messages)
  const { appName, emailPassword, phoneNumber, socialProviders, username } = useSettings()
  const hasForm = emailPassword?.signUp === true
  const hasProviders = socialProviders.some(({ signUp }) => signUp !== 'never')
  const callbackURL = useParameter('callbackURL')
  const captcha = useCaptcha('/sign-up/email')
  const { state, fields } = useSignUpForm(captcha, callbackURL)
  return (
    <HostedPage title={t('signUp')} lead={t('signUpLead', { appName })}>
      {hasProviders ? (
        <Suspense>
          <SocialError />
        </Suspense>
      ) : null}
      {hasForm ? (
        <Form state={state} size="large" submitLabel={t('submitSignUp')}>
          <TextField size="large" label={t('name')} autoComplete="name" {...state.field('name')} />
          <TextField size="large" label={t('email')} type="email" autoComplete="email" {...state.field('email')} />
          {username?.atSignUp ? (
            <UsernameField size="large" text={state.form.watch('username')} {...state.field('username')} />
          ) : null}
          <NewPasswordField size="large" label={t('password')} {...state.field('password')} />
          <UserFields state={state} member="fields" fields={fields} size="large" />
          {captcha.widget}
        </Form>
      ) : null}
      {hasProviders ? (
        <Suspense>
          <SocialSignIn page="/sign-up" isAlternative={hasForm} />
        </Suspense>
      ) : null}
      {phoneNumber?.signUp ? (
        <HostedAlternative>
          <TextLink to="/sign-in/phone" search={{ callbackURL }}>
            {t('signUpByPhone')}
          </TextLink>
        </HostedAlternative>
      ) : null}
      <HostedAlternative>
        {t('alreadyHaveAccount')}{' '}
        <TextLink to="/sign-in" search={{ callbackURL }} state={() => ({ email: state.form.getValues('email') })}>
          {t('signIn')}
        </TextLink>
      </HostedAlternative>
    </HostedPage>
  )
}
