/** The session of a call: signing in, verifying the session cookie, and the response of get-session. */
import { type App, isUnavailable } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { type RawJson, rawJson } from '../../core/reply.ts'
import type { CallContext, PresentedCredential, SessionAndUser, SessionView, UserRow } from '../../core/request.ts'
import { readEpoch, watchEpoch } from './cache-epoch.ts'
import { type CachedSession, cacheSession, readCachedSession } from './cookie-cache.ts'
import { clearSessionCookies, clearSessionData, isRemembered, readSessionCookie, setSessionCookies } from './cookies.ts'
import { findByToken } from './revocation.ts'
import { deleteExpiredSession, findSession, isDue, isExpired, renewSession } from './session.ts'
import { type NewSession, newSession, type SessionOptions, writeSession } from './session-creation.ts'

/** Lifetime in seconds of a session that ends with the browser (contract 00 §9). */
const browserSessionLife = 86_400

export interface SignInOptions extends Pick<SessionOptions, 'expiresIn' | 'columns' | 'rejectionStatus'> {
  /** See `SessionOptions`. */
  readonly method: string | null
  /** Default true; false: the session ends when the browser is closed, after a day at most. */
  readonly remember?: boolean
  /** `browser`: the cookie ends with the browser, however long the session lives. Default: by `remember`. */
  readonly cookie?: 'persistent' | 'browser'
}

/**
 * Signs a user in: creates a session for the client of this call, and writes its cookies. The session that the same browser had
 * before is revoked (ASVS 7.2.4).
 * @param user as read before they authenticated
 * @throws ApiError FAILED_TO_CREATE_SESSION
 */
export async function signIn(ctx: CallContext, user: UserRow, options: SignInOptions): Promise<SessionView> {
  // For the audit log, when the session is rejected.
  ctx.subject.userId = user.id
  const { session, finish } = await prepareSignIn(ctx, user.id, options)
  return finish(await writeSession(ctx, session, user))
}

/** A sign-in, for a call that writes the session together with other rows: `finish` it after the commit. */
export interface PreparedSignIn {
  readonly session: NewSession
  /** Writes the cookies. */
  readonly finish: (created: SessionAndUser) => Promise<SessionView>
}

export async function prepareSignIn(ctx: CallContext, userId: string, options: SignInOptions): Promise<PreparedSignIn> {
  const { remember = true, cookie = remember ? 'persistent' : 'browser', ...more } = options
  const expiresIn = options.expiresIn ?? (remember ? ctx.config.session.expiresIn : browserSessionLife)
  const session = newSession(ctx, userId, {
    ...more,
    expiresIn,
    remembered: cookie === 'persistent',
    replacing: await findFormerSession(ctx),
    ipAddress: ctx.request.address(),
    userAgent: ctx.request.header('user-agent') ?? '',
  })
  const finish = async (created: SessionAndUser) => {
    setSessionCookies(ctx, created.session.token, cookie === 'persistent' ? expiresIn : undefined)
    // The session is committed, so a copy that cannot be made must not fail the call.
    await cacheCurrentSession(ctx, created.session).catch((error: unknown) => {
      if (!isUnavailable(ctx, error)) throw error
      ctx.log.warn({ err: error }, 'A new session has no cached copy: the database became unavailable')
    })
    return created.session
  }
  return { session, finish }
}

/** The id of the session that this browser presents, if a sign-in is to replace it. */
async function findFormerSession(ctx: CallContext): Promise<string | undefined> {
  const token = ctx.config.session.revokePreviousOnSignIn ? readSessionCookie(ctx) : null
  return token === null ? undefined : (await findByToken(ctx, token))?.id
}

/** Writes the cookies of the current session again, after session or user changed (contract 02 §4). Call it after the commit. */
export async function reissueSession(ctx: CallContext, session: SessionView): Promise<void> {
  // An API key: its view has no token that a cookie could carry.
  if (ctx.credential()?.sessionToken === null) return
  setSessionCookies(ctx, session.token, isRemembered(ctx, session) ? ctx.config.session.expiresIn : undefined)
  await cacheCurrentSession(ctx, session)
}

/** Writes the cached copy of the current session again, after a column of another feature changed. Call it after the commit. */
export async function cacheCurrentSession(ctx: CallContext, { token, userId }: SessionView): Promise<void> {
  if (!ctx.config.session.cookieCache.enabled) return
  const epoch = await readEpoch(ctx, userId)
  const current = await findSession(ctx, token)
  if (current) cacheSession(ctx, current, epoch)
}

/** The session cookie. */
export function authenticate(ctx: CallContext): PresentedCredential | null {
  const token = readSessionCookie(ctx)
  if (token === null) return null
  return {
    kind: 'cookie',
    sessionToken: token,
    verify: async ({ refresh }) => {
      if (readCachedSession(ctx, token).state === 'forged') {
        if (refresh) clearSessionData(ctx)
        return null
      }
      const mayRenew = refresh && !ctx.config.session.disableSessionRefresh
      const found = await findLiveSession(ctx, token)
      const isRenewed = found && mayRenew && isRemembered(ctx, found.session) && isDue(ctx, found.session)
      const current = isRenewed ? await renew(ctx, found) : found
      if (!current) return null
      const { id, impersonatedBy } = current.session
      return { ...current, credential: { kind: 'cookie', id }, ...(impersonatedBy && { impersonatedBy }) }
    },
  }
}

/** The session of a token; null when there is none. An expired row is deleted (contract 02 §2 step 5). */
export async function findLiveSession(app: App, token: string): Promise<SessionAndUser | null> {
  const found = await findSession(app, token)
  if (!found || !isExpired(app, found.session)) return found
  await deleteExpiredSession(app, found.session)
  return null
}

/** Contract 02 §1 and §2 step 7: a session that is due is renewed together with its cookies. */
async function renew(ctx: CallContext, { session, user }: SessionAndUser): Promise<SessionAndUser | null> {
  const renewed = await renewSession(ctx, session)
  if (!renewed) return null
  await emit(ctx, 'session.renewed', { user })
  setSessionCookies(ctx, renewed.token, (renewed.expiresAt.getTime() - ctx.now().getTime()) / 1000)
  await cacheCurrentSession(ctx, renewed)
  return { session: renewed, user }
}

/**
 * Session and user as get-session returns them, in the order of contract 02 §2: from the signed copy while it is current, else
 * from the rows, and then with a new copy.
 * @returns null when there is no session; the cookies are cleared
 */
export async function readCurrentSession(
  ctx: CallContext,
  { kind, sessionToken }: PresentedCredential,
  options: { readonly disableCookieCache: boolean; readonly disableRefresh: boolean },
): Promise<SessionAndUser | RawJson | null> {
  const identify = () => ctx.identify({ refresh: !options.disableRefresh })
  // Only a session cookie comes with a copy.
  if (kind !== 'cookie' || sessionToken === null) return withShownToken(ctx, await identify())
  const { enabled } = ctx.config.session.cookieCache
  const cached = readCachedSession(ctx, sessionToken)
  const mayUseCopy = enabled && !options.disableCookieCache
  if (cached.state === 'forged' || (mayUseCopy && cached.state === 'expired')) clearSessionData(ctx)
  if (cached.state === 'forged') return null
  // Before the row is read, so that any change from now on invalidates its copy.
  const epochOf = enabled ? await epochBeforeRow(ctx, cached) : null
  if (mayUseCopy && cached.state === 'usable' && cached.epoch !== undefined && (await epochOf?.(cached.userId)) === cached.epoch)
    return rawJson(withShownToken(ctx, cached.shown))
  const found = await identify()
  if (!found) clearSessionCookies(ctx)
  else if (epochOf && !options.disableRefresh && isRemembered(ctx, found.session))
    cacheSession(ctx, found, await epochOf(found.user.id))
  return withShownToken(ctx, found)
}

async function epochBeforeRow(app: App, cached: CachedSession): Promise<(userId: string) => Promise<number | null>> {
  if (!('userId' in cached)) return watchEpoch(app)
  const epoch = await readEpoch(app, cached.userId)
  return async (userId) => (userId === cached.userId ? epoch : null)
}

/** With the id in place of the token if the configuration does not expose tokens. */
function withShownToken<T extends object>(app: App, current: (T & { session: object }) | null) {
  if (!current || app.config.session.exposeToken) return current
  return { ...current, session: { ...current.session, token: 'id' in current.session ? current.session.id : '' } }
}
