/** Sets up an authenticator app: password, QR code and first code, backup codes. The former app works until the new one is verified. */
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { Dialog, type DialogHandlers } from '../../components/dialog.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { CodeField } from '../../components/one-time-code.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { AppSecret } from './app-secret.tsx'
import { BackupCodes } from './backup-codes.tsx'
import { challengeMessages } from './challenge-messages.ts'
import { refreshFactors } from './data.ts'
import { messages } from './messages.ts'
import { type PasswordProof, ProofForm } from './proof-form.tsx'

interface Props extends DialogHandlers {
  readonly isOpen: boolean
  readonly hasPassword: boolean
  readonly isReplacement: boolean
}

interface NewApp {
  readonly totpURI: string
  readonly backupCodes: readonly string[]
}

export function AppDialog({ isOpen, onClose, onDone, focusAfter, hasPassword, isReplacement }: Props) {
  const t = useMessages(messages)
  const [app, setApp] = useState<NewApp>()
  const [isVerified, setVerified] = useState(false)
  const begin = async (proof: PasswordProof) => {
    const { totpURI = '', backupCodes } = await call('POST /two-factor/enable', { body: { ...proof, method: 'totp' } })
    setApp({ totpURI, backupCodes })
  }
  const finish = () => {
    onClose()
    onDone(isReplacement ? t('appReplaced') : t('appAdded'))
  }
  const setUpTitle = isReplacement ? t('replaceApp') : t('setUpApp')
  return (
    // A click outside of it would lose the backup codes.
    <Dialog
      isOpen={isOpen}
      onClose={isVerified ? () => undefined : onClose}
      title={isVerified ? t('backupCodes') : setUpTitle}
      focusAfter={focusAfter}
    >
      {app === undefined ? (
        <ProofForm hasPassword={hasPassword} submitLabel={t('next')} submit={begin} onCancel={onClose}>
          <p>{isReplacement ? t('replaceText') : t('setUpText')}</p>
        </ProofForm>
      ) : isVerified ? (
        <BackupCodes codes={app.backupCodes} onDone={finish} />
      ) : (
        <FirstCode totpURI={app.totpURI} onCancel={onClose} onVerified={() => setVerified(true)} />
      )}
    </Dialog>
  )
}

interface FirstCodeProps {
  readonly totpURI: string
  readonly onCancel: () => void
  readonly onVerified: () => void
}

function FirstCode({ totpURI, onCancel, onVerified }: FirstCodeProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const code = useMessages(challengeMessages)
  const { twoFactor } = useSettings()
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ firstCode }) => firstCode),
    defaults: { code: '', revokeOtherSessions: true },
    fields: { INVALID_CODE: 'code' },
    submit: async (values) => {
      await call('POST /two-factor/verify-totp', { body: values })
      onVerified()
      await refreshFactors()
    },
  })
  return (
    <Form state={state} submitLabel={t('verifyApp')} actions={<Button onClick={onCancel}>{frame('cancel')}</Button>}>
      <AppSecret totpURI={totpURI} />
      <Checkbox label={t('signOutOthers')} {...state.form.register('revokeOtherSessions')} />
      <CodeField label={code('code')} digits={twoFactor?.digits ?? 6} hint={t('firstCodeHint')} {...state.field('code')} />
    </Form>
  )
}
