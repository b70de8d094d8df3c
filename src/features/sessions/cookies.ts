import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import { type CookieDefinition, type CookieKey, cookieDefinition } from '../../core/cookies.ts'
import type { IncomingRequest } from '../../core/request.ts'
import { readSignedCookie, signCookie } from '../../lib/cookie.ts'
import type { Config } from '../index.ts'

type SessionCookies = Readonly<Record<Exclude<CookieKey, 'known_device'>, CookieDefinition>>

// A configuration never changes while it is in use, and every call asks for these.
const known = new WeakMap<Config, SessionCookies>()

function sessionCookies(config: Config): SessionCookies {
  const found = known.get(config)
  if (found) return found
  const made = {
    session_token: cookieDefinition(config, 'session_token'),
    session_data: cookieDefinition(config, 'session_data'),
    dont_remember: cookieDefinition(config, 'dont_remember'),
  }
  known.set(config, made)
  return made
}

/** The token in the session cookie; null when there is none, or its signature is not ours. */
export const readSessionCookie = (app: App, request: IncomingRequest): string | null =>
  readSignedCookie(request.cookie(sessionCookies(app.config).session_token.name), app.keyring)

/** Whether the browser was asked to forget the session when it closes. */
export const readDontRemember = (app: App, request: IncomingRequest): boolean =>
  readSignedCookie(request.cookie(sessionCookies(app.config).dont_remember.name), app.keyring) !== null

/**
 * Writes the session cookie.
 * @param maxAge seconds; undefined for a session that the browser forgets, which is marked by a second cookie
 */
export function setSessionCookies(app: App, jar: CookieJar, token: string, maxAge: number | undefined): void {
  const cookies = sessionCookies(app.config)
  cookies.session_token.set(jar, signCookie(token, app.keyring), maxAge)
  if (maxAge === undefined) cookies.dont_remember.set(jar, signCookie('true', app.keyring))
}

/** The signed copy of session and user, as sent. */
export const readSessionData = (app: App, request: IncomingRequest): string | undefined =>
  request.cookie(sessionCookies(app.config).session_data.name)

export const setSessionData = (app: App, jar: CookieJar, value: string): void =>
  sessionCookies(app.config).session_data.set(jar, value, app.config.session.cookieCache.maxAge)

export const clearSessionData = (app: App, jar: CookieJar): void => sessionCookies(app.config).session_data.clear(jar)

/** The three of contract 00 §5, whatever the request sent. */
export function clearSessionCookies(app: App, jar: CookieJar): void {
  const cookies = sessionCookies(app.config)
  cookies.session_token.clear(jar)
  cookies.session_data.clear(jar)
  cookies.dont_remember.clear(jar)
}
