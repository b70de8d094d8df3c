/** The calls of an invite link's page. */
import { z } from 'zod'
import { anyone, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import type { Config } from '../index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { longestToken } from './links.ts'
import { errors } from './model.ts'
import { acceptLink, carryLink, describeLink, requireLink } from './use.ts'

const rateLimit = { window: 60, max: 30 }
const body = z
  .object({ token: z.string().min(1).max(longestToken) })
  .meta({ examples: [{ token: 'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeF' }] })
const described = {
  organization: z
    .object({ name: z.string().meta({ examples: ['Acme'] }) })
    .nullable()
    .describe('The organization that users of the link join'),
}

export const routes = {
  'POST /invite-link/preview': route({
    area: 'Sign-up and sign-in',
    summary: 'Check an invite link',
    description:
      'Returns what the page of an invite link shows, and uses nothing. Fails in the same way for a link that is unknown, used up, expired or revoked.',
    access: anyone(),
    isRead: true,
    body,
    returns: z.object(described),
    errors: [errors.INVITE_LINK_NOT_FOUND],
    rateLimit,
    handler: async (ctx) => describeLink(ctx, await requireLink(ctx, ctx.body.token)),
  }),
  'POST /invite-link/open': route({
    area: 'Sign-up and sign-in',
    summary: 'Open an invite link',
    description:
      'Sets a cookie with the link for one day: the next sign-up of this browser, by any method, uses it. It takes none of its uses before. Fails when the link cannot be used any more.',
    access: anyone(),
    body,
    returns: z.object({ status: z.literal(true), ...described }),
    responseHeaders: { 'set-cookie': 'A cookie with the link, for the next sign-up' },
    errors: [errors.INVITE_LINK_NOT_FOUND],
    rateLimit,
    handler: async (ctx) => {
      const link = await requireLink(ctx, ctx.body.token)
      carryLink(ctx, ctx.body.token, link)
      return { status: true as const, ...(await describeLink(ctx, link)) }
    },
  }),
  'POST /invite-link/accept': route({
    area: 'Sign-up and sign-in',
    summary: 'Join an organization by invite link',
    description:
      'Makes the current user a member of the organization of an invite link, with the roles of the link, and takes one of its uses. A member stays what they are, and takes none. Fails when the link cannot be used any more, or has no organization.',
    access: session(),
    rejectsApiKeys: true,
    exists: ({ organization }: Config) => organization.enabled,
    body,
    returns: z.object({ organizationId: z.string() }),
    errors: [
      errors.INVITE_LINK_NOT_FOUND,
      organizationErrors.ORGANIZATION_MEMBERSHIP_LIMIT_REACHED,
      organizationErrors.SECOND_FACTOR_REQUIRED,
    ],
    rateLimit,
    handler: async (ctx) => ({ organizationId: await acceptLink(ctx, await requireLink(ctx, ctx.body.token)) }),
  }),
}
