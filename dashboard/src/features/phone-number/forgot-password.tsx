/** A forgotten password, reset with a code that is sent to the phone number. */
import { useCallback, useState } from 'react'
import { queryClient, send, sessionQuery, useSettings } from '../../api.ts'
import { ButtonLink, TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { NewPasswordField, newPasswordErrors, useEndedByReset } from '../../components/new-password-field.tsx'
import { CodeField, NewCode, PhoneField, readCode } from '../../components/phone-code.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

const phoneOnly = () => import('../../schemas.ts').then((module) => module.phoneOnly)

function Request({ given, onSent }: { readonly given: string; readonly onSent: (number: string) => void }) {
  const t = useMessages(messages)
  const { passwordReset } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const captcha = useCaptcha('/phone-number/request-password-reset')
  const state = useApiForm({
    schema: phoneOnly,
    defaults: { phoneNumber: given },
    fields: { INVALID_PHONE_NUMBER: 'phoneNumber', PHONE_NUMBER_ISNT_REGISTERED: 'phoneNumber' },
    submit: async ({ phoneNumber }) => {
      await captcha.send('POST /phone-number/request-password-reset', { body: { phoneNumber } })
      onSent(phoneNumber)
    },
  })
  return (
    <HostedPage title={t('resetByPhone')} lead={t('resetByPhoneLead')}>
      <Form state={state} size="large" submitLabel={t('sendCode')}>
        <PhoneField size="large" {...state.field('phoneNumber')} />
        {captcha.widget}
      </Form>
      <HostedAlternative>
        {passwordReset ? (
          <TextLink to="/forgot-password" search={{ callbackURL }}>
            {t('resetByEmail')}
          </TextLink>
        ) : (
          <TextLink to="/sign-in" search={{ callbackURL }}>
            {t('signIn')}
          </TextLink>
        )}
      </HostedAlternative>
    </HostedPage>
  )
}

interface NewPasswordProps {
  readonly number: string
  readonly onChangeNumber: () => void
  readonly onSaved: () => void
}

function NewPassword({ number, onChangeNumber, onSaved }: NewPasswordProps) {
  const t = useMessages(messages)
  const { emailPassword } = useSettings()
  const captcha = useCaptcha('/phone-number/request-password-reset')
  const state = useApiForm({
    schema: useCallback(
      () => import('../../schemas.ts').then(({ codeAndPassword }) => codeAndPassword(emailPassword)),
      [emailPassword],
    ),
    defaults: { code: '', newPassword: '' },
    fields: {
      INVALID_OTP: 'code',
      OTP_EXPIRED: 'code',
      OTP_NOT_FOUND: 'code',
      TOO_MANY_ATTEMPTS: 'code',
      ...newPasswordErrors('newPassword' as const),
    },
    submit: async ({ code, newPassword }) => {
      await send('POST /phone-number/reset-password', { body: { phoneNumber: number, otp: readCode(code), newPassword } })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onSaved()
    },
  })
  return (
    <HostedPage title={t('enterCode')} lead={t('codeSent', { number })}>
      <Form state={state} size="large" submitLabel={t('savePassword')}>
        <input type="text" name="username" autoComplete="username" value={number} readOnly hidden />
        <CodeField size="large" {...state.field('code')} />
        <NewPasswordField size="large" label={t('newPassword')} {...state.field('newPassword')} />
      </Form>
      {captcha.widget}
      <NewCode
        resend={() => captcha.send('POST /phone-number/request-password-reset', { body: { phoneNumber: number } })}
        onChangeNumber={onChangeNumber}
      />
    </HostedPage>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const search = { callbackURL: useParameter('callbackURL') }
  const ended = useEndedByReset()
  const [number, setNumber] = useState('')
  const [step, setStep] = useState<'request' | 'code' | 'saved'>('request')
  if (step === 'saved') {
    return (
      <HostedPage title={t('passwordSaved')} lead={`${t('passwordSavedLead')} ${ended}`}>
        <ButtonLink to="/sign-in" search={search} variant="primary" size="large">
          {t('signIn')}
        </ButtonLink>
      </HostedPage>
    )
  }
  const onSent = (sentTo: string) => {
    setNumber(sentTo)
    setStep('code')
  }
  if (step === 'request') return <Request given={number} onSent={onSent} />
  return <NewPassword number={number} onChangeNumber={() => setStep('request')} onSaved={() => setStep('saved')} />
}
