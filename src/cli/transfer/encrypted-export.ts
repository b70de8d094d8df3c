/**
 * Exports that are encrypted by a passphrase (docs/importing.md). Lines of JSON: the first one has the parameters of the key, each further
 * one a piece of the export, sealed with AES-256-GCM. The nonce of a piece is its position, and whether it is the last one: pieces that
 * are changed, moved, repeated or missing do not open.
 */
import { createCipheriv, createDecipheriv, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { Line } from '../../lib/lines.ts'
import { exitCodes, Failure } from '../../project/failure.ts'

export const encryptedSchema = 'export-encrypted/v1'

/** How a line of an encrypted export begins, of each version. */
export const encryptedStart = '{"schema":"export-encrypted/'

/** Characters; of a new passphrase. */
export const shortestPassphrase = 12

/** Binary logarithm of the cost of scrypt: 128 MiB of memory (OWASP Password Storage Cheat Sheet). */
const usualCost = 17
const blockSize = 8
const pieceBytes = 65_536
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** Checked before the key is derived, because the cost decides how much memory and time that takes. */
const headerSchema = z.strictObject({
  schema: z.literal(encryptedSchema),
  kdf: z.literal('scrypt'),
  cost: z.int().min(14).max(18),
  salt: z.base64().length(24),
})
const pieceSchema = z.strictObject({ schema: z.literal(encryptedSchema), data: z.base64().max(100_000) })

const derive: (secret: string, salt: Uint8Array, length: number, options: object) => Promise<Buffer> = promisify(scrypt)
const deriveKey = (passphrase: string, salt: Uint8Array, cost: number): Promise<Buffer> =>
  derive(passphrase.normalize('NFKC'), salt, 32, { N: 2 ** cost, r: blockSize, p: 1, maxmem: 2 ** cost * blockSize * 256 })

/** Twelve bytes. Each file has its own key, so that no nonce is used twice with one key. */
function nonceOf(position: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(position, 5, 6)
  nonce[11] = Number(isLast)
  return nonce
}

/**
 * @param text of the export, cut anywhere
 * @param salt 16 random bytes
 * @returns the lines of the file, without `schema`
 */
export async function* encrypt(
  text: AsyncIterable<string>,
  passphrase: string,
  salt: Uint8Array,
): AsyncGenerator<object, void, undefined> {
  const key = await deriveKey(passphrase, salt, usualCost)
  yield { kdf: 'scrypt', cost: usualCost, salt: Buffer.from(salt).toString('base64') }
  let position = 0
  const seal = (piece: Buffer, isLast: boolean): object => {
    const cipher = createCipheriv(algorithm, key, nonceOf(position, isLast))
    position += 1
    return { data: Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()]).toString('base64') }
  }
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of text) {
    rest = Buffer.concat([rest, Buffer.from(part)])
    while (rest.length > pieceBytes) {
      yield seal(rest.subarray(0, pieceBytes), false)
      rest = rest.subarray(pieceBytes)
    }
  }
  yield seal(rest, true)
}

/**
 * @param lines of the file
 * @param name of the file, for errors
 * @throws Failure WRONG_PASSPHRASE before anything is returned; EXPORT_DAMAGED, after what is intact
 */
export async function* decrypt(
  lines: AsyncIterable<Line>,
  passphrase: string,
  name: string,
): AsyncGenerator<Buffer, void, undefined> {
  let key: Buffer | null = null
  let position = 0
  let waiting: Line | null = null
  const open = (line: Line, isLast: boolean): Buffer => {
    const piece = key && openPiece(line, key, nonceOf(position, isLast))
    if (!piece) throw position === 0 ? wrongPassphrase(name) : damaged(name, line.number)
    position += 1
    return piece
  }
  for await (const line of lines) {
    if (key === null) {
      const header = headerSchema.safeParse(parsed(line))
      if (!header.success) throw unreadable(name)
      key = await deriveKey(passphrase, Buffer.from(header.data.salt, 'base64'), header.data.cost)
      continue
    }
    if (waiting) yield open(waiting, false)
    waiting = line
  }
  if (!waiting) throw damaged(name, 2)
  yield open(waiting, true)
}

/** @returns null when it was not sealed with this key and nonce */
function openPiece(line: Line, key: Buffer, nonce: Buffer): Buffer | null {
  const piece = pieceSchema.safeParse(parsed(line))
  const sealed = Buffer.from(piece.data?.data ?? '', 'base64')
  if (sealed.length < tagBytes) return null
  const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()])
  } catch {
    return null
  }
}

function parsed({ text }: Line): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return null
  }
}

const wrongPassphrase = (name: string): Failure =>
  new Failure('WRONG_PASSPHRASE', `Cannot decrypt ${name}: the passphrase is wrong, or the file has changed`, {
    exitCode: exitCodes.refused,
    hint: 'Nothing was imported. Try again with the passphrase of the export.',
  })

const damaged = (name: string, line: number): Failure =>
  new Failure('EXPORT_DAMAGED', `${name} has changed or is incomplete: line ${line} cannot be decrypted`, {
    hint: 'Export the users again. Users of intact lines may have been imported; another import leaves them unchanged.',
  })

const unreadable = (name: string): Failure =>
  new Failure('EXPORT_UNREADABLE', `${name} is an encrypted export with parameters that this version does not accept`, {
    hint: 'Update latchkey, or export the users again.',
  })
