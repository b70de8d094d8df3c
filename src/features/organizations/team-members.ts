/** Who is in which team. A member may be in several; each change is made with the organization locked. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { memberEvent } from './events.ts'
import { errors, type MemberRow, type TeamMemberRow, type TeamRow } from './model.ts'
import { batches, clearActiveTeam, findMember, lockOrganization } from './store.ts'

/** A team of an organization; null also when it belongs to another one. */
export const findTeam = async (app: App, organizationId: string, id: string): Promise<TeamRow | null> =>
  (await app.db
    .selectFrom('team')
    .selectAll()
    .where('id', '=', id)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()) ?? null

/** Members that the teams of a call may have, by team; a team without an entry has no limit. */
export type TeamLimits = ReadonlyMap<string, number | undefined>

export async function findTeamMember(app: App, teamId: string, userId: string): Promise<TeamMemberRow | null> {
  const rows = app.db.selectFrom('teamMember').selectAll().where('teamId', '=', teamId)
  return (await rows.where('userId', '=', userId).executeTakeFirst()) ?? null
}

/** The teams of members in the order in which they joined them, by the id of the member. */
export async function teamsOfMembers(app: App, memberIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const rows = await Promise.all(
    batches(memberIds).map((ids) =>
      app.db
        .selectFrom('teamMember')
        .select(['memberId', 'teamId'])
        .where('memberId', 'in', ids)
        .orderBy('memberId')
        .orderBy('createdAt')
        .orderBy('id')
        .execute(),
    ),
  )
  const teams = new Map<string, string[]>()
  for (const { memberId, teamId } of rows.flat()) teams.set(memberId, [...(teams.get(memberId) ?? []), teamId])
  return teams
}

/** Members with the ids of their teams. */
export async function withTeams<M extends { readonly id: string }>(app: App, members: readonly M[]) {
  const teams = await teamsOfMembers(
    app,
    members.map(({ id }) => id),
  )
  return members.map((member) => ({ ...member, teamIds: teams.get(member.id) ?? [] }))
}

/**
 * Checks that one more member may be in a team, with the organization locked.
 * @param limit undefined: no limit
 * @throws ApiError TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED
 */
export async function checkTeamLimit(tx: App, organizationId: string, teamId: string, limit: number | undefined): Promise<void> {
  if (!(await findTeam(tx, organizationId, teamId))) throw new ApiError(errors.TEAM_NOT_FOUND)
  if (limit !== undefined && (await countRows(tx.db.selectFrom('teamMember').where('teamId', '=', teamId))) >= limit)
    throw new ApiError(errors.TEAM_MEMBER_LIMIT_REACHED)
}

/** Makes a member part of a team that they are not in, with the organization locked; it is their first one if they had none. */
export async function joinTeam(tx: App, member: MemberRow, teamId: string): Promise<TeamMemberRow> {
  const { id: memberId, userId } = member
  const row: TeamMemberRow = { id: createId(tx, 'teamMember'), teamId, userId, memberId, createdAt: tx.now() }
  await tx.db.insertInto('teamMember').values(row).execute()
  const first = tx.db.updateTable('member').set({ teamId }).where('id', '=', memberId)
  await first.where('teamId', 'is', null).execute()
  return row
}

/**
 * Takes members out of a team, with the organization locked: as many as one statement writes. Their first team is then the one that
 * they joined next, and the team is active in none of their sessions.
 */
export async function leaveTeam(tx: App, teamId: string, rows: readonly TeamMemberRow[]): Promise<void> {
  if (rows.length === 0) return
  const members = rows.map(({ memberId }) => memberId)
  const ids = rows.map(({ id }) => id)
  await tx.db.deleteFrom('teamMember').where('id', 'in', ids).execute()
  await tx.db
    .updateTable('member')
    .set((eb) => ({
      teamId: eb
        .selectFrom('teamMember')
        .select('teamMember.teamId')
        .whereRef('teamMember.memberId', '=', 'member.id')
        .orderBy('teamMember.createdAt')
        .orderBy('teamMember.id')
        .limit(1),
    }))
    .where('id', 'in', members)
    .where('teamId', '=', teamId)
    .execute()
  const users = rows.map(({ userId }) => userId)
  await clearActiveTeam(tx, teamId, users)
}

export interface TeamMembership {
  readonly organizationId: string
  readonly teamId: string
  readonly userId: string
}

/**
 * Makes a member part of a team; one who is in it stays.
 * @param limit members that the team may have; undefined: no limit
 * @throws ApiError USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED
 */
export const addTeamMember = (app: App, given: TeamMembership, limit: number | undefined): Promise<TeamMemberRow> =>
  changeTeam(app, given, async (tx, member, team) => {
    const known = await findTeamMember(tx, team.id, member.userId)
    if (known) return known
    await checkTeamLimit(tx, team.organizationId, team.id, limit)
    const row = await joinTeam(tx, member, team.id)
    await recordEvent(tx, memberEvent('team.member-added', member, { team: team.name, teamId: team.id }))
    return row
  })

/**
 * Removes a member from a team.
 * @throws ApiError USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, TEAM_NOT_FOUND, USER_IS_NOT_A_MEMBER_OF_THE_TEAM
 */
export const removeTeamMember = (app: App, given: TeamMembership): Promise<void> =>
  changeTeam(app, given, async (tx, member, team) => {
    const row = await findTeamMember(tx, team.id, member.userId)
    if (!row) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM)
    await leaveTeam(tx, team.id, [row])
    await recordEvent(tx, memberEvent('team.member-removed', member, { team: team.name, teamId: team.id }))
  })

function changeTeam<T>(
  app: App,
  { organizationId, teamId, userId }: TeamMembership,
  change: (tx: App, member: MemberRow, team: TeamRow) => Promise<T>,
): Promise<T> {
  return transaction(app, async (tx) => {
    await lockOrganization(tx, organizationId)
    const member = await findMember(tx, organizationId, userId)
    if (!member) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
    const team = await findTeam(tx, organizationId, teamId)
    if (!team) throw new ApiError(errors.TEAM_NOT_FOUND)
    return change(tx, member, team)
  })
}
