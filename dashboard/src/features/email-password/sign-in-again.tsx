/** The password, in the dialog to sign in again. */
import { useCaptcha } from '../../components/captcha.tsx'
import { PasswordField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useFrameMessages } from '../../messages/index.ts'
import { finishSignIn, type SignInAgainProps } from '../../session/sign-in-request.ts'

export function SignInAgain({ request, user, cancel }: SignInAgainProps) {
  const t = useFrameMessages()
  const email = user?.email ?? ''
  const captcha = useCaptcha('/sign-in/email')
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ passwordOnly }) => passwordOnly),
    defaults: { password: '' },
    fields: { INVALID_EMAIL_OR_PASSWORD: 'password' },
    submit: async ({ password }) => finishSignIn(request, captcha.send('POST /sign-in/email', { body: { email, password } })),
  })
  return (
    <Form state={state} submitLabel={t('continue')} actions={cancel}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField label={t('password')} autoComplete="current-password" {...state.field('password')} />
      {captcha.widget}
    </Form>
  )
}
