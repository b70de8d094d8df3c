/** Adds, changes and removes members, for calls and for commands. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { findUserById, userRecord } from '../users/index.ts'
import { type MemberAction, memberEvent } from './events.ts'
import { cancelInvitationsBeyond } from './invitations.ts'
import {
  errors,
  type MemberRow,
  type MemberWithUser,
  newMemberColumns,
  type OrganizationRow,
  organizationRecord,
} from './model.ts'
import { findUnknownRoles, isCreator, mayGrant, memberAllows } from './permissions.ts'
import { findOwnMember } from './second-factor-policy.ts'
import { clearActiveOrganization, findMember, findOrganization, hasOtherCreator, lockOrganization } from './store.ts'
import { checkTeamLimit, findTeam, joinTeam, type TeamLimits } from './team-members.ts'
import { teamLimits } from './teams.ts'

export interface NewMember {
  readonly organizationId: string
  readonly userId: string
  /** Role names, separated by commas. */
  readonly role: string
  readonly teamIds?: readonly string[] | undefined
}

/** Maximum number of members of an organization. Call it outside a transaction: it may be a function of the configuration. */
export async function membershipLimit(
  app: App,
  user: Parameters<typeof userRecord>[0],
  organization: OrganizationRow,
): Promise<number> {
  const { membershipLimit: limit } = app.config.organization
  return typeof limit === 'function' ? await limit(userRecord(user), organizationRecord(organization)) : limit
}

/**
 * Adds a user to an organization (contract 04 §3).
 * @throws ApiError ORGANIZATION_NOT_FOUND, TEAMS_ARE_NOT_ENABLED, USER_NOT_FOUND, USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
 * TEAM_NOT_FOUND, ROLE_NOT_FOUND, ORGANIZATION_MEMBERSHIP_LIMIT_REACHED, TEAM_MEMBER_LIMIT_REACHED
 */
export async function addMember(app: App, given: NewMember): Promise<MemberRow> {
  const { organizationId, userId, role, teamIds = [] } = given
  const organization = await findOrganization(app, organizationId)
  if (!organization) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
  if (teamIds.length > 0 && !app.config.organization.teams.enabled) throw new ApiError(errors.TEAMS_ARE_NOT_ENABLED)
  const user = await findUserById(app, userId)
  if (!user) throw new ApiError(errors.USER_NOT_FOUND)
  if (await findMember(app, organizationId, userId)) throw new ApiError(errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION)
  for (const id of teamIds) if (!(await findTeam(app, organizationId, id))) throw new ApiError(errors.TEAM_NOT_FOUND)
  if ((await findUnknownRoles(app, { organizationId, role })).length > 0) throw new ApiError(errors.ROLE_NOT_FOUND)
  const limit = await membershipLimit(app, user, organization)
  const perTeam = await teamLimits(app, organizationId, teamIds, null)
  try {
    return await transaction(app, async (tx) => {
      const member = await insertMember(tx, { organizationId, userId, role, teamIds }, { limit, perTeam })
      await recordEvent(tx, memberEvent('member.added', member, { role }))
      return member
    })
  } catch (error) {
    if (app.database.isUniqueViolation(error))
      throw new ApiError(errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, { cause: error })
    if (error instanceof ApiError || (await findUserById(app, userId))) throw error
    throw new ApiError(errors.USER_NOT_FOUND, { cause: error })
  }
}

export interface MemberLimits {
  /** Members of the organization. */
  readonly limit: number
  /** Members of each team. */
  readonly perTeam?: TeamLimits | undefined
}

/**
 * Inserts a member within a transaction. One conditional update of the organization locks it and enforces the limit.
 * @throws ApiError ORGANIZATION_MEMBERSHIP_LIMIT_REACHED, ORGANIZATION_NOT_FOUND, TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED; a unique
 * violation when the user is a member
 */
export async function insertMember(tx: App, given: NewMember, { limit, perTeam }: MemberLimits): Promise<MemberRow> {
  const { organizationId, userId, role, teamIds = [] } = given
  const counted = await tx.db
    .updateTable('organization')
    .set((eb) => ({ memberCount: eb('memberCount', '+', 1), revision: eb('revision', '+', 1) }))
    .where('id', '=', organizationId)
    .where('deletedAt', 'is', null)
    .where('memberCount', '<', limit)
    .executeTakeFirst()
  if (counted.numUpdatedRows === 0n) {
    const found = await findOrganization(tx, organizationId)
    throw new ApiError(found ? errors.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED : errors.ORGANIZATION_NOT_FOUND)
  }
  for (const id of teamIds) await checkTeamLimit(tx, organizationId, id, perTeam?.get(id))
  const columns = { organizationId, userId, role, teamId: null, ...newMemberColumns }
  const member = { id: createId(tx, 'member'), ...columns, createdAt: tx.now() }
  await tx.db.insertInto('member').values(member).execute()
  for (const id of teamIds) await joinTeam(tx, member, id)
  return { ...member, teamId: teamIds[0] ?? null }
}

/** A change of a member. */
interface MemberChange {
  readonly organizationId: string
  readonly memberId: string
  /** The user who makes it, whose permissions are checked; null: the operator. */
  readonly by: UserRow | null
}

interface MemberPair {
  readonly target: MemberWithUser
  /** The membership of the user who makes the change; null: the operator. */
  readonly actor: MemberRow | null
}

/** @throws ApiError MEMBER_NOT_FOUND */
async function findMemberPair(app: App, { organizationId, memberId, by }: MemberChange): Promise<MemberPair> {
  const actor = by && (await findOwnMember(app, organizationId, by))
  if (by && !actor) throw new ApiError(errors.MEMBER_NOT_FOUND)
  const target = await findMemberWithUser(app, organizationId, { memberId })
  if (!target) throw new ApiError(errors.MEMBER_NOT_FOUND)
  return { target, actor }
}

/** Checks a change, then makes it with the organization locked, after the same check: roles may have changed in between. */
async function changeMember<T>(
  app: App,
  change: MemberChange,
  check: (app: App, pair: MemberPair) => Promise<void>,
  write: (tx: App, pair: MemberPair) => Promise<T>,
): Promise<T> {
  await check(app, await findMemberPair(app, change))
  return transaction(app, async (tx) => {
    await lockOrganization(tx, change.organizationId)
    const pair = await findMemberPair(tx, change)
    await check(tx, pair)
    return write(tx, pair)
  })
}

/**
 * Removes a member (contract 04 §3).
 * @returns the member as it was
 * @throws ApiError MEMBER_NOT_FOUND, YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER, YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER
 */
export const removeMember = (app: App, change: MemberChange): Promise<MemberWithUser> =>
  changeMember(
    app,
    change,
    async (app, { target, actor }) => {
      const isProtected = isCreator(app.config, target.role)
      if (isProtected && actor && !isCreator(app.config, actor.role))
        throw new ApiError(errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER)
      await checkOtherCreator(app, target)
      if (actor && !(await memberAllows(app, actor, { member: ['delete'] })))
        throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER)
    },
    (tx, { target }) => deleteMember(tx, target, 'member.removed'),
  )

/**
 * Removes the membership of a user who leaves (contract 04 §3).
 * @throws ApiError MEMBER_NOT_FOUND, YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
 */
export async function leaveOrganization(app: App, organizationId: string, userId: string): Promise<MemberWithUser> {
  const member = await findMember(app, organizationId, userId)
  if (!member) throw new ApiError(errors.MEMBER_NOT_FOUND)
  return changeMember(
    app,
    // Nothing of the own role is checked, and the policy of second factors does not keep a member.
    { organizationId, memberId: member.id, by: null },
    (app, { target }) => checkOtherCreator(app, target),
    (tx, { target }) => deleteMember(tx, target, 'member.left'),
  )
}

/** @throws ApiError YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER when this member is the only one with the creator role */
async function checkOtherCreator(app: App, { organizationId, id, role }: MemberRow): Promise<void> {
  if (isCreator(app.config, role) && !(await hasOtherCreator(app, organizationId, id)))
    throw new ApiError(errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER)
}

/** Deletes a member, with the organization locked. */
async function deleteMember(tx: App, member: MemberWithUser, action: MemberAction): Promise<MemberWithUser> {
  const { id, organizationId, userId, role } = member
  await tx.db.deleteFrom('member').where('id', '=', id).execute()
  await tx.db
    .updateTable('organization')
    .set((eb) => ({ memberCount: eb('memberCount', '-', 1) }))
    .where('id', '=', organizationId)
    .execute()
  await clearActiveOrganization(tx, organizationId, userId)
  await recordEvent(tx, memberEvent(action, member, { role }))
  return member
}

/**
 * Changes the roles of a member (contract 04 §3). It takes effect immediately: roles are read in every call, and their invitations to
 * more than they may give now are canceled.
 * @param role role names, separated by commas
 * @throws ApiError MEMBER_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER, ROLE_NOT_FOUND,
 * YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER
 */
export const updateMemberRole = (app: App, change: MemberChange & { readonly role: string }): Promise<MemberRow> =>
  changeMember(
    app,
    change,
    (app, pair) => checkRoleChange(app, pair, change.role),
    async (tx, { target: { user: _, ...member } }) => {
      const { role } = change
      await tx.db.updateTable('member').set({ role }).where('id', '=', member.id).execute()
      await cancelInvitationsBeyond(tx, member, role)
      await recordEvent(tx, memberEvent('member.role-changed', member, { from: member.role, to: role }))
      return { ...member, role }
    },
  )

async function checkRoleChange(app: App, { target, actor }: MemberPair, role: string): Promise<void> {
  const notAllowed = new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER)
  const concernsCreator = isCreator(app.config, target.role) || isCreator(app.config, role)
  if (actor && concernsCreator && !isCreator(app.config, actor.role)) throw notAllowed
  if (actor && !(await memberAllows(app, actor, { member: ['update'] }))) throw notAllowed
  if ((await findUnknownRoles(app, { ...target, role })).length > 0) throw new ApiError(errors.ROLE_NOT_FOUND)
  if (actor && !(await mayGrant(app, actor, role))) throw notAllowed
  if (!isCreator(app.config, role)) await checkOtherCreator(app, target)
}

/** A member of an organization by its id, or by the email address of its user. */
export async function findMemberWithUser(
  app: App,
  organizationId: string,
  by: { readonly memberId: string } | { readonly email: string },
): Promise<MemberWithUser | null> {
  const found = await app.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .selectAll('member')
    .select(['user.name', 'user.email', 'user.image'])
    .where('member.organizationId', '=', organizationId)
    .where((eb) => ('email' in by ? eb('user.email', '=', by.email.toLowerCase()) : eb('member.id', '=', by.memberId)))
    .executeTakeFirst()
  if (!found) return null
  const { name, email, image, ...member } = found
  return { ...member, user: { id: member.userId, name, email, image } }
}
