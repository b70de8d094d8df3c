/** The page after an email was sent. It says the same for known and unknown email addresses. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { pageURL } from '../../api.ts'
import { Button, TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { ErrorNote, Note, useCountdown } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useErrorText } from '../../errors.ts'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useHistoryState, useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

const reasons = ['verify', 'reset', 'replace', 'change'] as const
/** Why an email was sent. */
type Reason = (typeof reasons)[number]
type MailedReason = Exclude<Reason, 'change'>

/** Most emails have arrived by then. */
const pauseSeconds = 30

interface Sender {
  readonly widget: React.ReactNode
  readonly sendTo: (email: string) => Promise<unknown>
}

function useSender(reason: MailedReason): Sender {
  const callbackURL = useParameter('callbackURL')
  const isVerification = reason === 'verify'
  const { widget, send } = useCaptcha(isVerification ? '/send-verification-email' : '/request-password-reset')
  const verify = (email: string) =>
    send('POST /send-verification-email', { body: { email, callbackURL: pageURL('/email-verified', { callbackURL }) } })
  const reset = (email: string) =>
    send('POST /request-password-reset', { body: { email, redirectTo: pageURL('/reset-password', { callbackURL }) } })
  return { widget, sendTo: isVerification ? verify : reset }
}

function SendAgain({ email, sender: { widget, sendTo } }: { readonly email: string; readonly sender: Sender }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const errorText = useErrorText()
  const [times, setTimes] = useState(0)
  const [error, setError] = useState<unknown>(undefined)
  const [isBusy, setBusy] = useState(false)
  const seconds = error === undefined ? pauseSeconds : (errorText(error).retryAfter ?? 0)
  const left = useCountdown(error ?? times, seconds)
  const send = async () => {
    setBusy(true)
    try {
      await sendTo(email)
      setError(undefined)
      setTimes(times + 1)
    } catch (failure) {
      setError(failure)
    }
    setBusy(false)
  }
  return (
    <div className="grid gap-5">
      {error === undefined ? null : <ErrorNote error={error} />}
      {error === undefined && times > 0 ? (
        <Note tone="success" isLive>
          {t('sentAgain')}
        </Note>
      ) : null}
      {widget}
      <Button size="large" isBusy={isBusy} disabled={left > 0} onClick={() => void send()}>
        {left > 0 ? t('sendAgainIn', { time: format.duration(left) }) : t('sendAgain')}
      </Button>
    </div>
  )
}

const schema = () => import('../../schemas.ts').then(({ emailOnly }) => emailOnly)

/** For users who opened this page from elsewhere, such as after a link that has expired. */
function EmailForm({ sender: { widget, sendTo } }: { readonly sender: Sender }) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const state = useApiForm({
    schema,
    defaults: { email: '' },
    fields: { INVALID_EMAIL: 'email' },
    submit: async ({ email }) => {
      await sendTo(email)
      await navigate({ to: '.', search: true as never, state: { email }, replace: true })
    },
  })
  return (
    <Form state={state} size="large" submitLabel={t('sendLink')}>
      <TextField size="large" label={t('email')} type="email" autoComplete="username" {...state.field('email')} />
      {widget}
    </Form>
  )
}

function Mailed({ reason }: { readonly reason: MailedReason }) {
  const t = useMessages(messages)
  const search = { callbackURL: useParameter('callbackURL') }
  const { email } = useHistoryState()
  const sender = useSender(reason)
  if (email === undefined) {
    return (
      <HostedPage title={t('verifyAgain')} lead={reason === 'verify' ? t('verifyLead') : t('resetLead')}>
        <EmailForm sender={sender} />
        <BackToSignIn />
      </HostedPage>
    )
  }
  const other = { verify: '/sign-up', reset: '/forgot-password', replace: '/sign-in' }[reason]
  return (
    <HostedPage title={t('checkEmail')} lead={t(`${reason}Sent`, { email })}>
      {reason === 'replace' ? <Note tone="warning">{t('replaceReason')}</Note> : null}
      <p className="text-muted">{t('notThere')}</p>
      <SendAgain email={email} sender={sender} />
      <HostedAlternative>
        <span className="flex flex-wrap gap-x-5 gap-y-1">
          <TextLink to={other} search={search}>
            {t('useAnotherEmail')}
          </TextLink>
          <TextLink to="/sign-in" search={search} state={() => ({ email })}>
            {t('backToSignIn')}
          </TextLink>
        </span>
      </HostedAlternative>
    </HostedPage>
  )
}

function BackToSignIn() {
  const t = useMessages(messages)
  return (
    <HostedAlternative>
      <TextLink to="/sign-in" search={{ callbackURL: useParameter('callbackURL') }}>
        {t('backToSignIn')}
      </TextLink>
    </HostedAlternative>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const given = useParameter('reason')
  const reason = reasons.find((known) => known === given) ?? 'verify'
  if (reason !== 'change') return <Mailed reason={reason} />
  return (
    <HostedPage title={t('checkEmail')} lead={t('changeSent')}>
      <p className="text-muted">{t('changeAgain')}</p>
      <HostedAlternative>
        <TextLink to="/account">{frame('continueToAccount')}</TextLink>
      </HostedAlternative>
    </HostedPage>
  )
}
