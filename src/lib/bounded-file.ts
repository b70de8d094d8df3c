/** Files that a configuration names: read up to a size, or else why they cannot be used, as the end of `Cannot use logo.svg: …`. */
import { readFileSync, statSync } from 'node:fs'
import { errorProperty } from './driver-errors.ts'

interface Problem {
  readonly problem: string
}

/** @param maxBytes of a larger file nothing is read */
export function readBounded(path: string, maxBytes: number): { readonly bytes: Uint8Array<ArrayBuffer> } | Problem {
  try {
    const stats = statSync(path)
    if (!stats.isFile()) return { problem: 'it is not a file' }
    if (stats.size > maxBytes)
      return { problem: `it has ${Math.ceil(stats.size / 1024)} KiB, and at most ${maxBytes / 1024} are allowed` }
    return { bytes: new Uint8Array(readFileSync(path)) }
  } catch (error) {
    const code = errorProperty(error, 'code')
    return { problem: code === 'ENOENT' ? 'it does not exist' : `it cannot be read (${code})` }
  }
}

/** The same for a text in UTF-8; without a byte order mark, with which editors of Windows start a file. */
export function readBoundedText(path: string, maxBytes: number): { readonly text: string } | Problem {
  const read = readBounded(path, maxBytes)
  if ('problem' in read) return read
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(read.bytes) }
  } catch {
    return { problem: 'it is not UTF-8' }
  }
}
