/** The calls for invitations (contract 04 §4). */
import { z } from 'zod'
import { ApiError, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { optionalSession, requireFresh, sensitiveCalls, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { errors as searchErrors } from '../../core/search.ts'
import type { Config } from '../index.ts'
import { roleInput } from '../roles/index.ts'
import { cacheCurrentSession } from '../sessions/index.ts'
import { findUserById, reachableEmail } from '../users/index.ts'
import { acceptInvitation, rejectInvitation, requireVerifiedEmail } from './invitation-acceptance.ts'
import { checkEmails, checkedStates, invitationStates, listInvitations, listUserInvitations } from './invitation-list.ts'
import { cancelInvitation, findInvitation, inviteMember, isUsable } from './invitations.ts'
import { errors, invitationView, type MemberRow, memberView } from './model.ts'
import { requireMember, type SignedInCall } from './organization-routes.ts'
import { describePage, pageHeaders, pageQuery } from './page-parameters.ts'
import { findUnknownRoles, mayInviteAs, memberAllows, permitsSomething } from './permissions.ts'
import { anyId, teamInput } from './schemas.ts'
import { admit, findMember, findOrganization, organizationOf } from './store.ts'

/** The membership of a user who may invite others. @throws ApiError in the order of the contract */
async function requireInviter(ctx: SignedInCall, given: string | undefined): Promise<MemberRow> {
  const organizationId = organizationOf(ctx, given)
  if (!organizationId) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
  const member = await requireMember(ctx, organizationId, errors.MEMBER_NOT_FOUND)
  if (!(await memberAllows(ctx, member, { invitation: ['create'] })))
    throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION)
  return member
}

/** @throws ApiError YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE, ROLE_NOT_FOUND */
async function checkRole(ctx: SignedInCall, inviter: MemberRow, role: string): Promise<void> {
  if (!(await mayInviteAs(ctx, inviter, role))) throw new ApiError(errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE)
  if ((await findUnknownRoles(ctx, { organizationId: inviter.organizationId, role })).length > 0)
    throw new ApiError(errors.ROLE_NOT_FOUND)
}

const inviterErrors = [
  errors.ORGANIZATION_NOT_FOUND,
  errors.MEMBER_NOT_FOUND,
  errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION,
]

const recipientErrors: readonly ErrorEntry[] = [
  errors.INVITATION_NOT_FOUND,
  errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
  errors.EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION,
]

const organizationName = z.string().meta({ examples: ['Acme'] })
const organizationSlug = z.string().meta({ examples: ['acme'] })
const inviterEmail = z.string().meta({ examples: ['ben@example.com'] })

const invitationOf = z.object({ invitationId: anyId })

export const invitationRoutes = {
  'POST /organization/invite-member': route({
    summary: 'Send an invitation',
    description:
      'Invites an email address to an organization, default: the active one, and sends the invitation by email. Requires the permission `invitation:create`. With `session.freshFor` set to `sensitive`, a role that permits something requires a fresh session. With `resend`, a pending invitation is renewed and sent again. Fails when the email address belongs to a member or is invited already, the role is unknown or permits more than the roles of the current user, or a limit is reached.',
    access: session(),
    body: z.object({
      email: reachableEmail,
      role: roleInput.meta({ examples: ['member'] }),
      organizationId: anyId.optional(),
      resend: z.boolean().optional(),
      teamId: teamInput,
    }),
    returns: (config: Config) => invitationView(config),
    errors: [
      ...inviterErrors,
      kernelErrors.SESSION_IS_NOT_FRESH,
      errors.YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE,
      errors.ROLE_NOT_FOUND,
      errors.USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
      errors.USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION,
      errors.INVITATION_LIMIT_REACHED,
      errors.TEAM_NOT_FOUND,
      errors.TEAM_MEMBER_LIMIT_REACHED,
      kernelErrors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER,
    ],
    handler: async (ctx) => {
      const { email, role, organizationId, resend = false, teamId: teamIds } = ctx.body
      const member = await requireInviter(ctx, organizationId)
      await checkRole(ctx, member, role)
      if (await permitsSomething(ctx, { organizationId: member.organizationId, role })) await requireFresh(ctx, sensitiveCalls)
      const inviter = { user: ctx.user, member, session: ctx }
      return inviteMember(ctx, member.organizationId, inviter, { email: email.toLowerCase(), role, resend, teamIds })
    },
  }),
  'POST /organization/accept-invitation': route({
    summary: 'Accept an invitation',
    description:
      'Makes the current user a member with the role of the invitation, and the organization their active one. Requires that the invitation was sent to the email address of the current user, which must be verified unless `organization.requireEmailVerificationOnInvitation` is off. Fails when it was used, canceled or has expired, its sender has left the organization, or the organization or the team has reached its limit.',
    access: session(),
    body: invitationOf,
    returns: (config: Config) => z.object({ invitation: invitationView(config), member: memberView(config) }),
    errors: [
      ...recipientErrors,
      errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION,
      errors.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
      errors.TEAM_NOT_FOUND,
      errors.TEAM_MEMBER_LIMIT_REACHED,
    ],
    handler: async (ctx) => {
      const accepted = await acceptInvitation(ctx, ctx.user, ctx.body.invitationId, ctx.session)
      await cacheCurrentSession(ctx, ctx.session)
      return accepted
    },
  }),
  'POST /organization/reject-invitation': route({
    summary: 'Reject an invitation',
    description:
      'Rejects an invitation that was sent to the email address of the current user. Fails when it was used, canceled or has expired.',
    access: session(),
    body: invitationOf,
    returns: (config: Config) => z.object({ invitation: invitationView(config), member: z.null() }),
    errors: recipientErrors,
    handler: async (ctx) => ({
      invitation: await rejectInvitation(ctx, ctx.user, ctx.body.invitationId),
      member: null,
    }),
  }),
  'POST /organization/cancel-invitation': route({
    summary: 'Cancel an invitation',
    description:
      'Cancels a pending invitation of an organization. Requires the permission `invitation:cancel` in it. Fails when the invitation is not pending any more.',
    access: session(),
    body: invitationOf,
    returns: (config: Config) => invitationView(config),
    errors: [errors.INVITATION_NOT_FOUND, errors.MEMBER_NOT_FOUND, errors.YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION],
    handler: async (ctx) => {
      const invitation = await findInvitation(ctx, ctx.body.invitationId)
      if (!invitation) throw new ApiError(errors.INVITATION_NOT_FOUND)
      const member = await requireMember(ctx, invitation.organizationId, errors.MEMBER_NOT_FOUND)
      await admit(ctx, member, errors.YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION, { invitation: ['cancel'] })
      return cancelInvitation(ctx, invitation)
    },
  }),
  'GET /organization/get-invitation': route({
    summary: 'Get an invitation',
    description:
      'Returns an invitation that was sent to the email address of the current user. Fails when it was used, canceled or has expired, or its sender has left the organization.',
    access: optionalSession(),
    query: z.object({ id: anyId }),
    returns: (config: Config) => invitationView(config).extend({ organizationName, organizationSlug, inviterEmail }),
    errors: [
      errors.NOT_AUTHENTICATED,
      errors.INVITATION_NOT_FOUND,
      errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION,
      errors.ORGANIZATION_NOT_FOUND,
      errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION,
    ],
    handler: async (ctx) => {
      const { user } = ctx
      if (!user) throw new ApiError(errors.NOT_AUTHENTICATED)
      const invitation = await findInvitation(ctx, ctx.query.id)
      if (!invitation || !isUsable(ctx, invitation)) throw new ApiError(errors.INVITATION_NOT_FOUND)
      if (invitation.email.toLowerCase() !== user.email.toLowerCase())
        throw new ApiError(errors.YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION)
      const { organizationId, inviterId } = invitation
      const organization = await findOrganization(ctx, organizationId)
      if (!organization) throw new ApiError(errors.ORGANIZATION_NOT_FOUND)
      const inviter = (await findMember(ctx, organizationId, inviterId)) && (await findUserById(ctx, inviterId))
      if (!inviter) throw new ApiError(errors.INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION)
      const { name: organizationName, slug: organizationSlug } = organization
      return { ...invitation, organizationName, organizationSlug, inviterEmail: inviter.email }
    },
  }),
  'GET /organization/list-invitations': route({
    summary: 'List invitations',
    description:
      'Returns the invitations of an organization, default: the active one: all of them, oldest first, or a page, newest first. The status `pending` means that an invitation can be accepted; an expired one is listed as `expired`, and also has the status `pending`. The header `x-total-count` has the number of all that match, and `link` says that there are more. Fails with 503 when it takes longer than `admin.listTimeout`.',
    access: session(),
    query: z.object({
      organizationId: anyId.optional(),
      status: z.enum(invitationStates).optional(),
      search: z.string().max(320).optional().describe('Start of the email address'),
      ...pageQuery,
    }),
    returns: (config: Config) => z.array(invitationView(config)),
    responseHeaders: pageHeaders,
    errors: [errors.ORGANIZATION_ID_IS_REQUIRED, errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, searchErrors.SEARCH_TOO_SLOW],
    handler: async (ctx) => {
      const { organizationId: given, ...filter } = ctx.query
      const organizationId = organizationOf(ctx, given)
      if (!organizationId) throw new ApiError(errors.ORGANIZATION_ID_IS_REQUIRED)
      await requireMember(ctx, organizationId, errors.YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION)
      const { invitations, total, next } = await listInvitations(ctx, organizationId, filter)
      describePage(ctx, total, next)
      return invitations
    },
  }),
  'GET /organization/list-user-invitations': route({
    summary: 'List own invitations',
    description:
      'Returns the invitations that the current user can accept, oldest first. Requires a verified email address, unless `organization.requireEmailVerificationOnInvitation` is off.',
    access: session(),
    returns: (config: Config) =>
      z.array(
        invitationView(config).extend({
          organizationName,
          organizationSlug,
          inviterName: z.string().meta({ examples: ['Ben Smith'] }),
          inviterEmail,
        }),
      ),
    errors: [errors.EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION],
    handler: (ctx) => {
      requireVerifiedEmail(ctx, ctx.user)
      return listUserInvitations(ctx, ctx.user)
    },
  }),
  'POST /organization/check-invitations': route({
    summary: 'Check email addresses before inviting them',
    description:
      'Returns for each email address, in their order, whether it can be invited to an organization, default: the active one. Requires the permission `invitation:create`. Sends nothing.',
    access: session(),
    whileImpersonating: 'allowed',
    body: z.object({
      emails: z
        .array(z.string().max(1000))
        .max(200)
        .meta({ examples: [['ann@example.com', 'ben@example']] }),
      organizationId: anyId.optional(),
    }),
    returns: z.array(z.object({ email: z.string().describe('As it was sent'), state: z.enum(checkedStates) })),
    errors: inviterErrors,
    handler: async (ctx) => {
      const { organizationId } = await requireInviter(ctx, ctx.body.organizationId)
      return checkEmails(ctx, organizationId, ctx.body.emails)
    },
  }),
}
