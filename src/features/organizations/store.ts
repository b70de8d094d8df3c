/** Rows of organizations and members: the queries and locks that every call shares. */
import type { App } from '../../core/app.ts'
import type { CredentialHold } from '../../core/credential-hold.ts'
import { ApiError, type ErrorEntry, errors } from '../../core/errors.ts'
import type { CallContext, SessionView, UserRow } from '../../core/request.ts'
import { statement } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { normalizeSlug } from '../../lib/text.ts'
import { hasRole } from '../roles/index.ts'
import { cacheCurrentSession, discardSessionCopies } from '../sessions/index.ts'
import { findUserById } from '../users/index.ts'
import type { MemberRow, OrganizationRow } from './model.ts'
import { memberAllows, type RequiredOfMember } from './permissions.ts'

const byId = statement({ organization: 'organization' }, (db, { id }: { id: string }) =>
  db.selectFrom('organization').where('organization.id', '=', id).where('organization.deletedAt', 'is', null),
)
const bySlug = statement({ organization: 'organization' }, (db, { slug, stored }: { slug: string; stored: string }) =>
  db.selectFrom('organization').where('organization.slug', 'in', [slug, stored]).where('organization.deletedAt', 'is', null),
)
const byUser = statement({ member: 'member' }, (db, { organizationId, userId }: { organizationId: string; userId: string }) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.organizationId', '=', organizationId)
    .where('member.userId', '=', userId)
    .where('organization.deletedAt', 'is', null),
)

export async function findOrganization(app: App, id: string): Promise<OrganizationRow | null> {
  const [found] = await byId(app, { id })
  return found?.organization ?? null
}

/** The organization with exactly this slug, else the one with its normalized form. */
export async function findOrganizationBySlug(app: App, slug: string): Promise<OrganizationRow | null> {
  const found = await bySlug(app, { slug, stored: normalizeSlug(slug) })
  return (found.find(({ organization }) => organization.slug === slug) ?? found[0])?.organization ?? null
}

/** The membership of a user; null also when there is no such organization. */
export async function findMember(app: App, organizationId: string, userId: string): Promise<MemberRow | null> {
  const [found] = await byUser(app, { organizationId, userId })
  return found?.member ?? null
}

/** The organization that a call means: the given one, or the active one of the session. */
export const organizationOf = (
  { session }: { readonly session: { readonly activeOrganizationId?: string | null | undefined } },
  given: string | null | undefined,
): string | null => given || session.activeOrganizationId || null

/** Of calls that are under way: checks once more what they were admitted by. */
const admissions = new WeakMap<CredentialHold, (tx: App) => Promise<void>>()

/**
 * Checks that a member may make a call, and once more when the call has locked the organization: in between, they may have been
 * removed, or given another role.
 * @throws ApiError `refusal`
 */
export async function admit(app: App, member: MemberRow, refusal: ErrorEntry, ...required: RequiredOfMember): Promise<void> {
  const check = async (inner: App, current: MemberRow | null) => {
    if (!current || !(await memberAllows(inner, current, ...required))) throw new ApiError(refusal)
  }
  await check(app, member)
  const recheck = async (tx: App) => check(tx, await findMember(tx, member.organizationId, member.userId))
  if (app.credentialHold) admissions.set(app.credentialHold, recheck)
}

/**
 * Locks an organization until the transaction ends, for writes that depend on its other members, invitations or teams. It writes the
 * row, so that in a cluster with several primaries one of two concurrent transactions fails at its commit and is retried.
 * @returns false when there is none
 * @throws ApiError the refusal with which the call was admitted
 */
export async function lockOrganization(tx: App, id: string): Promise<boolean> {
  const locked = await tx.db
    .updateTable('organization')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .executeTakeFirst()
  if (locked.numUpdatedRows === 0n) return false
  if (tx.credentialHold) await admissions.get(tx.credentialHold)?.(tx)
  return true
}

/** A transaction that fails as without a session when the user is deleted at the same time: their rows can then not be written. */
export async function unlessDeleted<T>(app: App, user: UserRow, work: (tx: App) => Promise<T>): Promise<T> {
  try {
    return await transaction(app, work)
  } catch (error) {
    if (error instanceof ApiError || (await findUserById(app, user.id))) throw error
    throw new ApiError(errors.UNAUTHORIZED, { cause: error })
  }
}

/** Whether another member than this one has the role of the creator. Call it with the organization locked. */
export async function hasOtherCreator(tx: App, organizationId: string, memberId: string): Promise<boolean> {
  const { creatorRole } = tx.config.organization
  const others = tx.db
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('id', '<>', memberId)
    .limit(1)
  // By the index first: in nearly every organization it finds one, and the members need not be scanned.
  if (await others.where('role', '=', creatorRole).executeTakeFirst()) return true
  const found = await others.where(hasRole('role', creatorRole)).executeTakeFirst()
  return found !== undefined
}

/** The member who has had the role of the creator for the longest time. */
export async function findOldestCreator(app: App, organizationId: string): Promise<MemberRow | null> {
  const { creatorRole } = app.config.organization
  const members = app.db.selectFrom('member').selectAll().where('organizationId', '=', organizationId)
  return (await members.where(hasRole('role', creatorRole)).orderBy('createdAt').orderBy('id').executeTakeFirst()) ?? null
}

/** Makes an organization the active one of a session, or none of them, and a team of it; its cached copies are discarded. */
export async function setActiveOrganization(
  app: App,
  session: { readonly id: string; readonly userId: string },
  id: string | null,
  teamId: string | null = null,
) {
  await transaction(app, async (tx) => {
    const active = { activeOrganizationId: id, activeTeamId: teamId }
    await tx.db.updateTable('session').set(active).where('id', '=', session.id).execute()
    await discardSessionCopies(tx, [session.userId])
  })
}

/**
 * Makes an organization the active one of a member's session. It is locked, because removing a member clears the organization in
 * the sessions that have it then.
 * @returns false when the user is not a member any more
 */
export async function activateForMember(
  app: App,
  session: Pick<SessionView, 'id' | 'userId' | 'activeOrganizationId'>,
  id: string,
): Promise<boolean> {
  if (session.activeOrganizationId === id) return true
  return transaction(app, async (tx) => {
    await lockOrganization(tx, id)
    const member = await findMember(tx, id, session.userId)
    if (member) await setActiveOrganization(tx, session, id)
    return member !== null
  })
}

/** `setActiveOrganization` for the session of a call, whose cached copy is written again. No other cookie is (contract 04 §2). */
export async function setActiveOfCall(
  ctx: CallContext & { readonly session: SessionView },
  id: string | null,
  teamId: string | null = null,
): Promise<void> {
  await setActiveOrganization(ctx, ctx.session, id, teamId)
  await cacheCurrentSession(ctx, ctx.session)
}

/** Rows that one statement writes: few enough for `database.queryTimeout`. */
export const batchSize = 500
export const batches = <T>(rows: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / batchSize) }, (_, batch) => rows.slice(batch * batchSize, (batch + 1) * batchSize))

/**
 * Clears an organization from the sessions in which it is active, within a transaction that has locked it.
 * @param userId only those of this user; null: of everyone
 */
export async function clearActiveOrganization(tx: App, organizationId: string, userId: string | null): Promise<void> {
  const concerned = tx.db.selectFrom('session').where('activeOrganizationId', '=', organizationId)
  const users = userId === null ? (await concerned.select('userId').distinct().execute()).map((row) => row.userId) : [userId]
  for (const batch of batches(users)) await clearActiveOfUsers(tx, organizationId, batch)
}

/** The same for so many users as one statement writes. */
export async function clearActiveOfUsers(tx: App, organizationId: string, userIds: readonly string[]): Promise<void> {
  await tx.db
    .updateTable('session')
    .set({ activeOrganizationId: null, activeTeamId: null })
    .where('activeOrganizationId', '=', organizationId)
    .where('userId', 'in', userIds)
    .execute()
  await discardSessionCopies(tx, userIds)
}

/** Clears a team from the sessions of users who are in it no longer: as many as one statement writes. */
export async function clearActiveTeam(tx: App, teamId: string, userIds: readonly string[]): Promise<void> {
  const cleared = await tx.db
    .updateTable('session')
    .set({ activeTeamId: null })
    .where('userId', 'in', userIds)
    .where('activeTeamId', '=', teamId)
    .executeTakeFirst()
  if (cleared.numUpdatedRows > 0n) await discardSessionCopies(tx, userIds)
}
