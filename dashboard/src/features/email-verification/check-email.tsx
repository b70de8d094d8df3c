/** The page after an email was sent. It says the same for known and unknown email addresses. */
import { CodeField, Form, TextField } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { MailProviderLink } from '../../hosted/mail-provider.tsx'
import { Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, pageURL, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { SendAgain } from '../../hosted/send-again.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

const reasons = ['verify', 'reset', 'replace', 'change'] as const
/** Why an email was sent. */
type Reason = (typeof reasons)[number]
type MailedReason = Exclude<Reason, 'change'>

const mailCalls = ['POST /send-verification-email', 'POST /email-otp/send-verification-otp', 'POST /request-password-reset']

/** With a code, where emails have one in place of a link. */
const verify: FormDeclaration = {
  call: 'POST /email-otp/verify-email',
  fields: { INVALID_OTP: 'otp', OTP_EXPIRED: 'otp', TOO_MANY_ATTEMPTS: 'otp' },
  next: ({ token }: { readonly token: string | null }, { parameters: { callbackURL } }) =>
    token === null ? { page: '/email-verified', parameters: { callbackURL } } : { leave: callbackURL ?? null },
}

const sendAgain = (call: string): FormDeclaration => ({
  call,
  fields: { INVALID_EMAIL: 'email', VALIDATION_ERROR: 'email' },
  next: (_result, { parameters, kept }, { email = '' }) => ({
    page: '/check-email',
    parameters: { ...parameters, sent: kept.email === email ? 'again' : undefined },
    keep: { email },
  }),
})

export const checkEmail = hostedPage({
  path: '/check-email',
  messages,
  title: 'checkEmail',
  access: 'anyone',
  exists: ({ emailPassword, emailVerification }) => emailPassword !== null || emailVerification,
  forms: [verify, ...mailCalls.map(sendAgain)],
  View: CheckEmail,
})

function CheckEmail() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const given = useParameter('reason')
  const reason = reasons.find((known) => known === given) ?? 'verify'
  if (reason !== 'change') return <Mailed reason={reason} />
  return (
    <Content title={t('checkEmail')} lead={t('changeSent')}>
      <p className="text-muted">{t('changeAgain')}</p>
      <Alternative>
        <TextLink to="/account">{frame('continueToAccount')}</TextLink>
      </Alternative>
    </Content>
  )
}

/** The form that sends the email (again). */
function useSender(reason: MailedReason) {
  const { site } = usePage()
  const isCode = useSettings().emailCodes?.verification === true
  const callbackURL = useParameter('callbackURL')
  if (reason === 'verify' && isCode)
    return { call: 'POST /email-otp/send-verification-otp', hidden: { type: 'email-verification' }, isCode }
  return reason === 'verify'
    ? { call: 'POST /send-verification-email', hidden: { callbackURL: pageURL(site, '/email-verified', { callbackURL }) } }
    : { call: 'POST /request-password-reset', hidden: { redirectTo: pageURL(site, '/reset-password', { callbackURL }) } }
}

function Mailed({ reason }: { readonly reason: MailedReason }) {
  const t = useMessages(messages)
  const { page } = usePage()
  const search = { callbackURL: useParameter('callbackURL') }
  const { isCode = false, ...sender } = useSender(reason)
  const { emailResendAfter } = useSettings()
  const email = page.kept.email ?? (page.form?.call === verify.call ? page.form.values.email : undefined)
  const back = (
    <TextLink to="/sign-in" search={search}>
      {t('backToSignIn')}
    </TextLink>
  )
  // Opened from elsewhere, such as after a link that has expired.
  if (email === undefined)
    return (
      <Content
        title={t(isCode ? 'confirmTitle' : 'verifyAgain')}
        lead={t(isCode ? 'verifyLeadCode' : reason === 'verify' ? 'verifyLead' : 'resetLead')}
      >
        <Form {...sender} submitLabel={t(isCode ? 'sendCode' : 'sendLink')}>
          <TextField name="email" label={t('email')} type="email" autoComplete="username" />
        </Form>
        <Alternative>{back}</Alternative>
      </Content>
    )
  const other = { verify: '/sign-up', reset: '/forgot-password', replace: '/sign-in' }[reason]
  return (
    <Content title={t('checkEmail')} lead={t(isCode ? 'verifyCodeSent' : `${reason}Sent`, { email })}>
      {reason === 'replace' ? <Note tone="warning">{t('replaceReason')}</Note> : null}
      {isCode ? (
        <Form call={verify.call} hidden={{ email }} submitLabel={t('verify')}>
          <CodeField name="otp" label={t('code')} />
        </Form>
      ) : null}
      <MailProviderLink email={email} label={(provider) => t('openMailbox', { provider })} />
      <p className="text-muted">{t('notThere')}</p>
      <SendAgain
        {...sender}
        hidden={{ ...sender.hidden, email }}
        texts={{ sent: t('sentAgain'), send: t('sendAgain'), sendIn: t('sendAgainIn', { time: '{time}' }) }}
        wait={emailResendAfter}
      />
      <Alternative>
        <span className="flex flex-wrap gap-x-5 gap-y-1">
          <TextLink to={other} search={search}>
            {t('useAnotherEmail')}
          </TextLink>
          {back}
        </span>
      </Alternative>
    </Content>
  )
}
