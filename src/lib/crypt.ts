/**
 * The hashes of crypt(3) and of PHP that no native library computes: SHA-crypt (Drepper 2008), MD5-crypt and phpass. The packages
 * for them compute all rounds without a pause, which blocks the event loop for up to a second; here other work has its turn in between.
 */
import { createHash, hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** @returns the number that a character of the alphabet of crypt(3) stands for */
export const digitOf = (character: string): number => alphabet.indexOf(character)

/** Base64 of crypt(3): its own alphabet, the lowest bits first. */
function encode(bytes: readonly number[]): string {
  let text = ''
  for (let from = 0; from < bytes.length; from += 3) {
    const group = bytes.slice(from, from + 3)
    const value = group.reduce((sum, byte, position) => sum + byte * 256 ** position, 0)
    for (let digit = 0; digit <= group.length; digit += 1) text += alphabet.charAt(Math.floor(value / 64 ** digit) % 64)
  }
  return text
}

/** Rounds without a pause: about a millisecond. */
const roundsPerTurn = 512

async function repeat(first: Buffer, rounds: number, step: (last: Buffer, round: number) => Buffer): Promise<Buffer> {
  let last = first
  for (let round = 0; round < rounds; round += 1) {
    last = step(last, round)
    if (round % roundsPerTurn === roundsPerTurn - 1) await nextTurn()
  }
  return last
}

const digest = (algorithm: string, ...parts: readonly Uint8Array[]): Buffer => hash(algorithm, Buffer.concat(parts), 'buffer')

function fill(bytes: Buffer, length: number): Buffer {
  return Buffer.alloc(length, bytes)
}

/** The rounds that SHA-crypt has inherited from MD5-crypt. */
const mix = (algorithm: string, first: Buffer, password: Buffer, salt: Buffer, rounds: number): Promise<Buffer> =>
  repeat(first, rounds, (last, round) => {
    const isOdd = round % 2 === 1
    const parts = [isOdd ? password : last]
    if (round % 3 !== 0) parts.push(salt)
    if (round % 7 !== 0) parts.push(password)
    return digest(algorithm, ...parts, isOdd ? last : password)
  })

/** The bits of a length from the lowest to the highest. */
const bitsOf = (length: number): boolean[] => [...length.toString(2)].reverse().map((bit) => bit === '1')

/** Groups of three bytes from three parts of the digest, each rotated against the one before it. */
function interleave(bytes: Buffer, rotation: number): string {
  const third = Math.floor(bytes.length / 3)
  const order = Array.from({ length: third }, (_, position) => {
    const group = [position, position + third, position + 2 * third]
    const shift = (position * rotation) % 3
    return [...group.slice(shift), ...group.slice(0, shift)].reverse()
  })
  const rest = Array.from({ length: bytes.length % 3 }, (_, position) => 3 * third + position)
  return encode([...order.flat(), ...rest].map((position) => bytes[position] ?? 0))
}

export interface ShaCrypt {
  readonly digest: 'sha256' | 'sha512'
  readonly rounds: number
  /** At most 16 bytes. */
  readonly salt: Buffer
}

/** @returns the last part of `$5$salt$…` or `$6$salt$…` */
export async function shaCrypt({ digest: algorithm, rounds, salt }: ShaCrypt, password: Buffer): Promise<string> {
  const other = digest(algorithm, password, salt, password)
  const mixed = bitsOf(password.length).map((bit) => (bit ? other : password))
  const isEmpty = password.length === 0
  const first = digest(algorithm, password, salt, fill(other, password.length), ...(isEmpty ? [] : mixed))
  const repeated = createHash(algorithm)
  for (let times = 0; times < password.length; times += 1) repeated.update(password)
  const passwordBytes = fill(repeated.digest(), password.length)
  const saltBytes = fill(digest(algorithm, ...Array<Buffer>(16 + (first[0] ?? 0)).fill(salt)), salt.length)
  const made = await mix(algorithm, first, passwordBytes, saltBytes, rounds)
  return interleave(made, algorithm === 'sha256' ? 2 : 1)
}

/** @param magic `$1$`, or `$apr1$` of Apache @param salt at most 8 bytes @returns the last part of `$1$salt$…` */
export async function md5Crypt(magic: string, salt: Buffer, password: Buffer): Promise<string> {
  const other = digest('md5', password, salt, password)
  const isEmpty = password.length === 0
  const mixed = bitsOf(password.length).map((bit) => (bit ? Buffer.alloc(1) : password.subarray(0, 1)))
  const first = digest('md5', password, Buffer.from(magic), salt, fill(other, password.length), ...(isEmpty ? [] : mixed))
  const bytes = await mix('md5', first, password, salt, 1000)
  const groups = [0, 1, 2, 3, 4].map((position) => [position === 4 ? 5 : position + 12, position + 6, position])
  return encode([...groups.flat(), 11].map((position) => bytes[position] ?? 0))
}

/** @returns the text after the salt of `$P$` and `$H$` (MD5), and, longer than Drupal stores it, of `$S$` (SHA-512) */
export async function phpass(algorithm: 'md5' | 'sha512', rounds: number, salt: Buffer, password: Buffer): Promise<string> {
  const first = digest(algorithm, salt, password)
  return encode([...(await repeat(first, rounds, (last) => digest(algorithm, last, password)))])
}
