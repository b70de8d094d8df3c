/** The start of an impersonation: it needs a reason, and a recent sign-in of the administrator. */
import { useState } from 'react'
import { pageURL, useSettings } from '../../api/calls.ts'
import { noteImpersonation } from '../../browser/impersonation-note.ts'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, useSession } from '../../session/session.ts'
import type { User } from './data.ts'
import { messages } from './index.ts'
import { useDisplayName } from './user-parts.tsx'

interface Props {
  readonly user: User
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function ImpersonateDialog({ user, isOpen, onClose }: Props) {
  const t = useMessages(messages)
  const display = useDisplayName()
  const { admin } = useSettings()
  const administrator = useSession().user.name
  const [text, setText] = useState('')
  const reason = text.trim()
  const impersonate = async () => {
    const { session } = await call('POST /admin/impersonate-user', { body: { userId: user.id, reason } })
    noteImpersonation({ sessionId: session.id, administrator, reason })
    // A new page: nothing of the administrator stays in its memory.
    location.replace(pageURL('/account'))
    await new Promise(() => undefined)
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('impersonateQuestion', { name: display(user) })}
      confirmLabel={t('impersonateConfirm')}
      variant="primary"
      isConfirmDisabled={reason === ''}
      call={impersonate}
    >
      <p>{t('impersonateText', { minutes: Math.round((admin?.impersonationSeconds ?? 0) / 60) })}</p>
      <TextField
        label={t('impersonateReason')}
        hint={t('impersonateReasonHint')}
        maxLength={500}
        required
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </ConfirmDialog>
  )
}
