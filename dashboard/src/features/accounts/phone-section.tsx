/** The phone number: whether it is verified, and its change by a code. */
import { Smartphone } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { refreshSession, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { Note } from '../../components/feedback.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, EmailTag, IconTile, Line, Lines, Setting } from '../../components/layout.tsx'
import { CodeField, readCode } from '../../components/one-time-code.tsx'
import { NewPhoneCode, PhoneField } from '../../components/phone-code.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages as messages, useFrameMessages } from '../../messages/index.ts'
import { call, useSession } from '../../session/session.ts'

type Step = 'closed' | 'number' | 'code'

export function PhoneSection({ canRemove }: { readonly canRemove: boolean }) {
  const t = useMessages(messages)
  const { phoneNumber: settings } = useSettings()
  const { user } = useSession()
  const [step, setStep] = useState<Step>('closed')
  const [number, setNumber] = useState('')
  const [result, setResult] = useState<string>()
  const resultRef = useRef<HTMLDivElement>(null)
  const close = (text?: string) => {
    setStep('closed')
    setResult(text)
  }
  const own = user.phoneNumber ?? null
  const change = own === null ? t('addNumber') : t('changeOwnNumber')
  const onSent = (sentTo: string) => {
    setNumber(sentTo)
    setStep('code')
  }
  return (
    <Setting title={t('phoneNumber')} description={t('phoneNumberText')}>
      <Card>
        <Lines>
          <Line
            icon={
              <IconTile>
                <Smartphone className="size-4" />
              </IconTile>
            }
            title={own === null ? t('noPhoneNumber') : <span dir="ltr">{own}</span>}
            action={
              step === 'closed' ? (
                <div className="flex flex-wrap gap-2">
                  {settings?.codes ? <Button onClick={() => setStep('number')}>{change}</Button> : null}
                  {own !== null && canRemove ? (
                    <Removal number={own} onRemoved={() => close(t('numberRemoved'))} focusAfter={resultRef} />
                  ) : null}
                </div>
              ) : null
            }
          >
            {own === null ? null : <EmailTag isVerified={user.phoneNumberVerified === true} />}
          </Line>
        </Lines>
        <div className="grid grid-cols-1 gap-4 px-4 not-has-[>:not(:empty)]:hidden pb-4">
          <Result text={result} place={resultRef} />
          {step === 'number' ? <NumberForm given={number} onSent={onSent} onCancel={close} /> : null}
          {step === 'code' ? <CodeForm number={number} onChangeNumber={() => setStep('number')} onSaved={close} /> : null}
        </div>
      </Card>
    </Setting>
  )
}

interface ResultProps {
  readonly text: string | undefined
  readonly place: RefObject<HTMLDivElement | null>
}

function Result({ text, place }: ResultProps) {
  // The form or button that had the focus is gone.
  useEffect(() => {
    if (text !== undefined) place.current?.focus()
  }, [text, place])
  return (
    <div ref={place} tabIndex={-1} className="outline-none empty:hidden">
      {text ? (
        <Note tone="success" isLive>
          {text}
        </Note>
      ) : null}
    </div>
  )
}

interface RemovalProps {
  readonly number: string
  readonly onRemoved: () => void
  readonly focusAfter: RefObject<HTMLElement | null>
}

function Removal({ number, onRemoved, focusAfter }: RemovalProps) {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  const remove = async () => {
    await call('POST /update-user', { body: { phoneNumber: null } as object })
    await refreshSession()
    onRemoved()
  }
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('removeNumber')}</Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('removeQuestion')}
        confirmLabel={t('removeNumber')}
        call={remove}
        focusAfter={focusAfter}
      >
        {t('removeText', { number })}
      </ConfirmDialog>
    </>
  )
}

interface NumberFormProps {
  readonly given: string
  readonly onSent: (number: string) => void
  readonly onCancel: () => void
}

function NumberForm({ given, onSent, onCancel }: NumberFormProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ phoneOnly }) => phoneOnly),
    defaults: { phoneNumber: given },
    fields: { INVALID_PHONE_NUMBER: 'phoneNumber' },
    submit: async ({ phoneNumber }) => {
      await call('POST /phone-number/send-otp', { body: { phoneNumber } })
      onSent(phoneNumber)
    },
  })
  return (
    <div className="border-t border-border pt-4">
      <Form state={state} submitLabel={t('sendCode')} actions={<Button onClick={onCancel}>{frame('cancel')}</Button>}>
        <PhoneField label={t('newNumber')} autoFocus {...state.field('phoneNumber')} />
      </Form>
    </div>
  )
}

interface CodeFormProps {
  readonly number: string
  readonly onChangeNumber: () => void
  readonly onSaved: (text: string) => void
}

function CodeForm({ number, onChangeNumber, onSaved }: CodeFormProps) {
  const t = useMessages(messages)
  const state = useApiForm({
    schema: () => import('../../components/schemas.ts').then(({ codeOnly }) => codeOnly),
    defaults: { code: '' },
    fields: { INVALID_OTP: 'code', OTP_EXPIRED: 'code', OTP_NOT_FOUND: 'code', TOO_MANY_ATTEMPTS: 'code' },
    submit: async ({ code }) => {
      const body = { phoneNumber: number, code: readCode(code), updatePhoneNumber: true }
      await call('POST /phone-number/verify', { body })
      const after = await refreshSession()
      onSaved(t('numberSaved', { number: after?.user.phoneNumber ?? number }))
    },
  })
  return (
    <div className="grid gap-4 border-t border-border pt-4">
      <p className="text-13 text-muted">{t('codeSent', { number })}</p>
      <Form state={state} submitLabel={t('verifyNumber')}>
        <CodeField label={t('code')} {...state.field('code')} />
      </Form>
      <NewPhoneCode
        resend={() => call('POST /phone-number/send-otp', { body: { phoneNumber: number } })}
        onChangeNumber={onChangeNumber}
      />
    </div>
  )
}
