/** Options of a session reader and what follows from them, and the error of this package. */
import { createKeyring, type Keyring } from '../lib/keyring.ts'

export interface TokenOptions {
  /** Claim `iss`. Default: the origin of `baseURL`, as `jwt.jwt.issuer`. */
  readonly issuer?: string
  /** Claim `aud`; of several, one suffices. Default: the origin of `baseURL`, as `jwt.jwt.audience`. */
  readonly audience?: string | readonly string[]
  /** Accepted algorithms. Default: `['EdDSA']`, as `jwt.jwks.keyPairConfig.alg`. */
  readonly algorithms?: readonly string[]
}

export interface CookieCacheOptions {
  /** The `secret` of the daemon; during a rotation all of them. With it the app can forge every session: see docs/server-side.md. */
  readonly secret: string | readonly string[]
}

export interface SessionReaderOptions {
  /** Address of the API with its base path, such as https://accounts.example.com/api/auth. */
  readonly baseURL: string
  /** Public address of the app, such as https://app.example.com. It must belong to `trustedOrigins` of the daemon. */
  readonly appURL: string
  /** Where the hosted pages are. Default: the origin of `baseURL`. */
  readonly pagesURL?: string
  /** `advanced.cookiePrefix` of the daemon. Default: latchkey. */
  readonly cookiePrefix?: string
  /** `advanced.useSecureCookies` of the daemon. Default: whether `baseURL` starts with https. */
  readonly secureCookies?: boolean
  /** Name of the session cookie, if `advanced.cookies.session_token.name` sets it: the whole name, as browsers send it. */
  readonly sessionCookie?: string
  /** Accepts JSON Web Tokens in `Authorization: Bearer`, verified with the keys of `GET /jwks`. Default: false. */
  readonly jwt?: boolean | TokenOptions
  /** Reads sessions from the signed cookie of `session.cookieCache`. Default: off, because it needs the secret of the daemon. */
  readonly cookieCache?: CookieCacheOptions
  /** Milliseconds that a call of the daemon may take. Default: 5000. */
  readonly timeout?: number
  /** Default: the global one. */
  readonly fetch?: typeof fetch
  /** The current time. Default: the clock of the system. */
  readonly now?: () => Date
}

export interface ReaderSettings {
  /** Without a slash at the end. */
  readonly api: string
  readonly appOrigin: string
  /** Without a slash at the end. */
  readonly pages: string
  readonly cookies: CookieNames
  readonly keyring: Keyring | null
  readonly tokens: Required<TokenOptions> | null
  readonly timeout: number
  readonly fetch: typeof fetch
  readonly now: () => Date
}

export interface CookieNames {
  readonly token: string
  readonly data: string
  /** Of all cookies of the daemon: no other cookie of the app leaves it. */
  readonly isOurs: (name: string) => boolean
}

/** @throws SessionError INVALID_OPTION */
export function readOptions(options: SessionReaderOptions): ReaderSettings {
  const base = webAddress('baseURL', options.baseURL)
  const { secret } = options.cookieCache ?? {}
  const secrets = secret === undefined ? [] : [secret].flat()
  if (options.cookieCache && (secrets.length === 0 || secrets.includes(''))) throw invalid('cookieCache.secret', 'It is empty.')
  return {
    api: withoutSlash(base),
    appOrigin: webAddress('appURL', options.appURL).origin,
    pages: withoutSlash(options.pagesURL === undefined ? new URL(base.origin) : webAddress('pagesURL', options.pagesURL)),
    cookies: cookieNames(options, base),
    keyring: secrets.length > 0 ? createKeyring(secrets) : null,
    tokens: tokenSettings(options, base),
    timeout: options.timeout ?? 5000,
    fetch: options.fetch ?? fetch,
    now: options.now ?? (() => new Date()),
  }
}

/** As `cookieDefinition` of the daemon: over https only the names that browsers accept from secure origins. */
function cookieNames({ cookiePrefix = 'latchkey', secureCookies, sessionCookie }: SessionReaderOptions, base: URL): CookieNames {
  const isSecure = secureCookies ?? base.protocol === 'https:'
  const start = `${prefixFor(cookiePrefix, isSecure)}.`
  const token = sessionCookie ?? `${start}session_token`
  return { token, data: `${start}session_data`, isOurs: (name) => name.startsWith(start) || name === token }
}

/** Browsers accept both prefixes only for cookies that are secure. */
function prefixFor(prefix: string, isSecure: boolean): string {
  const bare = prefix.replace(/^__(?:Host|Secure)-/, '')
  if (!isSecure) return bare
  return bare === prefix ? `__Secure-${prefix}` : prefix
}

function tokenSettings({ jwt = false }: SessionReaderOptions, { origin }: URL): Required<TokenOptions> | null {
  if (jwt === false) return null
  const { issuer = origin, audience = origin, algorithms = ['EdDSA'] } = jwt === true ? {} : jwt
  // A shared secret, or no signature: the keys of the daemon are for none of these.
  const isPublic = algorithms.length > 0 && algorithms.every((name) => /^(EdDSA|Ed25519|(ES|RS|PS)\d{3})$/.test(name))
  if (!isPublic) throw invalid('jwt.algorithms', 'Name algorithms with public keys, such as EdDSA.')
  return { issuer, audience, algorithms }
}

const withoutSlash = ({ origin, pathname }: URL): string => `${origin}${pathname}`.replace(/\/+$/, '')

function webAddress(option: string, text: string): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw invalid(option, 'Expected a URL that starts with https:// or http://.')
  return url
}

const invalid = (option: string, reason: string): SessionError =>
  new SessionError('INVALID_OPTION', `createSessionReader: ${option} is invalid. ${reason}`)

/** The status that a server responds with. */
const statuses = {
  /** There is no session. */
  SIGN_IN_REQUIRED: 401,
  /** A request to change something comes from another site. */
  INVALID_ORIGIN: 403,
  /** The daemon did not respond, or not as expected: whether there is a session is unknown. */
  SESSION_UNAVAILABLE: 503,
  INVALID_OPTION: 500,
} as const

export type SessionErrorCode = keyof typeof statuses

export class SessionError extends Error {
  override readonly name = 'SessionError'
  readonly code: SessionErrorCode
  readonly status: number
  constructor(code: SessionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = statuses[code]
  }
}
