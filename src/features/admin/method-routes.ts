/** Calls about the passwords, links and accounts with which users sign in. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import { errors as accountErrors, listAccounts, requireNewPassword, scopesOf, unlinkAccount } from '../accounts/index.ts'
import { errors as passwordErrors } from '../email-password/index.ts'
import { canVerify, sendVerificationMail, errors as verificationMailErrors } from '../email-verification/index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { canSendReset, errors as resetErrors, sendPasswordReset } from '../password-reset/index.ts'
import { errors as ruleErrors } from '../password-rules/index.ts'
import { findUserById } from '../users/index.ts'
import { errors as verificationErrors } from '../verifications/index.ts'
import { type Authority, lockForChange } from './changes.ts'
import { errors, userId } from './model.ts'

const oneUser = z.object({ userId })
const status = z.object({ status: z.literal(true) })
const sent = { status: true as const }

/** @throws ApiError USER_NOT_FOUND */
async function getUser(app: App, id: string): Promise<UserRow> {
  const user = await findUserById(app, id)
  if (!user) throw new ApiError(errors.USER_NOT_FOUND)
  return user
}

const passwordsBy = (administrator: UserRow): Authority => ({
  administrator,
  required: { user: ['set-password'] },
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD,
})
const updatesBy = (administrator: UserRow): Authority => ({
  administrator,
  required: { user: ['update'] },
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS,
})

export const methodRoutes = {
  'POST /admin/set-user-password': route({
    summary: 'Set the password of a user',
    description:
      'Sets a password that works immediately, also for a user without one. Ends all sessions of the user, except the current one, their API keys unless `apiKey.keepOnPasswordReset` is on, and their open reset and setup links. With `mustReplacePassword` or `admin.forcePasswordChange`, the user must replace it at the next sign-in, with a reset link. Fails when the password does not meet the password rules, and with `admin.allowSettingPasswords: false`.',
    access: freshPermission({ user: ['set-password'] }, errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD),
    stepUp: 'recent',
    body: z.object({
      userId,
      newPassword: z.string(),
      mustReplacePassword: z.boolean().optional().describe('Require a new password at the next sign-in; not of yourself'),
    }),
    returns: status,
    errors: [
      errors.USER_NOT_FOUND,
      errors.SETTING_PASSWORDS_IS_DISABLED,
      resetErrors.RESET_PASSWORD_ISNT_ENABLED,
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      ...Object.values(ruleErrors),
      accountErrors.FAILED_TO_CREATE_ACCOUNT,
      accountErrors.FAILED_TO_UPDATE_ACCOUNT,
    ],
    handler: async (ctx) => {
      const { allowSettingPasswords, forcePasswordChange } = ctx.config.admin
      if (!allowSettingPasswords) throw new ApiError(errors.SETTING_PASSWORDS_IS_DISABLED)
      if (ctx.body.mustReplacePassword && !canSendReset(ctx)) throw new ApiError(resetErrors.RESET_PASSWORD_ISNT_ENABLED)
      const user = await getUser(ctx, ctx.body.userId)
      const set = await setPasswordForUser(ctx, user, ctx.body.newPassword, {
        keptSession: ctx.session.id,
        inTransaction: async (tx) => {
          await lockForChange(tx, passwordsBy(ctx.user), user.id)
          if ((forcePasswordChange || ctx.body.mustReplacePassword) && user.id !== ctx.user.id)
            await requireNewPassword(tx, user.id)
        },
      })
      if (set === null) throw new ApiError(errors.USER_NOT_FOUND)
      return sent
    },
  }),
  'POST /admin/send-password-reset': route({
    summary: 'Send a reset link to a user',
    description:
      'Sends a password reset link to the email address of a user, also if they have no password. Fails when no email can be sent.',
    access: permission({ user: ['set-password'] }, errors.YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD),
    body: oneUser,
    returns: status,
    errors: [errors.USER_NOT_FOUND, resetErrors.RESET_PASSWORD_ISNT_ENABLED],
    handler: async (ctx) => {
      if (!canSendReset(ctx)) throw new ApiError(resetErrors.RESET_PASSWORD_ISNT_ENABLED)
      const user = await getUser(ctx, ctx.body.userId)
      await sendPasswordReset(ctx, user)
      return sent
    },
  }),
  'POST /admin/send-verification-email': route({
    summary: 'Send a verification email to a user',
    description:
      'Sends a verification link to the unverified email address of a user. Fails when it is verified, or no email can be sent.',
    access: permission({ user: ['update'] }, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS),
    body: oneUser,
    returns: status,
    errors: [
      errors.USER_NOT_FOUND,
      verificationMailErrors.VERIFICATION_EMAIL_ISNT_ENABLED,
      verificationMailErrors.YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL,
      verificationErrors.FAILED_TO_CREATE_VERIFICATION,
    ],
    handler: async (ctx) => {
      if (!canVerify(ctx)) throw new ApiError(verificationMailErrors.VERIFICATION_EMAIL_ISNT_ENABLED)
      const user = await getUser(ctx, ctx.body.userId)
      if (user.emailVerified)
        throw new ApiError(verificationMailErrors.YOU_CAN_ONLY_SEND_A_VERIFICATION_EMAIL_TO_AN_UNVERIFIED_EMAIL)
      await sendVerificationMail(ctx, user)
      return sent
    },
  }),
  'GET /admin/list-user-accounts': route({
    summary: 'List the sign-in methods of a user',
    description: 'Returns the accounts of a user: one for the password (`credential`) and one for each social account.',
    access: permission({ user: ['list'] }, errors.YOU_ARE_NOT_ALLOWED_TO_LIST_USERS),
    query: z.object({ userId: z.string().min(1).max(255) }),
    returns: z.object({
      accounts: z.array(
        z.object({
          id: z.string(),
          providerId: z.string(),
          accountId: z.string(),
          scopes: z.array(z.string()),
          createdAt: isoDate,
          updatedAt: isoDate,
          hasPassword: z.boolean(),
        }),
      ),
    }),
    handler: async (ctx) => {
      const rows = await listAccounts(ctx, ctx.query.userId)
      return { accounts: rows.map((row) => ({ ...row, scopes: scopesOf(row), hasPassword: row.password !== null })) }
    },
  }),
  'POST /admin/unlink-user-account': route({
    summary: 'Unlink an account of a user',
    description: 'Removes a sign-in method from a user. Fails when it is the last one or does not exist.',
    access: freshPermission({ user: ['update'] }, errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS),
    stepUp: 'recent',
    body: z.object({ userId, accountId: z.string().max(255).describe('The `id` that `/admin/list-user-accounts` returns') }),
    returns: status,
    errors: [errors.USER_NOT_FOUND, accountErrors.YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT, accountErrors.ACCOUNT_NOT_FOUND],
    handler: async (ctx) => {
      const { userId, accountId } = ctx.body
      await transaction(ctx, async (tx) => {
        if (!(await lockForChange(tx, updatesBy(ctx.user), userId))) throw new ApiError(errors.USER_NOT_FOUND)
        await unlinkAccount(tx, userId, { accountId })
      })
      return sent
    },
  }),
}
