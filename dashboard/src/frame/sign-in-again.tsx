/** The dialog in which the user enters the password again, while the page behind keeps its input. */
import { lastSession, queryClient, refreshSession } from '../api.ts'
import { Button } from '../components/button.tsx'
import { useCaptcha } from '../components/captcha.tsx'
import { Dialog } from '../components/dialog.tsx'
import { PasswordField } from '../components/field.tsx'
import { Form, useApiForm } from '../components/form.tsx'
import { Avatar } from '../components/layout.tsx'
import { useFrameMessages } from '../messages.ts'
import type { SignInRequest } from '../session.ts'

function PasswordAgain({ reason, finish }: SignInRequest) {
  const t = useFrameMessages()
  const user = lastSession()?.user
  const captcha = useCaptcha('/sign-in/email')
  const state = useApiForm({
    schema: () => import('../schemas.ts').then(({ passwordOnly }) => passwordOnly),
    defaults: { password: '' },
    fields: { INVALID_EMAIL_OR_PASSWORD: 'password' },
    submit: async ({ password }) => {
      await captcha.send('POST /sign-in/email', { body: { email: user?.email ?? '', password } })
      await refreshSession()
      finish(true)
      await queryClient.invalidateQueries()
    },
  })
  return (
    <>
      <div className="flex items-center gap-2.5 text-13">
        <Avatar name={user?.name ?? ''} />
        <div className="min-w-0">
          <div className="truncate font-medium">{user?.name}</div>
          <div className="truncate text-12 text-muted">{user?.email}</div>
        </div>
      </div>
      <Form
        state={state}
        submitLabel={t('continue')}
        actions={<Button onClick={() => finish(false)}>{reason === 'ended' ? t('goToSignIn') : t('cancel')}</Button>}
      >
        <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
        <PasswordField label={t('password')} autoComplete="current-password" {...state.field('password')} />
        {captcha.widget}
      </Form>
    </>
  )
}

export function SignInAgain({ request }: { readonly request: SignInRequest }) {
  const t = useFrameMessages()
  const isExpired = request.reason !== 'not-fresh'
  return (
    <Dialog
      isOpen
      // Escape must not leave the page with what was entered.
      onClose={() => request.reason === 'ended' || request.finish(false)}
      title={isExpired ? t('signInAgain') : t('confirmIdentity')}
      description={isExpired ? t('sessionExpired') : t('notFresh')}
    >
      <PasswordAgain {...request} />
    </Dialog>
  )
}
