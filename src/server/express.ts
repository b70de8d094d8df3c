/** The public entry `latchkey/server/express`: protects routes of Express 4 and 5. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { guard, privateResponse } from './guard.ts'
import type { SessionReader } from './session-reader.ts'
import type { VerifiedSession } from './verified-session.ts'

/** The parts of Express that are needed; its types are a package of their own. */
type ExpressRequest = IncomingMessage & { readonly originalUrl: string }
type ExpressResponse = ServerResponse & { locals: Record<string, unknown> }

/**
 * Lets only requests with a session pass: `app.use('/account', protect(reader))`. The session is `sessionOf(res)`.
 * Others are redirected to the hosted sign-in, or get status 401 when they do not accept HTML.
 */
export function protect(reader: SessionReader) {
  return (req: ExpressRequest, res: ExpressResponse, next: (error?: unknown) => void): void => {
    const { method = 'GET', originalUrl: target, headers } = req
    const settle = async (): Promise<void> => {
      const { session, rejection, setCookies } = await guard(reader, { method, target, headers })
      if (setCookies.length > 0) res.appendHeader('set-cookie', setCookies)
      for (const [name, value] of Object.entries(rejection?.headers ?? privateResponse)) res.setHeader(name, value)
      if (rejection) {
        res.statusCode = rejection.status
        res.end(rejection.body)
        return
      }
      res.locals.session = session
      next()
    }
    // Express 4 does not await handlers.
    settle().catch(next)
  }
}

/** The session that `protect` has found. @throws Error on a route that is not protected */
export function sessionOf(res: { readonly locals: Readonly<Record<string, unknown>> }): VerifiedSession {
  const { session } = res.locals
  if (!session) throw new Error('This route has no session: use protect() on it')
  return session as VerifiedSession
}
