/** The signed copy of session and user in the cookie `session_data`, byte for byte as contract 00 §5 defines it. */
import type { Keyring } from './keyring.ts'
import { isObject } from './objects.ts'

export interface SessionData {
  readonly session: Readonly<Record<string, unknown>>
  readonly user: Readonly<Record<string, unknown>>
  /** See `cache-epoch.ts`; no daemon uses a copy without it. */
  readonly epoch?: number
  /** Milliseconds since 1970. `getCookieCache` of 1.7 requires this member, and `version` (contract 10 C). */
  readonly updatedAt?: number
  readonly version?: string
}

type Signing = Pick<Keyring, 'sign' | 'verify'>

/** @param expiresAt milliseconds since 1970 */
export function encodeSessionData(data: SessionData, expiresAt: number, signing: Signing): string {
  const inner = JSON.stringify(data)
  const signature = Buffer.from(signing.sign(signedText(inner, String(expiresAt))), 'base64').toString('base64url')
  return Buffer.from(`{"session":${inner},"expiresAt":${expiresAt},"signature":"${signature}"}`).toString('base64url')
}

export type DecodedSessionData =
  | { readonly state: 'valid'; readonly data: SessionData; readonly expiresAt: number }
  /** Damaged, or another program's cookie of the same name. */
  | { readonly state: 'undecodable' }
  | { readonly state: 'forged' }

const form = /^\{"session":(\{.*\}),"expiresAt":(\d+),"signature":"([\w-]{43})"\}$/s

export function decodeSessionData(sent: string, signing: Signing): DecodedSessionData {
  const text = Buffer.from(sent, 'base64url').toString()
  const parsed = parse(text)
  // Any JSON is decodable; its signature decides whether it is forged (contract 00 §5).
  if (!parsed) return { state: 'undecodable' }
  const [, inner = '', expiresAt = '', signature = ''] = form.exec(text) ?? []
  const standard = `${signature.replaceAll('-', '+').replaceAll('_', '/')}=`
  // Over the text as sent: serializing it again would cost more than the rest, and could differ.
  if (!inner || !signing.verify(signedText(inner, expiresAt), standard)) return { state: 'forged' }
  const data = isObject(parsed) && 'session' in parsed ? parsed.session : undefined
  return isSessionData(data) ? { state: 'valid', data, expiresAt: Number(expiresAt) } : { state: 'undecodable' }
}

/** The members of the inner object and the expiry, as one object. */
const signedText = (inner: string, expiresAt: string) => `${inner.slice(0, -1)},"expiresAt":${expiresAt}}`

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isSessionData = (value: unknown): value is SessionData =>
  isObject(value) && 'session' in value && 'user' in value && isObject(value.session) && isObject(value.user)
