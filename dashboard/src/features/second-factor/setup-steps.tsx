/** The first steps of the set-up: the code to the mailbox, and the choice, in which a passkey needs one press. */
import { useMutation } from '@tanstack/react-query'
import { Fingerprint, MessageSquareText, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { send, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { IconTile, Tag } from '../../components/layout.tsx'
import { CodeField, NewCode } from '../../components/one-time-code.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { challengeMessages } from './challenge-messages.ts'
import { messages as passkeyMessages } from './passkey-messages.ts'
import type { Done, PendingSetup } from './setup-data.ts'
import { setupMessages as messages } from './setup-messages.ts'
import { codeErrors } from './ways.ts'

const codeSchema = () => import('./schemas.ts').then(({ setupCode }) => setupCode)
/** Errors of a code appear at its field. */
const fields = Object.fromEntries(codeErrors.map((code) => [code, 'code' as const]))

interface CodeFormProps {
  readonly digits: number
  readonly submitLabel: string
  readonly submit: (code: string) => Promise<void>
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** A code, and what it completes. */
export function CodeForm({ digits, submitLabel, submit, actions, children }: CodeFormProps) {
  const t = useMessages(challengeMessages)
  const state = useApiForm({
    schema: codeSchema,
    defaults: { code: '' },
    fields,
    submit: ({ code }) => submit(code),
  })
  return (
    <Form state={state} submitLabel={submitLabel} actions={actions}>
      {children}
      <CodeField label={t('code')} digits={digits} {...state.field('code')} />
    </Form>
  )
}

/** @param channel default: where the code was sent that must be given first */
export function NewSetupCode({ channel }: { readonly channel?: 'sms' }) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const texts = { sent: t('newCodeSent'), send: t('sendNewCode'), sendIn: (time: string) => t('newCodeIn', { time }) }
  const resend = () => send('POST /two-factor/send-otp', { body: channel ? { channel } : {} })
  return <NewCode texts={texts} resend={resend} resendAfter={twoFactor?.resendAfter[channel ?? 'email'] ?? 0} />
}

interface CodeStepProps {
  /** Where the code was sent, shortened. */
  readonly to: string
  readonly onProven: () => Promise<unknown>
}

export function CodeStep({ to, onProven }: CodeStepProps) {
  const t = useMessages(messages)
  const { twoFactor } = useSettings()
  const prove = async (code: string) => {
    await send('POST /two-factor/verify-otp', { body: { code } })
    await onProven()
  }
  return (
    <section className="grid grid-cols-1 gap-4">
      <h2 className="text-16 font-semibold">{t('codeTitle')}</h2>
      <p>{t('codeSent', { to })}</p>
      <CodeForm digits={twoFactor?.codeLength ?? 6} submitLabel={t('confirm')} submit={prove} />
      <NewSetupCode />
    </section>
  )
}

/** That need more than one press. */
export type Method = 'totp' | 'sms'

interface ChoiceProps {
  readonly methods: PendingSetup['methods']
  readonly onChoose: (method: Method) => void
  readonly onDone: (done: Done) => Promise<void>
}

export function MethodChoice({ methods, onChoose, onDone }: ChoiceProps) {
  const t = useMessages(messages)
  const has = (name: string) => methods.some(({ type, channel }) => (channel ?? type) === name)
  return (
    <section className="grid grid-cols-1 gap-4">
      <h2 className="text-16 font-semibold">{t('choose')}</h2>
      {has('passkey') ? <PasskeyWay onDone={onDone} /> : null}
      {has('totp') ? <Way icon={Smartphone} name={t('app')} text={t('appText')} onChoose={() => onChoose('totp')} /> : null}
      {has('sms') ? <Way icon={MessageSquareText} name={t('sms')} text={t('smsText')} onChoose={() => onChoose('sms')} /> : null}
    </section>
  )
}

interface WayProps {
  readonly icon: typeof Fingerprint
  readonly name: string
  readonly text: string
  readonly isRecommended?: boolean
  readonly isBusy?: boolean
  readonly onChoose: () => void
}

function Way({ icon: Icon, name, text, isRecommended = false, isBusy = false, onChoose }: WayProps) {
  const t = useMessages(messages)
  return (
    <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 rounded-card border border-border p-4">
      <IconTile>
        <Icon className="size-4" />
      </IconTile>
      <div className="grid gap-1">
        <p className="text-13 text-muted">{text}</p>
        {isRecommended ? (
          <p>
            <Tag tone="brass">{t('recommended')}</Tag>
          </p>
        ) : null}
      </div>
      <div className="col-span-full grid">
        <Button variant={isRecommended ? 'primary' : 'secondary'} isBusy={isBusy} onClick={onChoose}>
          {name}
        </Button>
      </div>
    </div>
  )
}

function PasskeyWay({ onDone }: Pick<ChoiceProps, 'onDone'>) {
  const t = useMessages(messages)
  const passkey = useMessages(passkeyMessages)
  const { mutate, isPending, error, data, variables } = useMutation({
    mutationFn: async (isStored: boolean) => {
      const options = await send('GET /passkey/generate-register-options', { query: {} })
      const { createPasskey } = await import('../../browser/passkeys.ts')
      const created = await createPasskey(options, isStored)
      if (typeof created === 'string') return created
      await onDone((await send('POST /passkey/verify-registration', { body: { response: { ...created } } })) as Done)
      return null
    },
  })
  const mayBeUnstored = data === 'cancelled'
  if (!('PublicKeyCredential' in globalThis)) return <p className="text-13 text-muted">{t('noPasskeys')}</p>
  return (
    <div className="grid grid-cols-1 gap-3">
      {error ? <ErrorNote error={error} /> : null}
      {data && data !== 'replaced' ? (
        <Note tone="danger" isLive>
          <p>{passkey(data)}</p>
          {mayBeUnstored ? <p>{passkey('keyHasNoRoom')}</p> : null}
        </Note>
      ) : null}
      <Way
        icon={Fingerprint}
        name={t('passkey')}
        text={t('passkeyText')}
        isRecommended
        isBusy={isPending && variables}
        onChoose={() => mutate(true)}
      />
      {mayBeUnstored || (isPending && !variables) ? (
        <Button isBusy={isPending && !variables} onClick={() => mutate(false)}>
          {passkey('addUnstored')}
        </Button>
      ) : null}
    </div>
  )
}
