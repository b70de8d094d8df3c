/** Creates, changes and deletes teams, for calls and for commands. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { SessionAndUser } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { listedNames } from '../../lib/text.ts'
import { recordEvent } from '../audit/index.ts'
import { hasRole } from '../roles/index.ts'
import { userRecord } from '../users/index.ts'
import { teamEvent } from './events.ts'
import { errors, type TeamRow } from './model.ts'
import { batchSize, lockOrganization } from './store.ts'
import { findTeam, leaveTeam } from './team-members.ts'

/** Of a call; null for a command. */
type Session = SessionAndUser | null

const describeSession = (current: Session) => current && { session: current.session, user: userRecord(current.user) }

/** Maximum number of teams; undefined: no limit. Call it outside a transaction: it may be a function of the configuration. */
export async function maximumTeams(app: App, organizationId: string, session: Session): Promise<number | undefined> {
  const { maximumTeams: limit } = app.config.organization.teams
  return typeof limit === 'function' ? await limit({ organizationId, session: describeSession(session) }) : limit
}

/** Maximum number of members of a team; undefined: no limit. Call it outside a transaction, as `maximumTeams`. */
export async function teamLimit(app: App, organizationId: string, teamId: string, session: Session): Promise<number | undefined> {
  const { maximumMembersPerTeam: limit } = app.config.organization.teams
  return typeof limit === 'function' ? await limit({ organizationId, teamId, session: describeSession(session) }) : limit
}

/** The same for several teams. */
export async function teamLimits(
  app: App,
  organizationId: string,
  teamIds: readonly string[],
  session: Session,
): Promise<Map<string, number | undefined>> {
  const limits = new Map<string, number | undefined>()
  for (const id of teamIds) limits.set(id, await teamLimit(app, organizationId, id, session))
  return limits
}

const countTeams = (app: App, organizationId: string) =>
  countRows(app.db.selectFrom('team').where('organizationId', '=', organizationId))

/**
 * Creates a team.
 * @param limit teams that the organization may have; undefined: no limit
 * @throws ApiError ORGANIZATION_NOT_FOUND, YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS
 */
export const createTeam = (app: App, organizationId: string, name: string, limit?: number): Promise<TeamRow> =>
  transaction(app, async (tx) => {
    if (!(await lockOrganization(tx, organizationId))) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
    if (limit !== undefined && (await countTeams(tx, organizationId)) >= limit)
      throw new ApiError(errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS)
    const now = tx.now()
    const team: TeamRow = { id: createId(tx, 'team'), name, organizationId, createdAt: now, updatedAt: now }
    await tx.db.insertInto('team').values(team).execute()
    await recordEvent(tx, teamEvent('team.created', team, { name }))
    return team
  })

/** @throws ApiError TEAM_NOT_FOUND */
export const updateTeam = (app: App, organizationId: string, id: string, name: string | undefined): Promise<TeamRow> =>
  transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const team = await findTeam(tx, organizationId, id)
    if (!team) throw new ApiError(errors.TEAM_NOT_FOUND)
    if (name === undefined) return team
    const changes = { name, updatedAt: tx.now() }
    await tx.db.updateTable('team').set(changes).where('id', '=', id).execute()
    const details = { from: team.name, to: name }
    await recordEvent(tx, teamEvent('team.updated', team, details))
    return { ...team, ...changes }
  })

/**
 * Deletes a team; its members and pending invitations are then those of their other teams.
 * @throws ApiError TEAM_NOT_FOUND, UNABLE_TO_REMOVE_LAST_TEAM
 */
export async function removeTeam(app: App, organizationId: string, id: string): Promise<TeamRow> {
  await findRemovable(app, organizationId, id)
  await emptyTeam(app, organizationId, id)
  return transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const team = await findRemovable(tx, organizationId, id)
    // The few that joined since it was emptied, and those of a small team.
    await leaveTeam(tx, id, await readMembers(tx, id, Number.MAX_SAFE_INTEGER))
    await takeFromInvitations(tx, organizationId, id)
    await tx.db.deleteFrom('team').where('id', '=', id).execute()
    await recordEvent(tx, teamEvent('team.removed', team, { name: team.name }))
    return team
  })
}

/** @throws ApiError TEAM_NOT_FOUND, UNABLE_TO_REMOVE_LAST_TEAM */
async function findRemovable(app: App, organizationId: string, id: string): Promise<TeamRow> {
  const team = await findTeam(app, organizationId, id)
  if (!team) throw new ApiError(errors.TEAM_NOT_FOUND)
  const { allowRemovingAllTeams } = app.config.organization.teams
  if (!allowRemovingAllTeams && (await countTeams(app, organizationId)) <= 1)
    throw new ApiError(errors.UNABLE_TO_REMOVE_LAST_TEAM)
  return team
}

const readMembers = (app: App, teamId: string, limit: number) =>
  app.db.selectFrom('teamMember').selectAll().where('teamId', '=', teamId).orderBy('id').limit(limit).execute()

/**
 * Takes members out of a large team, in short transactions: with the team, its foreign keys would change any number of rows in one
 * statement. The few that join in between are left to them.
 */
async function emptyTeam(app: App, organizationId: string, id: string): Promise<void> {
  for (;;) {
    const found = await readMembers(app, id, batchSize + 1)
    if (found.length <= batchSize) return
    await transaction(app, async (tx) => {
      await lockOrganization(tx, organizationId)
      await leaveTeam(tx, id, await readMembers(tx, id, batchSize))
    })
  }
}

/** `invitationLimit` pending ones at most. Ended ones keep what they offered. */
async function takeFromInvitations(tx: App, organizationId: string, id: string): Promise<void> {
  const pending = await tx.db
    .selectFrom('invitation')
    .select(['id', 'teamId'])
    .where('organizationId', '=', organizationId)
    .where('pendingEmail', 'is not', null)
    .where(hasRole('teamId', id))
    .execute()
  for (const invitation of pending) {
    const teamId = joinedIds(teamIdsOf(invitation).filter((one) => one !== id))
    await tx.db.updateTable('invitation').set({ teamId }).where('id', '=', invitation.id).execute()
  }
}

/** The teams that an invitation gives. */
export const teamIdsOf = ({ teamId }: { readonly teamId: string | null }): string[] => listedNames(teamId)

/** How an invitation stores its teams; null: none. */
export const joinedIds = (ids: readonly string[]): string | null => (ids.length > 0 ? ids.join(',') : null)
