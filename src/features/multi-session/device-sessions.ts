/** The sessions of one browser: one signed cookie for each, in addition to that of the current session (contract 06 §12). */
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import type { CallContext, SessionAndUser } from '../../core/request.ts'
import { cookiesOf, readSignedCookie, signCookie } from '../../lib/cookie.ts'
import { findLiveSession, presentedTokens } from '../sessions/index.ts'

/** Cookies that a request is searched for; more than a configuration can allow. */
export const mostSessions = 20

const cookieOf = ({ config }: App, token: string) => cookieDefinition(config, 'session_token', `_multi-${token.toLowerCase()}`)

/** The tokens of the sessions that this browser has, as its cookies present them; each has our signature. */
export function readDeviceTokens(ctx: CallContext): string[] {
  const { name } = cookieDefinition(ctx.config, 'session_token', '_multi-')
  const tokens = new Set<string>()
  for (const [cookie, value] of cookiesOf(ctx.request.header('cookie'))) {
    if (tokens.size === mostSessions) break
    if (!cookie.startsWith(name)) continue
    const token = readSignedCookie(value, ctx.keyring)
    if (token !== null && cookie === `${name}${token.toLowerCase()}`) tokens.add(token)
  }
  return [...tokens]
}

/** @param maxAge seconds; undefined for a session that ends with the browser */
export const keepToken = (ctx: CallContext, token: string, maxAge: number | undefined): void =>
  cookieOf(ctx, token).set(ctx.cookies, signCookie(token, ctx.keyring), maxAge)

export const removeToken = (ctx: CallContext, token: string): void => cookieOf(ctx, token).clear(ctx.cookies)

/** The session that the call presents, and those that the browser has in addition; the cookies of sessions that ended are cleared. */
export async function findDeviceSessions(ctx: CallContext): Promise<SessionAndUser[]> {
  const stored = readDeviceTokens(ctx)
  const tokens = new Set([...presentedTokens(ctx), ...stored])
  const sessions: SessionAndUser[] = []
  for (const token of tokens) {
    const found = await findLiveSession(ctx, token)
    if (found && !found.session.impersonatedBy) sessions.push(found)
    else if (stored.includes(token)) removeToken(ctx, token)
  }
  return sessions
}
