/** Lists of team members and of the teams of a user, in pages, and the active team of a session. */
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { cutPage, isAfter, readPosition } from '../../core/pages.ts'
import type { SessionView } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import type { Page, TeamQuery } from './member-list.ts'
import { errors, type TeamMemberRow, type TeamRow } from './model.ts'
import { lockOrganization, setActiveOrganization } from './store.ts'
import { findTeam, findTeamMember } from './team-members.ts'

/** A team of an organization that the user is a member of; null also when they are not: the response must not reveal it. */
export async function findTeamOfUser(app: App, id: string, userId: string): Promise<TeamRow | null> {
  const teams = app.db
    .selectFrom('team')
    .innerJoin('member', 'member.organizationId', 'team.organizationId')
    .selectAll('team')
    .where('team.id', '=', id)
    .where('member.userId', '=', userId)
  return (await teams.executeTakeFirst()) ?? null
}

/** The members of a team, oldest membership first: all of them, or a page. */
export async function listTeamMembers(app: App, teamId: string, { limit, after }: TeamQuery): Promise<Page<TeamMemberRow>> {
  const rows = app.db.selectFrom('teamMember').where('teamId', '=', teamId)
  const position = await readPosition({ after }, 'time', async (id) => {
    const found = await rows.select('createdAt').where('id', '=', id).executeTakeFirst()
    return found ? [found.createdAt, id] : null
  })
  const following = position ? rows.where(isAfter(['createdAt', 'id'], position)) : rows
  const found = await following
    .selectAll()
    .orderBy('createdAt')
    .orderBy('id')
    .$if(limit !== undefined, (page) => page.limit((limit ?? 0) + 1))
    .execute()
  const page = cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
  if (limit === undefined && after === undefined) return { ...page, total: found.length }
  return { ...page, total: await countRows(rows) }
}

interface UserTeams {
  readonly userId: string
  /** Null: of every organization. */
  readonly organizationId: string | null
}

/** The teams of a user, in the order in which they joined them: all of them, or a page. */
export async function listUserTeams(
  app: App,
  { userId, organizationId }: UserTeams,
  { limit, after }: TeamQuery,
): Promise<Page<TeamRow>> {
  const rows = app.db
    .selectFrom('teamMember')
    .innerJoin('team', 'team.id', 'teamMember.teamId')
    .where('teamMember.userId', '=', userId)
    .$if(organizationId !== null, (all) => all.where('team.organizationId', '=', organizationId ?? ''))
  const position = await readPosition({ after }, 'time', async (id) => {
    const found = await rows.select('teamMember.createdAt').where('team.id', '=', id).executeTakeFirst()
    return found ? [found.createdAt, id] : null
  })
  const following = position ? rows.where(isAfter(['teamMember.createdAt', 'teamMember.teamId'], position)) : rows
  const found = await following
    .selectAll('team')
    .select('teamMember.createdAt as joinedAt')
    .orderBy('teamMember.createdAt')
    .orderBy('teamMember.teamId')
    .$if(limit !== undefined, (page) => page.limit((limit ?? 0) + 1))
    .execute()
  const page = cutPage(found, limit, ({ joinedAt, id }) => [joinedAt, id])
  if (limit === undefined && after === undefined) return { ...page, total: found.length }
  return { ...page, total: await countRows(rows) }
}

/**
 * Makes a team of the active organization the active one of a session, or none. The organization is locked, because leaving a team
 * clears it in the sessions that have it then.
 * @throws ApiError TEAM_NOT_FOUND; `refusal` when the user is not in the team
 */
export async function activateTeam(
  app: App,
  session: SessionView,
  teamId: string | null,
  refusal: ErrorEntry,
): Promise<TeamRow | null> {
  const { activeOrganizationId = null, userId } = session
  return transaction(app, async (tx) => {
    if (teamId !== null && activeOrganizationId !== null) await lockOrganization(tx, activeOrganizationId)
    const team = teamId === null ? null : await findTeam(tx, activeOrganizationId ?? '', teamId)
    if (teamId !== null && !team) throw new ApiError(errors.TEAM_NOT_FOUND)
    if (team && !(await findTeamMember(tx, team.id, userId))) throw new ApiError(refusal)
    await setActiveOrganization(tx, session, activeOrganizationId, team?.id ?? null)
    return team
  })
}
