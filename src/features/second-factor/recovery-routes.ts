/** The calls that reset second factors which a user has lost, and the rehearsal of backup codes (contract 11 §12). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { anyone, freshPermission, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { errors as adminErrors, lockForChange } from '../admin/index.ts'
import { recordEvent } from '../audit/index.ts'
import type { Config } from '../index.ts'
import { findUserById, fullUser } from '../users/index.ts'
import { errors as tokenErrors } from '../verifications/index.ts'
import { noteWrongCode } from './attempts.ts'
import { findBackupCode, hasBackupCodes, makeReplacement, replaceBackupCode } from './backup-codes.ts'
import type { SignedIn } from './enrolment.ts'
import { errors } from './model.ts'
import { cancelByToken, cancelReset, resettable } from './pending-resets.ts'
import { canReset, resetFactors, usuallyReset } from './resets.ts'
import { requestReset, sendResetCodes } from './self-service.ts'
import { challengeToken, code } from './verification.ts'
import { rateLimit } from './verify-routes.ts'

const required = { user: ['reset-two-factor'] }
const refusal = errors.YOU_ARE_NOT_ALLOWED_TO_RESET_SECOND_FACTORS
const success = z.object({ status: z.literal(true) })
const effectiveAt = isoDate.meta({ description: 'When the reset takes effect', examples: ['2026-12-01T09:30:00.000Z'] })

const resetInput = z.object({
  userId: z.union([z.string().min(1).max(255), z.number().transform(String)]),
  reason: z.string().trim().min(1).max(500).describe('Kept in the audit log'),
  factors: z.array(z.enum(resettable)).min(1).max(resettable.length).optional().describe('Default: all but `passkeys`'),
})

/** @throws ApiError YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR, USER_NOT_FOUND, USER_HAS_NO_SECOND_FACTOR, `refusal` */
async function resetByAdministrator(ctx: SignedIn, { userId, reason, factors = [...usuallyReset] }: z.output<typeof resetInput>) {
  const administrator = ctx.user
  if (administrator.id === userId) throw new ApiError(errors.YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR)
  const target = await findUserById(ctx, userId)
  if (!target) throw new ApiError(adminErrors.USER_NOT_FOUND)
  if (!(await canReset(ctx, target, factors))) throw new ApiError(errors.USER_HAS_NO_SECOND_FACTOR)
  const { effectiveAt } = await resetFactors(ctx, userId, {
    ...{ requestedBy: 'administrator', administratorId: administrator.id, reason, factors },
    hours: ctx.config.twoFactor.recovery.adminDelayHours,
    networkAddress: ctx.request.networkAddress(),
    check: (tx) => lockForChange(tx, { administrator, required, refusal }, userId),
  })
  return { user: (await findUserById(ctx, userId)) ?? target, effectiveAt }
}

/** @throws ApiError BACKUP_CODES_ARENT_ENABLED, INVALID_BACKUP_CODE */
async function rehearse(ctx: SignedIn, given: string): Promise<string> {
  const { user } = ctx
  if (!(await hasBackupCodes(ctx, user.id))) throw new ApiError(errors.BACKUP_CODES_ARENT_ENABLED)
  const found = await findBackupCode(ctx, user.id, given)
  if (!found) {
    await noteWrongCode(ctx, user, 'backup-code')
    throw new ApiError(errors.INVALID_BACKUP_CODE)
  }
  const replacement = await makeReplacement(ctx)
  await transaction(ctx, async (tx: App) => {
    if (!(await replaceBackupCode(tx, found, replacement.row))) throw new ApiError(errors.INVALID_BACKUP_CODE)
    await cancelReset(tx, user.id)
    await recordEvent(tx, { action: 'two-factor.backup-code-rehearsed', target: { type: 'user', id: user.id } })
  })
  return replacement.code
}

export const recoveryRoutes = {
  'POST /admin/reset-two-factor': route({
    summary: 'Reset the second factors of a user',
    description:
      'For a user who has lost them: make sure first who asks. Ends the second factors, backup codes, trusted browsers and sessions of the user, and sends an email about it. With `twoFactor.recovery.adminDelayHours` it takes effect after that time, unless the user signs in with a second factor or cancels it. Fails for the own user, for a user without a second factor, and for a user whose roles permit more than those of the current user.',
    area: 'Administration',
    access: freshPermission(required, refusal),
    stepUp: 'established',
    exists: ({ admin }: Config) => admin.enabled,
    body: resetInput.meta({ examples: [{ userId: '5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS', reason: 'Lost phone' }] }),
    returns: (_config: Config, tables: Tables) => z.object({ user: fullUser(tables), effectiveAt }),
    errors: [
      refusal,
      errors.YOU_CANNOT_RESET_YOUR_OWN_SECOND_FACTOR,
      adminErrors.USER_NOT_FOUND,
      errors.USER_HAS_NO_SECOND_FACTOR,
    ],
    handler: (ctx) => resetByAdministrator(ctx, ctx.body),
  }),
  'POST /two-factor/send-reset-codes': route({
    summary: 'Send codes for a second factor reset',
    description:
      'For a pending sign-in whose user has lost all second factors. Sends a code to the verified email address, and one to the verified phone number if there is one, for `/two-factor/request-reset`. Responds in the same way when codes were sent a short time ago, or too many. Fails when `twoFactor.recovery.selfService` is off, without a pending sign-in, and when the user has no verified email address.',
    access: anyone(),
    acceptsPending: ['verify'],
    sensitive: true,
    body: z.object({ challengeToken }).optional(),
    returns: success,
    errors: [errors.RESETTING_SECOND_FACTORS_IS_DISABLED, errors.INVALID_TWO_FACTOR_COOKIE, errors.OTP_NOT_ENABLED],
    responseHeaders: { 'set-cookie': 'Deletes the cookie of a challenge that is over' },
    rateLimit,
    handler: async (ctx) => {
      await sendResetCodes(ctx, ctx.body?.challengeToken)
      return { status: true as const }
    },
  }),
  'POST /two-factor/request-reset': route({
    summary: 'Request a second factor reset',
    description:
      'Requests a reset of all second factors of the user of a pending sign-in, who has lost them, with the codes of `/two-factor/send-reset-codes`. It takes effect after `twoFactor.recovery.selfServiceHours`, unless the user proves a second factor or cancels it with the link of the emails. A reset that waits already stays as it is. Ends the pending sign-in. Fails when a code is wrong.',
    access: anyone(),
    acceptsPending: ['verify'],
    sensitive: true,
    body: z.object({
      code: code.optional().describe('That of the email'),
      smsCode: code.optional().describe('Required if the user has a verified phone number'),
      challengeToken,
    }),
    returns: success.extend({ effectiveAt }),
    errors: [
      errors.RESETTING_SECOND_FACTORS_IS_DISABLED,
      errors.INVALID_TWO_FACTOR_COOKIE,
      errors.OTP_NOT_ENABLED,
      errors.ACCOUNT_TEMPORARILY_LOCKED,
      errors.TOO_MANY_ATTEMPTS_PLEASE_REQUEST_A_NEW_CODE,
      errors.OTP_HAS_EXPIRED,
      errors.INVALID_CODE,
    ],
    responseHeaders: { 'set-cookie': 'Deletes the cookie of the challenge' },
    rateLimit,
    handler: async (ctx) => {
      const { code: email, smsCode: sms } = ctx.body
      return { status: true as const, effectiveAt: await requestReset(ctx, { email, sms }, ctx.body.challengeToken) }
    },
  }),
  'POST /two-factor/cancel-reset': route({
    summary: 'Cancel a second factor reset',
    description:
      'Cancels a reset that waits, with the token of an email about it. Fails when the token is unknown, or the reset was cancelled or has taken effect.',
    access: anyone(),
    sensitive: true,
    body: z.object({
      token: z
        .string()
        .max(100)
        .meta({ examples: ['Zk2p0vXnq7Lw4tR9sYb1cE6hZk2p0vXn'] }),
    }),
    returns: success,
    errors: [tokenErrors.INVALID_TOKEN],
    rateLimit,
    handler: async (ctx) => {
      ctx.subject.userId = await cancelByToken(ctx, ctx.body.token)
      return { status: true as const }
    },
  }),
  'POST /two-factor/rehearse-backup-code': route({
    summary: 'Verify that a backup code is at hand',
    description:
      'Replaces a backup code of the current user by a new one, which is returned once. Proves nothing for the session. Fails when the code is wrong or used.',
    access: session(),
    sensitive: true,
    body: z.object({ code }),
    returns: success.extend({ replacement: z.string().meta({ examples: ['3jR3b-rTAEj'] }) }),
    errors: [errors.BACKUP_CODES_ARENT_ENABLED, errors.INVALID_BACKUP_CODE],
    rateLimit,
    handler: async (ctx) => ({ status: true as const, replacement: await rehearse(ctx, ctx.body.code) }),
  }),
}
