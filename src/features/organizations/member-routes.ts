/** The calls for members, and their roles (contract 04 §3). */
import { z } from 'zod'
import { ApiError, errors as kernelErrors } from '../../core/errors.ts'
import { invalidQuery } from '../../core/pages.ts'
import { freshSession, requireFresh, sensitiveCalls, server, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { errors as searchErrors } from '../../core/search.ts'
import type { Config } from '../index.ts'
import { roleInput } from '../roles/index.ts'
import { typedEmail } from '../users/index.ts'
import { listMembers, listMemberships, memberPage, memberQuery } from './member-list.ts'
import { addMember, findMemberWithUser, leaveOrganization, removeMember, updateMemberRole } from './members.ts'
import { errors, type MemberRow, memberView, memberWithUserView } from './model.ts'
import { requireMembership, type SignedInCall } from './organization-routes.ts'
import { objectPageQuery, pageView } from './page-parameters.ts'
import { memberAllows, permitsSomething } from './permissions.ts'
import { anyId, organizationSlug, teamInput } from './schemas.ts'
import { checkFactorFilter } from './second-factor-policy.ts'
import { findMember, findOrganization, organizationOf, setActiveOfCall } from './store.ts'
import { withTeams } from './team-members.ts'

const notAMember = errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION

/** The session of a call loses its active organization when the user leaves it; its cached copy must too. */
async function refreshSession(ctx: SignedInCall, member: MemberRow): Promise<void> {
  if (member.userId === ctx.user.id && ctx.session.activeOrganizationId === member.organizationId)
    await setActiveOfCall(ctx, null)
}

const named = { organizationId: anyId.optional(), organizationSlug: organizationSlug.optional() }
const memberErrors = [errors.NO_ACTIVE_ORGANIZATION, errors.MEMBER_NOT_FOUND]

export const memberRoutes = {
  'GET /organization/get-active-member': route({
    summary: 'Get own membership',
    description: 'Returns the membership of the current user in the active organization. Fails when none is active.',
    access: session(),
    returns: (config: Config) => memberWithUserView(config),
    errors: memberErrors,
    handler: async (ctx) => {
      const { name, email, image } = ctx.user
      const member = await requireMembership(ctx, {}, errors.MEMBER_NOT_FOUND)
      return { ...member, user: { id: member.userId, name, email, image } }
    },
  }),
  'GET /organization/get-active-member-role': route({
    summary: 'Get the role of a member',
    description:
      'Returns the role of the current user in an organization, or of another member; default: in the active organization. Fails when one of them is not a member.',
    access: session(),
    query: z.object({ ...named, userId: anyId.optional() }),
    returns: z.object({ role: z.string().meta({ examples: ['admin'] }) }),
    errors: [errors.NO_ACTIVE_ORGANIZATION, notAMember],
    handler: async (ctx) => {
      const own = await requireMembership(ctx, ctx.query)
      const { userId } = ctx.query
      const member = userId ? await findMember(ctx, own.organizationId, userId) : own
      if (!member) throw new ApiError(notAMember)
      return { role: member.role }
    },
  }),
  'GET /organization/list-members': route({
    summary: 'List members',
    description:
      'Returns a page of the members of an organization with their users, oldest membership first; default: the active one. `total` is the number of all that match. Fails when the user is not a member, and with 503 when a search takes longer than `admin.listTimeout`.',
    access: session(),
    query: memberQuery.extend({
      ...named,
      lastSignIn: z
        .enum(['true', 'false'])
        .optional()
        .describe('`true`: each member has `lastSignInAt`; requires the permission `member:update`'),
      teams: z.enum(['true', 'false']).optional().describe('`true`: each member has `teamIds`, when teams are enabled'),
    }),
    returns: memberPage,
    errors: [errors.NO_ACTIVE_ORGANIZATION, notAMember, kernelErrors.FORBIDDEN, invalidQuery, searchErrors.SEARCH_TOO_SLOW],
    handler: async (ctx) => {
      const own = await requireMembership(ctx, ctx.query)
      if (ctx.query.lastSignIn === 'true' && !(await memberAllows(ctx, own, { member: ['update'] })))
        throw new ApiError(kernelErrors.FORBIDDEN)
      await checkFactorFilter(ctx, own, ctx.query.filterField)
      const organization = await findOrganization(ctx, own.organizationId)
      if (!organization) throw new ApiError(notAMember)
      const { rows, ...page } = await listMembers(ctx, organization, ctx.query)
      const members = ctx.query.teams === 'true' && ctx.config.organization.teams.enabled ? await withTeams(ctx, rows) : rows
      return { members, ...page }
    },
  }),
  'GET /organization/list-memberships': route({
    summary: 'List own memberships',
    description:
      'Returns a page of the organizations of the current user by name, each with their role in it and the number of its members.',
    access: session(),
    query: z.object({
      ...objectPageQuery,
      limit: objectPageQuery.limit.default(50),
      search: z.string().max(255).optional().describe('Part of a name or slug, or an exact ID'),
    }),
    returns: z.object({
      memberships: z.array(
        z.object({
          organization: z.object({
            id: z.string(),
            name: z.string().meta({ examples: ['Acme'] }),
            slug: z.string().meta({ examples: ['acme'] }),
            logo: z.string().nullable(),
          }),
          role: z.string().meta({ examples: ['admin'] }),
          memberCount: z.int(),
          joinedAt: isoDate,
        }),
      ),
      ...pageView,
    }),
    errors: [invalidQuery],
    handler: async (ctx) => {
      const { rows: memberships, ...page } = await listMemberships(ctx, ctx.user.id, ctx.query)
      return { memberships: memberships, ...page }
    },
  }),
  'POST /organization/add-member': route({
    summary: 'Add a member',
    description: 'Adds a user to an organization without an invitation. Only on the private listener.',
    access: server(),
    body: z.object({ userId: anyId, role: roleInput, organizationId: anyId.optional(), teamId: teamInput }),
    returns: (config: Config) => memberView(config),
    errors: [
      errors.NO_ACTIVE_ORGANIZATION,
      errors.ORGANIZATION_NOT_FOUND,
      errors.TEAMS_ARE_NOT_ENABLED,
      errors.USER_NOT_FOUND,
      errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
      errors.TEAM_NOT_FOUND,
      errors.ROLE_NOT_FOUND,
      errors.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
      errors.TEAM_MEMBER_LIMIT_REACHED,
    ],
    handler: async (ctx) => {
      const { organizationId, teamId: teamIds, ...given } = ctx.body
      if (!organizationId) throw new ApiError(errors.NO_ACTIVE_ORGANIZATION)
      return addMember(ctx, { ...given, teamIds, organizationId })
    },
  }),
  'POST /organization/remove-member': route({
    summary: 'Remove a member',
    description:
      'Removes a member, named by ID or email address, from an organization; default: the active one, which all their sessions lose. Requires the permission `member:delete`, and the creator role for a member who has it. With `session.freshFor` set to `sensitive`, a member whose role permits something is removed by a fresh session only. The last member with the creator role stays.',
    access: session(),
    body: z.object({ memberIdOrEmail: typedEmail.max(320), organizationId: anyId.optional() }),
    returns: (config: Config) => z.object({ member: memberWithUserView(config) }),
    errors: [
      ...memberErrors,
      kernelErrors.SESSION_IS_NOT_FRESH,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
      errors.YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER,
    ],
    handler: async (ctx) => {
      const { memberIdOrEmail, organizationId: given } = ctx.body
      const { organizationId } = await requireMembership(ctx, { organizationId: given }, errors.MEMBER_NOT_FOUND)
      const by = memberIdOrEmail.includes('@') ? { email: memberIdOrEmail } : { memberId: memberIdOrEmail }
      const target = await findMemberWithUser(ctx, organizationId, by)
      if (!target) throw new ApiError(errors.MEMBER_NOT_FOUND)
      if (await permitsSomething(ctx, target)) await requireFresh(ctx, sensitiveCalls)
      const member = await removeMember(ctx, { organizationId, memberId: target.id, by: ctx.user })
      await refreshSession(ctx, member)
      return { member }
    },
  }),
  'POST /organization/update-member-role': route({
    summary: 'Update the role of a member',
    description:
      'Gives a member other roles. Requires the permission `member:update`, and the creator role to give or take that one. A user cannot give a role that permits more than their own. The last member with the creator role keeps it.',
    access: freshSession(sensitiveCalls),
    stepUp: 'recent',
    body: z.object({
      role: roleInput.meta({ examples: ['admin'] }),
      memberId: anyId,
      organizationId: anyId.optional(),
    }),
    returns: (config: Config) => memberView(config),
    errors: [
      ...memberErrors,
      errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER,
      errors.ROLE_NOT_FOUND,
      errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    handler: async (ctx) => {
      const { role, memberId, organizationId: given } = ctx.body
      const organizationId = organizationOf(ctx, given)
      if (!organizationId) throw new ApiError(errors.NO_ACTIVE_ORGANIZATION)
      return updateMemberRole(ctx, { organizationId, memberId, by: ctx.user, role })
    },
  }),
  'POST /organization/leave': route({
    summary: 'Leave an organization',
    description:
      'Removes the current user from an organization, which all their sessions lose. Fails for the last member with the creator role.',
    access: session(),
    body: z.object({ organizationId: anyId }),
    returns: (config: Config) => memberWithUserView(config),
    errors: [errors.MEMBER_NOT_FOUND, errors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER],
    handler: async (ctx) => {
      const member = await leaveOrganization(ctx, ctx.body.organizationId, ctx.user.id)
      await refreshSession(ctx, member)
      return member
    },
  }),
}
