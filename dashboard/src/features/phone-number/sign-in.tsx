/** Sign-in with a phone number: with a code, in two steps, or with the password. */
import { useState } from 'react'
import { hasCode, useSettings } from '../../api.ts'
import { Button, TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { Note } from '../../components/feedback.tsx'
import { Checkbox, PasswordField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { CodeField, NewCode, PhoneField, readCode } from '../../components/phone-code.tsx'
import { checkCallback, leave } from '../../frame/continue.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../router-hooks.ts'
import { canSignUp } from '../../settings.ts'
import { messages } from './index.ts'

type Step = 'code' | 'password' | 'sent'

interface StepProps {
  /** What was typed. */
  readonly number: string
  readonly onNumber: (number: string) => void
  readonly onStep: (step: Step) => void
}

const schemas = () => import('../../schemas.ts')
const phoneOnly = () => schemas().then((module) => module.phoneOnly)
const phoneAndPassword = () => schemas().then((module) => module.phoneAndPassword)
const codeOnly = () => schemas().then((module) => module.codeOnly)

function RequestCode({ number, onNumber, onStep }: StepProps) {
  const t = useMessages(messages)
  const callbackURL = useParameter('callbackURL')
  const captcha = useCaptcha('/phone-number/send-otp')
  const state = useApiForm({
    schema: phoneOnly,
    defaults: { phoneNumber: number },
    fields: { INVALID_PHONE_NUMBER: 'phoneNumber' },
    submit: async ({ phoneNumber }) => {
      await checkCallback(callbackURL)
      await captcha.send('POST /phone-number/send-otp', { body: { phoneNumber } })
      onNumber(phoneNumber)
      onStep('sent')
    },
  })
  return (
    <Form state={state} size="large" submitLabel={t('sendCode')}>
      <PhoneField size="large" {...state.field('phoneNumber')} />
      {captcha.widget}
    </Form>
  )
}

function WithPassword({ number, onNumber, onStep }: StepProps) {
  const t = useMessages(messages)
  const { phoneNumber: settings } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const captcha = useCaptcha('/sign-in/phone-number')
  const state = useApiForm({
    schema: phoneAndPassword,
    defaults: { phoneNumber: number, password: '', rememberMe: true },
    fields: { INVALID_PHONE_NUMBER: 'phoneNumber', INVALID_PHONE_NUMBER_OR_PASSWORD: 'password' },
    submit: async (values) => {
      await checkCallback(callbackURL)
      await captcha.send('POST /sign-in/phone-number', { body: values })
      await leave(callbackURL)
    },
    onError: (error, { phoneNumber }) => {
      // A code was sent.
      if (!hasCode(error, 'PHONE_NUMBER_NOT_VERIFIED') || !settings?.codes) return false
      onNumber(phoneNumber)
      onStep('sent')
      return true
    },
  })
  const forgot = settings?.passwordReset ? (
    <TextLink to="/forgot-password/phone" search={{ callbackURL }}>
      {t('forgotPassword')}
    </TextLink>
  ) : null
  return (
    <Form state={state} size="large" submitLabel={t('signIn')}>
      <PhoneField size="large" {...state.field('phoneNumber')} />
      <PasswordField
        size="large"
        label={t('password')}
        autoComplete="current-password"
        action={forgot}
        {...state.field('password')}
      />
      <Checkbox label={t('rememberMe')} {...state.form.register('rememberMe')} />
      {captcha.widget}
    </Form>
  )
}

interface EnterCodeProps {
  readonly number: string
  readonly onChangeNumber: () => void
  /** No account uses the number. */
  readonly onUnknown: () => void
}

function EnterCode({ number, onChangeNumber, onUnknown }: EnterCodeProps) {
  const t = useMessages(messages)
  const callbackURL = useParameter('callbackURL')
  const captcha = useCaptcha('/phone-number/send-otp')
  const verification = useCaptcha('/phone-number/verify')
  const state = useApiForm({
    schema: codeOnly,
    defaults: { code: '' },
    fields: { INVALID_OTP: 'code', OTP_EXPIRED: 'code', OTP_NOT_FOUND: 'code', TOO_MANY_ATTEMPTS: 'code' },
    submit: async ({ code }) => {
      const body = { phoneNumber: number, code: readCode(code) }
      if (await verification.send('POST /phone-number/verify', { body })) await leave(callbackURL)
      else onUnknown()
    },
  })
  return (
    <>
      <Form state={state} size="large" submitLabel={t('signIn')}>
        <CodeField size="large" {...state.field('code')} />
        {verification.widget}
      </Form>
      {verification.widget ? null : captcha.widget}
      <NewCode
        resend={() => captcha.send('POST /phone-number/send-otp', { body: { phoneNumber: number } })}
        onChangeNumber={onChangeNumber}
      />
    </>
  )
}

function Alternatives({ step, onStep }: { readonly step: Step; readonly onStep: (step: Step) => void }) {
  const t = useMessages(messages)
  const settings = useSettings()
  const callbackURL = useParameter('callbackURL')
  const { phoneNumber, emailPassword, socialProviders } = settings
  const hasBoth = phoneNumber?.codes && phoneNumber.passwords
  return (
    <>
      {hasBoth && step !== 'sent' ? (
        <Button size="large" onClick={() => onStep(step === 'code' ? 'password' : 'code')}>
          {step === 'code' ? t('usePassword') : t('useCode')}
        </Button>
      ) : null}
      {emailPassword || socialProviders.length > 0 ? (
        <HostedAlternative>
          <TextLink to="/sign-in" search={{ callbackURL }}>
            {t('otherMethods')}
          </TextLink>
        </HostedAlternative>
      ) : null}
    </>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const settings = useSettings()
  const { phoneNumber } = settings
  const callbackURL = useParameter('callbackURL')
  const first: Step = phoneNumber?.codes ? 'code' : 'password'
  const [step, setStep] = useState<Step>(first)
  const [number, setNumber] = useState('')
  const [isUnknown, setUnknown] = useState(false)
  const go = (next: Step, unknown = false) => {
    setUnknown(unknown)
    setStep(next)
  }
  const props = { number, onNumber: setNumber, onStep: go }
  const leads = { code: phoneNumber?.signUp ? t('phoneLeadSignUp') : t('phoneLead'), password: t('phonePasswordLead') }
  const lead = step === 'sent' ? t('codeSent', { number }) : leads[step]
  return (
    <HostedPage key={step} title={step === 'sent' ? t('enterCode') : t('phoneSignIn')} lead={lead}>
      {isUnknown ? (
        <Note tone="warning" isLive>
          {t('unknownNumber', { number })}{' '}
          {canSignUp(settings) ? (
            <TextLink to="/sign-up" search={{ callbackURL }} isInline>
              {t('createAccount')}
            </TextLink>
          ) : null}
        </Note>
      ) : null}
      {step === 'code' ? <RequestCode {...props} /> : null}
      {step === 'password' ? <WithPassword {...props} /> : null}
      {step === 'sent' ? <EnterCode number={number} onChangeNumber={() => go(first)} onUnknown={() => go(first, true)} /> : null}
      <Alternatives step={step} onStep={go} />
    </HostedPage>
  )
}
