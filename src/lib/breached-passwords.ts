/**
 * The bundled list of common and breached passwords as a Bloom filter: it finds every listed password, and reports one in a
 * hundred thousand others as listed. docs/passwords.md names the source of the list.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** One byte for the number of bits that an entry sets, three unused bytes, four for the number of entries. */
const headerBytes = 8
const bitsPerEntry = 24
/** 24 ln 2, rounded, which leaves half of the bits unset. */
const setPerEntry = 17

/** Digits and symbols that users append to a listed password. */
const maxSuffixLength = 4

/**
 * Whether a password is listed, in any case, or listed with a few digits and symbols appended.
 * @param filter from `createFilter`; default: the bundled one
 */
export function isBreached(password: string, filter: Uint8Array = bundled()): boolean {
  const folded = fold(password)
  for (let cut = 0; cut <= maxSuffixLength; cut += 1) {
    const end = folded.length - cut
    if (/^[\p{L}\s]/u.test(folded.slice(end, end + 1))) return false
    if (end > 0 && contains(filter, folded.slice(0, end))) return true
  }
  return false
}

const fold = (password: string) => password.normalize('NFKC').toLowerCase()

let read: Uint8Array | undefined
function bundled(): Uint8Array {
  read ??= readFileSync(new URL('breached-passwords.bin', import.meta.url))
  return read
}

/** Builds the filter of a list; the bytes do not depend on the order. */
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

const contains = (filter: Uint8Array, entry: string): boolean =>
  positions(filter, entry).every(({ byte, mask }) => ((filter[byte] ?? 0) & mask) !== 0)

/** Derives any number of hashes from two halves of one (Kirsch and Mitzenmacher 2006). */
function positions(filter: Uint8Array, entry: string): { readonly byte: number; readonly mask: number }[] {
  const digest = createHash('sha256').update(entry).digest()
  const [first, second] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)]
  const bits = (filter.length - headerBytes) * 8
  return Array.from({ length: filter[0] ?? 0 }, (_, count) => {
    const bit = (first + count * second) % bits
    return { byte: headerBytes + Math.floor(bit / 8), mask: 1 << (bit % 8) }
  })
}
