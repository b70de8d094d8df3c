/** Sign-in by email, on two pages: the address, and the code. With magic links alone, the code is for a link opened elsewhere. */
import type { PublicSettings } from '../../../../src/features/index.ts'
import { CodeField, Form, TextField } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { MailProviderLink } from '../../hosted/mail-provider.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { SendAgain } from '../../hosted/send-again.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { timeOfDay } from './magic-link.tsx'
import { messages } from './messages.ts'

const codePage = '/sign-in/code'

const send = (call: string): FormDeclaration => ({
  call,
  fields: { INVALID_EMAIL: 'email', VALIDATION_ERROR: 'email' },
  next: (_result, { parameters: { callbackURL }, path, time }, { email = '' }) => ({
    page: codePage,
    parameters: { callbackURL, sent: path === codePage ? 'again' : undefined },
    keep: { email, requestedAt: time },
  }),
})

const withCode: FormDeclaration = {
  call: 'POST /sign-in/email-otp',
  method: () => 'email',
  fields: { INVALID_OTP: 'otp', OTP_EXPIRED: 'otp', TOO_MANY_ATTEMPTS: 'otp' },
  next: (_result, { parameters }) => ({ leave: parameters.callbackURL ?? null }),
}

const withLinkCode: FormDeclaration = {
  call: 'POST /magic-link/verify',
  method: () => 'email',
  next: (result: { readonly url?: string }) => ({ leave: result.url ?? null }),
}

export const sends = [send('POST /email-otp/send-verification-otp'), send('POST /sign-in/magic-link')]
const exists = ({ emailCodes, magicLink }: PublicSettings): boolean => emailCodes !== null || magicLink !== null
const common = { messages, title: 'byEmailTitle', access: 'anyone', exists } as const

export const emailSignInPages = [
  hostedPage({ ...common, path: '/sign-in/email', forms: sends, View: EnterAddress }),
  hostedPage({ ...common, path: codePage, forms: [withCode, withLinkCode, ...sends], View: EnterCode }),
]

/** With codes enabled the email has a link too, if there are links. */
export function useSending() {
  const { emailCodes, magicLink } = useSettings()
  const callbackURL = useParameter('callbackURL')
  if (emailCodes)
    return {
      call: 'POST /email-otp/send-verification-otp',
      hidden: { type: 'sign-in', callbackURL },
      isCode: true,
      ...emailCodes,
    }
  return { call: 'POST /sign-in/magic-link', hidden: { callbackURL }, isCode: false, ...magicLink }
}

function EnterAddress() {
  const t = useMessages(messages)
  const { page } = usePage()
  const { call, hidden, isCode, signUp } = useSending()
  const { emailPassword, socialProviders, phoneNumber } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const leads = isCode ? (['codeLead', 'codeLeadSignUp'] as const) : (['linkLead', 'linkLeadSignUp'] as const)
  return (
    <Content title={t('byEmailTitle')} lead={t(leads[signUp ? 1 : 0])}>
      <Form call={call} hidden={hidden} submitLabel={t(isCode ? 'sendCode' : 'sendLink')}>
        <TextField
          name="email"
          label={t('email')}
          type="email"
          initial={page.kept.email}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
      </Form>
      {emailPassword || socialProviders.length > 0 || phoneNumber ? (
        <Alternative>
          <TextLink to="/sign-in" search={{ callbackURL }}>
            {t('otherMethods')}
          </TextLink>
        </Alternative>
      ) : null}
    </Content>
  )
}

/** The time in the email says the same, so that the visitor knows which of several emails is meant. */
function RequestedAt({ time }: { readonly time: string | undefined }) {
  const t = useMessages(messages)
  const { page } = usePage()
  if (!time) return null
  return <p className="text-14 text-muted">{t('requestedAt', { time: timeOfDay(page.locale, time) })}</p>
}

function EnterCode() {
  const t = useMessages(messages)
  const { page } = usePage()
  const callbackURL = useParameter('callbackURL')
  const { call, hidden, isCode, resendAfter } = useSending()
  const email = page.kept.email ?? page.form?.values.email
  // Opened from elsewhere: nothing was sent from here.
  if (email === undefined)
    return (
      <Content title={t('byEmailTitle')} lead={t(isCode ? 'codeLead' : 'linkLead')}>
        <ButtonLink to="/sign-in/email" search={{ callbackURL }} variant="primary">
          {t(isCode ? 'sendCode' : 'sendLink')}
        </ButtonLink>
      </Content>
    )
  return (
    <Content title={t('checkEmail')} lead={t(isCode ? 'codeSent' : 'linkSent', { email })}>
      <RequestedAt time={page.kept.requestedAt} />
      <Form
        call={isCode ? 'POST /sign-in/email-otp' : 'POST /magic-link/verify'}
        hidden={isCode ? { email } : {}}
        submitLabel={t('signIn')}
      >
        <CodeField name={isCode ? 'otp' : 'code'} label={t('code')} />
      </Form>
      <MailProviderLink email={email} label={(provider) => t('openMailbox', { provider })} />
      <SendAgain
        call={call}
        hidden={{ ...hidden, email }}
        texts={{ sent: t('sentAgain'), send: t('sendAgain'), sendIn: t('sendAgainIn', { time: '{time}' }) }}
        wait={resendAfter}
      />
      <p>
        <TextLink to="/sign-in/email" search={{ callbackURL }}>
          {t('wrongAddress')}
        </TextLink>
      </p>
    </Content>
  )
}
