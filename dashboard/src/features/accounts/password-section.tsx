/** The password: its change, or for an account without one the link to set it. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { pageURL, refreshSession, useSettings } from '../../api/calls.ts'
import { Button, TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { Checkbox, PasswordField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, Setting } from '../../components/layout.tsx'
import { NewPasswordField, newPasswordErrors } from '../../components/new-password-field.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './index.ts'

export function PasswordSection({ hasPassword }: { readonly hasPassword: boolean }) {
  const t = useMessages(messages)
  return (
    <Setting title={t('password')} description={t('passwordText')}>
      <Card className="px-4 py-5 card:px-5">{hasPassword ? <ChangeForm /> : <FirstPassword />}</Card>
    </Setting>
  )
}

function ChangeForm() {
  const t = useMessages(messages)
  const { user } = useSession()
  const { emailPassword } = useSettings()
  const [result, setResult] = useState<string>()
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ passwordChange }) => passwordChange(emailPassword)),
    defaults: { currentPassword: '', newPassword: '', revokeOtherSessions: true },
    fields: { INVALID_PASSWORD: 'currentPassword', ...newPasswordErrors('newPassword' as const) },
    submit: async (values) => {
      setResult(undefined)
      await call('POST /change-password', { body: values })
      await refreshSession()
      state.form.reset()
      const text = values.revokeOtherSessions ? t('passwordChangedEverywhere') : t('passwordChanged')
      setResult(text)
      showToast(text)
    },
  })
  return (
    <Form state={state} submitLabel={t('changePassword')}>
      <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
      <PasswordField label={t('currentPassword')} autoComplete="current-password" {...state.field('currentPassword')} />
      <NewPasswordField {...state.field('newPassword')} />
      <Checkbox label={t('signOutOthers')} {...state.form.register('revokeOtherSessions')} />
      {result && !state.form.formState.isDirty ? (
        <Note tone="success" isLive>
          {result}
        </Note>
      ) : null}
    </Form>
  )
}

function FirstPassword() {
  const t = useMessages(messages)
  const { user } = useSession()
  const { email } = user
  const { passwordReset, passwordResetEnds, phoneNumber } = useSettings()
  const captcha = useCaptcha('/request-password-reset')
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => captcha.send('POST /request-password-reset', { body: { email, redirectTo: pageURL('/reset-password') } }),
  })
  return (
    <div className="grid grid-cols-1 gap-4">
      <div>
        <p className="font-medium">{t('noPassword')}</p>
        <p className="text-13 text-muted wrap-anywhere">
          {passwordReset ? t('noPasswordText', { email }) : t('noPasswordReset')}{' '}
          {passwordResetEnds.apiKeys ? t('firstPasswordEndsKeys') : ''}
        </p>
      </div>
      {error ? <ErrorNote error={error} /> : null}
      {isSuccess ? (
        <Note tone="success" isLive>
          {t('setLinkSent', { email })}
        </Note>
      ) : null}
      {passwordReset ? (
        <>
          {captcha.widget}
          <div>
            <Button isBusy={isPending} onClick={() => mutate()}>
              {t('setPassword')}
            </Button>
          </div>
        </>
      ) : null}
      {phoneNumber?.passwordReset && user.phoneNumberVerified ? (
        <p>
          <TextLink to="/forgot-password/phone">{t('setPasswordByPhone')}</TextLink>
        </p>
      ) : null}
    </div>
  )
}
