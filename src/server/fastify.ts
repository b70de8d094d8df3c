/** The public entry `latchkey/server/fastify`: protects routes of Fastify 5. */
import type { IncomingHttpHeaders } from 'node:http'
import { guard, privateResponse } from './guard.ts'
import type { SessionReader } from './session-reader.ts'
import type { VerifiedSession } from './verified-session.ts'

/** The parts of Fastify that are needed. */
interface FastifyRequest {
  readonly method: string
  readonly originalUrl: string
  readonly headers: IncomingHttpHeaders
}
interface FastifyReply {
  code(status: number): unknown
  header(name: string, value: string | string[]): unknown
  send(body: string): unknown
}

const sessions = new WeakMap<object, VerifiedSession>()

/**
 * Lets only requests with a session pass: `fastify.addHook('onRequest', protect(reader))`, in the plugin of the protected routes or
 * as an option of one route. The session is `sessionOf(request)`.
 * Others are redirected to the hosted sign-in, or get status 401 when they do not accept HTML.
 */
export function protect(reader: SessionReader) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { method, originalUrl: target, headers } = request
    const { session, rejection, setCookies } = await guard(reader, { method, target, headers })
    if (setCookies.length > 0) reply.header('set-cookie', [...setCookies])
    for (const [name, value] of Object.entries(rejection?.headers ?? privateResponse)) reply.header(name, value)
    if (!rejection) {
      sessions.set(request, session)
      return
    }
    reply.code(rejection.status)
    return reply.send(rejection.body)
  }
}

/** The session that `protect` has found. @throws Error on a route that is not protected */
export function sessionOf(request: object): VerifiedSession {
  const session = sessions.get(request)
  if (!session) throw new Error('This route has no session: use protect() on it')
  return session
}
