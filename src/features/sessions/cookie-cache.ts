/**
 * Reads and writes the signed copy of session and user in the cookie `session_data`.
 */
import { type App, memo } from '../../core/app.ts'
import type { CallContext, SessionView } from '../../core/request.ts'
import { type Columns, columnsOf } from '../../core/table.ts'
import { decodeSessionData, encodeSessionData, type SessionData } from '../../lib/session-data.ts'
import { clearSessionData, readSessionData, setSessionData } from './cookies.ts'
import { type DescribedSession, isExpired } from './session.ts'
import { authenticationKeys, copyUntil } from './strength.ts'

/** A browser drops a cookie of more than 4096 bytes, name and value together (RFC 6265bis §5.6). */
const longestValue = 4093

export type CachedSession =
  /** No usable copy: none was sent, or it is unreadable, of another session or of another version. */
  | { readonly state: 'none' }
  | { readonly state: 'forged' }
  | { readonly state: 'expired'; readonly userId: string }
  | { readonly state: 'usable'; readonly shown: SessionData; readonly userId: string; readonly epoch: number | undefined }

const none: CachedSession = { state: 'none' }

/** The copy that the call sends together with this session token. Whether it is current depends on its epoch. */
export function readCachedSession(ctx: CallContext, token: string): CachedSession {
  const sent = readSessionData(ctx).filter(Boolean)
  if (sent.length < 2) return sent[0] === undefined ? none : readCopy(ctx, token, sent[0])
  const copies = sent.map((copy) => readCopy(ctx, token, copy))
  const best = (['usable', 'expired', 'none'] as const).map((state) => copies.find((copy) => copy.state === state))
  return best.find((copy) => copy !== undefined) ?? { state: 'forged' }
}

function readCopy(ctx: CallContext, token: string, sent: string): CachedSession {
  const decoded = decodeSessionData(sent, ctx.keyring)
  if (decoded.state === 'undecodable') return none
  if (decoded.state === 'forged') return decoded
  const { data, expiresAt } = decoded
  const times = { expiresAt: new Date(String(data.session.expiresAt)), createdAt: new Date(String(data.session.createdAt)) }
  const { session, user, epoch } = data
  const userId = String(user.id)
  if (expiresAt <= ctx.now().getTime() || isExpired(ctx, times)) return { state: 'expired', userId }
  if (session.token !== token || !hasPresentShape(ctx, data)) return none
  return { state: 'usable', shown: { session, user }, userId, epoch }
}

const shownKeysOf = memo((app: App) => ({
  sessionKeys: [...shownKeys(columnsOf(app, 'session')), 'token', ...authenticationKeys(app.config)],
  userKeys: shownKeys(columnsOf(app, 'user')),
}))

const shownKeys = (columns: Columns): string[] =>
  Object.entries(columns).flatMap(([name, { hidden, outputName }]) => (hidden ? [] : [outputName ?? name]))

/** A copy made before an upgrade may lack present fields, or have fields that are hidden now. */
function hasPresentShape(app: App, { session, user }: SessionData): boolean {
  const { sessionKeys, userKeys } = shownKeysOf(app)
  return hasKeys(session, sessionKeys) && hasKeys(user, userKeys)
}

const hasKeys = (value: object, keys: readonly string[]) =>
  Object.keys(value).length === keys.length && keys.every((key) => Object.hasOwn(value, key))

/**
 * Writes the copy, or none when it would be too long; the session itself is not affected.
 * @param epoch read before the row was; null makes a copy that no daemon will use
 * @param row of the session
 */
export function cacheSession(
  ctx: CallContext,
  { session, user }: DescribedSession,
  epoch: number | null,
  row: SessionView,
): void {
  const { maxAge } = ctx.config.session.cookieCache
  const now = ctx.now().getTime()
  const data = { session, user, ...(epoch !== null && { epoch }), updatedAt: now, version: '1' }
  const value = encodeSessionData(data, copyUntil(ctx, row, now + maxAge * 1000), ctx.keyring)
  if (value.length <= longestValue) {
    setSessionData(ctx, value)
    return
  }
  ctx.log.warn({ sessionId: session.id, length: value.length }, 'The session is too long for its cookie cache')
  if (readSessionData(ctx).length > 0) clearSessionData(ctx)
}
