/** The lock of an account that another person may have taken over, with a preview of what it ends, and its end. */
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, Skeleton } from '../../components/feedback.tsx'
import { Checkbox, TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session/session.ts'
import { refreshAdmin, type User } from './data.ts'
import { type LockPreview, lockQuery, messages } from './lock-messages.ts'
import type { DialogProps } from './user-dialogs.tsx'
import { useDisplayName } from './user-parts.tsx'

export { messages }

type Props = Omit<DialogProps, 'users' | 'matching'> & { readonly user: User }

export const LockDialogs = ({ isUnlocking, ...dialog }: Props & { readonly isUnlocking: boolean }) =>
  isUnlocking ? <UnlockDialog {...dialog} /> : <LockDialog {...dialog} />

function LockDialog({ user, onDone, isOpen, onClose, focusAfter }: Props) {
  const t = useMessages(messages)
  const [text, setText] = useState('')
  const [allowReset, setAllowReset] = useState(false)
  const hintId = useId()
  const name = useDisplayName()(user)
  const reason = text.trim()
  const { data, error } = useQuery({ ...lockQuery(user.id), enabled: isOpen })
  const lock = async () => {
    await call('POST /admin/lock-user', { body: { userId: user.id, reason, allowReset } })
    await refreshAdmin()
    await onDone(t('lockDone', { name }))
  }
  return (
    <ConfirmDialog
      {...{ isOpen, onClose, focusAfter }}
      title={t('lockQuestion', { name })}
      confirmLabel={t('lock')}
      isConfirmDisabled={reason === ''}
      call={lock}
    >
      <p>{t('lockText')}</p>
      {error ? <ErrorNote error={error} /> : data ? <Effects {...data.ends} /> : <Skeleton />}
      <TextField
        label={t('reason')}
        hint={t('reasonHint')}
        maxLength={500}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <div>
        <Checkbox
          label={t('allowReset')}
          aria-describedby={hintId}
          checked={allowReset}
          onChange={({ target }) => setAllowReset(target.checked)}
        />
        <p id={hintId} className="ps-6.5 text-13 text-muted">
          {t('allowResetHint')}
        </p>
      </div>
    </ConfirmDialog>
  )
}

/** What the account does not have is left out. */
function Effects(ends: LockPreview['ends']) {
  const t = useMessages(messages)
  const names = ['sessions', 'apiKeys', 'linksAndCodes', 'linkedAccounts', 'trustedBrowsers'] as const
  const effects = names.filter((name) => ends[name] > 0).map((name) => t(name, { count: ends[name] }))
  return (
    <ul className="grid list-disc gap-1 ps-5 text-13">
      {[...effects, t('everySignIn')].map((effect) => (
        <li key={effect}>{effect}</li>
      ))}
    </ul>
  )
}

function UnlockDialog({ user, onDone, isOpen, onClose, focusAfter }: Props) {
  const t = useMessages(messages)
  const [text, setText] = useState('')
  const name = useDisplayName()(user)
  const reason = text.trim()
  const unlock = async () => {
    await call('POST /admin/unlock-user', { body: { userId: user.id, reason } })
    await refreshAdmin()
    await onDone(t('unlockDone', { name }))
  }
  return (
    <ConfirmDialog
      {...{ isOpen, onClose, focusAfter }}
      title={t('unlockQuestion', { name })}
      confirmLabel={t('unlock')}
      isConfirmDisabled={reason === ''}
      call={unlock}
    >
      <p>{t('unlockText', { email: user.email })}</p>
      <TextField
        label={t('reason')}
        hint={t('reasonHint')}
        maxLength={500}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </ConfirmDialog>
  )
}
