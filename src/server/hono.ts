/** The public entry `latchkey/server/hono`: protects routes of Hono 4. */
import type { MiddlewareHandler } from 'hono'
import { guard, privateResponse, rejectionResponse } from './guard.ts'
import type { SessionReader } from './session-reader.ts'
import type { VerifiedSession } from './verified-session.ts'

/** For `new Hono<SignedInEnv>()`, so that `c.get('session')` has its type. */
export interface SignedInEnv {
  Variables: { session: VerifiedSession }
}

/**
 * Lets only requests with a session pass: `app.use('/account/*', protect(reader))`. The session is `c.get('session')`.
 * Others are redirected to the hosted sign-in, or get status 401 when they do not accept HTML.
 */
export function protect(reader: SessionReader): MiddlewareHandler<SignedInEnv> {
  return async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    const verdict = await guard(reader, { method: c.req.method, target: pathname + search, headers: c.req.raw.headers })
    if (verdict.rejection) return rejectionResponse(verdict.rejection, verdict.setCookies)
    c.set('session', verdict.session)
    for (const [name, value] of Object.entries(privateResponse)) c.header(name, value)
    for (const header of verdict.setCookies) c.header('set-cookie', header, { append: true })
    await next()
  }
}
