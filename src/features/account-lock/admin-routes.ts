/** The calls with which administrators lock accounts and open them. */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { errors as adminErrors } from '../admin/index.ts'
import type { Config } from '../index.ts'
import { findUserById } from '../users/index.ts'
import { lockAccount, opensByReset, previewLock, unlockAccount } from './locks.ts'
import { errors } from './model.ts'
import { endedView } from './routes.ts'

const userId = z.union([z.string().min(1).max(255), z.number().transform(String)])
const reason = z.string().max(500).optional().describe('Kept in the audit log')
const required = { user: ['lock'] }
const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS
const exists = ({ admin }: Config): boolean => admin.enabled

const lockView = z.object({
  lockedAt: isoDate.nullable(),
  reason: z.string().nullable(),
  opensByReset: z.boolean().describe('Whether a password reset by email opens the account'),
})

export const adminRoutes = {
  'GET /admin/user-lock': route({
    summary: 'Get the lock of a user',
    description: 'Returns whether the account of a user is locked, and what a lock would end now.',
    area: 'Administration',
    access: permission(required, refusal),
    exists,
    query: z.object({ userId: z.string().max(255) }),
    returns: lockView.extend({ ends: endedView }),
    errors: [adminErrors.USER_NOT_FOUND],
    handler: async (ctx) => {
      const user = await findUserById(ctx, ctx.query.userId)
      if (!user) throw new ApiError(adminErrors.USER_NOT_FOUND)
      const { lockedAt, lockReason } = user
      return { lockedAt, reason: lockReason, opensByReset: opensByReset(ctx, user), ends: await previewLock(ctx, user.id) }
    },
  }),
  'POST /admin/lock-user': route({
    summary: 'Lock the account of a user',
    description:
      'Locks the account of a user that another person may have taken over: revokes sessions and API keys, deletes pending links, codes, one-time tokens, trusted browsers and stored tokens of social accounts, rejects every sign-in, and notifies the verified email addresses. Only an administrator or operator opens the account, unless `allowReset` is true: then a password reset by email does too. Fails for the own account, and for a user whose roles permit more than those of the current user.',
    area: 'Administration',
    access: freshPermission(required, refusal),
    stepUp: 'recent',
    exists,
    body: z
      .object({
        userId,
        reason,
        allowReset: z.boolean().optional().describe('Only when the owner still has the present email address'),
      })
      .meta({ examples: [{ userId: '5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS', reason: 'Owner called: account taken over' }] }),
    returns: lockView.extend({ ended: endedView }),
    errors: [adminErrors.USER_NOT_FOUND, errors.YOU_CANNOT_LOCK_YOURSELF],
    handler: async (ctx) => {
      const { user, ended, opensByReset: opens } = await lockAccount(ctx, ctx.user, ctx.body)
      return { lockedAt: user.lockedAt, reason: user.lockReason, opensByReset: opens, ended }
    },
  }),
  'POST /admin/unlock-user': route({
    summary: 'Unlock the account of a user',
    description:
      'Opens a locked account. Check the email address first: a thief may have changed it. What the lock has ended stays ended, and the user must choose a new password at the next sign-in. Succeeds for an account that is not locked. Fails for a user whose roles permit more than those of the current user.',
    area: 'Administration',
    access: freshPermission(required, refusal),
    stepUp: 'recent',
    exists,
    body: z.object({ userId, reason }).meta({ examples: [{ userId: '5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS' }] }),
    returns: z.object({ status: z.literal(true) }),
    errors: [adminErrors.USER_NOT_FOUND],
    handler: async (ctx) => {
      await unlockAccount(ctx, ctx.user, ctx.body)
      return { status: true as const }
    },
  }),
}
