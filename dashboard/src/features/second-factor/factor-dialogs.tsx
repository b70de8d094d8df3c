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
  | { readonly kind: 'remove'; readonly method: 'totp' | 'otp' }

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
  return <RemovalDialog key={opening} {...common} method={last.method} />
}

interface OpenProps extends Props {
  readonly isOpen: boolean
}

interface ChangeProps extends OpenProps {
  readonly title: string
  readonly submitLabel: string
  readonly submitVariant?: 'primary' | 'danger-filled'
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

function RemovalDialog({ method, ...props }: OpenProps & { readonly method: 'totp' | 'otp' }) {
  const t = useMessages(messages)
  const nameOf = useFactorName()
  const left = props.status.methods.filter(({ type }) => type !== method)
  const removed = props.status.methods.filter(({ type }) => type === method)
  return (
    <ChangeDialog
      {...props}
      title={method === 'totp' ? t('removeAppQuestion') : t('turnOffQuestion')}
      submitLabel={method === 'totp' ? t('removeApp') : t('turnOffCodes')}
      submitVariant="danger-filled"
      change={async (proof) => {
        await call('POST /two-factor/disable', { body: { ...proof, method } })
        return []
      }}
      done={method === 'totp' ? t('appRemoved') : t('codesOff')}
    >
      {removed.length > 1 ? <p>{t('bothEnd')}</p> : null}
      {left.length === 0 ? (
        <p>{props.hasPassword ? t('onlyPasswordLeft') : t('noFactorLeft')}</p>
      ) : (
        <>
          <p>{t('stillThere')}</p>
          <ul className="list-disc ps-5">
            {left.map((factor) => (
              <li key={factor.channel ?? factor.type}>{nameOf(factor)}</li>
            ))}
          </ul>
        </>
      )}
      <p>{left.length === 0 ? t('codesAndTrustEnd') : t('trustEnds')}</p>
    </ChangeDialog>
  )
}
