/** The sign-in page, also for apps that send their users here with `callbackURL`. */
import { ClientError, pageURL, send, useSettings } from '../../api.ts'
import { TextLink } from '../../components/button.tsx'
import { Checkbox, PasswordField, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

const schema = () => import('../../schemas.ts').then(({ signIn }) => signIn)

export function Screen() {
  const t = useMessages(messages)
  const { appName, emailPassword, passwordReset } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const state = useApiForm({
    schema,
    defaults: { email: '', password: '', rememberMe: true },
    fields: { INVALID_EMAIL: 'email', INVALID_EMAIL_OR_PASSWORD: 'password' },
    submit: async (values) => {
      const target = callbackURL ?? pageURL('/account')
      const { url } = await send('POST /sign-in/email', { body: { ...values, callbackURL: target } })
      location.assign(url ?? target)
    },
  })
  const search = { callbackURL }
  return (
    <HostedPage title={t('signIn')} lead={t('signInLead', { appName })}>
      <Form
        state={state}
        size="large"
        submitLabel={t('signIn')}
        errorDetail={(error) =>
          passwordReset && error instanceof ClientError && error.status === 429 ? (
            <p>
              <TextLink to="/forgot-password" search={search} isInline>
                {t('resetWithoutWaiting')}
              </TextLink>
            </p>
          ) : null
        }
      >
        <TextField size="large" label={t('email')} type="email" autoComplete="username" {...state.field('email')} />
        <PasswordField
          size="large"
          label={t('password')}
          autoComplete="current-password"
          action={
            passwordReset ? (
              <TextLink to="/forgot-password" search={search}>
                {t('forgotPassword')}
              </TextLink>
            ) : null
          }
          {...state.field('password')}
        />
        <Checkbox label={t('rememberMe')} {...state.form.register('rememberMe')} />
      </Form>
      {emailPassword?.signUp ? (
        <HostedAlternative>
          {t('noAccountYet')}{' '}
          <TextLink to="/sign-up" search={search}>
            {t('createAccount')}
          </TextLink>
        </HostedAlternative>
      ) : null}
    </HostedPage>
  )
}
