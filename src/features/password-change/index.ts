/** Changes and verifies the password of the signed-in user, and notifies users of every new password. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { flagged } from '../../core/config.ts'
import { ApiError, defineErrors, type ErrorEntry } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import { session } from '../../core/permissions.ts'
import { type Redirect, redirect } from '../../core/reply.ts'
import type { CallContext, SessionAndUser, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { errors as accountErrors, changePassword, type EndedAccess } from '../accounts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { hostedPath } from '../dashboard/index.ts'
import { checkPasswordLength, errors as passwordErrors, requirePassword } from '../email-password/index.ts'
import type { Config } from '../index.ts'
import { mailSender, mailTemplates, sendMail } from '../outbox/index.ts'
import { checkNewPassword, errors as ruleErrors } from '../password-rules/index.ts'
import {
  prepareReplacement,
  refreshAuthentication,
  revokeSessions,
  errors as sessionErrors,
  shownToken,
} from '../sessions/index.ts'
import { describeUser, findUserById, userView } from '../users/index.ts'
import { mails, type PasswordNotice } from './mails.ts'

export const area = 'Passwords'

export const config = {
  ...mailTemplates<{ 'password-changed': PasswordNotice }>({ 'password-changed': 'that notifies of a new password' }),
  emailAndPassword: flagged('Sign-up and sign-in with email address and password', {
    sendPasswordChanged: mailSender<PasswordNotice>('notice of a new password'),
  }),
}

export { mails, type PasswordNotice }

/** However it was changed (ASVS 6.3.7): part of the transaction of the change. */
export const on: Listeners = {
  'password.changed': async (app, { userId, by, ended, apiKeysLeft }) => {
    const user = await findUserById(app, userId)
    if (!user) return
    const counts = { sessionsEnded: ended.sessions, apiKeysEnded: ended.apiKeys, apiKeysLeft }
    await sendMail(app, mails['password-changed'], user, { user: describeUser(app, user), by, ...counts })
  },
}

export const auditActions = { 'password.verified': 'A signed-in user gave their password again' }

export const errors = defineErrors({})

/** Where password managers lead their user (W3C Change Password URL). */
export const wellKnown = (config: Config): Readonly<Record<string, Redirect>> => {
  const page = config.emailAndPassword.enabled ? hostedPath(config, '/account/password') : null
  return page === null ? {} : { 'change-password': redirect(page) }
}

const passwordChange = z.object({
  newPassword: z.string(),
  currentPassword: z.string(),
  revokeOtherSessions: z.boolean().optional(),
})
type PasswordChange = z.output<typeof passwordChange>

/**
 * Replaces the password of a user, given the current password. Of several concurrent changes one succeeds: for the others the
 * given password is no longer the current one. With `revokeOtherSessions`, all sessions are replaced by a new one, in the same
 * transaction: a user must not lose their session by a change that failed, nor learn of a failure when it succeeded.
 * @returns the updated user, and the new session if there is one
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, CREDENTIAL_ACCOUNT_NOT_FOUND, INVALID_PASSWORD, those of `checkNewPassword`
 */
async function changeOwnPassword(ctx: CallContext & SessionAndUser, change: PasswordChange) {
  const { user } = ctx
  checkPasswordLength(ctx, change.newPassword)
  const replacing = await requirePassword(ctx, user, change.currentPassword)
  await checkNewPassword(ctx, change.newPassword, user)
  const passwordHash = await ctx.hasher.hash(change.newPassword)
  // The new session is the same sign-in: one that ends links of the owner must be later than they are.
  const authenticatedAt = ctx.session.authenticatedAt ?? ctx.session.createdAt
  const signIn = change.revokeOtherSessions ? await prepareReplacement(ctx, { method: 'password', amr: ['pwd'] }) : null
  const after: { user: UserRow | null; created: SessionAndUser | null } = { user: null, created: null }
  const isChanged = await changePassword(ctx, user.id, {
    ...{ passwordHash, replacing, by: 'session', sessionSince: authenticatedAt },
    session: signIn?.session,
    inTransaction: async (inner, draft) => {
      const revoked = signIn ? await revokeSessions(inner, { userId: user.id }, { reason: 'password-changed' }) : 0
      after.user = await findUserById(inner, user.id)
      if (signIn && draft && after.user) after.created = await signIn.session.insert(inner, draft, after.user)
      // Their own session is replaced.
      return { sessions: Math.max(0, revoked - 1) }
    },
  })
  if (!isChanged || !after.user) throw new ApiError(passwordErrors.INVALID_PASSWORD)
  return { user: after.user, session: signIn && after.created && (await signIn.finish(after.created)) }
}

/**
 * Sets the password of a user on behalf of an operator or administrator. Invalidates password reset links, and ends all sessions and
 * API keys of the user.
 * @param options.keepSessions end neither sessions nor API keys
 * @param options.keptSession the id of a session that is not revoked
 * @param options.inTransaction what belongs to it, in the same transaction; an error undoes the change
 * @returns how many ended; null when the user no longer exists
 * @throws ApiError PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, those of `checkNewPassword`
 */
export async function setPasswordForUser(
  app: App,
  user: UserRow,
  newPassword: string,
  options: {
    readonly keepSessions?: boolean
    readonly keptSession?: string
    readonly inTransaction?: (tx: App) => Promise<void>
  } = {},
): Promise<EndedAccess | null> {
  const { keepSessions = false, keptSession: exceptId = '', inTransaction } = options
  checkPasswordLength(app, newPassword)
  await checkNewPassword(app, newPassword, user)
  return changePassword(app, user.id, {
    passwordHash: await app.hasher.hash(newPassword),
    ...{ by: app.actor.kind === 'user' ? 'administrator' : 'operator', isRecovery: !keepSessions },
    inTransaction: async (inner) => {
      const scope = { userId: user.id, exceptId }
      const sessions = keepSessions ? 0 : await revokeSessions(inner, scope, { reason: 'password-changed' })
      await inTransaction?.(inner)
      return { sessions }
    },
  })
}

const sessionFailed: ErrorEntry = { ...sessionErrors.FAILED_TO_GET_SESSION, status: 500 }
const isRejection = (error: unknown) =>
  error instanceof ApiError && error.entry.code === sessionErrors.FAILED_TO_CREATE_SESSION.code

export const routes = {
  'POST /change-password': route({
    summary: 'Change the password',
    description:
      'Replaces the password of the current user. Requires the current password. With `revokeOtherSessions`, revokes all sessions, creates a new one and returns its token. Fails when the current password is wrong or the new one does not meet the password rules.',
    signsIn: ['replaced-session'],
    access: session(),
    stepUp: 'recent',
    sensitive: true,
    body: passwordChange,
    returns: z.object({ token: z.string().nullable(), user: userView }),
    errors: [
      passwordErrors.PASSWORD_TOO_SHORT,
      passwordErrors.PASSWORD_TOO_LONG,
      passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND,
      passwordErrors.INVALID_PASSWORD,
      ...Object.values(ruleErrors),
      accountErrors.FAILED_TO_UPDATE_ACCOUNT,
      sessionFailed,
    ],
    handler: async (ctx) => {
      const { user, session } = await changeOwnPassword(ctx, ctx.body).catch((error: unknown) => {
        throw isRejection(error) ? new ApiError(sessionFailed, { cause: error }) : error
      })
      return { token: session && shownToken(ctx, session), user }
    },
  }),
  'POST /verify-password': route({
    summary: 'Verify the password',
    description:
      'Checks the password of the current user, for example before a sensitive action, and makes the session fresh. It proves no second factor. Fails when the password is wrong; failures count towards the lockout of the account.',
    access: session(),
    whileReadOnly: 'operators',
    sensitive: true,
    body: z.object({ password: z.string() }),
    returns: z.object({ status: z.literal(true) }),
    errors: [passwordErrors.INVALID_PASSWORD],
    rateLimit: { window: 10, max: 3 },
    handler: async (ctx) => {
      try {
        await requirePassword(ctx, ctx.user, ctx.body.password)
      } catch (error) {
        const hasNone = error instanceof ApiError && error.entry === passwordErrors.CREDENTIAL_ACCOUNT_NOT_FOUND
        throw hasNone ? new ApiError(passwordErrors.INVALID_PASSWORD, { cause: error }) : error
      }
      await refreshAuthentication(ctx, ctx.session, (tx) =>
        recordEvent(tx, { action: 'password.verified', target: { type: 'user', id: ctx.user.id } }),
      )
      return { status: true as const }
    },
  }),
}
