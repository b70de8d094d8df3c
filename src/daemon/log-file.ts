/** Opens, reads and follows a log file, without the library that writes it. */
import { closeSync, fstatSync, mkdirSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { errorReason } from '../lib/redact.ts'
import { Failure } from '../project/failure.ts'

/** Appends are atomic per line, so all processes can write to one file. Readable by its owner only. @throws Failure LOG_UNWRITABLE */
export function openForAppending(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'a', 0o600)
    if (!fstatSync(fd).isDirectory()) return fd
    throw new Error('it is a directory')
  } catch (cause) {
    throw new Failure('LOG_UNWRITABLE', `The log ${path} cannot be written: ${errorReason(cause)}`, {
      hint: 'Check the folder and its owner, or set another file in log.file.',
      cause,
    })
  }
}

const chunkBytes = 65_536

/**
 * @param count number of lines
 * @returns the last lines, and the size of the file
 * @throws Error as `fs.openSync`
 */
export function readLastLines(path: string, count: number): { readonly lines: readonly string[]; readonly end: number } {
  const fd = openSync(path, 'r')
  try {
    const end = fstatSync(fd).size
    let start = end
    let bytes: Buffer = Buffer.alloc(0)
    // One newline more than lines: the end of the line before them.
    while (start > 0 && countNewlines(bytes) <= count) {
      const length = Math.min(chunkBytes, start)
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

/** Polling works on every file system, and for rotation and truncation alike. */
const pollMs = 200

/**
 * Yields added lines until the signal is aborted. Reads a truncated file from its start, and a replaced file to its end before
 * the new one.
 * @param position where to start, in bytes
 */
export async function* followLines(path: string, position: number, signal: AbortSignal): AsyncGenerator<string> {
  let fd = openSync(path, 'r')
  let at = position
  let rest = Buffer.alloc(0)
  try {
    while (!signal.aborted) {
      const isReplaced = findFile(path, fd) === 'other'
      const { size } = fstatSync(fd)
      if (size < at) at = 0
      while (at < size) {
        const read = readAt(fd, at, Math.min(chunkBytes, size - at))
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
      } else await pause(pollMs, undefined, { signal }).catch(() => {})
    }
  } finally {
    closeSync(fd)
  }
}

/** Whether the path still leads to the open file. `none`: log rotation has moved it, and there is no new one yet. */
export function findFile(path: string, fd: number): 'same' | 'other' | 'none' {
  const there = statSync(path, { throwIfNoEntry: false })
  const { ino, dev } = fstatSync(fd)
  if (!there) return 'none'
  return there.ino === ino && there.dev === dev ? 'same' : 'other'
}
