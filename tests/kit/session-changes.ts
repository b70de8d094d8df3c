/** Finds calls that give their client another session than it had, and do not declare it (`signsIn`). */
import type { App } from '../../src/core/app.ts'
import { cookieDefinition } from '../../src/core/cookies.ts'
import { apiPath } from '../../src/core/route.ts'
import { createRouting } from '../../src/http/routing.ts'

/** Calls that are not a sign-in of the user whose session the client gets: no feature may challenge them. */
export const notSignIns: Readonly<Record<string, string>> = {
  'POST /admin/impersonate-user': 'The administrator is the one who has signed in, and needs a fresh session.',
  'POST /admin/stop-impersonating': 'The administrator returns to their own session, which this browser has not left.',
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Headers
}

/** @returns a function that returns the key of the call, or null */
export function createSessionCheck(app: App, isPrivileged: boolean): (sent: Sent, response: Response) => string | null {
  const { name } = cookieDefinition(app.config, 'session_token')
  const base = apiPath(app.config)
  let find: ReturnType<typeof createRouting> | undefined
  return ({ method, path, headers }, response) => {
    const token = tokenIn(response.headers.getSetCookie(), name)
    const bearer = /^Bearer ([^.]*)/.exec(headers.get('authorization') ?? '')?.[1]
    // A renewal writes the cookie of the session that the client has.
    if (token === '' || token === tokenIn((headers.get('cookie') ?? '').split('; '), name) || token === bearer) return null
    // When it is first needed: few tests sign in at both listeners.
    find ??= createRouting(app, { isPrivileged })
    const called = path.slice(base.length)
    const route = find(method, called)?.route
    const key = `${method} ${route?.pattern ?? called}`
    return route?.declaration.signsIn !== undefined || key in notSignIns ? null : key
  }
}

/** The token in the session cookie, without its signature; empty when there is none. */
function tokenIn(cookies: readonly string[], name: string): string {
  const header = cookies.findLast((one) => one.startsWith(`${name}=`)) ?? ''
  return /^[^=]*=([^.;%]*)/.exec(header)?.[1] ?? ''
}
