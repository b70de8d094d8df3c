/** The public entry `latchkey/server/next`: protects routes of Next.js 15 and 16. */
import { guard, privateResponse, rejectionResponse } from './guard.ts'
import type { SessionReader } from './session-reader.ts'

/** The parts of Next.js that are needed. */
interface NextRequest extends Request {
  readonly nextUrl: { readonly pathname: string; readonly search: string; readonly basePath: string }
}

/** What `NextResponse.next()` sets: the request continues to its route. */
const continues = { 'x-middleware-next': '1' } as const

/**
 * Lets only requests with a session pass: `export const proxy = protect(reader)` in `proxy.ts`, with `config.matcher`. In Next.js 15
 * it is `middleware.ts`, with `runtime: 'nodejs'`. Others are redirected to the hosted sign-in, or get status 401 when they do not
 * accept HTML. It renews sessions, which pages cannot. A page must read the session again: `reader.getSession(await headers())`.
 */
export function protect(reader: SessionReader) {
  return async (request: NextRequest): Promise<Response> => {
    const { basePath, pathname, search } = request.nextUrl
    const target = basePath + pathname + search
    const verdict = await guard(reader, { method: request.method, target, headers: request.headers })
    if (verdict.rejection) return rejectionResponse(verdict.rejection, verdict.setCookies)
    const cookies = verdict.setCookies.map((header): [string, string] => ['set-cookie', header])
    return new Response(null, { headers: [...Object.entries({ ...continues, ...privateResponse }), ...cookies] })
  }
}
