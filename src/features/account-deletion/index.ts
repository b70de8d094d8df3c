/** Lets users delete their own account: immediately, with their password, or with a deletion link. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { callback, flagged, group } from '../../core/config.ts'
import { ApiError, defineErrors, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { ofAccount, settings } from '../../core/feature.ts'
import { isFresh, optionalSession, session } from '../../core/permissions.ts'
import { redirect } from '../../core/reply.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { apiURL, route } from '../../core/route.ts'
import { callbackURL } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import { withParameter } from '../../lib/url.ts'
import { guardSharedAttempt } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { hostedPath, linkPage } from '../dashboard/index.ts'
import { errors as passwordErrors, requirePassword } from '../email-password/index.ts'
import type { LinkMail } from '../email-verification/index.ts'
import { errors as organizationErrors } from '../organizations/index.ts'
import { canSend, isSent, mailTemplates, sendMail } from '../outbox/index.ts'
import { clearSessionCookies } from '../sessions/index.ts'
import { deleteUser, describeUser, type UserRecord, userRecord } from '../users/index.ts'
import {
  consumeVerification,
  createVerification,
  deleteVerifications,
  findVerification,
  errors as verificationErrors,
} from '../verifications/index.ts'

import { mails } from './mails.ts'

export const area = 'User profile'

export const config = {
  ...mailTemplates<{ 'delete-account': LinkMail }>({ 'delete-account': 'with the confirmation link for an account deletion' }),
  user: group('Users', {
    deleteUser: flagged('Account deletion by users', {
      sendDeleteAccountVerification: z
        .union([z.boolean(), callback<(mail: LinkMail) => unknown>()])
        .default(false)
        .describe(
          'Send a confirmation link before an account is deleted: `true` sends the built-in email, a function sends its own',
        ),
      deleteTokenExpiresIn: z
        .int()
        .positive()
        .max(604_800)
        .default(86_400)
        .describe('Lifetime of the confirmation link in seconds'),
      beforeDelete: callback<(user: UserRecord) => unknown>()
        .optional()
        .describe('Called before an account is deleted; an error cancels the deletion'),
      afterDelete: callback<(user: UserRecord) => unknown>().optional().describe('Called after an account was deleted'),
    }),
  }),
}

export const errors = defineErrors({
  SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION: [400, 'Session expired. Re-authenticate to perform this action.'],
  FAILED_TO_GET_USER_INFO: [404, 'Failed to get user info'],
})

/** An unknown deletion link is 404 (contract 02 §6), other unknown links are 400. */
const unknownToken: ErrorEntry = { ...verificationErrors.INVALID_TOKEN, status: 404 }

export { mails }

export const publicSettings = settings({ accountDeletion: z.object({ confirmedByEmail: z.boolean() }).nullable() }, (config) => ({
  accountDeletion: config.user.deleteUser.enabled ? { confirmedByEmail: isSent(config, mails['delete-account']) } : null,
}))

export const auditActions = { 'user-deletion.requested': ofAccount('A user requested a deletion link for their account') }

const purpose = 'delete-account'
const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Sends the deletion link.
 * @param callbackURL target of its redirect; absent or empty: the hosted page, or `/`
 * @param page that the link opens in place of the call, such as that of a sign-in that waits
 */
export async function sendDeletionMail(app: App, user: UserRow, callbackURL: string | undefined, page?: string): Promise<void> {
  const token = app.random.token(32, alphabet)
  const target = encodeURIComponent(callbackURL || (hostedPath(app.config, '/account-deleted') ?? '/'))
  const url =
    page === undefined
      ? `${apiURL(app.config)}/delete-user/callback?token=${token}&callbackURL=${target}`
      : withParameter(page, 'token', token)
  const expiresIn = app.config.user.deleteUser.deleteTokenExpiresIn
  const verification = { purpose, token, value: user.id, subject: user.id, expiresIn } as const
  await createVerification(app, verification, async (inner) => {
    await sendMail(inner, mails['delete-account'], user, { user: describeUser(inner, user), url, token })
    await recordEvent(inner, { action: 'user-deletion.requested', target: { type: 'user', id: user.id } })
  })
}

/**
 * Deletes an account. Of several concurrent calls, one succeeds.
 * @throws ApiError UNAUTHORIZED when another call has deleted it; errors of `beforeDelete`
 */
export const deleteAccount = (app: App, user: UserRow): Promise<void> =>
  removeAccount(app, user, async (inner) => {
    if (!(await deleteUser(inner, user.id))) throw new ApiError(kernelErrors.UNAUTHORIZED)
  })

/**
 * Deletes an account with the token of a deletion link.
 * @throws ApiError INVALID_TOKEN when the link does not exist, belongs to another user, or another call has used it;
 * TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER; errors of `beforeDelete`
 */
export async function deleteAccountByToken(ctx: CallContext, user: UserRow, token: string): Promise<void> {
  const isOwn = async () => (await findVerification(ctx, purpose, token)) === user.id || null
  const shared = { claim: purpose, networkAddress: ctx.request.networkAddress(), policy: 'perAccount' } as const
  if (!(await guardSharedAttempt(ctx, shared, isOwn))) {
    Object.assign(ctx.subject, { userId: user.id, hasFailed: true })
    throw new ApiError(unknownToken)
  }
  await removeAccount(ctx, user, async (inner) => {
    const userId = await consumeVerification(inner, purpose, token)
    if (userId !== user.id || !(await deleteUser(inner, user.id))) throw new ApiError(unknownToken)
  })
}

async function removeAccount(app: App, user: UserRow, remove: (app: App) => Promise<void>): Promise<void> {
  const { beforeDelete, afterDelete } = app.config.user.deleteUser
  await beforeDelete?.(userRecord(user))
  await transaction(app, remove)
  await afterDelete?.(userRecord(user))
}

const token = z.string()
const response = z.object({ success: z.literal(true), message: z.string().meta({ examples: ['User deleted'] }) })
const deleted = { success: true as const, message: 'User deleted' }

/** @throws ApiError NOT_FOUND when users cannot delete their accounts */
export function checkEnabled({ config }: Pick<App, 'config'>): void {
  if (!config.user.deleteUser.enabled) throw new ApiError(kernelErrors.NOT_FOUND)
}

export const routes = {
  'POST /delete-user': route({
    summary: 'Delete the account',
    description:
      'Deletes the current user with all their data, or sends a deletion link, depending on the configuration. Without a password or token the session must be fresh. Fails when deletion is disabled, the password is wrong, the token is invalid, or the user is the only owner of an organization with other members. An organization without other members is deleted with them.',
    access: session(),
    stepUp: 'established',
    sensitive: true,
    body: z
      .object({ callbackURL: callbackURL.optional(), password: z.string().optional(), token: token.optional() })
      .meta({ examples: [{ password: 'correct horse battery staple' }] }),
    returns: response,
    errors: [
      passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND,
      passwordErrors.INVALID_PASSWORD,
      errors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION,
      unknownToken,
      verificationErrors.FAILED_TO_CREATE_VERIFICATION,
      organizationErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    handler: async (ctx) => {
      checkEnabled(ctx)
      const { callbackURL, password, token } = ctx.body
      if (password) await requirePassword(ctx, ctx.user, password)
      if (token) {
        await deleteAccountByToken(ctx, ctx.user, token)
      } else if (canSend(ctx, mails['delete-account'])) {
        await sendDeletionMail(ctx, ctx.user, callbackURL)
        return { success: true as const, message: 'Verification email sent' }
      } else {
        if (!password && !isFresh(ctx, ctx.session, 'fresh'))
          throw new ApiError(errors.SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION)
        await deleteAccount(ctx, ctx.user)
      }
      clearSessionCookies(ctx)
      return deleted
    },
  }),
  'GET /delete-user/callback': route({
    summary: 'Confirm the account deletion',
    description:
      'Opens a deletion link: deletes the current user with all their data, then redirects to `callbackURL` if it is given. Fails without a session, when the token is invalid, expired or belongs to another user, or when the user is the only owner of an organization with other members. In a browser (a request that accepts HTML) it changes nothing and redirects to the hosted page, which calls `POST /delete-user`.',
    access: optionalSession(),
    whileReadOnly: 'rejected',
    sensitive: true,
    query: z.object({ token, callbackURL: callbackURL.optional() }),
    callback: 'query',
    returns: response,
    errors: [
      errors.FAILED_TO_GET_USER_INFO,
      unknownToken,
      organizationErrors.YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
    ],
    handler: async (ctx) => {
      checkEnabled(ctx)
      const { token, callbackURL } = ctx.query
      const page = linkPage(ctx, '/delete-account', { token, callbackURL })
      if (page !== null) return redirect(page)
      if (!ctx.user) throw new ApiError(errors.FAILED_TO_GET_USER_INFO)
      await deleteAccountByToken(ctx, ctx.user, token)
      clearSessionCookies(ctx)
      return callbackURL ? redirect(callbackURL) : deleted
    },
  }),
}

const deleteLinks = (app: App, { userId }: { readonly userId: string }): Promise<void> =>
  deleteVerifications(app, [purpose], userId)

/** A link that a thief requested must not outlive a new password of its owner, or a takeover; nor a link the address it was sent to. */
export const on: Listeners = {
  'password.changed': deleteLinks,
  'earlier-access.revoked': deleteLinks,
  'user.email-changed': deleteLinks,
  'user.deleted': deleteLinks,
}
