/** The session of a call: signing in, verifying the session cookie, and the response of get-session. */
import { type App, isUnavailable } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { type RawJson, rawJson } from '../../core/reply.ts'
import type { CallContext, PresentedCredential, SessionAndUser, SessionRow, SessionView, UserRow } from '../../core/request.ts'
import { readEpoch, watchEpoch } from './cache-epoch.ts'
import { type CachedSession, cacheSession, readCachedSession } from './cookie-cache.ts'
import {
  clearRememberMark,
  clearSessionCookies,
  clearSessionData,
  isRemembered,
  presentedTokens,
  readSessionCookies,
  setSessionCookies,
} from './cookies.ts'
import { hasSession, revokeSessions } from './revocation.ts'
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
 * Signs a user in: creates a session for the client of this call, and writes its cookies. The session that the same client had
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
  const former = await findFormerSession(ctx)
  const session = newSession(ctx, userId, {
    ...more,
    expiresIn,
    remembered: cookie === 'persistent',
    replacing: former && replaces(ctx, userId, former) ? former.session.id : undefined,
    ipAddress: ctx.request.address(),
    userAgent: ctx.request.header('user-agent') ?? '',
  })
  const finish = async (created: SessionAndUser) => {
    await startSession(ctx, { current: created, maxAge: cookie === 'persistent' ? expiresIn : undefined, former })
    return created.session
  }
  return { session, finish }
}

/**
 * Gives the client of this call a session that exists already, such as that of another browser. The session that the client had
 * before is revoked as at sign-in.
 */
export async function adoptSession(ctx: CallContext, current: SessionAndUser): Promise<void> {
  const presented = await findFormerSession(ctx)
  const former = presented?.session.id === current.session.id ? null : presented
  if (former && replaces(ctx, current.user.id, former))
    await revokeSessions(ctx, { ids: [former.session.id] }, { reason: 'replaced' })
  await startSession(ctx, { current, maxAge: remainingSeconds(ctx, current.session), former })
}

type FormerSession = SessionAndUser & { readonly session: SessionRow }

/** The session that the client of this call presents; it may have expired. Of several, a valid one. */
async function findFormerSession(ctx: CallContext): Promise<FormerSession | null> {
  let former: FormerSession | null = null
  for (const token of presentedTokens(ctx)) {
    former = (await findSession(ctx, token)) ?? former
    if (former && !isExpired(ctx, former.session)) break
  }
  return former
}

/** Whether a sign-in revokes the former session. A browser with several sessions keeps one of each user, but no impersonation. */
function replaces({ config }: App, userId: string, { session, user }: FormerSession): boolean {
  if (!config.session.revokePreviousOnSignIn) return false
  return !config.multiSession.enabled || user.id === userId || Boolean(session.impersonatedBy)
}

/** What happened when the client of a call got a session. */
export interface StartedSession {
  readonly current: SessionAndUser
  /** Of the cookie, in seconds; undefined: it ends with the browser. */
  readonly maxAge: number | undefined
  /** The session that the client presented, if it was valid; it may be revoked by now. */
  readonly former: SessionAndUser | null
}

async function startSession(ctx: CallContext, { current, maxAge, former }: StartedSession): Promise<void> {
  if (maxAge !== undefined) clearRememberMark(ctx)
  setSessionCookies(ctx, current.session.token, maxAge)
  const left = former && !isExpired(ctx, former.session) ? former : null
  await unlessOutage(ctx, 'A new session has no cached copy', () => cacheCurrentSession(ctx, current.session))
  await unlessOutage(ctx, 'What follows a sign-in was left out', async () => {
    await emit(ctx, 'client.signed-in', { ctx, current, maxAge, former: left })
  })
}

/** The session is committed, so work that an outage prevents must not fail the call. */
async function unlessOutage(ctx: CallContext, warning: string, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!isUnavailable(ctx, error)) throw error
    ctx.log.warn({ err: error }, `${warning}: the database became unavailable`)
  })
}

/** Seconds until a session expires; undefined when it ends with the browser. */
const remainingSeconds = (app: App, { remembered = true, expiresAt }: SessionView): number | undefined =>
  remembered ? (expiresAt.getTime() - app.now().getTime()) / 1000 : undefined

/** Makes another session of this browser its current one. */
export async function switchSession(ctx: CallContext, session: SessionView): Promise<void> {
  clearSessionCookies(ctx)
  setSessionCookies(ctx, session.token, remainingSeconds(ctx, session))
  await cacheCurrentSession(ctx, session)
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

/** The session cookie; of several, the first of a valid session. */
export function authenticate(ctx: CallContext): PresentedCredential | null {
  const [first, ...others] = readSessionCookies(ctx).map((token) => sessionCredential(ctx, 'cookie', token))
  if (!first || others.length === 0) return first ?? null
  return {
    ...first,
    verify: async (options) => {
      let found = await first.verify(options)
      for (const other of others) found ??= await other.verify(options)
      return found
    },
  }
}

/** A session token as sent, by a cookie or by a header. */
export const sessionCredential = (ctx: CallContext, kind: 'cookie' | 'bearer', token: string): PresentedCredential => ({
  kind,
  sessionToken: token,
  secret: token,
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
    const hold = (tx: App) => hasSession(tx, current.user.id, id)
    return { ...current, hold, credential: { kind, id }, ...(impersonatedBy && { impersonatedBy }) }
  },
})

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
  const maxAge = remainingSeconds(ctx, renewed)
  await emit(ctx, 'session.renewed', { ctx, session: renewed, user, maxAge })
  setSessionCookies(ctx, renewed.token, maxAge)
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
  // An API key is no session, and has no copy of one.
  if (kind === 'api-key' || sessionToken === null) return withShownToken(ctx, await identify())
  const { enabled } = ctx.config.session.cookieCache
  // Which of several tokens is that of a valid session, only the rows say.
  const isOnly = presentedTokens(ctx).length === 1
  const cached: CachedSession = isOnly ? readCachedSession(ctx, sessionToken) : { state: 'none' }
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
