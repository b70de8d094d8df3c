/** Limits of organizations and teams. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { SessionView, UserRow } from '../../core/request.ts'
import { userRecord } from '../users/index.ts'
import { errors, type OrganizationRow, organizationRecord } from './model.ts'

/** Maximum number of members of an organization. Call it outside a transaction: it may be a function of the configuration. */
export async function membershipLimit(app: App, user: UserRow, organization: OrganizationRow): Promise<number> {
  const { membershipLimit: limit } = app.config.organization
  return typeof limit === 'function' ? await limit(userRecord(user), organizationRecord(organization)) : limit
}

/** Maximum number of members of a team; undefined: no limit. Call it outside a transaction, as `membershipLimit`. */
export async function teamLimit(
  app: App,
  organizationId: string,
  teamId: string,
  session: SessionView | null,
): Promise<number | undefined> {
  const { maximumMembersPerTeam: limit } = app.config.organization.teams
  return typeof limit === 'function' ? await limit({ organizationId, teamId, session }) : limit
}

/**
 * Checks that one more member may be in a team, with the organization locked.
 * @param limit undefined: no limit
 * @throws ApiError TEAM_NOT_FOUND, TEAM_MEMBER_LIMIT_REACHED
 */
export async function checkTeamLimit(tx: App, organizationId: string, teamId: string, limit: number | undefined): Promise<void> {
  const teams = tx.db.selectFrom('team').select('id').where('id', '=', teamId).where('organizationId', '=', organizationId)
  if (!(await teams.executeTakeFirst())) throw new ApiError(errors.TEAM_NOT_FOUND)
  if (limit === undefined) return
  const counting = tx.db.selectFrom('member').select((eb) => eb.fn.countAll<number | string | bigint>().as('count'))
  const { count } = await counting.where('teamId', '=', teamId).executeTakeFirstOrThrow()
  if (Number(count) >= limit) throw new ApiError(errors.TEAM_MEMBER_LIMIT_REACHED)
}
