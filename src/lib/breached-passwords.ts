/**
 * The shipped list of common and breached passwords as a Bloom filter: it never misses one that is listed, and takes one in a
 * hundred thousand others for listed. docs/passwords.md tells where the list is from.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Eight bytes in front: how many bits an entry sets, three bytes of nothing, how many entries there are. */
const headerBytes = 8
const bitsPerEntry = 24
/** 24 ln 2, rounded: what leaves half of the bits unset. */
const setPerEntry = 17

/** Digits and signs that people add to a listed password to have one that is not. */
const longestDecoration = 4

/**
 * Whether a password is listed, in whatever case, or with a few digits and signs behind it.
 * @param filter made by `createFilter`; without one, the shipped one
 */
export function isBreached(password: string, filter: Uint8Array = shipped()): boolean {
  const folded = fold(password)
  for (let cut = 0; cut <= longestDecoration; cut += 1) {
    const end = folded.length - cut
    if (/^[\p{L}\s]/u.test(folded.slice(end, end + 1))) return false
    if (end > 0 && contains(filter, folded.slice(0, end))) return true
  }
  return false
}

const fold = (password: string) => password.normalize('NFKC').toLowerCase()

let read: Uint8Array | undefined
function shipped(): Uint8Array {
  read ??= readFileSync(new URL('breached-passwords.bin', import.meta.url))
  return read
}

/** The filter of these passwords, the same bytes whatever their order. */
export function createFilter(passwords: Iterable<string>): Uint8Array {
  const entries = new Set([...passwords].map(fold))
  const filter = new Uint8Array(headerBytes + Math.ceil((entries.size * bitsPerEntry) / 8))
  filter[0] = setPerEntry
  new DataView(filter.buffer).setUint32(4, entries.size)
  for (const entry of entries) {
    for (const { byte, mask } of positions(filter, entry)) filter[byte] = (filter[byte] ?? 0) | mask
  }
  return filter
}

/** How many entries the filter was made of. */
export const countEntries = (filter: Uint8Array = shipped()): number =>
  new DataView(filter.buffer, filter.byteOffset).getUint32(4)

const contains = (filter: Uint8Array, entry: string): boolean =>
  positions(filter, entry).every(({ byte, mask }) => ((filter[byte] ?? 0) & mask) !== 0)

/** Two halves of one hash stand for any number of them (Kirsch and Mitzenmacher 2006). */
function positions(filter: Uint8Array, entry: string): { readonly byte: number; readonly mask: number }[] {
  const digest = createHash('sha256').update(entry).digest()
  const [first, second] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)]
  const bits = (filter.length - headerBytes) * 8
  return Array.from({ length: filter[0] ?? 0 }, (_, count) => {
    const bit = (first + count * second) % bits
    return { byte: headerBytes + Math.floor(bit / 8), mask: 1 << (bit % 8) }
  })
}
