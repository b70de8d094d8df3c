/** Impersonation (contract 05 §4): an administrator gets a session of a user, and their own one back. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { freshPermission, session } from '../../core/permissions.ts'
import type { CallContext, SessionAndUser, SessionView, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import type { Tables } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { write } from '../../core/write.ts'
import { signCookie } from '../../lib/cookie.ts'
import { userAgentOf } from '../../lib/device.ts'
import { recordEvent } from '../audit/index.ts'
import type { Config } from '../index.ts'
import { sendImpersonationNotice } from '../notices/index.ts'
import {
  cacheCurrentSession,
  clearSessionCookies,
  findLiveSession,
  findSessionOwner,
  fullSession,
  isRemembered,
  newSession,
  revokeSessions,
  errors as sessionErrors,
  setSessionCookies,
  shownToken,
} from '../sessions/index.ts'
import { fullUser } from '../users/index.ts'
import { type Authority, lockForChange } from './changes.ts'
import { creationFailed, errors, userId } from './model.ts'
import { isAdministrator } from './permissions.ts'

const adminCookie = memo(({ config }: App) => cookieDefinition(config, 'admin_session'))

/** The session to return to, and whether it outlives the browser. */
interface AdminSession {
  readonly token: string
  readonly isRemembered: boolean
}

function setAdminCookie(ctx: CallContext, { token, isRemembered }: AdminSession): void {
  const value = signCookie(`${token}:${isRemembered ? '' : 'true'}`, ctx.keyring)
  adminCookie(ctx).set(ctx.cookies, value, ctx.config.session.expiresIn)
}

const readAdminCookies = (ctx: CallContext): AdminSession[] =>
  ctx.request.signedCookies(adminCookie(ctx).name).map((value) => {
    const [token = '', mark] = value.split(':')
    return { token, isRemembered: !mark }
  })

/** Writes the cookies of a session in place of those of the call. */
async function switchSession(ctx: CallContext, current: SessionView, maxAge: number | undefined): Promise<void> {
  setSessionCookies(ctx, current.token, maxAge)
  await cacheCurrentSession(ctx, current)
}

/** A session that is never fresh, because its user has not authenticated: calls that require that stay closed. */
const impersonationOf = (app: App, { session }: SessionAndUser) => ({
  impersonatedBy: session.userId,
  impersonatorSessionId: session.id,
  authenticatedAt: new Date(app.now().getTime() - app.config.session.freshAge * 1000),
})

/**
 * Creates the session of an impersonation. The user's own sessions stay, and so does that of the administrator.
 * @throws ApiError USER_NOT_FOUND, YOU_CANNOT_IMPERSONATE_YOURSELF, YOU_CANNOT_IMPERSONATE_ADMINS, BANNED_USER, Failed to create user,
 * YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS
 */
function startImpersonation(ctx: CallContext & SessionAndUser, targetId: string, reason: string | undefined) {
  const administrator = ctx.user
  if (targetId === administrator.id) throw new ApiError(errors.YOU_CANNOT_IMPERSONATE_YOURSELF)
  const authority: Authority = {
    administrator,
    required: { user: ['impersonate'] },
    refusal: errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS,
  }
  const { impersonationSessionDuration, allowImpersonatingAdmins } = ctx.config.admin
  const { creation, insert } = newSession(ctx, targetId, {
    ipAddress: ctx.request.address(),
    userAgent: userAgentOf(ctx.request),
    expiresIn: impersonationSessionDuration,
    remembered: false,
    columns: impersonationOf(ctx, ctx),
  })
  return write(ctx, [creation], async (tx, draft) => {
    const user = await lockForChange(tx, authority, targetId)
    if (!user) throw new ApiError(errors.USER_NOT_FOUND)
    if (!allowImpersonatingAdmins && isAdministrator(tx, user)) throw new ApiError(errors.YOU_CANNOT_IMPERSONATE_ADMINS)
    const created = await insert(tx, draft, user)
    await sendImpersonationNotice(tx, user, created.session)
    await recordEvent(tx, {
      action: 'user.impersonation-started',
      target: { type: 'user', id: targetId },
      details: { ...(reason && { reason }), session: created.session.id },
    })
    return created
  })
}

const isCreationFailure = (error: unknown) =>
  error instanceof ApiError && error.entry.code === sessionErrors.FAILED_TO_CREATE_SESSION.code

/**
 * The administrator's own session that an impersonation returns to.
 * @throws ApiError FAILED_TO_FIND_ADMIN_SESSION when the cookie is missing or invalid, or the session was revoked or is another user's
 */
async function findAdminSession(ctx: CallContext, administratorId: string) {
  for (const { token, isRemembered } of readAdminCookies(ctx)) {
    const found = await findLiveSession(ctx, token)
    if (found?.user.id === administratorId && !found.session.impersonatedBy) return { ...found, isRemembered }
  }
  throw new ApiError(errors.FAILED_TO_FIND_ADMIN_SESSION)
}

/** Of concurrent calls, which all succeed, one records the event. */
const stopImpersonation = (app: App, session: SessionView, user: UserRow): Promise<void> =>
  transaction(app, async (tx) => {
    if ((await revokeSessions(tx, { session }, { recordedAs: 'none' })) === 0) return
    const target = { type: 'user', id: user.id }
    await recordEvent(tx, { action: 'user.impersonation-stopped', target, details: { session: session.id } })
  })

const returned = (_config: Config, tables: Tables) => z.object({ session: fullSession(tables), user: fullUser(tables) })

const show = (ctx: CallContext, { session, user }: SessionAndUser) => ({
  session: { ...session, token: shownToken(ctx, session) },
  user,
})

const startErrors: readonly ErrorEntry[] = [
  errors.USER_NOT_FOUND,
  errors.YOU_CANNOT_IMPERSONATE_YOURSELF,
  errors.YOU_CANNOT_IMPERSONATE_ADMINS,
  errors.REASON_IS_REQUIRED,
  sessionErrors.FAILED_TO_CREATE_SESSION,
  creationFailed,
]

export const impersonationRoutes = {
  'POST /admin/impersonate-user': route({
    summary: 'Impersonate a user',
    description:
      'Creates a session of another user for this client, which ends after `admin.impersonationSessionDuration` and is not renewed. The session of the administrator is stored in a cookie of its own. The reason is recorded in the audit log. Fails for administrators unless `admin.allowImpersonatingAdmins` is set, for banned users, and during an impersonation.',
    access: freshPermission(
      { user: ['impersonate'] },
      errors.YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS,
      ({ admin }) => admin.impersonationRequiresFreshSession,
    ),
    stepUp: 'recent',
    rejectsApiKeys: true,
    body: z.object({ userId, reason: z.string().max(500).optional() }),
    returns: returned,
    errors: startErrors,
    handler: async (ctx) => {
      if (ctx.config.admin.requireImpersonationReason && !ctx.body.reason?.trim()) throw new ApiError(errors.REASON_IS_REQUIRED)
      const own = { token: ctx.session.token, isRemembered: isRemembered(ctx, ctx.session) }
      const created = await startImpersonation(ctx, ctx.body.userId, ctx.body.reason).catch((error: unknown) => {
        throw isCreationFailure(error) ? new ApiError(creationFailed, { cause: error }) : error
      })
      clearSessionCookies(ctx)
      setAdminCookie(ctx, own)
      await switchSession(ctx, created.session, undefined)
      return show(ctx, created)
    },
  }),
  'POST /admin/stop-impersonating': route({
    summary: 'Stop impersonating',
    description:
      'Revokes the session of the impersonation and returns to the session of the administrator. Fails when the session is not an impersonation, or the session of the administrator was revoked.',
    access: session(),
    whileReadOnly: 'served',
    rejectsApiKeys: true,
    whileImpersonating: 'allowed',
    returns: returned,
    errors: [errors.YOU_ARE_NOT_IMPERSONATING_ANYONE, errors.FAILED_TO_FIND_USER, errors.FAILED_TO_FIND_ADMIN_SESSION],
    handler: async (ctx) => {
      const { impersonatedBy } = ctx.session
      if (!impersonatedBy) throw new ApiError(errors.YOU_ARE_NOT_IMPERSONATING_ANYONE)
      const own = await findAdminSession(ctx, impersonatedBy)
      await stopImpersonation(ctx, ctx.session, ctx.user)
      clearSessionCookies(ctx)
      adminCookie(ctx).clear(ctx.cookies)
      await switchSession(ctx, own.session, own.isRemembered ? ctx.config.session.expiresIn : undefined)
      return show(ctx, own)
    },
  }),
}

/** Signing out during an impersonation also signs the administrator out in this browser. */
export async function signOutAdministrator(ctx: CallContext): Promise<void> {
  const kept = readAdminCookies(ctx)
  if (kept.length > 0) adminCookie(ctx).clear(ctx.cookies)
  for (const { token } of kept) {
    const own = await findSessionOwner(ctx, token)
    if (own) await revokeSessions(ctx, { session: own }, { recordedAs: 'user.signed-out' })
  }
}

/**
 * A `get-session` with an ended impersonation must not clear the cookies: it may be answered after `stop-impersonating`, whose cookies
 * have the same names, and would sign the administrator out.
 */
export async function keepOwnSession(ctx: CallContext, result: unknown): Promise<void> {
  for (const { token } of result === null ? readAdminCookies(ctx) : [])
    if (await findLiveSession(ctx, token)) ctx.cookies.discard()
}

/** The user's own list of sessions does not contain impersonations (contract 05 §2). */
export const withoutImpersonations = (_ctx: CallContext, result: unknown): unknown =>
  Array.isArray(result) ? result.filter((one) => !Reflect.get(Object(one), 'impersonatedBy')) : undefined
