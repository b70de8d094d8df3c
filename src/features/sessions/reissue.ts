import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import type { CurrentIdentity, IncomingRequest } from '../../core/request.ts'
import { readDontRemember, setSessionCookies } from './cookies.ts'
import { cacheSessionAnew } from './session-data.ts'

interface Answering extends App {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
}

/** Whether the browser keeps the session when it closes, as it was asked to when the session began. */
export const isRemembered = (ctx: Answering): boolean => !readDontRemember(ctx, ctx.request)

/**
 * Sends the cookies of a session that goes on anew, after what they stand for has changed (contract 02 §4). Call it after the
 * commit: the copy of session and user is made from the rows.
 */
export async function reissueSession(ctx: Answering, { session }: CurrentIdentity): Promise<void> {
  setSessionCookies(ctx, ctx.cookies, session.token, isRemembered(ctx) ? ctx.config.session.expiresIn : undefined)
  await cacheSessionAnew(ctx, ctx.request, ctx.cookies, session.token)
}
