/** The public entry `latchkey/server/nuxt`: protects routes of Nuxt 3 and 4, and of other servers with h3 1. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { guard, privateResponse, rejectionResponse } from './guard.ts'
import type { SessionReader } from './session-reader.ts'

/** The parts of h3 that are needed. */
interface NitroEvent {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly node: { readonly req: IncomingMessage; readonly res: ServerResponse }
  readonly context: Record<string, unknown>
}

export interface NitroOptions {
  /** Default: all paths, also those of files. Called for several spellings of a path, without its query: one that is protected suffices. */
  readonly isProtected?: (path: string) => boolean
}

/**
 * Lets only requests with a session pass: `export default defineEventHandler(protect(reader, { isProtected }))` in
 * `server/middleware/session.ts`. The session is `event.context.session`.
 * Others are redirected to the hosted sign-in, or get status 401 when they do not accept HTML.
 */
export function protect(reader: SessionReader, { isProtected = () => true }: NitroOptions = {}) {
  return async (event: NitroEvent): Promise<Response | undefined> => {
    if (!spellings(event.path).some(isProtected)) return
    const { req, res } = event.node
    const verdict = await guard(reader, { method: event.method, target: event.path, headers: req.headers })
    if (verdict.rejection) return rejectionResponse(verdict.rejection, verdict.setCookies)
    event.context.session = verdict.session
    for (const [name, value] of Object.entries(privateResponse)) res.setHeader(name, value)
    if (verdict.setCookies.length > 0) res.appendHeader('set-cookie', [...verdict.setCookies])
  }
}

/**
 * A path as sent and as routers may read it. A route may match any of them, so each must be open.
 * @returns for a path that cannot be decoded, as sent only: no router decodes it either
 */
function spellings(target: string): readonly string[] {
  const [path = ''] = target.split('?')
  try {
    const decoded = decodeURIComponent(path).replaceAll(/[/\\]+/g, '/')
    return [path, path.toLowerCase(), decoded.toLowerCase(), new URL(decoded, 'http://app').pathname.toLowerCase()]
  } catch {
    return [path, path.toLowerCase()]
  }
}
