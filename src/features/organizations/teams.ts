/** Creates, changes and deletes teams, and moves members between them, for calls and for commands. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { SessionAndUser } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { userRecord } from '../users/index.ts'
import { memberEvent, teamEvent } from './events.ts'
import { errors, type MemberRow, type TeamRow } from './model.ts'
import { batchSize, lockOrganization } from './store.ts'

/** A team of an organization; null also when it belongs to another one. */
export const findTeam = async (app: App, organizationId: string, id: string): Promise<TeamRow | null> =>
  (await app.db
    .selectFrom('team')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()) ?? null

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

const countTeams = (app: App, organizationId: string) =>
  countRows(app.db.selectFrom('team').where('organizationId', '=', organizationId))

/**
 * Checks that one more member may be in a team, with the organization locked.
 * @param limit undefined: no limit
 * @throws ApiError TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED
 */
export async function checkTeamLimit(tx: App, organizationId: string, teamId: string, limit: number | undefined): Promise<void> {
  if (!(await findTeam(tx, organizationId, teamId))) throw new ApiError(errors.TEAM_NOT_FOUND)
  if (limit !== undefined && (await countRows(tx.db.selectFrom('member').where('teamId', '=', teamId))) >= limit)
    throw new ApiError(errors.TEAM_MEMBER_LIMIT_REACHED)
}

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
 * Deletes a team; its members and invitations have none then.
 * @throws ApiError TEAM_NOT_FOUND, UNABLE_TO_REMOVE_LAST_TEAM
 */
export async function removeTeam(app: App, organizationId: string, id: string): Promise<TeamRow> {
  await findRemovable(app, organizationId, id)
  await emptyTeam(app, organizationId, id)
  return transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const team = await findRemovable(tx, organizationId, id)
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

/**
 * Takes members and invitations out of a large team, in short transactions: with the team, its foreign keys would change any number
 * of rows in one statement. The few that join in between are left to them.
 */
async function emptyTeam(app: App, organizationId: string, id: string): Promise<void> {
  for (const table of ['member', 'invitation'] as const) {
    for (let isLast = false; !isLast; ) {
      const rows = app.db
        .selectFrom(table as 'member')
        .select('id')
        .where('teamId', '=', id)
      const ids = (await rows.limit(batchSize + 1).execute()).map((row) => row.id)
      isLast = ids.length <= batchSize
      if (isLast) continue
      await transaction(app, async (tx) => {
        await lockOrganization(tx, organizationId)
        const update = tx.db.updateTable(table as 'member').set({ teamId: null })
        await update.where('id', 'in', ids).where('teamId', '=', id).execute()
      })
    }
  }
}

export interface TeamMembership {
  readonly organizationId: string
  readonly teamId: string
  readonly userId: string
}

/**
 * Makes a member part of a team, and no longer of their former one.
 * @param limit members that the team may have; undefined: no limit
 * @throws ApiError USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED
 */
export const addTeamMember = (app: App, given: TeamMembership, limit: number | undefined): Promise<MemberRow> =>
  moveMember(app, given, async (tx, member, team) => {
    if (member.teamId === team.id) return member
    await checkTeamLimit(tx, team.organizationId, team.id, limit)
    return setTeam(tx, member, team, team.id)
  })

/**
 * Removes a member from a team.
 * @throws ApiError USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, TEAM_NOT_FOUND, USER_IS_NOT_A_MEMBER_OF_THE_TEAM
 */
export const removeTeamMember = (app: App, given: TeamMembership): Promise<MemberRow> =>
  moveMember(app, given, async (tx, member, team) => {
    if (member.teamId !== team.id) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM)
    return setTeam(tx, member, team, null)
  })

function moveMember(
  app: App,
  { organizationId, teamId, userId }: TeamMembership,
  move: (tx: App, member: MemberRow, team: TeamRow) => Promise<MemberRow>,
): Promise<MemberRow> {
  return transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await tx.db
      .selectFrom('member')
      .selectAll()
      .where('organizationId', '=', organizationId)
      .where('userId', '=', userId)
      .executeTakeFirst()
    if (!member) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
    const team = await findTeam(tx, organizationId, teamId)
    if (!team) throw new ApiError(errors.TEAM_NOT_FOUND)
    return move(tx, member, team)
  })
}

async function setTeam(tx: App, member: MemberRow, team: TeamRow, teamId: string | null): Promise<MemberRow> {
  await tx.db.updateTable('member').set({ teamId }).where('id', '=', member.id).execute()
  const action = teamId === null ? 'team.member-removed' : 'team.member-added'
  await recordEvent(tx, memberEvent(action, member, { team: team.name, teamId: team.id }))
  return { ...member, teamId }
}
