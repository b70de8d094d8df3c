/** How far the import of a file has come: kept while it goes on, so that a run that was ended can be taken up. */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { stateFolder } from '../../daemon/state.ts'
import type { LineOutcome } from '../../features/transfer/index.ts'
import type { Zod } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import type { ImportFile } from './source.ts'

export type Counts = Record<LineOutcome['outcome'], number>

/** Everything up to `end`, in bytes, is done; that is so many lines. */
export interface Progress {
  readonly end: number
  readonly number: number
  readonly counts: Counts
}

export interface Checkpoint {
  /** Null when there is none, or none that can be read. @throws CliFailure IMPORT_CHANGED, IMPORT_ELSEWHERE */
  find(): Promise<Progress | null>
  save(progress: Progress): Promise<void>
  /** The whole file was read. */
  delete(): Promise<void>
}

/** Bytes at the beginning of the file, and before the end of what was read, by which it is known again. */
const sample = 65_536

const storedSchema = (zod: Zod) =>
  zod.object({
    schema: zod.literal('import-checkpoint/v1'),
    database: zod.string(),
    size: zod.int(),
    modified: zod.number(),
    head: zod.string(),
    tail: zod.string(),
    end: zod.int(),
    number: zod.int(),
    counts: zod.object({ created: zod.int(), unchanged: zod.int(), conflict: zod.int(), invalid: zod.int() }),
  })
type Stored = z.output<ReturnType<typeof storedSchema>>

/**
 * @param directory of the project
 * @param database address of the database; only where it is counts, not who asks
 */
export function createCheckpoint(source: ImportFile, directory: string, database: string | undefined): Checkpoint {
  const path = join(stateFolder(directory), 'imports', `${digest(source.path).slice(0, 32)}.json`)
  const target = digest((database ?? '').replace(/\/\/[^/]*@/, '//'))
  return {
    find: async () => {
      const stored = await read(path)
      if (!stored) return null
      if (stored.database !== target) throw elsewhere(source)
      const changed = await findChange(source, stored)
      if (changed !== null) throw fileChanged(source, stored.number, changed)
      return { end: stored.end, number: stored.number, counts: stored.counts }
    },
    save: async (progress) => {
      const stored: Stored = {
        schema: 'import-checkpoint/v1',
        database: target,
        ...(await describeFile(source, progress.end)),
        ...progress,
      }
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Whole or not at all: a run that is killed here leaves the one before.
      const fresh = `${path}.${process.pid}`
      await writeFile(fresh, `${JSON.stringify(stored)}\n`, { mode: 0o600 })
      await rename(fresh, path)
    },
    delete: () => rm(path, { force: true }),
  }
}

async function read(path: string): Promise<Stored | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  const { z } = await import('zod')
  try {
    return storedSchema(z).parse(JSON.parse(text ?? 'null'))
  } catch {
    // A machine that lost its power may have written a part of it; then everything is read again.
    return null
  }
}

async function describeFile(source: ImportFile, end: number) {
  const { size, mtimeMs } = await source.handle.stat()
  const head = await digestOf(source, 0, Math.min(end, sample))
  return { size, modified: mtimeMs, head, tail: await digestOf(source, Math.max(0, end - sample), end) }
}

async function digestOf({ handle }: ImportFile, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from)
  return digest(buffer.subarray(0, bytesRead))
}

const digest = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

async function findChange(source: ImportFile, stored: Stored): Promise<string | null> {
  const now = await describeFile(source, stored.end)
  if (now.size !== stored.size) return `it had ${stored.size} bytes and has ${now.size}`
  if (now.head !== stored.head || now.tail !== stored.tail) return 'what was read already is not the same'
  return now.modified === stored.modified ? null : 'it was written to since'
}

const again = 'Leave out --resume: it is read from the beginning, and users who are there already stay unchanged.'

const fileChanged = ({ path }: ImportFile, line: number, how: string): CliFailure =>
  new CliFailure('IMPORT_CHANGED', `${basename(path)} has changed since it was read up to line ${line}: ${how}`, {
    exitCode: exitCodes.refused,
    hint: again,
  })

const elsewhere = ({ path }: ImportFile): CliFailure =>
  new CliFailure('IMPORT_ELSEWHERE', `What was read of ${basename(path)} went into another database than the configured one`, {
    exitCode: exitCodes.refused,
    hint: again,
  })
