/** The public entry `latchkey/server/sveltekit`: protects routes of SvelteKit 2 and 3. */
import { guard, privateResponse, rejectionResponse } from './guard.ts'
import type { SessionReader } from './session-reader.ts'

/** The parts of SvelteKit that are needed; generic, so that `resolve` gets the whole event. */
interface KitEvent {
  readonly request: Request
  readonly url: URL
  readonly route: { readonly id: string | null }
  readonly locals: object
  /** The script of a page fetches only the data of the next page. */
  readonly isDataRequest: boolean
}
interface KitInput<E extends KitEvent> {
  readonly event: E
  readonly resolve: (event: E) => Response | Promise<Response>
}

export interface KitOptions<E> {
  /** Default: all routes. Decide by `event.route.id`, which no spelling of a path changes. */
  readonly isProtected?: (event: E) => boolean
}

/**
 * Lets only requests with a session pass: `export const handle = protect(reader)` in `src/hooks.server.ts`. The session is
 * `event.locals.session`. Others are redirected to the hosted sign-in, or get status 401 when they do not accept HTML.
 */
export function protect<E extends KitEvent>(reader: SessionReader, { isProtected = () => true }: KitOptions<E> = {}) {
  return async ({ event, resolve }: KitInput<E>): Promise<Response> => {
    if (!isProtected(event)) return resolve(event)
    const { request, url } = event
    const { method, headers } = request
    const target = url.pathname + url.search
    const verdict = await guard(reader, { method, target, headers })
    if (verdict.rejection?.status === 401 && event.isDataRequest) return redirectData(reader.signInURL(target))
    if (verdict.rejection) return rejectionResponse(verdict.rejection, verdict.setCookies)
    Object.assign(event.locals, { session: verdict.session })
    const resolved = await resolve(event)
    // A copy: the headers of a response that a route has fetched cannot be changed.
    const response = new Response(resolved.body, resolved)
    for (const [name, value] of Object.entries(privateResponse)) response.headers.set(name, value)
    for (const header of verdict.setCookies) response.headers.append('set-cookie', header)
    return response
  }
}

/** As `redirect()` of SvelteKit responds to the script of a page. */
const redirectData = (location: string): Response => Response.json({ type: 'redirect', location }, { headers: privateResponse })
