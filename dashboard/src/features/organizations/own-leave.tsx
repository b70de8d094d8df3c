/** Leaving one of the user's organizations. */
import { useMutation } from '@tanstack/react-query'
import type { RefObject } from 'react'
import { hasCode } from '../../api.ts'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { discardOrganization, type Membership } from '../../organizations.ts'
import { call } from '../../session.ts'
import { messages } from './invitation-messages.ts'

interface Props {
  readonly organization: Membership['organization']
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
  readonly focusAfter: RefObject<HTMLElement | null>
}

export function LeaveDialog({ organization: { id, name }, isOpen, onClose, onDone, focusAfter }: Props) {
  const t = useMessages(messages)
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async () => {
      await call('POST /organization/leave', { body: { organizationId: id } }).catch((failure: unknown) => {
        // The user was removed in the meantime, which is what they want.
        if (!hasCode(failure, 'MEMBER_NOT_FOUND')) throw failure
      })
      await discardOrganization(id)
    },
    onSuccess: () => {
      onClose()
      onDone(t('left', { organization: name }))
    },
  })
  const close = () => {
    reset()
    onClose()
  }
  const isOnlyOwner = hasCode(error, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={close}
      title={t('leaveQuestion', { organization: name })}
      confirmLabel={t('leaveOrganization')}
      isBusy={isPending}
      isConfirmDisabled={isOnlyOwner}
      onConfirm={() => mutate()}
      focusAfter={focusAfter}
    >
      <p>{t('leaveText')}</p>
      {error ? <ErrorNote error={error}>{isOnlyOwner ? <p>{t('onlyOwner')}</p> : null}</ErrorNote> : null}
    </ConfirmDialog>
  )
}
