/**
 * Texts that better-auth has encrypted (contract 00 §9): XChaCha20-Poly1305 with SHA-256 of its secret as key. Node.js has
 * ChaCha20-Poly1305; HChaCha20 makes its key from the longer nonce (draft-irtf-cfrg-xchacha-03 §2.2).
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

type State = Uint32Array<ArrayBuffer>
const word = (state: State, index: number): number => state[index] ?? 0
const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

function mix(state: State, [a, b, c, d]: readonly [number, number, number, number]): void {
  const step = (sum: number, other: number, turned: number, bits: number): void => {
    state[sum] = word(state, sum) + word(state, other)
    state[turned] = rotated(word(state, turned) ^ word(state, sum), bits)
  }
  step(a, b, d, 16)
  step(c, d, b, 12)
  step(a, b, d, 8)
  step(c, d, b, 7)
}

const columns = [0, 1, 2, 3].map((at) => [at, at + 4, at + 8, at + 12] as const)
const diagonals = [0, 1, 2, 3].map((at) => [at, 4 + ((at + 1) % 4), 8 + ((at + 2) % 4), 12 + ((at + 3) % 4)] as const)

/** @param key 32 bytes @param nonce 16 bytes @returns 32 bytes */
export function hchacha20(key: Buffer, nonce: Buffer): Buffer {
  const state = new Uint32Array(16)
  const input = Buffer.concat([Buffer.from('expand 32-byte k'), key, nonce])
  for (let at = 0; at < 16; at += 1) state[at] = input.readUInt32LE(at * 4)
  for (let round = 0; round < 10; round += 1) for (const words of [...columns, ...diagonals]) mix(state, words)
  const output = Buffer.alloc(32)
  for (const [at, from] of [0, 1, 2, 3, 12, 13, 14, 15].entries()) output.writeUInt32LE(word(state, from), at * 4)
  return output
}

const nonceLength = 24
const tagLength = 16

const keyOf = (secret: string, long: Buffer) => ({
  key: hchacha20(createHash('sha256').update(secret).digest(), long.subarray(0, 16)),
  nonce: Buffer.concat([Buffer.alloc(4), long.subarray(16)]),
})

/** Encrypts a text as better-auth does. */
export function sealFormerText(secret: string, text: string): string {
  const long = randomBytes(nonceLength)
  const { key, nonce } = keyOf(secret, long)
  const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagLength })
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([long, hidden, cipher.getAuthTag()]).toString('hex')
}

/**
 * @param sealed hexadecimal digits of nonce, text and tag; since 1.4 possibly after `$ba$<number of the secret>$`
 * @returns null when another secret encrypted it, or it has another form
 */
export function openFormerText(secret: string, sealed: string): string | null {
  const [, digits] = /^(?:\$ba\$\d+\$)?((?:[\da-f]{2})+)$/i.exec(sealed) ?? []
  const bytes = Buffer.from(digits ?? '', 'hex')
  if (bytes.length < nonceLength + tagLength) return null
  const { key, nonce } = keyOf(secret, bytes.subarray(0, nonceLength))
  const cipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagLength })
  cipher.setAuthTag(bytes.subarray(-tagLength))
  try {
    return Buffer.concat([cipher.update(bytes.subarray(nonceLength, -tagLength)), cipher.final()]).toString()
  } catch {
    return null
  }
}
