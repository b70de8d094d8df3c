/** What is known of a request before anything is decided about it. */

import type { Selectable } from 'kysely'
import type { Database } from '../features/index.ts'
import type { CookieJar } from './cookie-jar.ts'

export interface IncomingRequest {
  /** Unique per request; in every log line and in the header `x-request-id` of the answer. */
  readonly id: string
  readonly method: string
  /** Below the base path, without a trailing slash: `/sign-in/email`. */
  readonly path: string
  url(): URL
  queryParameters(): URLSearchParams
  /** A header's value by its lower-case name; of repeated ones, joined by `, `. */
  header(name: string): string | undefined
  /** The first cookie of this name, as sent. */
  cookie(name: string): string | undefined
  /** The client's address as it may be shown and stored; empty when a proxy names none, or address tracking is disabled. */
  address(): string
  /** The client's address for counting; never empty behind a socket. */
  networkAddress(): string
}

export type SessionRow = Selectable<Database['session']>
export type UserRow = Selectable<Database['user']>

/** A session together with the token that proved it, which no row holds. */
export type CurrentSession = SessionRow & { readonly token: string }

export interface CurrentIdentity {
  readonly session: CurrentSession
  readonly user: UserRow
}

/** A claim to be somebody: found lazily, so that calls that need no session read none. */
export interface Identity {
  /** The session token that was presented. */
  readonly token: string
  /**
   * @param cookies where a renewed cookie is written
   * @returns session and user, or null when the claim does not hold
   */
  find(cookies: CookieJar, options?: { readonly disableRefresh?: boolean }): Promise<CurrentIdentity | null>
}
