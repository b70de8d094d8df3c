import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import type { CurrentIdentity, Identity, IncomingRequest } from '../../core/request.ts'
import { readDontRemember, readSessionCookie, setSessionCookies } from './cookies.ts'
import { deleteSession, findSession, isDue, isExpired, renewSession } from './sessions.ts'

/** The claim of the session cookie. */
export function authenticate(app: App, request: IncomingRequest): Identity | null {
  const token = readSessionCookie(app, request)
  if (token === null) return null
  return {
    token,
    find: (cookies, options) => findCurrent(app, token, cookies, !(options?.disableRefresh || readDontRemember(app, request))),
  }
}

/** Contract 02 §1 and §2 steps 5 to 8: an expired row is deleted, one that is due is renewed together with its cookie. */
async function findCurrent(app: App, token: string, cookies: CookieJar, mayRenew: boolean): Promise<CurrentIdentity | null> {
  const found = await findSession(app, token)
  if (!found) return null
  if (isExpired(app, found.session)) {
    await deleteSession(app, token)
    return null
  }
  if (!mayRenew || app.config.session.disableSessionRefresh || !isDue(app, found.session)) return found
  const session = await renewSession(app, found.session)
  if (!session) return null
  const remaining = (session.expiresAt.getTime() - app.now().getTime()) / 1000
  setSessionCookies(app, cookies, token, remaining)
  return { session, user: found.user }
}
