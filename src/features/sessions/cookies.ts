/** The cookies of a session (contract 00 §5): its token, the signed copy, and the mark of a session that ends with the browser. */
import { type App, memo } from '../../core/app.ts'
import { type CookieJar, cookieDefinition } from '../../core/cookies.ts'
import type { CallContext, SessionView } from '../../core/request.ts'
import { signCookie } from '../../lib/cookie.ts'

const sessionCookies = memo(({ config }: App) => ({
  session_token: cookieDefinition(config, 'session_token'),
  session_data: cookieDefinition(config, 'session_data'),
  dont_remember: cookieDefinition(config, 'dont_remember'),
}))

/** The tokens in the session cookies whose signature is ours; of several, any may be the one of a valid session. */
export const readSessionCookies = (ctx: CallContext): readonly string[] =>
  ctx.request.signedCookies(sessionCookies(ctx).session_token.name)

/** The session tokens that the client presents, by cookies or by another credential. */
export function presentedTokens(ctx: CallContext): readonly string[] {
  const token = ctx.sessionToken()
  if (token === null) return []
  const cookies = readSessionCookies(ctx)
  return cookies.includes(token) ? cookies : [token]
}

/** Whether the session outlives the browser, as requested at sign-in. */
export const isRemembered = (ctx: CallContext, { remembered = true }: Pick<SessionView, 'remembered'>): boolean =>
  remembered && ctx.request.signedCookies(sessionCookies(ctx).dont_remember.name).length === 0

/**
 * Writes the session cookie.
 * @param maxAge seconds; undefined for a session that ends with the browser, which a second cookie marks
 */
export function setSessionCookies(ctx: CallContext, token: string, maxAge: number | undefined): void {
  const { session_token } = sessionCookies(ctx)
  session_token.set(ctx.cookies, signCookie(token, ctx.keyring), maxAge)
  if (maxAge === undefined) markForgotten(ctx)
}

/** Writes the mark of a session that ends with the browser. */
export const markForgotten = (ctx: CallContext): void =>
  sessionCookies(ctx).dont_remember.set(ctx.cookies, signCookie('true', ctx.keyring))

/** The value of the session cookie that the response sets, as encoded there; null when the response sets none, or clears it. */
export function writtenSessionCookie(app: App, jar: CookieJar): string | null {
  const { name } = sessionCookies(app).session_token
  const header = jar.get(name)
  return header?.slice(name.length + 1).split(';', 1)[0] || null
}

/** Removes the mark of a former session that ended with the browser. */
export function clearRememberMark(ctx: CallContext): void {
  const { dont_remember } = sessionCookies(ctx)
  if (ctx.request.cookie(dont_remember.name) !== undefined) dont_remember.clear(ctx.cookies)
}

/** The signed copies of session and user, as sent. */
export const readSessionData = (ctx: CallContext): readonly string[] => ctx.request.cookies(sessionCookies(ctx).session_data.name)

export const setSessionData = (ctx: CallContext, value: string): void =>
  sessionCookies(ctx).session_data.set(ctx.cookies, value, ctx.config.session.cookieCache.maxAge)

export const clearSessionData = (ctx: CallContext): void => sessionCookies(ctx).session_data.clear(ctx.cookies)

/** Clears all three, whatever the request sent. */
export function clearSessionCookies(ctx: CallContext): void {
  for (const cookie of Object.values(sessionCookies(ctx))) cookie.clear(ctx.cookies)
}
