/** The session of a call: verifying the session cookie, and the response of get-session. */
import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { findFreeze } from '../../core/freezes.ts'
import { type RawJson, rawJson } from '../../core/reply.ts'
import type { CallContext, PresentedCredential, SessionAndUser, SessionView } from '../../core/request.ts'
import { readEpoch, watchEpoch } from './cache-epoch.ts'
import { type CachedSession, cacheSession, readCachedSession } from './cookie-cache.ts'
import {
  clearSessionCookies,
  clearSessionData,
  isRemembered,
  presentedTokens,
  readSessionCookies,
  setSessionCookies,
} from './cookies.ts'
import { isEnding } from './ending.ts'
import { hasSession } from './revocation.ts'
import {
  type DescribedSession,
  deleteExpiredSession,
  describeSession,
  findSession,
  isDue,
  isExpired,
  renewSession,
} from './session.ts'
import { atPresentStrength, describeAuthentication, noteStrongUse } from './strength.ts'

/** Seconds until a session expires; undefined when it ends with the browser. */
export const remainingSeconds = (app: App, { remembered = true, expiresAt }: SessionView): number | undefined =>
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
  if (current) cacheSession(ctx, describeCurrent(ctx, current), epoch, current.session)
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
    // In read-only mode the session lasts as long as it did, and its user stays signed in.
    const mayRenew = refresh && !ctx.config.session.disableSessionRefresh && !findFreeze(ctx, 'writes')
    const found = await findLiveSession(ctx, token)
    const isRenewed = found && mayRenew && isRemembered(ctx, found.session) && isDue(ctx, found.session)
    const current = isRenewed ? await renew(ctx, found) : found
    if (!current) return null
    const noted = refresh && noteStrongUse(ctx, current.session)
    if (noted) await noted
    const { id, impersonatedBy } = current.session
    const hold = (tx: App) => hasSession(tx, current.user.id, id)
    return { ...current, hold, credential: { kind, id }, ...(impersonatedBy && { impersonatedBy }) }
  },
})

/** The session of a token; null when there is none. An expired row is deleted (contract 02 §2 step 5). */
export async function findLiveSession(app: App, token: string): Promise<SessionAndUser | null> {
  const found = await findSession(app, token)
  if (!found) return null
  if (await isEnding(app, found.session)) return null
  if (!isExpired(app, found.session)) return { session: atPresentStrength(app, found.session), user: found.user }
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
): Promise<RawJson | null> {
  const identify = () => ctx.identify({ refresh: !options.disableRefresh })
  // An API key is not a session, and has no copy of one.
  if (kind === 'api-key' || sessionToken === null) {
    const owner = await identify()
    return owner && withShownToken(ctx, describeCurrent(ctx, owner))
  }
  const { enabled } = ctx.config.session.cookieCache
  // Only the rows say which of several tokens has a valid session.
  const isOnly = presentedTokens(ctx).length === 1
  const cached: CachedSession = isOnly ? readCachedSession(ctx, sessionToken) : { state: 'none' }
  const mayUseCopy = enabled && !options.disableCookieCache
  if (cached.state === 'forged' || (mayUseCopy && cached.state === 'expired')) clearSessionData(ctx)
  if (cached.state === 'forged') return null
  // Before the row is read, so that any change from now on invalidates its copy.
  const epochOf = enabled ? await epochBeforeRow(ctx, cached) : null
  if (mayUseCopy && cached.state === 'usable' && cached.epoch !== undefined && (await epochOf?.(cached.userId)) === cached.epoch)
    return withShownToken(ctx, cached.shown)
  const found = await identify()
  if (!found) {
    clearSessionCookies(ctx)
    return null
  }
  const described = describeCurrent(ctx, found)
  if (epochOf && !options.disableRefresh && isRemembered(ctx, found.session))
    cacheSession(ctx, described, await epochOf(found.user.id), found.session)
  return withShownToken(ctx, described)
}

/** As get-session shows it. */
function describeCurrent(ctx: CallContext, current: SessionAndUser): DescribedSession {
  const described = describeSession(ctx, current)
  if (!ctx.config.session.exposeAuthentication) return described
  return { ...described, session: { ...described.session, ...describeAuthentication(ctx, current.session) } }
}

async function epochBeforeRow(app: App, cached: CachedSession): Promise<(userId: string) => Promise<number | null>> {
  if (!('userId' in cached)) return watchEpoch(app)
  const epoch = await readEpoch(app, cached.userId)
  return async (userId) => (userId === cached.userId ? epoch : null)
}

/** With the id in place of the token if the configuration does not expose tokens. */
function withShownToken({ config }: App, { session, user }: Pick<DescribedSession, 'session'> & { user: object }): RawJson {
  return rawJson({ session: config.session.exposeToken ? session : { ...session, token: session.id ?? '' }, user })
}
