/** The cookie `session_data`: a signed copy of session and user, byte for byte as contract 00 §5 has it. */
import { isObject } from './is-object.ts'

export interface SessionData {
  readonly session: Readonly<Record<string, unknown>>
  readonly user: Readonly<Record<string, unknown>>
  /** The generation of changes that this copy was made in. Without it nobody knows how old it is. */
  readonly epoch?: number
}

interface Signing {
  sign(value: string): string
  verify(value: string, signature: string): boolean
}

/** @param expiresAt milliseconds since 1970 */
export function encodeSessionData(data: SessionData, expiresAt: number, signing: Signing): string {
  const inner = JSON.stringify(data)
  const signature = signing
    .sign(signedText(inner, String(expiresAt)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  return Buffer.from(`{"session":${inner},"expiresAt":${expiresAt},"signature":"${signature}"}`).toString('base64url')
}

export type DecodedSessionData =
  | { readonly state: 'valid'; readonly data: SessionData; readonly expiresAt: number }
  /** Not even ours to judge: damaged on its way, or written by somebody else under our name. */
  | { readonly state: 'undecodable' }
  | { readonly state: 'forged' }

const form = /^\{"session":(\{.*\}),"expiresAt":(\d+),"signature":"([\w-]{43})"\}$/s

export function decodeSessionData(sent: string, signing: Signing): DecodedSessionData {
  const text = Buffer.from(sent, 'base64url').toString()
  const parsed = parse(text)
  // Whatever else is JSON is judged by its signature (contract 00 §5).
  if (!parsed) return { state: 'undecodable' }
  const [, inner = '', expiresAt = '', signature = ''] = form.exec(text) ?? []
  const standard = `${signature.replaceAll('-', '+').replaceAll('_', '/')}=`
  // Over the text as it came: to write it anew would cost more than the rest, and trust that both spell alike.
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
