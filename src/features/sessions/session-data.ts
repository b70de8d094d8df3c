/** The copy of session and user in the cookie `session_data`: when it may be read, what stands in it, when it is written. */
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { CookieJar } from '../../core/cookie-jar.ts'
import { mergeTables } from '../../core/merged-tables.ts'
import type { CurrentIdentity, IncomingRequest } from '../../core/request.ts'
import type { Columns } from '../../core/table.ts'
import { decodeSessionData, encodeSessionData, type SessionData } from '../../lib/session-data.ts'
import { describeUser } from '../users/index.ts'
import { clearSessionData, readSessionData, setSessionData } from './cookies.ts'
import { readGeneration } from './generation.ts'
import { findSession, isExpired } from './sessions.ts'
import { fullSession } from './view.ts'

/** A browser drops a cookie of more than 4096 bytes, name and value together (RFC 6265bis §5.6). */
const longestValue = 4093

export type CachedSession =
  /** No copy that could be of use: none, unreadable, of another session, without an epoch, of another version. */
  | { readonly state: 'none' }
  | { readonly state: 'forged' }
  | { readonly state: 'expired' }
  | { readonly state: 'usable'; readonly shown: SessionData; readonly userId: string; readonly epoch: number }

const none: CachedSession = { state: 'none' }

/** What the request carries beside the session token; whether it is believed is another question. */
export function readCachedSession(app: App, request: IncomingRequest, token: string): CachedSession {
  const sent = readSessionData(app, request)
  if (!sent) return none
  const decoded = decodeSessionData(sent, app.keyring)
  if (decoded.state === 'undecodable') return none
  if (decoded.state === 'forged') return decoded
  const { data, expiresAt } = decoded
  const times = { expiresAt: new Date(String(data.session.expiresAt)), createdAt: new Date(String(data.session.createdAt)) }
  if (expiresAt <= app.now().getTime() || isExpired(app, times)) return { state: 'expired' }
  const { epoch } = data
  if (data.session.token !== token || !Number.isSafeInteger(epoch) || epoch === undefined || !hasPresentShape(app, data))
    return none
  const { session, user } = data
  return { state: 'usable', shown: { session, user }, userId: String(user.id), epoch }
}

interface Views {
  readonly session: z.ZodType
  readonly sessionKeys: readonly string[]
  readonly userKeys: readonly string[]
}
const known = new WeakMap<App['features'], Views>()

function viewsOf({ features }: App): Views {
  const found = known.get(features)
  if (found) return found
  const tables = mergeTables(features)
  const made = {
    session: fullSession(tables),
    sessionKeys: [...shownKeys(tables.session), 'token'],
    userKeys: shownKeys(tables.user),
  }
  known.set(features, made)
  return made
}

const shownKeys = (columns: Columns = {}): string[] =>
  Object.entries(columns).flatMap(([name, { hidden, shownAs }]) => (hidden ? [] : [shownAs ?? name]))

/** A copy that was made before an upgrade lacks what is shown today, or shows what is hidden today. */
function hasPresentShape(app: App, { session, user }: SessionData): boolean {
  const { sessionKeys, userKeys } = viewsOf(app)
  return hasKeys(session, sessionKeys) && hasKeys(user, userKeys)
}

const hasKeys = (value: object, keys: readonly string[]) =>
  Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key))

/**
 * Writes the copy, or leaves it when it would be too long; the session itself goes on.
 * @param generation read before the row was; null makes a copy that no daemon of ours will believe
 */
export function cacheSession(
  app: App,
  request: IncomingRequest,
  jar: CookieJar,
  current: CurrentIdentity,
  generation: number | null,
): void {
  const { maxAge } = app.config.session.cookieCache
  const session = { ...Object(viewsOf(app).session.parse(current.session)) }
  const user = describeUser(app, current.user)
  const data = { session, user, ...(generation !== null && { epoch: generation }) }
  const value = encodeSessionData(data, app.now().getTime() + maxAge * 1000, app.keyring)
  if (value.length <= longestValue) {
    setSessionData(app, jar, value)
    return
  }
  app.log.warn({ sessionId: current.session.id, length: value.length }, 'The session is too long for its cookie cache')
  if (readSessionData(app, request) !== undefined) clearSessionData(app, jar)
}

/** The same from the rows as they are now: for a session that has just begun or changed. */
export async function cacheSessionAnew(app: App, request: IncomingRequest, jar: CookieJar, token: string): Promise<void> {
  if (!app.config.session.cookieCache.enabled) return
  const generation = await readGeneration(app)
  const current = await findSession(app, token)
  if (current) cacheSession(app, request, jar, current, generation)
}
