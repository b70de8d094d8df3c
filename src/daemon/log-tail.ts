/** The end of a log, and what is added to it. */
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const chunk = 65_536

/**
 * @param count lines
 * @returns the last lines, and where the file ended then
 * @throws Error as `fs.openSync`
 */
export function readLastLines(path: string, count: number): { readonly lines: readonly string[]; readonly end: number } {
  const fd = openSync(path, 'r')
  try {
    const end = fstatSync(fd).size
    let start = end
    let bytes: Buffer = Buffer.alloc(0)
    // One more newline than lines: the one that ends the line before them.
    while (start > 0 && countNewlines(bytes) <= count) {
      const length = Math.min(chunk, start)
      start -= length
      bytes = Buffer.concat([readAt(fd, start, length), bytes])
    }
    const lines = bytes.toString().split('\n')
    if (lines.at(-1) === '') lines.pop()
    return { lines: count === 0 ? [] : lines.slice(-count), end }
  } finally {
    closeSync(fd)
  }
}

const countNewlines = (bytes: Buffer): number => bytes.reduce((count, byte) => (byte === 10 ? count + 1 : count), 0)

function readAt(fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(fd, bytes, 0, length, position))
}

/** Milliseconds between two looks; asking is what works on every file system, for rotation and truncation alike. */
const interval = 200

/**
 * Lines as they are added, until the signal is aborted. A file that was emptied is read from its beginning, one that was
 * replaced is read to its end first.
 * @param position bytes that are known already
 */
export async function* followLines(path: string, position: number, signal: AbortSignal): AsyncGenerator<string> {
  let fd = openSync(path, 'r')
  let at = position
  let rest = Buffer.alloc(0)
  try {
    while (!signal.aborted) {
      const isReplaced = hasOtherFile(path, fd)
      const { size } = fstatSync(fd)
      if (size < at) at = 0
      while (at < size) {
        const read = readAt(fd, at, Math.min(chunk, size - at))
        if (read.length === 0) break
        at += read.length
        rest = Buffer.concat([rest, read])
        const lines = rest.toString('utf8', 0, rest.lastIndexOf(10) + 1).split('\n')
        rest = rest.subarray(rest.lastIndexOf(10) + 1)
        yield* lines.slice(0, -1)
      }
      if (isReplaced) {
        closeSync(fd)
        fd = openSync(path, 'r')
        at = 0
      } else await pause(interval, undefined, { signal }).catch(() => {})
    }
  } finally {
    closeSync(fd)
  }
}

/** False while there is no file at the path: the next one is yet to be made. */
function hasOtherFile(path: string, fd: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false })
  const { ino, dev } = fstatSync(fd)
  return there !== undefined && (there.ino !== ino || there.dev !== dev)
}
