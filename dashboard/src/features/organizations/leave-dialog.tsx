/** Leaving an organization, and the reason why its last owner cannot. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { discardOrganization, useOrganization } from '../../organizations.ts'
import { call } from '../../session.ts'
import { messages } from './index.ts'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function LeaveDialog({ isOpen, onClose }: Props) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const { id, name } = useOrganization()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => call('POST /organization/leave', { body: { organizationId: id } }),
    onSuccess: async () => {
      // First: this page must not read the organization again.
      await navigate({ to: '/organizations' })
      showToast(t('left', { name }))
      await discardOrganization(id)
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t('leaveQuestion', { name })}
      confirmLabel={t('leaveOrganization')}
      isBusy={isPending}
      onConfirm={() => mutate()}
    >
      <p>{t('leaveText')}</p>
      {error ? <ErrorNote error={error} /> : null}
    </ConfirmDialog>
  )
}
