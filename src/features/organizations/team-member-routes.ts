/** The calls for the members of teams. They exist only when teams are enabled. */
import { z } from 'zod'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { invalidQuery } from '../../core/pages.ts'
import { session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { reissueSession } from '../sessions/index.ts'
import { errors, type MemberRow, teamView } from './model.ts'
import { requireMember, requireMembership, type SignedInCall } from './organization-routes.ts'
import { describePage, pageHeaders, pageQuery } from './page-parameters.ts'
import { memberAllows } from './permissions.ts'
import { anyId } from './schemas.ts'
import { findOwnMember } from './second-factor-policy.ts'
import { admit, findMember } from './store.ts'
import { activateTeam, findTeamOfUser, listTeamMembers, listUserTeams } from './team-lists.ts'
import { addTeamMember, findTeamMember, removeTeamMember } from './team-members.ts'
import { exists, teamMessage } from './team-routes.ts'
import { teamLimit } from './teams.ts'

/** 403 in one call of better-auth, and 400 in the others. */
const notInTeam = { ...errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM, status: 403 as const }

/** Members of a team are changed by those who may change members, or teams. */
async function requireChange(ctx: SignedInCall, organizationId: string | undefined, refusal: ErrorEntry): Promise<MemberRow> {
  const member = await requireMembership(ctx, { organizationId }, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
  await admit(ctx, member, refusal, { member: ['update'], team: ['update'] }, 'OR')
  return member
}

const teamMember = z.object({ teamId: anyId, userId: anyId, organizationId: anyId.optional() })
const teamMemberView = z
  .object({ id: z.string(), teamId: z.string(), userId: z.string(), createdAt: isoDate })
  .meta({ title: 'TeamMember' })
const changeErrors = [errors.NO_ACTIVE_ORGANIZATION, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, errors.TEAM_NOT_FOUND]

export const teamMemberRoutes = {
  'POST /organization/add-team-member': route({
    summary: 'Add a member to a team',
    description:
      'Makes a member of the organization part of a team; they stay in their other teams. Requires the permission `member:update` or `team:update`. Fails when the team has the maximum number of members.',
    access: session(),
    exists,
    body: teamMember,
    returns: teamMemberView,
    errors: [...changeErrors, errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER, errors.TEAM_MEMBER_LIMIT_REACHED],
    handler: async (ctx) => {
      const { teamId, userId } = ctx.body
      const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_TEAM_MEMBER
      const { organizationId } = await requireChange(ctx, ctx.body.organizationId, refusal)
      const limit = await teamLimit(ctx, organizationId, teamId, ctx)
      return addTeamMember(ctx, { organizationId, teamId, userId }, limit)
    },
  }),
  'POST /organization/remove-team-member': route({
    summary: 'Remove a member from a team',
    description:
      'Removes a member from a team; they stay in the organization. Requires the permission `member:update` or `team:update`. Fails when the member is not in the team.',
    access: session(),
    exists,
    body: teamMember,
    returns: teamMessage('Team member removed successfully.'),
    errors: [...changeErrors, errors.YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER, errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM],
    handler: async (ctx) => {
      const { teamId, userId } = ctx.body
      const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER
      const { organizationId } = await requireChange(ctx, ctx.body.organizationId, refusal)
      await removeTeamMember(ctx, { organizationId, teamId, userId })
      return { message: 'Team member removed successfully.' as const }
    },
  }),
  'GET /organization/list-team-members': route({
    summary: 'List the members of a team',
    description:
      'Returns the members of a team, oldest membership first; default: the active team. All of them, or a page: the header `x-total-count` has their number, and `link` says that there are more. Fails when the user is not in the team.',
    access: session(),
    exists,
    query: z.object({ teamId: anyId.optional(), ...pageQuery }),
    returns: z.array(teamMemberView),
    responseHeaders: pageHeaders,
    errors: [errors.YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM, errors.TEAM_NOT_FOUND, errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM, invalidQuery],
    handler: async (ctx) => {
      const teamId = ctx.query.teamId || ctx.session.activeTeamId
      if (!teamId) throw new ApiError(errors.YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM)
      const team = await findTeamOfUser(ctx, teamId, ctx.user.id)
      if (!team) throw new ApiError(errors.TEAM_NOT_FOUND)
      await requireMember(ctx, team.organizationId, errors.TEAM_NOT_FOUND)
      if (!(await findTeamMember(ctx, teamId, ctx.user.id))) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_TEAM)
      const { rows, total, next } = await listTeamMembers(ctx, teamId, ctx.query)
      describePage(ctx, total, next)
      return rows
    },
  }),
  'GET /organization/list-user-teams': route({
    summary: 'List the teams of a user',
    description:
      'Returns the teams of the current user, in one organization or in all, in the order in which they joined them. With `userId` those of another member of the organization, default: the active one; requires the permission `member:update`. All of them, or a page: the header `x-total-count` has their number, and `link` says that there are more.',
    access: session(),
    exists,
    query: z.object({ userId: anyId.optional(), organizationId: anyId.optional(), ...pageQuery }),
    returns: z.array(teamView),
    responseHeaders: pageHeaders,
    errors: [
      errors.NO_ACTIVE_ORGANIZATION,
      errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER,
      errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
      invalidQuery,
    ],
    handler: async (ctx) => {
      const { userId = ctx.user.id, organizationId } = ctx.query
      const of = userId === ctx.user.id ? organizationId || null : await requireOther(ctx, userId, organizationId)
      if (of && userId === ctx.user.id) await requireMember(ctx, of, errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION)
      const { rows, total, next } = await listUserTeams(ctx, { userId, organizationId: of }, ctx.query)
      describePage(ctx, total, next)
      return rows
    },
  }),
  'POST /organization/set-active-team': route({
    summary: 'Set the active team',
    description:
      'Makes a team of the active organization the active one of the current session, or none when `teamId` is null. Returns it. Fails when the user is not in the team.',
    access: session(),
    exists,
    whileImpersonating: 'allowed',
    rejectsApiKeys: true,
    body: z.object({ teamId: anyId.nullish() }),
    returns: teamView.nullable(),
    errors: [errors.NO_ACTIVE_ORGANIZATION, errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, errors.TEAM_NOT_FOUND, notInTeam],
    handler: async (ctx) => {
      const { activeTeamId = null, activeOrganizationId } = ctx.session
      const teamId = ctx.body.teamId === null ? null : ctx.body.teamId || activeTeamId
      if (teamId === null && activeTeamId === null) return null
      if (teamId !== null && !activeOrganizationId) throw new ApiError(errors.NO_ACTIVE_ORGANIZATION)
      const own = activeOrganizationId ? await findOwnMember(ctx, activeOrganizationId, ctx.user) : null
      if (teamId !== null && !own) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
      const team = await activateTeam(ctx, ctx.session, teamId, notInTeam)
      await reissueSession(ctx, ctx.session)
      return team
    },
  }),
}

/** The organization in which the teams of another member are listed. @throws ApiError in the order of better-auth */
async function requireOther(ctx: SignedInCall, userId: string, given: string | undefined): Promise<string> {
  const own = await requireMembership(ctx, { organizationId: given })
  if (!(await memberAllows(ctx, own, { member: ['update'] })))
    throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER)
  if (!(await findMember(ctx, own.organizationId, userId))) throw new ApiError(errors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION)
  return own.organizationId
}
