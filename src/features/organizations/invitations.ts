/** Creates and accepts invitations, for calls and for commands (contract 04 §4). */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { SessionView, UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { userRecord } from '../users/index.ts'
import { recordActivity } from './activity.ts'
import { sendInvitation } from './invitation-mail.ts'
import { errors, type InvitationRow, type MemberRow, memberRecord, type OrganizationRow, organizationRecord } from './model.ts'
import { findMember, findOrganization, lockOrganization, setActiveOrganization } from './store.ts'

export interface NewInvitation {
  /** In lower case. */
  readonly email: string
  /** Role names, separated by commas. */
  readonly role: string
  readonly teamId?: string | null
  /** Send an invitation again that can still be accepted; else it is an error. */
  readonly resend?: boolean
}

/** A member who sends an invitation. */
export interface Inviter {
  readonly user: UserRow
  readonly member: MemberRow
  /** Null for a command. */
  readonly session: SessionView | null
}

export async function findInvitation(app: App, id: string): Promise<InvitationRow | null> {
  return (await app.db.selectFrom('invitation').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Whether an invitation can be accepted. An expired one keeps the status `pending`. */
export const isUsable = ({ now }: Pick<App, 'now'>, { status, expiresAt }: InvitationRow): boolean =>
  status === 'pending' && expiresAt > now()

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

/**
 * Invites an email address to an organization, and sends the invitation. Whether the inviter may do it is checked by the call.
 * @throws ApiError ORGANIZATION_NOT_FOUND, MEMBER_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION when the
 * inviter's role has just changed, USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION,
 * INVITATION_LIMIT_REACHED, TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED, TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function inviteMember(
  app: App,
  organizationId: string,
  inviter: Inviter,
  given: NewInvitation,
): Promise<InvitationRow> {
  const organization = await findOrganization(app, organizationId)
  if (!organization) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
  const teamId = (app.config.organization.teams.enabled && given.teamId) || null
  const limit = await invitationLimitOf(app, organization, inviter)
  const teamLimit = await teamLimitOf(app, organizationId, teamId, inviter.session)
  const id = createId(app, 'invitation')
  try {
    return await transaction(app, async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
      await recheckInviter(tx, inviter)
      const former = await replacePending(tx, organizationId, given)
      if ((await countPending(tx, organizationId, former?.id)) >= limit) throw new ApiError(errors.INVITATION_LIMIT_REACHED)
      if (teamId !== null) await checkTeam(tx, organizationId, teamId, teamLimit)
      const invitation = await writeInvitation(tx, former, {
        id,
        organizationId,
        email: given.email,
        role: given.role,
        teamId,
        status: 'pending',
        expiresAt: new Date(tx.now().getTime() + tx.config.organization.invitationExpiresIn * 1000),
        inviterId: inviter.user.id,
        createdAt: tx.now(),
        pendingEmail: given.email,
      })
      await sendInvitation(tx, { organization, inviter, invitation })
      return invitation
    })
  } catch (error) {
    if (app.database.isUniqueViolation(error))
      throw new ApiError(errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION, { cause: error })
    throw error
  }
}

/** Between the checks of the call and the lock, the inviter may have been removed or given another role. */
async function recheckInviter(tx: App, { member }: Inviter): Promise<void> {
  const current = await findMember(tx, member.organizationId, member.userId)
  if (!current) throw new ApiError(errors.MEMBER_NOT_FOUND)
  if (current.role !== member.role) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION)
}

/**
 * Makes room for an invitation of this email address: of those that can be accepted, at most one is left.
 * @returns the one to renew; null: create another
 */
async function replacePending(tx: App, organizationId: string, { email, resend }: NewInvitation): Promise<InvitationRow | null> {
  const member = await tx.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select('member.id')
    .where('member.organizationId', '=', organizationId)
    .where('user.email', '=', email)
    .executeTakeFirst()
  if (member) throw new ApiError(errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION)
  const usable = await tx.db
    .selectFrom('invitation')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('email', '=', email)
    .where('status', '=', 'pending')
    .where('expiresAt', '>', tx.now())
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute()
  if (usable.length > 0 && !resend) throw new ApiError(errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION)
  // A database of better-auth may have several, because it creates another one when an invitation is sent again.
  const kept = tx.config.organization.cancelPendingInvitationsOnReInvite ? null : (usable[0] ?? null)
  for (const invitation of usable) if (invitation.id !== kept?.id) await endInvitation(tx, invitation, 'canceled')
  await tx.db
    .updateTable('invitation')
    .set({ pendingEmail: null })
    .where('organizationId', '=', organizationId)
    .where('pendingEmail', 'is not', null)
    .where('expiresAt', '<=', tx.now())
    .execute()
  return kept
}

async function countPending(tx: App, organizationId: string, except = ''): Promise<number> {
  const counting = tx.db.selectFrom('invitation').select((eb) => eb.fn.countAll<number | string | bigint>().as('count'))
  const pending = counting.where('organizationId', '=', organizationId).where('pendingEmail', 'is not', null)
  return Number((await pending.where('id', '<>', except).executeTakeFirstOrThrow()).count)
}

async function writeInvitation(tx: App, former: InvitationRow | null, draft: InvitationRow): Promise<InvitationRow> {
  const invitation = former ? { ...draft, id: former.id, createdAt: former.createdAt } : draft
  if (former) await tx.db.updateTable('invitation').set(invitation).where('id', '=', former.id).execute()
  else await tx.db.insertInto('invitation').values(invitation).execute()
  await recordActivity(tx, invitation.organizationId, {
    action: former ? 'invitation.resent' : 'invitation.created',
    target: { id: invitation.id, name: invitation.email },
    details: { role: invitation.role },
  })
  return invitation
}

async function invitationLimitOf(app: App, organization: OrganizationRow, { user, member }: Inviter): Promise<number> {
  const { invitationLimit } = app.config.organization
  if (typeof invitationLimit === 'number') return invitationLimit
  const data = { user: userRecord(user), organization: organizationRecord(organization), member: memberRecord(member) }
  return invitationLimit(data)
}

/** @returns members that the team may have; undefined: any number */
async function teamLimitOf(
  app: App,
  organizationId: string,
  teamId: string | null,
  session: SessionView | null,
): Promise<number | undefined> {
  const { enabled, maximumMembersPerTeam: limit } = app.config.organization.teams
  if (!enabled || teamId === null) return undefined
  return typeof limit === 'function' ? limit({ organizationId, teamId, session }) : limit
}

/** Call it with the organization locked. @throws ApiError TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED */
async function checkTeam(tx: App, organizationId: string, teamId: string, limit: number | undefined): Promise<void> {
  const team = await tx.db
    .selectFrom('team')
    .select('id')
    .where('id', '=', teamId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()
  if (!team) throw new ApiError(errors.TEAM_NOT_FOUND)
  if (limit === undefined) return
  const counting = tx.db.selectFrom('member').select((eb) => eb.fn.countAll<number | string | bigint>().as('count'))
  const { count } = await counting.where('teamId', '=', teamId).executeTakeFirstOrThrow()
  if (Number(count) >= limit) throw new ApiError(errors.TEAM_MEMBER_LIMIT_REACHED)
}

type Ended = 'accepted' | 'rejected' | 'canceled'

/**
 * Ends a pending invitation: of concurrent calls one succeeds. Call it with the organization locked.
 * @throws ApiError INVITATION_NOT_FOUND when it is not pending any more
 */
async function endInvitation(tx: App, invitation: InvitationRow, status: Ended): Promise<InvitationRow> {
  const ended = { status, pendingEmail: null }
  const update = tx.db.updateTable('invitation').set(ended).where('id', '=', invitation.id).where('status', '=', 'pending')
  const { numUpdatedRows } = await update.executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ApiError(errors.INVITATION_NOT_FOUND)
  if (status !== 'accepted')
    await recordActivity(tx, invitation.organizationId, {
      action: `invitation.${status}`,
      target: { id: invitation.id, name: invitation.email },
    })
  return { ...invitation, ...ended }
}

export interface AcceptedInvitation {
  readonly invitation: InvitationRow
  readonly member: MemberRow
}

/**
 * Makes the user a member, and the organization the active one of the session. A user who is a member already stays what they are.
 * @param session null for a command
 * @throws ApiError INVITATION_NOT_FOUND, YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION, ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
 * EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION, TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED
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
  const limit = await membershipLimitOf(app, organization, user)
  const teamLimit = await teamLimitOf(app, organizationId, teamId, session)
  const id = createId(app, 'member')
  return transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    // It may have been renewed with another role or team.
    const current = checkRecipient(tx, user, await findInvitation(tx, invitationId))
    const invitation = await endInvitation(tx, current, 'accepted')
    const known = await findMember(tx, organizationId, user.id)
    const member = known ?? (await join(tx, { id, user, invitation, limit, teamLimit }))
    if (session) await setActiveOrganization(tx, session, organizationId)
    return { invitation, member }
  })
}

interface Joining {
  readonly id: string
  readonly user: UserRow
  readonly invitation: InvitationRow
  readonly limit: number
  readonly teamLimit: number | undefined
}

async function join(tx: App, { id, user, invitation, limit, teamLimit }: Joining): Promise<MemberRow> {
  const { organizationId, role } = invitation
  const counted = await tx.db
    .updateTable('organization')
    .set((eb) => ({ memberCount: eb('memberCount', '+', 1) }))
    .where('id', '=', organizationId)
    .where('memberCount', '<', limit)
    .executeTakeFirst()
  if (counted.numUpdatedRows === 0n) throw new ApiError(errors.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED)
  const teamId = tx.config.organization.teams.enabled ? invitation.teamId : null
  if (teamId !== null) await checkTeam(tx, organizationId, teamId, teamLimit)
  const member = { id, organizationId, userId: user.id, role: role ?? 'member', teamId, createdAt: tx.now() }
  await tx.db.insertInto('member').values(member).execute()
  await recordActivity(tx, organizationId, {
    action: 'member.joined',
    target: { id: user.id, name: user.name },
    details: { role: member.role },
  })
  return member
}

async function membershipLimitOf(app: App, organization: OrganizationRow, user: UserRow): Promise<number> {
  const { membershipLimit } = app.config.organization
  if (typeof membershipLimit === 'number') return membershipLimit
  return membershipLimit(userRecord(user), organizationRecord(organization))
}

/** @throws ApiError as `acceptInvitation` for an invitation that the user may not reject */
export async function rejectInvitation(app: App, user: UserRow, invitationId: string): Promise<InvitationRow> {
  const { organizationId } = checkRecipient(app, user, await findInvitation(app, invitationId))
  return transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    return endInvitation(tx, checkRecipient(tx, user, await findInvitation(tx, invitationId)), 'rejected')
  })
}

/** @throws ApiError INVITATION_NOT_FOUND when it is not pending any more */
export const cancelInvitation = (app: App, invitation: InvitationRow): Promise<InvitationRow> =>
  transaction(app, async (tx) => {
    await lockOrganization(tx, invitation.organizationId)
    return endInvitation(tx, invitation, 'canceled')
  })
