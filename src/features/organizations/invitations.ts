/** Creates and cancels invitations, for calls and for commands (contract 04 §4). */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { SessionAndUser, UserRow } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { hasRole } from '../roles/index.ts'
import { userRecord } from '../users/index.ts'
import { sendInvitation } from './invitation-mail.ts'
import { errors, type InvitationRow, type MemberRow, memberRecord, type OrganizationRow, organizationRecord } from './model.ts'
import { mayInviteAs } from './permissions.ts'
import { findMember, findOrganization, lockOrganization } from './store.ts'
import { checkTeamLimit } from './team-members.ts'
import { joinedIds, teamLimits } from './teams.ts'

export interface NewInvitation {
  /** In lower case. */
  readonly email: string
  /** Role names, separated by commas. */
  readonly role: string
  readonly teamIds?: readonly string[]
  /** Send an invitation again that can still be accepted; else it is an error. */
  readonly resend?: boolean
}

/** A member who sends an invitation. */
export interface Inviter {
  readonly user: UserRow
  readonly member: MemberRow
  /** Null for a command. */
  readonly session: SessionAndUser | null
}

export async function findInvitation(app: App, id: string): Promise<InvitationRow | null> {
  return (await app.db.selectFrom('invitation').selectAll().where('id', '=', id).executeTakeFirst()) ?? null
}

/** Whether there is an invitation to this email address that can be accepted. @param email in lower case */
export async function isInvited(app: App, email: string): Promise<boolean> {
  const pending = app.db.selectFrom('invitation').select('id').where('email', '=', email).where('pendingEmail', 'is not', null)
  return (await pending.where('expiresAt', '>', app.now()).limit(1).executeTakeFirst()) !== undefined
}

/** Whether an invitation can be accepted. An expired one keeps the status `pending`. */
export const isUsable = ({ now }: Pick<App, 'now'>, { status, expiresAt }: InvitationRow): boolean =>
  status === 'pending' && expiresAt > now()

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
  const teamIds = (app.config.organization.teams.enabled && given.teamIds) || []
  const limit = await invitationLimitOf(app, organization, inviter)
  const perTeam = await teamLimits(app, organizationId, teamIds, inviter.session)
  const id = createId(app, 'invitation')
  try {
    return await transaction(app, async (tx) => {
      if (!(await lockOrganization(tx, organizationId))) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
      await recheckInviter(tx, inviter)
      const former = await replacePending(tx, organizationId, given)
      if ((await countPending(tx, organizationId, former?.id)) >= limit) throw new ApiError(errors.INVITATION_LIMIT_REACHED)
      for (const id of teamIds) await checkTeamLimit(tx, organizationId, id, perTeam.get(id))
      const invitation = await writeInvitation(tx, former, {
        id,
        organizationId,
        email: given.email,
        role: given.role,
        teamId: joinedIds(teamIds),
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

function countPending(tx: App, organizationId: string, except = ''): Promise<number> {
  const invitations = tx.db.selectFrom('invitation').where('organizationId', '=', organizationId).where('id', '<>', except)
  return countRows(invitations.where('pendingEmail', 'is not', null))
}

async function writeInvitation(tx: App, former: InvitationRow | null, draft: InvitationRow): Promise<InvitationRow> {
  const { id, createdAt } = former ?? draft
  const { id: _, ...columns } = { ...draft, createdAt }
  if (former) await tx.db.updateTable('invitation').set(columns).where('id', '=', id).execute()
  else await tx.db.insertInto('invitation').values(draft).execute()
  const invitation = { ...columns, id }
  await recordEvent(tx, {
    action: former ? 'invitation.resent' : 'invitation.created',
    target: { type: 'invitation', id: invitation.id },
    organizationId: invitation.organizationId,
    details: { role: invitation.role, expiresAt: invitation.expiresAt, ...(former && { formerExpiresAt: former.expiresAt }) },
  })
  return invitation
}

async function invitationLimitOf(app: App, organization: OrganizationRow, { user, member }: Inviter): Promise<number> {
  const { invitationLimit } = app.config.organization
  if (typeof invitationLimit === 'number') return invitationLimit
  const data = { user: userRecord(user), organization: organizationRecord(organization), member: memberRecord(member) }
  return invitationLimit(data)
}

type Ended = 'accepted' | 'rejected' | 'canceled'

/**
 * Ends a pending invitation: of concurrent calls one succeeds. Call it with the organization locked.
 * @throws ApiError INVITATION_NOT_FOUND when it is not pending any more
 */
export async function endInvitation(tx: App, invitation: InvitationRow, status: Ended): Promise<InvitationRow> {
  const ended = { status, pendingEmail: null }
  const update = tx.db.updateTable('invitation').set(ended).where('id', '=', invitation.id).where('status', '=', 'pending')
  const { numUpdatedRows } = await update.executeTakeFirst()
  if (numUpdatedRows === 0n) throw new ApiError(errors.INVITATION_NOT_FOUND)
  if (status !== 'accepted')
    await recordEvent(tx, {
      action: `invitation.${status}`,
      target: { type: 'invitation', id: invitation.id },
      organizationId: invitation.organizationId,
      details: { expiresAt: invitation.expiresAt },
    })
  return { ...invitation, ...ended }
}

/** @throws ApiError INVITATION_NOT_FOUND when it is not pending any more */
export const cancelInvitation = (app: App, invitation: InvitationRow): Promise<InvitationRow> =>
  transaction(app, async (tx) => {
    await lockOrganization(tx, invitation.organizationId)
    return endInvitation(tx, invitation, 'canceled')
  })

/**
 * Cancels the pending invitations of a member who gets another role that permits less than they give: a member who was demoted must not
 * get the role back by an invitation to another account of their own. Call it with the organization locked.
 */
export async function cancelInvitationsBeyond(tx: App, { organizationId, userId }: MemberRow, role: string): Promise<void> {
  const pending = await tx.db
    .selectFrom('invitation')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('inviterId', '=', userId)
    .where('pendingEmail', 'is not', null)
    .execute()
  for (const invitation of pending)
    if (!(await mayInviteAs(tx, { organizationId, role }, invitation.role ?? ''))) await endInvitation(tx, invitation, 'canceled')
}

/** The same for the members who have a role, when it permits less than before. `invitationLimit` invitations at most. */
export async function cancelInvitationsOfRole(tx: App, organizationId: string, role: string): Promise<void> {
  const pending = await tx.db
    .selectFrom('invitation')
    .innerJoin('member', 'member.userId', 'invitation.inviterId')
    .selectAll('invitation')
    .select('member.role as inviterRole')
    .where('invitation.organizationId', '=', organizationId)
    .where('member.organizationId', '=', organizationId)
    .where('invitation.pendingEmail', 'is not', null)
    .where(hasRole('member.role', role))
    .execute()
  for (const { inviterRole, ...invitation } of pending)
    if (!(await mayInviteAs(tx, { organizationId, role: inviterRole }, invitation.role ?? '')))
      await endInvitation(tx, invitation, 'canceled')
}
