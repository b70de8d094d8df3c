/** An invitation for its recipient, who accepts or declines it; with an unverified email address, they verify that first. */
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasCode, queryClient, refreshSession, type User, useSettings } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { Card, Facts, Time } from '../../components/layout.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call, signOut } from '../../session.ts'
import type { ShownInvitation } from './invitation-landing.tsx'
import { messages } from './invitation-messages.ts'
import { useWait, VerifyFirst } from './invitation-verification.tsx'
import { useRoleList } from './role-parts.tsx'

interface Props {
  readonly invitation: ShownInvitation
  readonly user: User
  /** This page, for callbackURL. */
  readonly here: string
  /** Called when the API rejected the answer: the invitation may have been canceled, or may have expired. */
  readonly onChanged: () => void
}

export function InvitationResponse({ invitation, user, here, onChanged }: Props) {
  const t = useMessages(messages)
  const { organization } = useSettings()
  const [isDeclined, setDeclined] = useState(false)
  const { organizationName } = invitation
  if (isDeclined) {
    return (
      <HostedPage title={t('declined')} lead={t('declinedLead', { organization: organizationName })}>
        <ButtonLink to="/organizations" size="large">
          {t('goToOrganizations')}
        </ButtonLink>
      </HostedPage>
    )
  }
  const needsVerification = organization?.requiresVerifiedEmail === true && !user.emailVerified
  return (
    <HostedPage
      title={t('joinOrganization', { organization: organizationName })}
      lead={t('invitedBy', { inviter: invitation.inviterEmail })}
    >
      <InvitationFacts invitation={invitation} />
      {needsVerification ? (
        <VerifyFirst email={user.email} here={here} title={t('verifyFirst')} text={t('verifyFirstText', { email: user.email })} />
      ) : (
        <Choice invitation={invitation} onDeclined={() => setDeclined(true)} onChanged={onChanged} />
      )}
      <NotYou user={user} here={here} />
    </HostedPage>
  )
}

function InvitationFacts({ invitation: { role, expiresAt } }: Pick<Props, 'invitation'>) {
  const t = useMessages(messages)
  const roleList = useRoleList()
  return (
    <Card className="px-4 py-1">
      <Facts
        isNarrow
        facts={[
          [t('role'), roleList(role)],
          [t('expires'), <Time key="expires" value={expiresAt} style="dateTime" />],
        ]}
      />
    </Card>
  )
}

interface ChoiceProps extends Pick<Props, 'invitation' | 'onChanged'> {
  readonly onDeclined: () => void
}

function Choice({ invitation: { id, organizationId, organizationName }, onDeclined, onChanged }: ChoiceProps) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const [isOpen, setOpen] = useState(false)
  const body = { invitationId: id }
  const failed = (error: unknown) => {
    onChanged()
    if (hasCode(error, 'EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION')) void refreshSession()
  }
  const accept = useMutation({
    mutationFn: () => call('POST /organization/accept-invitation', { body }),
    onSuccess: async () => {
      // The invitation is used: its page has nothing to go back to.
      await navigate({ to: `/organizations/${organizationId}` as string, replace: true })
      queryClient.removeQueries({ queryKey: ['invitation'] })
      await queryClient.invalidateQueries()
    },
    onError: failed,
  })
  const decline = useMutation({
    mutationFn: () => call('POST /organization/reject-invitation', { body }),
    onSuccess: onDeclined,
    onError: failed,
  })
  const wait = useWait(accept.error)
  return (
    <div className="grid gap-3">
      {accept.error ? <ErrorNote error={accept.error}>{limitText(accept.error, t('limitReached'))}</ErrorNote> : null}
      <Button
        variant="primary"
        size="large"
        isBusy={accept.isPending || accept.isSuccess}
        disabled={wait.left > 0}
        onClick={() => accept.mutate()}
      >
        {wait.label ?? t('accept')}
      </Button>
      <Button size="large" disabled={accept.isPending || accept.isSuccess} onClick={() => setOpen(true)}>
        {t('decline')}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('declineQuestion', { organization: organizationName })}
        confirmLabel={t('declineInvitation')}
        isBusy={decline.isPending}
        error={decline.error}
        onConfirm={() => decline.mutate()}
      >
        <p>{t('declineText')}</p>
      </ConfirmDialog>
    </div>
  )
}

const limits = ['ORGANIZATION_MEMBERSHIP_LIMIT_REACHED', 'TEAM_MEMBER_LIMIT_REACHED', 'TEAM_NOT_FOUND']
const limitText = (error: unknown, text: string) => (limits.some((code) => hasCode(error, code)) ? <p>{text}</p> : null)

function NotYou({ user, here }: Pick<Props, 'user' | 'here'>) {
  const t = useMessages(messages)
  const { mutate, isPending, error } = useMutation({ mutationFn: () => signOut(here) })
  return (
    <div className="space-y-2">
      <HostedAlternative>
        {t('signedInAs', { email: user.email })}{' '}
        <button
          type="button"
          aria-disabled={isPending || undefined}
          onClick={() => isPending || mutate()}
          className="cursor-pointer rounded-sm py-0.5 font-medium text-accent underline underline-offset-3"
        >
          {t('useAnotherAccount')}
        </button>
      </HostedAlternative>
      {error ? <ErrorNote error={error} /> : null}
    </div>
  )
}
