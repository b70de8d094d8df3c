/** One call: its request, the credential as sent, and the verified identity. */
import type { Selectable } from 'kysely'
import type { Database } from '../features/index.ts'
import type { App } from './app.ts'
import type { CookieJar } from './cookies.ts'

export interface IncomingRequest {
  /** Unique per request; in every log line and in the header `x-request-id` of the response. */
  readonly id: string
  readonly method: string
  /** Below the base path, without a trailing slash: `/sign-in/email`. */
  readonly path: string
  url(): URL
  /** The query as sent, without its question mark. */
  search(): string
  queryParameters(): URLSearchParams
  /** The value of a header, by its lower-case name; repeated headers are joined with `, `. */
  header(name: string): string | undefined
  /** The first cookie of this name, as sent. For whether there is one: which of several is good, only its signature says. */
  cookie(name: string): string | undefined
  /** All cookies of this name, as sent (contract 00 §5). */
  cookies(name: string): readonly string[]
  /** The values of all cookies of this name whose signature is ours, each once; verified once per call. */
  signedCookies(name: string): readonly string[]
  /** The client's IP address for display and storage; empty when a proxy names none, or IP tracking is disabled. */
  address(): string
  /** The client's IP address for rate limits; never empty for a request that came through a socket. */
  networkAddress(): string
}

export type SessionRow = Selectable<Database['session']>
export type UserRow = Selectable<Database['user']>

type SessionColumn = 'id' | 'userId' | 'expiresAt' | 'createdAt' | 'updatedAt' | 'ipAddress' | 'userAgent' | 'authenticatedAt'
/**
 * A session in the context of a call. The token comes from the request; no row contains it. Columns of other features are
 * missing when the credential is not a session, such as an API key.
 */
export type SessionView = Pick<SessionRow, SessionColumn> &
  Partial<Omit<SessionRow, SessionColumn | 'tokenHash'>> & { readonly token: string }

export interface SessionAndUser {
  readonly session: SessionView
  readonly user: UserRow
}

/** The kinds of credential that a call may be authenticated by. */
type CredentialKind = 'cookie' | 'bearer' | 'api-key'

/** The verified identity of a call. */
export interface Identity extends SessionAndUser {
  /**
   * `id`: of the session, or of the API key. `permissions`: of the API key, actions by resource; of what the roles of its user permit,
   * a call by the key is permitted only what is listed here.
   */
  readonly credential: {
    readonly kind: CredentialKind
    readonly id: string
    readonly permissions?: Readonly<Record<string, readonly string[]>>
  }
  /** The id of the administrator who impersonates the user. */
  readonly impersonatedBy?: string
  /**
   * Locks the credential until the transaction ends.
   * @returns false when it is no longer valid
   */
  readonly hold: (tx: App) => Promise<boolean>
}

/** A credential as sent. It is not verified, so that calls that need no session do not query one. */
export interface PresentedCredential {
  readonly kind: CredentialKind
  /** The session token that it carries; null for a credential that is not a session. */
  readonly sessionToken: string | null
  /** The session token or the key, by which rate limits count; absent: by the IP address. */
  readonly secret?: string
  /**
   * Calls go through `CallContext.identify`, which verifies once per call: a verification may count against a limit and
   * consume a use.
   * @param options.refresh false: neither renews the session nor writes a cookie
   * @returns null when it is not valid
   * @throws ApiError when the credential fails with an error of its own
   */
  verify(options: { readonly refresh: boolean }): Promise<Identity | null>
}

/** Whom a call is about, and whether it failed to authenticate, when its status does not say so. */
interface CallSubject {
  /** The user whom the call is about, such as the one whose password did not match. */
  userId?: string
  /** A password, code or token did not match. */
  hasFailed?: true
  /** Why it failed, when the response must not say so: a short word. */
  reason?: string
  /** The screens of features, such as the captcha, have not all accepted the call. */
  isScreening?: boolean
  /** Members that features add to the JSON response of a sign-in. */
  added?: Readonly<Record<string, unknown>>
}

/** The context of a call, for functions that read its headers or write its cookies. Other functions take `App` and plain values. */
export interface CallContext extends App {
  readonly request: IncomingRequest
  readonly cookies: CookieJar
  /** Headers of the response, of any kind: a result, a redirect or an error. */
  readonly headers: Record<string, string>
  /** The call came through the private listener, from one of the operator's own servers. */
  readonly isPrivileged: boolean
  /** What a handler finds out about the call that its result does not say; for the audit log. */
  readonly subject: CallSubject
  /** The credential of the call, unverified; if several features find one, that of the last feature. */
  readonly credential: () => PresentedCredential | null
  /** The session token that the request carries, also next to a credential that is not a session; null when there is none. */
  readonly sessionToken: () => string | null
  /**
   * The verified identity of the call, or null; verified on the first use only. From then on `actor` is this user.
   * @param options.refresh default true; see `PresentedCredential.verify`
   */
  readonly identify: (options?: { readonly refresh?: boolean }) => Promise<Identity | null>
}
