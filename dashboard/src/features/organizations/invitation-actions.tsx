/** What a member does with one invitation: send it again, copy its link, cancel it. */
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { hasCode, pageURL } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx'
import { CodeBlock, ErrorNote } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { refreshOrganization } from '../../session/organizations.ts'
import { cancelInvitation, type Invitation, resendInvitation, useSendsInvitations } from './invitation-data.ts'
import { messages } from './invitation-messages.ts'

export interface InvitationAction {
  readonly kind: 'resend' | 'link' | 'cancel'
  readonly invitation: Invitation
}

interface Options {
  /** Says what was done. */
  readonly onDone: (text: string) => void
  readonly onStart: () => void
  readonly focusAfter: RefObject<HTMLElement | null>
}

/** The actions of the menus: sending again happens immediately, the others open a dialog. */
export function useInvitationActions({ onDone, onStart, focusAfter }: Options) {
  const t = useMessages(messages)
  const [action, setAction] = useState<InvitationAction | null>(null)
  const [isOpen, setOpen] = useState(false)
  const isMailed = useSendsInvitations()
  const resend = useMutation({
    mutationFn: resendInvitation,
    onSuccess: (_, { email }) => onDone(t(isMailed ? 'resent' : 'renewed', { email })),
  })
  const choose = (next: InvitationAction) => {
    onStart()
    resend.reset()
    if (next.kind === 'resend') return resend.mutate(next.invitation)
    setAction(next)
    setOpen(true)
  }
  const close = () => setOpen(false)
  const dialog = action && { invitation: action.invitation, isOpen, onClose: close, onDone, focusAfter }
  return {
    choose,
    /** Why an invitation could not be sent again. */
    note: resend.error ? (
      <div className="mb-4">
        <ErrorNote error={resend.error} />
      </div>
    ) : null,
    dialogs: dialog && (
      <>
        {action.kind === 'cancel' ? <CancelDialog key={action.invitation.id} {...dialog} /> : null}
        {action.kind === 'link' ? <LinkDialog {...dialog} /> : null}
      </>
    ),
  }
}

interface DialogProps extends Pick<Options, 'onDone' | 'focusAfter'> {
  readonly invitation: Invitation
  readonly isOpen: boolean
  readonly onClose: () => void
}

function CancelDialog({ invitation, isOpen, onClose, onDone, focusAfter }: DialogProps) {
  const t = useMessages(messages)
  const { email, organizationId } = invitation
  const cancel = async () => {
    await cancelInvitation(invitation).catch((failure: unknown) => {
      // It was accepted, declined or canceled in the meantime.
      if (hasCode(failure, 'INVITATION_NOT_FOUND')) void refreshOrganization(organizationId)
      throw failure
    })
    onDone(t('canceled', { email }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('cancelQuestion', { email })}
      confirmLabel={t('cancelInvitation')}
      call={cancel}
      focusAfter={focusAfter}
    >
      <p>{t('cancelText')}</p>
    </ConfirmDialog>
  )
}

function LinkDialog({ invitation: { id, email }, isOpen, onClose }: DialogProps) {
  const t = useMessages(messages)
  const isMailed = useSendsInvitations()
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('linkTitle')}
      description={t(isMailed ? 'linkText' : 'linkTextWithoutMail', { email })}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('done')}
        </Button>
      }
    >
      <CodeBlock code={pageURL('/accept-invitation', { id })} label={t('linkFor', { email })} copyLabel={t('copyLink')} />
    </Dialog>
  )
}
