/** The calls of the page of a lock link. Both take the token in the body, so that it is in no log of requests. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { anyone } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { errors as tokenErrors } from '../verifications/index.ts'
import { findLockLink } from './lock-links.ts'
import { lockByLink, opensByReset, previewLock } from './locks.ts'
import { maskedEmail } from './masked-email.ts'

export const endedView = z.object({
  sessions: z.int(),
  apiKeys: z.int(),
  linksAndCodes: z.int().describe('Reset, setup and sign-in links, codes and one-time tokens that were sent and not used'),
  linkedAccounts: z.int().describe('Social accounts whose stored tokens are deleted'),
  trustedBrowsers: z.int(),
})

const token = z
  .string()
  .max(100)
  .meta({ examples: ['Zk2p0vXnq7Lw4tR9sYb1cE6h'] })
const opensByResetView = z
  .boolean()
  .describe('Whether a password reset by email opens the account; if not, only an administrator or operator can')
const rateLimit = { window: 60, max: 10 }

export const linkRoutes = {
  'POST /lock-account/check': route({
    summary: 'Check a lock link',
    description:
      'Returns what the lock link of a notice would end, and where it was sent. Changes nothing and does not use the link. Fails when the token is invalid, expired or used.',
    access: anyone(),
    isRead: true,
    body: z.object({ token }),
    returns: z.object({
      email: z
        .string()
        .nullable()
        .describe('The masked email address to which the link was sent; null: it was sent by text message')
        .meta({ examples: ['a•••@example.com'] }),
      isLocked: z.boolean(),
      opensByReset: opensByResetView,
      ends: endedView,
    }),
    errors: [tokenErrors.INVALID_TOKEN],
    rateLimit,
    handler: async (ctx) => {
      const { link, user } = await findLockLink(ctx, ctx.body.token)
      const isShared = user.lockedAt !== null && user.lockEmail !== link.email
      const opens = !isShared && opensByReset(ctx, { email: user.email, lockEmail: link.email })
      const ends = await previewLock(ctx, user.id)
      return {
        email: link.email === null ? null : maskedEmail(link.email),
        isLocked: user.lockedAt !== null,
        opensByReset: opens,
        ends,
      }
    },
  }),
  'POST /lock-account': route({
    summary: 'Lock an account',
    description:
      'Locks the account of the user whose notice had the link, without a session: revokes sessions and API keys, deletes pending links, codes, one-time tokens, trusted browsers and stored tokens of social accounts, and rejects every sign-in until a password reset or an administrator opens the account. A token works once, also after the email address of the account was changed; then only an administrator opens the account. Fails when the token is invalid, expired or used.',
    access: anyone(),
    body: z.object({ token }),
    returns: z.object({ status: z.literal(true), opensByReset: opensByResetView, ended: endedView }),
    errors: [tokenErrors.INVALID_TOKEN],
    rateLimit,
    handler: async (ctx) => {
      const { link } = await findLockLink(ctx, ctx.body.token)
      const locked = await lockByLink(ctx, link)
      if (!locked) throw new ApiError(tokenErrors.INVALID_TOKEN)
      return { status: true as const, opensByReset: locked.opensByReset, ended: locked.ended }
    },
  }),
}
