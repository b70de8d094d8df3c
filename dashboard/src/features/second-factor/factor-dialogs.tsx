/** Dialogs that change the second factors of the current user, each after the password. */
import { type ReactNode, useState } from 'react'
import { Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { AppDialog } from './app-dialog.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { type FactorStatus, refreshFactors } from './data.ts'
import { useFactorName } from './factors.tsx'
import { messages } from './messages.ts'
import { type PasswordProof, ProofForm } from './proof-form.tsx'

export type FactorAction =
  | { readonly kind: 'app'; readonly isReplacement: boolean }
  | { readonly kind: 'new-codes' }
  | { readonly kind: 'send'; readonly channel: 'sms' | 'email' }
  | { readonly kind: 'passkey' }
  | { readonly kind: 'remove'; readonly method: Removable }

type Removable = FactorStatus['enabledMethods'][number]

interface Props extends DialogHandlers {
  readonly status: FactorStatus
  readonly hasPassword: boolean
}

export function FactorDialogs({ action, ...props }: Props & { readonly action: FactorAction | null }) {
  const { last, opening } = useLast(action)
  if (!last) return null
  const common = { ...props, isOpen: action !== null }
  if (last.kind === 'app') return <AppDialog key={opening} {...common} isReplacement={last.isReplacement} />
  if (last.kind === 'new-codes') return <NewCodesDialog key={opening} {...common} />
  if (last.kind === 'send') return <SentCodesDialog key={opening} {...common} channel={last.channel} />
  if (last.kind === 'passkey') return <PasskeyFactorDialog key={opening} {...common} />
  return <RemovalDialog key={opening} {...common} method={last.method} />
}

interface OpenProps extends Props {
  readonly isOpen: boolean
}

interface ChangeProps extends OpenProps {
  readonly title: string
  readonly submitLabel: string
  readonly submitVariant?: 'primary' | 'danger-filled'
  readonly offersSignOut?: boolean
  /** @returns new backup codes, if there are any */
  readonly change: (proof: PasswordProof) => Promise<readonly string[]>
  /** What was done. */
  readonly done: string
  readonly children: ReactNode
}

/** A change that may create backup codes, which are then shown. */
function ChangeDialog({ isOpen, onClose, onDone, focusAfter, hasPassword, change, done, ...texts }: ChangeProps) {
  const t = useMessages(messages)
  const [codes, setCodes] = useState<readonly string[]>([])
  const finish = () => {
    onClose()
    onDone(done)
  }
  const submit = async (proof: PasswordProof) => {
    const created = await change(proof)
    await refreshFactors()
    if (created.length > 0) setCodes(created)
    else finish()
  }
  const isOver = codes.length > 0
  return (
    // A click outside of it would lose the backup codes.
    <Dialog
      isOpen={isOpen}
      onClose={isOver ? () => undefined : onClose}
      title={isOver ? t('backupCodes') : texts.title}
      focusAfter={focusAfter}
    >
      {isOver ? (
        <BackupCodes codes={codes} onDone={finish} />
      ) : (
        <ProofForm
          hasPassword={hasPassword}
          submitLabel={texts.submitLabel}
          submitVariant={texts.submitVariant ?? 'primary'}
          offersSignOut={texts.offersSignOut ?? false}
          submit={submit}
          onCancel={onClose}
        >
          {texts.children}
        </ProofForm>
      )}
    </Dialog>
  )
}

function NewCodesDialog(props: OpenProps) {
  const t = useMessages(messages)
  return (
    <ChangeDialog
      {...props}
      title={t('newCodes')}
      submitLabel={t('createCodes')}
      change={async (proof) => (await call('POST /two-factor/generate-backup-codes', { body: proof })).backupCodes}
      done={t('codesCreated')}
    >
      <p>{t('newCodesText')}</p>
    </ChangeDialog>
  )
}

function SentCodesDialog({ channel, ...props }: OpenProps & { readonly channel: 'sms' | 'email' }) {
  const t = useMessages(messages)
  const isText = channel === 'sms'
  return (
    <ChangeDialog
      {...props}
      offersSignOut
      title={isText ? t('turnOnTexts') : t('turnOnEmails')}
      submitLabel={t('turnOn')}
      change={async (proof) =>
        (await call('POST /two-factor/enable', { body: { ...proof, method: 'otp', channel } })).backupCodes
      }
      done={isText ? t('textsOn') : t('emailsOn')}
    >
      <p>{isText ? t('textsText') : t('emailsText')}</p>
    </ChangeDialog>
  )
}

function PasskeyFactorDialog(props: OpenProps) {
  const t = useMessages(messages)
  return (
    <ChangeDialog
      {...props}
      offersSignOut
      title={t('turnOnPasskey')}
      submitLabel={t('turnOn')}
      change={async (proof) => (await call('POST /two-factor/enable', { body: { ...proof, method: 'passkey' } })).backupCodes}
      done={t('passkeyIsOn')}
    >
      <p>{t('passkeyText')}</p>
    </ChangeDialog>
  )
}

const removalTexts = {
  totp: { title: 'removeAppQuestion', submit: 'removeApp', done: 'appRemoved' },
  otp: { title: 'turnOffQuestion', submit: 'turnOffCodes', done: 'codesOff' },
  passkey: { title: 'turnOffPasskeyQuestion', submit: 'turnOffPasskey', done: 'passkeyIsOff' },
} as const satisfies Record<Removable, object>

function RemovalDialog({ method, ...props }: OpenProps & { readonly method: Removable }) {
  const t = useMessages(messages)
  const texts = removalTexts[method]
  const removed = props.status.methods.filter(({ type }) => type === method)
  return (
    <ChangeDialog
      {...props}
      title={t(texts.title)}
      submitLabel={t(texts.submit)}
      submitVariant="danger-filled"
      change={async (proof) => {
        await call('POST /two-factor/disable', { body: { ...proof, method } })
        return []
      }}
      done={t(texts.done)}
    >
      {removed.length > 1 && method === 'otp' ? <p>{t('bothEnd')}</p> : null}
      <WhatRemains without={method} keepsPasskeys status={props.status} hasPassword={props.hasPassword} />
    </ChangeDialog>
  )
}

interface RemainsProps extends Pick<Props, 'status' | 'hasPassword'> {
  readonly without: Removable
  /** Passkeys that stay answer challenges, as long as there is another factor. */
  readonly keepsPasskeys?: boolean
}

/** What signing in needs without one kind of factor. */
export function WhatRemains({ without, keepsPasskeys = false, status, hasPassword }: RemainsProps) {
  const t = useMessages(messages)
  const nameOf = useFactorName()
  if (status.enabledMethods.every((kind) => kind === without))
    return (
      <>
        <p>{hasPassword ? t('onlyPasswordLeft') : t('noFactorLeft')}</p>
        <p>{t('codesAndTrustEnd')}</p>
      </>
    )
  const left = status.methods.filter(({ type }) => type !== without || (keepsPasskeys && type === 'passkey'))
  return (
    <>
      <p>{t('stillThere')}</p>
      <ul className="list-disc ps-5">
        {left.map((factor) => (
          <li key={factor.channel ?? factor.type}>{nameOf(factor)}</li>
        ))}
      </ul>
      <p>{t('trustEnds')}</p>
    </>
  )
}
