/** A code to the verified phone number, in the dialog to sign in again. */
import { useState } from 'react'
import { send } from '../../api/calls.ts'
import { useCaptcha } from '../../components/captcha.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { CodeField, readCode } from '../../components/one-time-code.tsx'
import { NewPhoneCode } from '../../components/phone-code.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages as messages, useFrameMessages } from '../../messages/index.ts'
import { finishSignIn, type SignInAgainProps } from '../../session/sign-in-request.ts'

interface Props extends SignInAgainProps {
  readonly number: string
}

const schemas = () => import('../../components/schemas.ts')

export function SignInAgain(props: SignInAgainProps) {
  const { user, cancel } = props
  const number = user?.phoneNumber ?? ''
  const [isSent, setSent] = useState(false)
  const captcha = useCaptcha('/phone-number/send-otp')
  const resend = () => captcha.send('POST /phone-number/send-otp', { body: { phoneNumber: number } })
  return (
    <>
      {isSent ? (
        <Code {...props} number={number} />
      ) : (
        <Request number={number} cancel={cancel} send={() => resend().then(() => setSent(true))} />
      )}
      {captcha.widget}
      {isSent ? <NewPhoneCode resend={resend} /> : null}
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

function Code({ number, cancel, request }: Props) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const state = useApiForm({
    schema: () => schemas().then(({ codeOnly }) => codeOnly),
    defaults: { code: '' },
    fields: { INVALID_OTP: 'code', OTP_EXPIRED: 'code', OTP_NOT_FOUND: 'code', TOO_MANY_ATTEMPTS: 'code' },
    submit: async ({ code }) => {
      const body = { phoneNumber: number, code: readCode(code) }
      await finishSignIn(request, send('POST /phone-number/verify', { body }))
    },
  })
  return (
    <Form state={state} submitLabel={frame('continue')} actions={cancel}>
      <p className="text-14">{t('codeSent', { number })}</p>
      <CodeField label={t('code')} {...state.field('code')} />
    </Form>
  )
}
