/** Sign-in with a phone number: with a code, on two pages, or with the password. */

import { canSignUp, isSignUpOpen } from '../../api/settings.ts'
import { Checkbox, CodeField, Form, PasswordField } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { RedirectNote } from '../../hosted/redirect-note.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages as messages } from '../../messages/index.ts'
import { codeErrors, NewCode, PhoneField } from './fields.tsx'

export const sendCode: FormDeclaration = {
  call: 'POST /phone-number/send-otp',
  fields: { INVALID_PHONE_NUMBER: 'phoneNumber' },
  next: (_result, { parameters: { callbackURL }, path }, { phoneNumber = '' }) => ({
    page: '/sign-in/phone/code',
    parameters: { callbackURL, sent: path === '/sign-in/phone/code' ? 'again' : undefined },
    keep: { phoneNumber },
  }),
}

const withPassword: FormDeclaration = {
  call: 'POST /sign-in/phone-number',
  method: () => 'phone',
  fields: { INVALID_PHONE_NUMBER: 'phoneNumber', INVALID_PHONE_NUMBER_OR_PASSWORD: 'password' },
  next: (_result, { parameters }) => ({ leave: parameters.callbackURL ?? null }),
  onError: (code, { parameters: { callbackURL } }, { phoneNumber = '' }, settings) =>
    // A code was sent.
    code === 'PHONE_NUMBER_NOT_VERIFIED' && settings.phoneNumber?.codes
      ? { page: '/sign-in/phone/code', parameters: { callbackURL }, keep: { phoneNumber } }
      : null,
}

/** Null as the result: no account uses the number. */
const enterCode: FormDeclaration = {
  call: 'POST /phone-number/verify',
  method: () => 'phone',
  fields: codeErrors('code'),
  next: (result: object | null, { parameters: { callbackURL } }, { phoneNumber = '' }) =>
    result
      ? { leave: callbackURL ?? null }
      : { page: '/sign-in/phone', parameters: { callbackURL }, keep: { phoneNumber, isUnknown: 'true' } },
}

const common = { messages, title: 'phoneSignIn', access: 'anyone' } as const

export const phoneSignInPages = [
  hostedPage({
    ...common,
    path: '/sign-in/phone',
    exists: ({ phoneNumber }) => phoneNumber?.codes === true || phoneNumber?.passwords === true,
    forms: [sendCode, withPassword],
    View: SignIn,
  }),
  hostedPage({
    ...common,
    path: '/sign-in/phone/code',
    exists: ({ phoneNumber }) => phoneNumber?.codes === true,
    forms: [enterCode, sendCode],
    View: EnterCode,
  }),
]

function SignIn() {
  const t = useMessages(messages)
  const { page } = usePage()
  const settings = useSettings()
  const { phoneNumber, emailPassword, socialProviders } = settings
  const callbackURL = useParameter('callbackURL')
  const method = useParameter('method')
  const byPassword = phoneNumber?.passwords === true && (method === 'password' || !phoneNumber.codes)
  const { phoneNumber: number } = page.kept
  const lead = phoneNumber?.signUp && isSignUpOpen(settings) ? t('phoneLeadSignUp') : t('phoneLead')
  return (
    <Content title={t('phoneSignIn')} lead={byPassword ? t('phonePasswordLead') : lead}>
      <RedirectNote />
      {page.kept.isUnknown && number ? (
        <Note tone="warning" isLive>
          {t('unknownNumber', { number })}{' '}
          {canSignUp(settings) ? (
            <TextLink to="/sign-up" search={{ callbackURL }} isInline>
              {t('createAccount')}
            </TextLink>
          ) : null}
        </Note>
      ) : null}
      {byPassword ? (
        <Form call="POST /sign-in/phone-number" submitLabel={t('signIn')}>
          <PhoneField initial={number} />
          <PasswordField
            name="password"
            label={t('password')}
            autoComplete="current-password"
            action={
              phoneNumber?.passwordReset ? (
                <TextLink to="/forgot-password/phone" search={{ callbackURL }}>
                  {t('forgotPassword')}
                </TextLink>
              ) : null
            }
          />
          <Checkbox name="rememberMe" label={t('rememberMe')} isChecked />
        </Form>
      ) : (
        <Form call="POST /phone-number/send-otp" submitLabel={t('sendCode')}>
          <PhoneField initial={number} />
        </Form>
      )}
      {phoneNumber?.codes && phoneNumber.passwords ? (
        <ButtonLink to="/sign-in/phone" search={{ callbackURL, method: byPassword ? undefined : 'password' }}>
          {byPassword ? t('useCode') : t('usePassword')}
        </ButtonLink>
      ) : null}
      {emailPassword || socialProviders.length > 0 ? (
        <Alternative>
          <TextLink to="/sign-in" search={{ callbackURL }}>
            {t('otherMethods')}
          </TextLink>
        </Alternative>
      ) : null}
    </Content>
  )
}

function EnterCode() {
  const t = useMessages(messages)
  const { page } = usePage()
  const callbackURL = useParameter('callbackURL')
  const number = page.kept.phoneNumber ?? page.form?.values.phoneNumber
  // Opened from elsewhere: there is no number to send a code to.
  if (number === undefined)
    return (
      <Content title={t('phoneSignIn')} lead={t('phoneLead')}>
        <ButtonLink to="/sign-in/phone" search={{ callbackURL }} variant="primary">
          {t('sendCode')}
        </ButtonLink>
      </Content>
    )
  return (
    <Content title={t('enterCode')} lead={t('codeSent', { number })}>
      <Form call="POST /phone-number/verify" hidden={{ phoneNumber: number }} submitLabel={t('signIn')}>
        <CodeField name="code" label={t('code')} data-sms />
      </Form>
      <NewCode call="POST /phone-number/send-otp" number={number} changeAt="/sign-in/phone" />
    </Content>
  )
}
