/** What an import reads: a file, from anywhere in it, or a stream, once. */
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'

export interface ImportFile {
  /** Absolute. */
  readonly path: string
  readonly handle: FileHandle
}
export interface ImportSource {
  /** Null for what can be read once only: standard input, a pipe. */
  readonly file: ImportFile | null
  /** @param offset bytes to leave out; only for a file */
  readonly read: (offset: number) => AsyncIterable<Buffer>
}

/** @param name as it was typed; absent, or `-`: standard input @throws CliFailure USAGE, and what opening a file throws */
export async function openSource(name: string | undefined, cwd: string): Promise<ImportSource> {
  if (name === undefined || name === '-') {
    if (!process.stdin.isTTY) return { file: null, read: () => process.stdin }
    throw new CliFailure('USAGE', '[file]: expected a file, or lines on standard input', { exitCode: exitCodes.usage })
  }
  const path = resolve(cwd, name)
  const handle = await open(path)
  if (!(await handle.stat()).isFile()) return { file: null, read: () => handle.createReadStream() }
  return { file: { path, handle }, read: (start) => handle.createReadStream({ start, autoClose: false }) }
}
