/** A forgotten password, reset with a code by email: the address first, then the code and the new password. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { CodeField, Form, TextField } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { MailProviderLink } from '../../hosted/mail-provider.tsx'
import { NewPasswordField, newPasswordErrors } from '../../hosted/new-password.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { SendAgain } from '../../hosted/send-again.tsx'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { PasswordSaved } from './reset-password.tsx'

const path = '/forgot-password/code'

const request: FormDeclaration = {
  call: 'POST /email-otp/request-password-reset',
  fields: { INVALID_EMAIL: 'email', VALIDATION_ERROR: 'email' },
  next: (_result, { parameters: { callbackURL }, kept }, { email = '' }) => ({
    page: path,
    parameters: { callbackURL, sent: kept.email === email ? 'again' : 'true' },
    keep: { email },
  }),
}

const save: FormDeclaration = {
  call: 'POST /email-otp/reset-password',
  fields: { INVALID_OTP: 'otp', OTP_EXPIRED: 'otp', TOO_MANY_ATTEMPTS: 'otp', ...newPasswordErrors('password') },
  next: (_result, { parameters: { callbackURL } }, { email = '' }) => ({
    page: path,
    parameters: { callbackURL, saved: 'true' },
    keep: { email },
  }),
}

export const resetByCode = hostedPage({
  path,
  messages,
  title: 'forgotPassword',
  access: 'anyone',
  exists: ({ emailCodes, emailPassword }: PublicSettings) => emailCodes !== null && emailPassword !== null,
  forms: [request, save],
  View: ResetByCode,
})

function ResetByCode() {
  const { page } = usePage()
  const email = page.kept.email ?? page.form?.values.email
  const isSent = useParameter('sent') !== undefined || page.form?.call === save.call
  if (useParameter('saved') !== undefined) return <PasswordSaved />
  return email !== undefined && isSent ? <NewPassword email={email} /> : <EnterAddress initial={email} />
}

function EnterAddress({ initial }: { readonly initial: string | undefined }) {
  const t = useMessages(messages)
  const { passwordReset } = useSettings()
  const search = { callbackURL: useParameter('callbackURL') }
  return (
    <Content title={t('forgotPassword')} lead={t('forgotLeadCode')}>
      <Form call="POST /email-otp/request-password-reset" submitLabel={t('sendCode')}>
        <TextField name="email" label={t('email')} type="email" initial={initial} autoComplete="username" />
      </Form>
      <Alternative>
        <TextLink to={passwordReset ? '/forgot-password' : '/sign-in'} search={search}>
          {passwordReset ? t('byLink') : t('signIn')}
        </TextLink>
      </Alternative>
    </Content>
  )
}

function NewPassword({ email }: { readonly email: string }) {
  const t = useMessages(messages)
  const { emailCodes } = useSettings()
  return (
    <Content title={t('newPassword')} lead={t('codeSent', { email })}>
      <Form call="POST /email-otp/reset-password" hidden={{ email }} submitLabel={t('savePassword')}>
        <HiddenUsername value={email} />
        <CodeField name="otp" label={t('code')} />
        <NewPasswordField name="password" />
      </Form>
      <MailProviderLink email={email} label={(provider) => t('openMailbox', { provider })} />
      <SendAgain
        call="POST /email-otp/request-password-reset"
        hidden={{ email }}
        texts={{ sent: t('newCodeSent'), send: t('sendNewCode'), sendIn: t('newCodeIn', { time: '{time}' }) }}
        wait={emailCodes?.resendAfter}
      />
    </Content>
  )
}
