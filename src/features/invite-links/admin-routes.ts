/** Calls with which administrators create, list and revoke invite links. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { invalidQuery, maxPage } from '../../core/pages.ts'
import { allows, freshPermission, grantsOf, permission } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { errors as adminErrors, checkGivenRole } from '../admin/index.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { roleInput } from '../roles/index.ts'
import { createInviteLink, listInviteLinks, revokeInviteLink } from './links.ts'
import { errors, type InviteLinkRow, mostUses, stateOf, states } from './model.ts'

const inviteLink = z.object({
  id: z.string(),
  label: z
    .string()
    .nullable()
    .meta({ examples: ['Conference in May'] }),
  state: z.enum(states).describe('`used`: all uses are taken'),
  maxUses: z.int(),
  uses: z.int(),
  role: z.string().nullable().describe('Role that new users get; null: the default one'),
  organizationId: z.string().nullable().describe('Organization that users join'),
  organizationRole: z
    .string()
    .nullable()
    .meta({ examples: ['member'] }),
  createdBy: z.string().nullable().describe('ID of the administrator; null: an operator'),
  createdAt: isoDate,
  expiresAt: isoDate,
})

const viewOf = (ctx: CallContext, link: InviteLinkRow) => {
  const { tokenHash: _, revokedAt: __, ...shown } = link
  return { ...shown, state: stateOf(ctx, link) }
}

const newLink = z.object({
  label: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Note for administrators')
    .meta({ examples: ['Conference in May'] }),
  maxUses: z.int().min(1).max(mostUses).default(1).describe('How many users may use the link'),
  expiresIn: z
    .int()
    .min(60)
    .max(31_536_000)
    .optional()
    .describe('Seconds; default: `signUp.inviteLinks.expiresIn`')
    .meta({ examples: [604_800] }),
  role: roleInput.optional().describe('Roles of the new users; needs the permission to set roles'),
  organizationId: z.string().min(1).max(36).optional().describe('Organization that the users join'),
  organizationRole: roleInput
    .optional()
    .describe('Their roles there; default: member')
    .meta({ examples: ['member'] }),
})

/** @throws ApiError YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE, ROLE_NOT_FOUND; for an organization, without the permission to list them */
async function checkGiven(ctx: CallContext & { readonly user: UserRow }, given: z.output<typeof newLink>): Promise<void> {
  const grants = await grantsOf(ctx, ctx.user)
  if (given.role !== undefined) {
    if (!allows(grants, { user: ['set-role'] })) throw new ApiError(adminErrors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE)
    await checkGivenRole(ctx, ctx.user, given.role)
  }
  if (given.organizationId !== undefined && !allows(grants, { organization: ['list'] }))
    throw new ApiError(organizationErrors.ORGANIZATION_NOT_FOUND)
}

const exists = ({ admin }: Config): boolean => admin.enabled

export const adminRoutes = {
  'GET /admin/list-invite-links': route({
    summary: 'List invite links',
    description:
      'Returns a page of the invite links, newest first, also those that ended. Tokens are not stored, so that none is returned.',
    exists,
    access: permission({ inviteLink: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_INVITE_LINKS),
    query: z.object({
      limit: z.coerce.number().int().min(1).max(maxPage).default(50).describe('Number of links'),
      cursor: z.string().max(1024).optional().describe('Continue after a page: its `nextCursor`'),
    }),
    returns: z.object({
      inviteLinks: z.array(inviteLink),
      nextCursor: z.string().nullable().describe('For `cursor`; null: this is the last page'),
    }),
    errors: [invalidQuery],
    handler: async (ctx) => {
      const { rows, next } = await listInviteLinks(ctx, ctx.query)
      return { inviteLinks: rows.map((link) => viewOf(ctx, link)), nextCursor: next }
    },
  }),
  'POST /admin/create-invite-link': route({
    summary: 'Create an invite link',
    description:
      'Creates a link with which up to `maxUses` users sign up, also when sign-up needs an invitation. They get its role and join its organization. Returns the URL once: only a hash of its token is stored. Fails when the role permits more than the roles of the current user, or there is no such organization.',
    exists,
    access: freshPermission({ inviteLink: ['create'] }, errors.YOU_ARE_NOT_ALLOWED_TO_CREATE_INVITE_LINKS),
    stepUp: 'recent',
    body: newLink,
    returns: z.object({ inviteLink, url: z.string() }),
    errors: [
      adminErrors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE,
      organizationErrors.ORGANIZATION_NOT_FOUND,
      organizationErrors.ROLE_NOT_FOUND,
    ],
    handler: async (ctx) => {
      await checkGiven(ctx, ctx.body)
      const { link, url } = await createInviteLink(ctx, ctx.user, ctx.body)
      return { inviteLink: viewOf(ctx, link), url }
    },
  }),
  'POST /admin/revoke-invite-link': route({
    summary: 'Revoke an invite link',
    description:
      'Revokes an invite link, effective immediately. Users who signed up with it stay. Fails when there is no such link.',
    exists,
    access: permission({ inviteLink: ['revoke'] }, errors.YOU_ARE_NOT_ALLOWED_TO_REVOKE_INVITE_LINKS),
    body: z.object({ id: z.string().min(1).max(36) }),
    returns: z.object({ inviteLink }),
    errors: [errors.INVITE_LINK_NOT_FOUND],
    handler: async (ctx) => ({ inviteLink: viewOf(ctx, await revokeInviteLink(ctx, ctx.body.id)) }),
  }),
}
