/** A session whose credential was verified, whatever the credential is; and one of a signed cookie, verified without a call of the daemon. */
import { findCookies, readSignedCookie } from '../lib/cookie.ts'
import type { Keyring } from '../lib/keyring.ts'
import { isRecord } from '../lib/objects.ts'
import { decodeSessionData } from '../lib/session-data.ts'
import type { CookieNames } from './options.ts'

type Fields = Readonly<Record<string, unknown>>

export interface VerifiedSession {
  /** By what: the signed copy in a cookie, a JSON Web Token, or the daemon. The first two may be late by minutes after a sign-out. */
  readonly source: 'cookie-cache' | 'jwt' | 'daemon'
  /** As in `/get-session`; with a JSON Web Token, its claims with `sub` as the ID. */
  readonly user: Fields & { readonly id: string }
  /** As in `/get-session`, but without its token. Null with a JSON Web Token, which names no session. */
  readonly session: (Fields & { readonly id: string }) | null
  /** ID of the administrator who impersonates the user; null otherwise. */
  readonly impersonatedBy: string | null
}

/**
 * Session and user as the daemon has described them.
 * @returns null when they have another form
 */
export function describeVerified(source: VerifiedSession['source'], found: unknown): VerifiedSession | null {
  if (!isRecord(found) || !hasId(found.session) || !hasId(found.user)) return null
  // A credential: pages must be able to pass a session on.
  const { token: _, ...session } = found.session
  const { impersonatedBy } = session
  return { source, user: found.user, session, impersonatedBy: typeof impersonatedBy === 'string' ? impersonatedBy : null }
}

const hasId = (value: unknown): value is Fields & { readonly id: string } =>
  isRecord(value) && typeof value.id === 'string' && value.id !== ''

/**
 * The session of the cookies of a request.
 * @param cookie header
 * @returns null when the copy cannot be used: the daemon decides then. It is null also with several cookies of one name, of
 * which only the daemon knows the valid one.
 */
export function readCookieCopy(cookie: string, names: CookieNames, keyring: Keyring, now: Date): VerifiedSession | null {
  const [tokens, copies] = [findCookies(cookie, names.token), findCookies(cookie, names.data)]
  const [sent, copy] = [tokens[0], copies[0]]
  if (tokens.length !== 1 || copies.length !== 1 || !copy) return null
  const token = readSignedCookie(sent, keyring)
  if (token === null) return null
  const decoded = decodeSessionData(copy, keyring)
  if (decoded.state !== 'valid' || !(decoded.expiresAt > now.getTime())) return null
  const { session } = decoded.data
  // The copy of another session, such as one from before a second sign-in.
  if (session.token !== token || !isLater(session.expiresAt, now)) return null
  return describeVerified('cookie-cache', decoded.data)
}

const isLater = (time: unknown, now: Date): boolean => typeof time === 'string' && Date.parse(time) > now.getTime()
