/** Whether the caller may: finds the session when the route asks for one, and only then. */
import type { App } from '../core/app.ts'
import type { CookieJar } from '../core/cookie-jar.ts'
import { ApiError, errors } from '../core/errors.ts'
import type { CurrentIdentity, CurrentSession, Identity, IncomingRequest, UserRow } from '../core/request.ts'
import type { Access } from '../core/route.ts'

/** Who sends the request: the answer of the lowest feature in the list that knows. */
export function findIdentity(app: App, request: IncomingRequest): Identity | null {
  for (let position = app.features.length - 1; position >= 0; position -= 1) {
    const identity = app.features[position]?.authenticate?.(app, request)
    if (identity) return identity
  }
  return null
}

const nobody: { session: CurrentSession | null; user: UserRow | null } = { session: null, user: null }

/** @throws ApiError UNAUTHORIZED, SESSION_IS_NOT_FRESH */
export async function checkAccess(
  app: App,
  access: Access,
  identify: () => Identity | null,
  cookies: CookieJar,
): Promise<typeof nobody> {
  if (access === 'public') return nobody
  const current = await (identify()?.find(cookies) ?? null)
  if (access === 'optional') return current ?? nobody
  if (!current) throw new ApiError(errors.UNAUTHORIZED)
  if (access === 'fresh-session' && !isFresh(app, current)) throw new ApiError(errors.SESSION_IS_NOT_FRESH)
  return current
}

/** Freshness counts from the last proof of identity, which a renewal is not (contract 02 §1). */
function isFresh(app: App, { session }: CurrentIdentity): boolean {
  const { freshAge } = app.config.session
  const since = session.authenticatedAt ?? session.createdAt
  return freshAge === 0 || app.now().getTime() - since.getTime() < freshAge * 1000
}
