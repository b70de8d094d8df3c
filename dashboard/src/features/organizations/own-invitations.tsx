/** The invitations that wait for the current user. Nothing, when there are none. */
import { useMutation } from '@tanstack/react-query'
import { type RefObject, useState } from 'react'
import { hasCode, pageURL } from '../../api/calls.ts'
import { Avatar } from '../../components/avatar.tsx'
import { Button, TextLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { Card, Line, Lines, Section, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useSession } from '../../session/session.ts'
import { messages } from './invitation-messages.ts'
import { VerifyFirst } from './invitation-verification.tsx'
import { acceptInvitation, type OwnInvitation, refreshOwn, rejectInvitation, useOwnInvitations } from './own-invitation-data.ts'
import { useRoleList } from './role-names.ts'

interface Props {
  readonly onStart: () => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
  readonly focusAfter: RefObject<HTMLElement | null>
}

export function OwnInvitations(props: Props) {
  const t = useMessages(messages)
  const { needsVerification, data = [], error } = useOwnInvitations()
  const { user } = useSession()
  if (needsVerification)
    return (
      <Section title={t('yourInvitations')}>
        <VerifyFirst
          email={user.email}
          here={pageURL('/organizations')}
          title={t('verifyToSee')}
          text={t('verifyToSeeText', { email: user.email })}
        />
      </Section>
    )
  if (error)
    return (
      <Section title={t('yourInvitations')}>
        <ErrorNote error={error} />
      </Section>
    )
  if (data.length === 0) return null
  return (
    <Section title={t('yourInvitations')} detail={data.length}>
      <InvitationLines invitations={data} {...props} />
    </Section>
  )
}

function InvitationLines({
  invitations,
  onStart,
  onDone,
  focusAfter,
}: Props & { readonly invitations: readonly OwnInvitation[] }) {
  const t = useMessages(messages)
  const [declining, setDeclining] = useState<OwnInvitation | null>(null)
  const [isOpen, setOpen] = useState(false)
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: acceptInvitation,
    onMutate: onStart,
    onSuccess: (_, { organizationName }) => {
      onDone(t('joined', { organization: organizationName }))
      focusAfter.current?.focus()
    },
    onSettled: refreshOwn,
  })
  const decline = (invitation: OwnInvitation) => {
    onStart()
    setDeclining(invitation)
    setOpen(true)
  }
  return (
    <div className="grid gap-3">
      {error ? (
        <ErrorNote error={error}>
          {hasCode(error, 'SECOND_FACTOR_REQUIRED') ? (
            <TextLink to={'/account/security' as string} search={{ callbackURL: location.href }} isInline>
              {t('setUpFactor')}
            </TextLink>
          ) : null}
        </ErrorNote>
      ) : null}
      <Card>
        <Lines>
          {invitations.map((invitation) => (
            <InvitationLine
              key={invitation.id}
              invitation={invitation}
              isBusy={isPending && variables.id === invitation.id}
              onAccept={() => mutate(invitation)}
              onDecline={() => decline(invitation)}
            />
          ))}
        </Lines>
      </Card>
      {declining ? (
        <DeclineDialog
          key={declining.id}
          invitation={declining}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          onDone={onDone}
          focusAfter={focusAfter}
        />
      ) : null}
    </div>
  )
}

interface LineProps {
  readonly invitation: OwnInvitation
  readonly isBusy: boolean
  readonly onAccept: () => void
  readonly onDecline: () => void
}

function InvitationLine({ invitation, isBusy, onAccept, onDecline }: LineProps) {
  const t = useMessages(messages)
  const roleList = useRoleList()
  const { organizationName: organization, inviterName, role, expiresAt } = invitation
  return (
    <Line
      icon={<Avatar name={organization} isSquare />}
      title={<bdi>{organization}</bdi>}
      action={
        <div className="flex gap-2">
          <Button aria-label={t('declineNamed', { organization })} disabled={isBusy} onClick={onDecline}>
            {t('decline')}
          </Button>
          <Button variant="primary" aria-label={t('acceptNamed', { organization })} isBusy={isBusy} onClick={onAccept}>
            {t('acceptShort')}
          </Button>
        </div>
      }
    >
      {t('invitationLine', { inviter: inviterName, role: roleList(role) })} {t('expires')}:{' '}
      <Time value={expiresAt} style="dateTime" />
    </Line>
  )
}

interface DeclineProps extends Omit<Props, 'onStart'> {
  readonly invitation: OwnInvitation
  readonly isOpen: boolean
  readonly onClose: () => void
}

function DeclineDialog({ invitation, isOpen, onClose, onDone, focusAfter }: DeclineProps) {
  const t = useMessages(messages)
  const { organizationName: organization } = invitation
  const decline = async () => {
    await rejectInvitation(invitation).finally(() => void refreshOwn())
    onDone(t('declinedNote', { organization }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('declineQuestion', { organization })}
      confirmLabel={t('declineInvitation')}
      call={decline}
      focusAfter={focusAfter}
    >
      <p>{t('declineText')}</p>
    </ConfirmDialog>
  )
}
