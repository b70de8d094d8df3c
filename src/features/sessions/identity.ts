import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import { type Shown, shown } from '../../core/reply.ts'
import type { CurrentIdentity, Identity, IncomingRequest } from '../../core/request.ts'
import { clearSessionCookies, clearSessionData, readDontRemember, readSessionCookie, setSessionCookies } from './cookies.ts'
import { isBelieved, readGeneration } from './generation.ts'
import { cacheSession, cacheSessionAnew, readCachedSession } from './session-data.ts'
import { deleteExpiredSession, findSession, isDue, isExpired, renewSession } from './sessions.ts'

/** The claim of the session cookie. */
export function authenticate(app: App, request: IncomingRequest): Identity | null {
  const token = readSessionCookie(app, request)
  if (token === null) return null
  return {
    token,
    find: async (cookies, { disableRefresh = false } = {}) => {
      if (readCachedSession(app, request, token).state === 'forged') {
        clearSessionData(app, cookies)
        return null
      }
      const mayRenew = !(disableRefresh || app.config.session.disableSessionRefresh || readDontRemember(app, request))
      const found = await findCurrent(app, token)
      return found && mayRenew && isDue(app, found.session) ? renew(app, request, cookies, found) : found
    },
  }
}

/** Contract 02 §2 step 5: an expired row is deleted. */
async function findCurrent(app: App, token: string): Promise<CurrentIdentity | null> {
  const found = await findSession(app, token)
  if (!found || !isExpired(app, found.session)) return found
  await deleteExpiredSession(app, found.session)
  return null
}

/** Contract 02 §1 and §2 step 7: a row that is due is renewed together with its cookies. */
async function renew(
  app: App,
  request: IncomingRequest,
  cookies: CookieJar,
  { session, user }: CurrentIdentity,
): Promise<CurrentIdentity | null> {
  const renewed = await renewSession(app, session)
  if (!renewed) return null
  setSessionCookies(app, cookies, renewed.token, (renewed.expiresAt.getTime() - app.now().getTime()) / 1000)
  await cacheSessionAnew(app, request, cookies, renewed.token)
  return { session: renewed, user }
}

interface Asking extends App {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
}

/**
 * Session and user as get-session shows them, in the order of contract 02 §2: by the signed copy if it is believed, else
 * from the rows, and then with a new copy.
 * @returns null when there is no session; the cookies are cleared
 */
export async function showSession(
  ctx: Asking,
  identity: Identity,
  options: { readonly disableCookieCache: boolean; readonly disableRefresh: boolean },
): Promise<CurrentIdentity | Shown | null> {
  const { request, cookies } = ctx
  const { enabled } = ctx.config.session.cookieCache
  const cached = readCachedSession(ctx, request, identity.token)
  const mayAnswer = enabled && !options.disableCookieCache
  if (cached.state === 'forged' || (mayAnswer && cached.state === 'expired')) clearSessionData(ctx, cookies)
  if (cached.state === 'forged') return null
  // Before the row: what happens from now on makes the copy worthless that will be made of it.
  const generation = enabled ? await readGeneration(ctx) : null
  if (mayAnswer && cached.state === 'usable' && isBelieved(ctx, generation, cached.userId, cached.epoch))
    return shown(withHandle(ctx, cached.shown))
  const found = await identity.find(cookies, { disableRefresh: options.disableRefresh })
  if (!found) clearSessionCookies(ctx, cookies)
  else if (enabled && !options.disableRefresh && !readDontRemember(ctx, request))
    cacheSession(ctx, request, cookies, found, generation)
  return found && withHandle(ctx, found)
}

/** Where tokens are not to be told, a handle stands in their place. */
function withHandle<T extends { readonly session: { readonly id?: unknown } }>(app: App, current: T): T {
  return app.config.session.exposeToken ? current : { ...current, session: { ...current.session, token: current.session.id } }
}
