/** The lines of a file or of standard input, in bounded memory. */
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { usageError } from '../../project/failure.ts'
import type { Context } from '../command.ts'

export interface Line {
  /** From 1. Blank lines are counted and skipped. */
  readonly number: number
  /** Null for a line that is too long or not UTF-8. */
  readonly text: string | null
  /** Position after this line, in bytes. */
  readonly end: number
}

const maxLineBytes = 1_048_576
const newline = 0x0a

/**
 * @param chunks bytes, cut anywhere
 * @param before the line before the first chunk
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  before: Pick<Line, 'number' | 'end'> = { number: 0, end: 0 },
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let { number, end: position } = before
  let rest: Buffer[] = []
  let length = 0
  const end = (newlines: number): Line | null => {
    number += 1
    position += length + newlines
    const text = length > maxLineBytes ? null : decode(decoder, Buffer.concat(rest))
    rest = []
    length = 0
    return text?.trim() === '' ? null : { number, text, end: position }
  }
  const add = (bytes: Buffer): void => {
    length += bytes.length
    if (length <= maxLineBytes) rest.push(bytes)
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      const line = end(1)
      if (line) yield line
    }
    add(chunk.subarray(from))
  }
  const last = length > 0 ? end(0) : null
  if (last) yield last
}

function decode(decoder: Pick<InstanceType<typeof TextDecoder>, 'decode'>, bytes: Buffer): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

export interface ImportFile {
  /** Absolute. */
  readonly path: string
  readonly handle: FileHandle
}
export interface ImportSource {
  /** Null for standard input and pipes, which can be read only once. */
  readonly file: ImportFile | null
  /** @param offset bytes to skip; files only */
  readonly read: (offset: number) => AsyncIterable<Buffer>
}

/** @param name a path; `-` or none for standard input @throws Failure USAGE, and what opening a file throws */
export async function openSource(
  name: string | undefined,
  { cwd, stdin }: Pick<Context, 'cwd' | 'stdin'>,
): Promise<ImportSource> {
  if (name === undefined || name === '-') {
    if (!stdin.isTTY) return { file: null, read: () => toBuffers(stdin) }
    throw usageError('[file]: expected a file, or lines on standard input')
  }
  const path = resolve(cwd, name)
  const handle = await open(path)
  if (!(await handle.stat()).isFile()) return { file: null, read: () => handle.createReadStream() }
  return { file: { path, handle }, read: (start) => handle.createReadStream({ start, autoClose: false }) }
}

async function* toBuffers(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
