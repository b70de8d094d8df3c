/** The email address, verified and changed with codes. */
import { useState } from 'react'
import { refreshSession, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { CodeField, NewCode, readCode } from '../../components/one-time-code.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages, useFrameMessages } from '../../messages/index.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './index.ts'

const codeErrors = { INVALID_OTP: 'code', OTP_EXPIRED: 'code', TOO_MANY_ATTEMPTS: 'code' } as const

/** Sends a code to the current address. */
export const sendCode = (email: string) =>
  call('POST /email-otp/send-verification-otp', { body: { email, type: 'email-verification' } })

interface StepProps {
  /** @param result what happened; undefined when the user cancelled */
  readonly onClose: (result?: string) => void
}

/** Verifies the current address, to which a code was sent. */
export function VerifyByCode({ onClose }: StepProps) {
  const t = useMessages(messages)
  const { email } = useSession().user
  const verify = async (otp: string) => {
    await call('POST /email-otp/verify-email', { body: { email, otp } })
    await refreshSession()
    onClose(t('verified', { email }))
  }
  return <EnterCode email={email} submitLabel={t('verify')} submit={verify} resend={() => sendCode(email)} onClose={onClose} />
}

/** Changes the address: with a code to the current one, if that is demanded, and one to the new one. */
export function ChangeByCode({ onClose }: StepProps) {
  const t = useMessages(messages)
  const { email } = useSession().user
  const [newEmail, setNewEmail] = useState<string>()
  const change = async (otp: string) => {
    await call('POST /email-otp/change-email', { body: { newEmail: newEmail ?? '', otp } })
    const after = await refreshSession()
    onClose(t('changedTo', { email: after?.user.email ?? newEmail ?? email }))
  }
  if (newEmail === undefined) return <EnterAddress onSent={setNewEmail} onClose={onClose} />
  return <EnterCode email={newEmail} submitLabel={t('changeEmail')} submit={change} onClose={onClose} />
}

interface EnterCodeProps extends StepProps {
  readonly email: string
  readonly submitLabel: string
  readonly submit: (code: string) => Promise<void>
  /** Absent: a new code needs a new start. */
  readonly resend?: () => Promise<unknown>
}

function EnterCode({ email, submitLabel, submit, resend, onClose }: EnterCodeProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ codeOnly }) => codeOnly),
    defaults: { code: '' },
    fields: codeErrors,
    submit: ({ code }) => submit(readCode(code)),
  })
  return (
    <div className="grid gap-4 border-t border-border pt-4">
      <p className="text-13 text-muted">{t('codeSent', { email })}</p>
      <Form state={state} submitLabel={submitLabel} actions={<Button onClick={() => onClose()}>{frame('cancel')}</Button>}>
        <CodeField label={t('code')} {...state.field('code')} />
      </Form>
      {resend ? <NewEmailCode resend={resend} /> : null}
    </div>
  )
}

function NewEmailCode({ resend }: { readonly resend: () => Promise<unknown> }) {
  const t = useMessages(phoneMessages)
  const { emailCodes } = useSettings()
  const texts = { sent: t('newCodeSent'), send: t('sendNewCode'), sendIn: (time: string) => t('newCodeIn', { time }) }
  return <NewCode texts={texts} resend={resend} resendAfter={emailCodes?.resendAfter ?? 0} />
}

interface EnterAddressProps extends StepProps {
  readonly onSent: (newEmail: string) => void
}

function EnterAddress({ onSent, onClose }: EnterAddressProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { email } = useSession().user
  const needsCode = useSettings().emailCodes?.verifiesCurrentEmail === true
  const state = useApiForm({
    schema: () =>
      import('../../components/schemas.ts').then(({ emailOnly, codeOnly }) =>
        needsCode ? emailOnly.extend(codeOnly.shape) : emailOnly.extend({ code: codeOnly.shape.code.optional() }),
      ),
    defaults: { email: '', code: '' },
    fields: { ...codeErrors, INVALID_EMAIL: 'email', EMAIL_IS_THE_SAME: 'email' },
    submit: async ({ email: newEmail, code }) => {
      const otp = needsCode && code ? { otp: readCode(code) } : {}
      await call('POST /email-otp/request-email-change', { body: { newEmail, ...otp } })
      onSent(newEmail)
    },
  })
  return (
    <div className="grid gap-4 border-t border-border pt-4">
      {needsCode ? <p className="text-13 text-muted">{t('codeSent', { email })}</p> : null}
      <Form state={state} submitLabel={t('sendCode')} actions={<Button onClick={() => onClose()}>{frame('cancel')}</Button>}>
        {needsCode ? <CodeField label={t('code')} {...state.field('code')} /> : null}
        <TextField label={t('newEmail')} type="email" autoComplete="email" hint={t('changesByCode')} {...state.field('email')} />
      </Form>
      {needsCode ? <NewEmailCode resend={() => sendCode(email)} /> : null}
    </div>
  )
}
