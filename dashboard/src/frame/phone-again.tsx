/** In the dialog to sign in again, for users whose only sign-in method is a verified phone number: a code to it. */
import { useState } from 'react'
import { send } from '../api.ts'
import { useCaptcha } from '../components/captcha.tsx'
import { Form, useApiForm } from '../components/form.tsx'
import { CodeField, NewCode, readCode } from '../components/phone-code.tsx'
import { useMessages } from '../i18n/messages.ts'
import { phoneMessages as messages, useFrameMessages } from '../messages.ts'

interface Props {
  readonly number: string
  /** Closes the dialog without signing in. */
  readonly cancel: React.ReactNode
  readonly onSignedIn: () => Promise<void>
}

const schemas = () => import('../schemas.ts')

export function PhoneAgain({ number, cancel, onSignedIn }: Props) {
  const [isSent, setSent] = useState(false)
  const captcha = useCaptcha('/phone-number/send-otp')
  const request = () => captcha.send('POST /phone-number/send-otp', { body: { phoneNumber: number } })
  return (
    <>
      {isSent ? (
        <Code number={number} cancel={cancel} onSignedIn={onSignedIn} />
      ) : (
        <Request number={number} cancel={cancel} send={() => request().then(() => setSent(true))} />
      )}
      {captcha.widget}
      {isSent ? <NewCode resend={request} /> : null}
    </>
  )
}

function Request({ number, cancel, send: sendCode }: Pick<Props, 'number' | 'cancel'> & { readonly send: () => Promise<void> }) {
  const t = useMessages(messages)
  const state = useApiForm({ schema: () => schemas().then(({ empty }) => empty), defaults: {}, submit: sendCode })
  return (
    <Form state={state} submitLabel={t('sendCode')} actions={cancel}>
      <p className="text-14">{t('codeGoesTo', { number })}</p>
    </Form>
  )
}

function Code({ number, cancel, onSignedIn }: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const state = useApiForm({
    schema: () => schemas().then(({ codeOnly }) => codeOnly),
    defaults: { code: '' },
    fields: { INVALID_OTP: 'code', OTP_EXPIRED: 'code', OTP_NOT_FOUND: 'code', TOO_MANY_ATTEMPTS: 'code' },
    submit: async ({ code }) => {
      await send('POST /phone-number/verify', { body: { phoneNumber: number, code: readCode(code) } })
      await onSignedIn()
    },
  })
  return (
    <Form state={state} submitLabel={frame('continue')} actions={cancel}>
      <p className="text-14">{t('codeSent', { number })}</p>
      <CodeField {...state.field('code')} />
    </Form>
  )
}
