/** Cookies as in contract 00 §5, byte for byte; attributes as in RFC 6265bis. */
import type { Keyring } from './keyring.ts'

export interface CookieOptions {
  /** Seconds, rounded down, 400 days at most (RFC 6265bis §5.5). Default: until the browser session ends. */
  readonly maxAge?: number
  readonly domain?: string
  readonly path?: string
  readonly httpOnly?: boolean
  readonly secure?: boolean
  readonly sameSite?: string
  readonly partitioned?: boolean
}

export const longestMaxAge = 34_560_000

/** Builds a `Set-Cookie` header. The value must already be encoded. @throws RangeError above 400 days */
export function serializeCookie(name: string, value: string, options: CookieOptions): string {
  const host = name.startsWith('__Host-')
  const secure = options.secure || options.partitioned || name.startsWith('__Secure-') || host
  let header = `${name}=${value}`
  if (options.maxAge !== undefined) {
    if (options.maxAge > longestMaxAge) throw new RangeError('The maximum age of a cookie is 400 days')
    header += `; Max-Age=${Math.floor(options.maxAge)}`
  }
  if (options.domain && !host) header += `; Domain=${options.domain}`
  const path = host ? '/' : options.path
  if (path) header += `; Path=${path}`
  if (options.httpOnly) header += '; HttpOnly'
  if (secure) header += '; Secure'
  if (options.sameSite) header += `; SameSite=${options.sameSite.charAt(0).toUpperCase()}${options.sameSite.slice(1)}`
  if (options.partitioned) header += '; Partitioned'
  return header
}

const noCookies: readonly string[] = []

/**
 * Finds the cookies with a name in a `Cookie` header, without surrounding quotes. Browsers send several when they differ in their
 * `Domain` or `Path` (RFC 6265bis §5.7.3).
 */
export function findCookies(header: string | undefined, name: string): readonly string[] {
  if (!header?.includes(name)) return noCookies
  const found: string[] = []
  for (const [cookie, value] of cookiesOf(header)) if (cookie === name) found.push(value)
  return found
}

/** All cookies in a `Cookie` header, in its order; of several with one name, each. */
export function* cookiesOf(header: string | undefined): Generator<[name: string, value: string], void, undefined> {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at >= 1) yield [part.slice(0, at).trim(), unquote(part.slice(at + 1).trim())]
  }
}

const unquote = (value: string): string =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value

/** `value.signature`, percent-encoded. */
export const signCookie = (value: string, signing: Pick<Keyring, 'sign'>): string =>
  encodeURIComponent(`${value}.${signing.sign(value)}`)

/** Returns the value of a signed cookie; null when it is malformed or the signature is invalid. */
export function readSignedCookie(sent: string | undefined, signing: Pick<Keyring, 'verify'>): string | null {
  const decoded = sent === undefined ? null : decode(sent)
  if (decoded === null) return null
  const at = decoded.lastIndexOf('.')
  if (at < 1) return null
  const signature = decoded.slice(at + 1)
  if (signature.length !== 44 || !signature.endsWith('=')) return null
  const value = decoded.slice(0, at)
  return signing.verify(value, signature) ? value : null
}

/** The values of those of several signed cookies whose signature holds, each once. */
export function readSignedCookies(sent: readonly string[], signing: Pick<Keyring, 'verify'>): readonly string[] {
  if (sent.length === 0) return noCookies
  const values = new Set<string>()
  for (const each of sent) {
    const value = readSignedCookie(each, signing)
    if (value !== null) values.add(value)
  }
  return [...values]
}

function decode(text: string): string | null {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
