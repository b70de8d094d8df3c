/** What the recipient of an invitation does with it, for calls and for commands (contract 04 §4). */
import type { App } from '../../core/app.ts'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import type { SessionView, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById } from '../users/index.ts'
import { memberEvent } from './events.ts'
import { endInvitation, findInvitation, isUsable } from './invitations.ts'
import { insertMember, type MemberLimits, membershipLimit, type NewMember } from './members.ts'
import { errors, type InvitationRow, type MemberRow } from './model.ts'
import { checkPolicy } from './second-factor-policy.ts'
import { findMember, findOrganization, lockOrganization, setActiveOrganization, unlessDeleted } from './store.ts'
import { findTeam } from './team-members.ts'
import { teamIdsOf, teamLimits } from './teams.ts'

/**
 * Whether the user may accept or reject this invitation.
 * @throws ApiError INVITATION_NOT_FOUND, YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
 * EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION
 */
function checkRecipient(app: App, user: UserRow, invitation: InvitationRow | null): InvitationRow {
  if (!invitation || !isUsable(app, invitation)) throw new ApiError(errors.INVITATION_NOT_FOUND)
  if (invitation.email.toLowerCase() !== user.email.toLowerCase())
    throw new ApiError(errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION)
  requireVerifiedEmail(app, user)
  return invitation
}

/** @throws ApiError EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION */
export function requireVerifiedEmail({ config }: App, { emailVerified }: UserRow): void {
  if (config.organization.requireEmailVerificationOnInvitation && !emailVerified)
    throw new ApiError(errors.EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION)
}

export interface AcceptedInvitation {
  readonly invitation: InvitationRow
  readonly member: MemberRow
}

/**
 * Makes the user a member, and the organization the active one of the session. A user who is a member already stays what they are.
 * @param session null for a command
 * @throws ApiError INVITATION_NOT_FOUND, YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION, ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
 * EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION, TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED,
 * INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION, SECOND_FACTOR_REQUIRED
 */
export async function acceptInvitation(
  app: App,
  user: UserRow,
  invitationId: string,
  session: SessionView | null,
): Promise<AcceptedInvitation> {
  const { organizationId, teamId } = checkRecipient(app, user, await findInvitation(app, invitationId))
  const organization = await findOrganization(app, organizationId)
  if (!organization) throw new ApiError(errors.INVITATION_NOT_FOUND)
  if (session) await checkPolicy(app, organization, user, await findMember(app, organizationId, user.id))
  const limit = await membershipLimit(app, user, organization)
  const teamIds = app.config.organization.teams.enabled ? teamIdsOf({ teamId }) : []
  const perTeam = await teamLimits(app, organizationId, teamIds, session && { session, user })
  const accepted = await unlessDeleted(app, user, async (tx) => {
    const current = await lockInvitation(tx, organizationId, invitationId, user)
    // It was sent again with other teams, which may have other limits.
    if (current.teamId !== teamId) return null
    await requireInviter(tx, current)
    const invitation = await endInvitation(tx, current, 'accepted')
    const known = await findMember(tx, organizationId, user.id)
    const member = known ?? (await join(tx, user, invitation, { limit, perTeam }))
    // As in better-auth: one of several teams is not chosen for the user.
    const activeTeamId = teamIds.length === 1 ? member.teamId : null
    if (session) await setActiveOrganization(tx, session, organizationId, activeTeamId)
    return { invitation, member }
  })
  return accepted ?? acceptInvitation(app, user, invitationId, session)
}

/**
 * A member who was removed must not come back through an invitation that they sent to another account of their own.
 * @throws ApiError INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION
 */
async function requireInviter(tx: App, { organizationId, inviterId }: InvitationRow): Promise<void> {
  if (!(await findMember(tx, organizationId, inviterId)))
    throw new ApiError(errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION)
}

/** Its teams count only while teams are enabled; one that does not exist any more is left out. */
async function join(tx: App, user: UserRow, invitation: InvitationRow, limits: MemberLimits): Promise<MemberRow> {
  const { organizationId } = invitation
  const offered = tx.config.organization.teams.enabled ? teamIdsOf(invitation) : []
  const teamIds = (await Promise.all(offered.map((id) => findTeam(tx, organizationId, id)))).flatMap((team) => team?.id ?? [])
  // Rows of better-auth may lack the role.
  const role = invitation.role ?? 'member'
  const member = await insertMember(tx, { organizationId, userId: user.id, role, teamIds }, limits)
  await recordEvent(tx, memberEvent('member.joined', member, { role, invitationExpiresAt: invitation.expiresAt }))
  return member
}

/** Inserts a member who joins by an invite link, within its transaction. @throws as `insertMember` */
export async function joinByLink(tx: App, given: NewMember, limit: number): Promise<MemberRow> {
  const member = await insertMember(tx, given, { limit })
  await recordEvent(tx, memberEvent('member.joined', member, { role: given.role }))
  return member
}

/** Locks the organization, then reads and checks again what may have changed before. */
async function lockInvitation(tx: App, organizationId: string, id: string, { id: userId }: UserRow): Promise<InvitationRow> {
  if (!(await lockOrganization(tx, organizationId))) throw new ApiError(errors.INVITATION_NOT_FOUND)
  const user = await findUserById(tx, userId)
  if (!user) throw new ApiError(kernelErrors.UNAUTHORIZED)
  return checkRecipient(tx, user, await findInvitation(tx, id))
}

/** @throws ApiError as `acceptInvitation` for an invitation that the user may not reject */
export async function rejectInvitation(app: App, user: UserRow, invitationId: string): Promise<InvitationRow> {
  const { organizationId } = checkRecipient(app, user, await findInvitation(app, invitationId))
  return transaction(app, async (tx) => {
    return endInvitation(tx, await lockInvitation(tx, organizationId, invitationId, user), 'rejected')
  })
}
