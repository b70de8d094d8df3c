/** The email address: whether it is verified, and its change in the stages that the API has. */
import { useMutation } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { refreshSession, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, EmailTag, IconTile, Line, Lines, Setting } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call, useSession } from '../../session/session.ts'
import { ChangeByCode, sendCode, VerifyByCode } from './email-codes.tsx'
import { messages } from './index.ts'

/** What is open below the address, what was done there, and the calls that begin a step. */
function useSteps() {
  const t = useMessages(messages)
  const { user } = useSession()
  const { emailCodes } = useSettings()
  const [step, setStep] = useState<'closed' | 'change' | 'verify'>('closed')
  const [result, setResult] = useState<string>()
  const byCode = { verify: emailCodes?.verification === true, change: emailCodes?.changesEmail === true }
  const go = (next: typeof step, text?: string) => {
    setStep(next)
    setResult(text)
  }
  const verification = useMutation({
    mutationFn: (): Promise<unknown> =>
      byCode.verify ? sendCode(user.email) : call('POST /send-verification-email', { body: { email: user.email } }),
    onSuccess: () => (byCode.verify ? go('verify') : setResult(t('verificationSent', { email: user.email }))),
  })
  const change = useMutation({
    mutationFn: async () => (byCode.change && emailCodes?.verifiesCurrentEmail ? sendCode(user.email) : null),
    onSuccess: () => go('change'),
  })
  return { step, result, byCode, verification, change, close: (text?: string) => go('closed', text) }
}

export function EmailSection() {
  const t = useMessages(messages)
  const { user } = useSession()
  const { emailChange, emailVerification } = useSettings()
  const { step, result, byCode, verification, change, close } = useSteps()
  const canVerify = (emailVerification || byCode.verify) && !user.emailVerified && step === 'closed'
  const failure = verification.error ?? change.error
  return (
    <Setting title={t('emailAddress')} description={t('emailText')}>
      <Card>
        <Lines>
          <Line
            icon={
              <IconTile>
                <Mail className="size-4" />
              </IconTile>
            }
            title={user.email}
            action={
              <div className="flex flex-wrap gap-2">
                {canVerify ? (
                  <Button isBusy={verification.isPending} onClick={() => verification.mutate()}>
                    {t(byCode.verify ? 'sendCode' : 'sendVerification')}
                  </Button>
                ) : null}
                {(emailChange || byCode.change) && step === 'closed' ? (
                  <Button isBusy={change.isPending} onClick={() => change.mutate()}>
                    {t('changeEmail')}
                  </Button>
                ) : null}
              </div>
            }
          >
            <EmailTag isVerified={user.emailVerified} />
          </Line>
        </Lines>
        <div className="grid grid-cols-1 gap-4 px-4 pb-4 empty:hidden">
          {failure ? <ErrorNote error={failure} /> : null}
          {result ? (
            <Note tone="success" isLive>
              {result}
            </Note>
          ) : null}
          {step === 'verify' ? <VerifyByCode onClose={close} /> : null}
          {step === 'change' ? byCode.change ? <ChangeByCode onClose={close} /> : <ChangeForm onClose={close} /> : null}
        </div>
      </Card>
    </Setting>
  )
}

/** @param onClose gets what happened; undefined when the user cancelled */
function ChangeForm({ onClose }: { readonly onClose: (result?: string) => void }) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { user } = useSession()
  const { email } = user
  const { emailChange } = useSettings()
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ emailOnly }) => emailOnly),
    defaults: { email: '' },
    fields: { INVALID_EMAIL: 'email', EMAIL_IS_THE_SAME: 'email', COULDNT_UPDATE_YOUR_EMAIL: 'email' },
    submit: async ({ email: newEmail }) => {
      await call('POST /change-email', { body: { newEmail } })
      const after = (await refreshSession())?.user.email ?? email
      const linkTo = user.emailVerified ? email : newEmail
      onClose(after === email ? t('confirmationSent', { email: linkTo }) : t('emailChanged', { email: after }))
    },
  })
  if (user.emailVerified && !emailChange?.confirmedByEmail) return <Note tone="warning">{t('cannotChange')}</Note>
  return (
    <div className="border-t border-border pt-4">
      <Form state={state} submitLabel={t('changeEmail')} actions={<Button onClick={() => onClose()}>{frame('cancel')}</Button>}>
        <TextField
          label={t('newEmail')}
          type="email"
          autoComplete="email"
          autoFocus
          hint={user.emailVerified ? t('changesByLink', { email }) : t('changesNow')}
          {...state.field('email')}
        />
      </Form>
    </div>
  )
}
