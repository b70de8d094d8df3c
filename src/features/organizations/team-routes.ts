/** The calls for teams (contract 04 §5). They exist only when teams are enabled. */
import { z } from 'zod'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { invalidQuery } from '../../core/pages.ts'
import { session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { countTeamMembers, listTeams } from './member-list.ts'
import { errors, teamView } from './model.ts'
import { requireMembership } from './organization-routes.ts'
import { describePage, pageHeaders, pageQuery } from './page-parameters.ts'
import { anyId, teamName } from './schemas.ts'
import { admit } from './store.ts'
import { teamsOfMembers } from './team-members.ts'
import { createTeam, maximumTeams, removeTeam, updateTeam } from './teams.ts'

export const exists = ({ organization }: Config): boolean => organization.teams.enabled
export const teamMessage = (text: string) => z.object({ message: z.literal(text) })

export const teamRoutes = {
  'POST /organization/create-team': route({
    summary: 'Create a team',
    description:
      'Creates a team in an organization; default: the active one. Requires the permission `team:create`. Fails when the organization has the maximum number of teams.',
    access: session(),
    exists,
    body: z.object({ name: teamName, organizationId: anyId.optional() }),
    returns: teamView,
    errors: [
      errors.NO_ACTIVE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION,
      errors.YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_TEAMS,
      errors.ORGANIZATION_NOT_FOUND,
    ],
    handler: async (ctx) => {
      const { name, organizationId: given } = ctx.body
      // The contract has this message for users who are not members.
      const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION
      const member = await requireMembership(ctx, { organizationId: given }, refusal)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_TEAMS_IN_THIS_ORGANIZATION, { team: ['create'] })
      const limit = await maximumTeams(ctx, member.organizationId, ctx)
      return createTeam(ctx, member.organizationId, name, limit)
    },
  }),
  'POST /organization/remove-team': route({
    summary: 'Remove a team',
    description:
      'Deletes a team; its members stay in the organization. Requires the permission `team:delete`, and a user cannot remove their active team, or the only team that they are in. Fails for the last team, unless the configuration allows removing all.',
    access: session(),
    exists,
    body: z.object({ teamId: anyId, organizationId: anyId.optional() }),
    returns: teamMessage('Team removed successfully.'),
    errors: [
      errors.NO_ACTIVE_ORGANIZATION,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION,
      errors.TEAM_NOT_FOUND,
      errors.UNABLE_TO_REMOVE_LAST_TEAM,
    ],
    handler: async (ctx) => {
      const { teamId, organizationId: given } = ctx.body
      const member = await requireMembership(ctx, { organizationId: given }, errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM)
      const own = (await teamsOfMembers(ctx, [member.id])).get(member.id) ?? []
      const isOnly = own.length === 1 && own[0] === teamId
      if (isOnly || ctx.session.activeTeamId === teamId) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION, { team: ['delete'] })
      await removeTeam(ctx, member.organizationId, teamId)
      return { message: 'Team removed successfully.' as const }
    },
  }),
  'POST /organization/update-team': route({
    summary: 'Update a team',
    description: 'Changes the name of a team. Requires the permission `team:update`. Other fields of `data` are ignored.',
    access: session(),
    exists,
    body: z.object({
      teamId: anyId,
      data: z.object({ name: teamName.optional(), organizationId: anyId.optional() }),
    }),
    returns: teamView,
    errors: [errors.NO_ACTIVE_ORGANIZATION, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM, errors.TEAM_NOT_FOUND],
    handler: async (ctx) => {
      const { teamId, data } = ctx.body
      const member = await requireMembership(ctx, data, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_TEAM, { team: ['update'] })
      return updateTeam(ctx, member.organizationId, teamId, data.name)
    },
  }),
  'GET /organization/list-teams': route({
    summary: 'List teams',
    description:
      'Returns the teams of an organization, oldest first; default: the active one. All of them, or a page: the header `x-total-count` has their number, and `link` says that there are more. Fails when the user is not a member.',
    access: session(),
    exists,
    query: z.object({
      organizationId: anyId.optional(),
      ...pageQuery,
      memberCounts: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true`: each team has `memberCount`, the number of its members'),
    }),
    returns: z.array(teamView.extend({ memberCount: z.int().optional() })),
    responseHeaders: pageHeaders,
    errors: [errors.NO_ACTIVE_ORGANIZATION, kernelErrors.FORBIDDEN, invalidQuery],
    handler: async (ctx) => {
      const member = await requireMembership(ctx, ctx.query, kernelErrors.FORBIDDEN)
      const { rows: teams, total, next } = await listTeams(ctx, member.organizationId, ctx.query)
      describePage(ctx, total, next)
      if (ctx.query.memberCounts !== 'true') return teams
      const counts = await countTeamMembers(ctx, teams)
      return teams.map((team) => ({ ...team, memberCount: counts.get(team.id) ?? 0 }))
    },
  }),
}
