/** Leaving an organization, and the reason why its last owner cannot. */
import { useNavigate } from '@tanstack/react-router'
import type { RefObject } from 'react'
import { hasCode } from '../../api/calls.ts'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { showToast } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { discardOrganization, useOrganization } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'
import { messages } from './messages.ts'

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

interface Props extends DialogProps {
  readonly organization: { readonly id: string; readonly name: string }
  /** Called before the organization is read again. @param text says what was done */
  readonly onLeft: (text: string) => Promise<void> | void
  readonly focusAfter?: RefObject<HTMLElement | null>
}

export function LeaveDialog({ organization: { id, name }, isOpen, onClose, onLeft, focusAfter }: Props) {
  const t = useMessages(messages)
  const leave = async () => {
    await call('POST /organization/leave', { body: { organizationId: id } }).catch((failure: unknown) => {
      // The user was removed in between, which is what they want.
      if (!hasCode(failure, 'MEMBER_NOT_FOUND')) throw failure
    })
    await onLeft(t('left', { name }))
    await discardOrganization(id)
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('leaveQuestion', { name })}
      confirmLabel={t('leaveOrganization')}
      isFinal={(error) => hasCode(error, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER')}
      call={leave}
      {...(focusAfter && { focusAfter })}
    >
      <p>{t('leaveText')}</p>
    </ConfirmDialog>
  )
}

/** Leaving the organization of the page, which leads to the list of organizations. */
export function LeaveThisDialog(props: DialogProps) {
  const navigate = useNavigate()
  const leave = async (text: string) => {
    await navigate({ to: '/organizations' })
    showToast(text)
  }
  return <LeaveDialog {...props} organization={useOrganization()} onLeft={leave} />
}
