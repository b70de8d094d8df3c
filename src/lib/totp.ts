/** One-time passwords by time (RFC 6238) and by counter (RFC 4226), and the URI by which authenticator apps learn their secret. */
import { createHmac, timingSafeEqual } from 'node:crypto'

export type TOTPAlgorithm = 'SHA1' | 'SHA256' | 'SHA512'

export interface TOTPSettings {
  readonly digits: number
  /** Seconds. */
  readonly period: number
  readonly algorithm: TOTPAlgorithm
}

/** @param key bytes of the secret @param counter a whole number up to 2^53 - 1 */
export function hotp(key: Uint8Array, counter: number, { digits, algorithm }: Omit<TOTPSettings, 'period'>): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac(algorithm.toLowerCase(), key).update(message).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The time step of a moment. @param time in milliseconds since 1970 */
export const timeStep = (time: number, period: number): number => Math.floor(time / 1000 / period)

/**
 * The time step whose code this is, of the current one and those around it. All are compared, in constant time.
 * @param time in milliseconds since 1970
 * @param window steps before and after the current one
 * @returns null when it is the code of none
 */
export function matchTimeStep(
  key: Uint8Array,
  code: string,
  settings: TOTPSettings,
  { time, window }: { readonly time: number; readonly window: number },
): number | null {
  const current = timeStep(time, settings.period)
  let matched: number | null = null
  for (let step = Math.max(0, current - window); step <= current + window; step += 1)
    if (isEqual(hotp(key, step, settings), code)) matched = step
  return matched
}

function isEqual(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding (RFC 4648 §6). */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet[(value >>> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return bits > 0 ? text + alphabet[(value << (5 - bits)) & 31] : text
}

/** @param text in any case, with or without padding and blanks @returns null when it is not base32 */
export function parseBase32(text: string): Uint8Array<ArrayBuffer> | null {
  const compact = text.replaceAll(/[\s=-]/g, '').toUpperCase()
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of compact) {
    const digit = alphabet.indexOf(character)
    if (digit === -1) return null
    value = (value << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >>> bits) & 255)
    value &= (1 << bits) - 1
  }
  return new Uint8Array(bytes)
}

interface Labelled extends TOTPSettings {
  readonly issuer: string
  /** Of the account in the list of the app, such as an email address. */
  readonly account: string
}

/** The `otpauth:` URI of a secret. The algorithm is named unless it is SHA-1, which apps assume. */
export function otpauthURI(key: Uint8Array, { issuer, account, digits, period, algorithm }: Labelled): string {
  const query = new URLSearchParams({ secret: base32(key), issuer, digits: String(digits), period: String(period) })
  if (algorithm !== 'SHA1') query.set('algorithm', algorithm)
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`
}
