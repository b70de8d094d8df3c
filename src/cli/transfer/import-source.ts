/** The lines of a file or of standard input. */
import { type FileHandle, open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { readLines } from '../../lib/lines.ts'
import { usageError } from '../../project/failure.ts'
import type { Context } from '../command.ts'

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

/**
 * @param name a path; `-` or none for standard input
 * @param readPassphrase called when the lines are encrypted
 * @throws Failure USAGE, what `readPassphrase` throws, and what opening a file throws; reading throws what `decrypt` does
 */
export async function openSource(
  name: string | undefined,
  { cwd, stdin }: Pick<Context, 'cwd' | 'stdin'>,
  readPassphrase: () => Promise<string>,
): Promise<ImportSource & { readonly isEncrypted: boolean }> {
  const { source, start } = await openBytes(name, { cwd, stdin })
  const { decrypt, encryptedStart } = await import('./encrypted-export.ts')
  if (!start.toString('latin1').startsWith(encryptedStart)) return { ...source, isEncrypted: false }
  const passphrase = await readPassphrase().catch(async (error: unknown) => {
    await source.file?.handle.close()
    throw error
  })
  const shown = source.file ? basename(source.file.path) : 'the input'
  const read = (offset: number) => skip(decrypt(readLines(source.read(0)), passphrase, shown), offset)
  return { file: source.file, read, isEncrypted: true }
}

/** Enough to see whether the lines are encrypted. */
const startBytes = 64

interface OpenedBytes {
  readonly source: ImportSource
  /** The first bytes. */
  readonly start: Buffer
}

async function openBytes(name: string | undefined, { cwd, stdin }: Pick<Context, 'cwd' | 'stdin'>): Promise<OpenedBytes> {
  if (name === undefined || name === '-') {
    if (!stdin.isTTY) return peek(toBuffers(stdin))
    throw usageError('[file]: expected a file, or lines on standard input')
  }
  const path = resolve(cwd, name)
  const handle = await open(path)
  if (!(await handle.stat()).isFile()) return peek(toBuffers(handle.createReadStream()))
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0)
  const read = (start: number) => handle.createReadStream({ start, autoClose: false })
  return { source: { file: { path, handle }, read }, start: buffer.subarray(0, bytesRead) }
}

/** Reads the start of a stream that can be read only once, and puts it back. */
async function peek(chunks: AsyncGenerator<Buffer, void, undefined>): Promise<OpenedBytes> {
  let start: Buffer = Buffer.alloc(0)
  while (start.length < startBytes) {
    const next = await chunks.next()
    if (next.done) break
    start = Buffer.concat([start, next.value])
  }
  const read = async function* () {
    if (start.length > 0) yield start
    yield* chunks
  }
  return { source: { file: null, read }, start }
}

async function* skip(chunks: AsyncIterable<Buffer>, offset: number): AsyncGenerator<Buffer, void, undefined> {
  let left = offset
  for await (const chunk of chunks) {
    if (left < chunk.length) yield chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

async function* toBuffers(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) yield Buffer.from(chunk)
}
