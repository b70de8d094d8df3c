/** The progress of importing a file, stored during the import so that an interrupted one can resume. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { writeFileAtomically } from '../../adapters/atomic-file.ts'
import { createStateFolder, findProcessStart, stateFolder } from '../../daemon/state.ts'
import type { LineOutcome } from '../../features/transfer/index.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import type { Zod } from '../command.ts'
import type { ImportFile } from './import-source.ts'

export interface Counts extends Record<LineOutcome['outcome'], number> {
  /** Absent: none. */
  passkeysOfOtherDomains?: number | undefined
}

/** Everything up to byte `end` is imported; `number` is its last line. */
export interface Progress {
  readonly end: number
  readonly number: number
  readonly counts: Counts
}

export interface Checkpoint {
  /** Null if there is none, or it is unreadable. @throws Failure IMPORT_CHANGED, IMPORT_ELSEWHERE */
  find(): Promise<Progress | null>
  save(progress: Progress): Promise<void>
  /** After the whole file was read. */
  delete(): Promise<void>
}

/** Bytes at the start of the file and before `end` that identify it. */
const sampleBytes = 65_536

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
    counts: zod.object({
      ...{ created: zod.int(), unchanged: zod.int(), conflict: zod.int(), invalid: zod.int() },
      passkeysOfOtherDomains: zod.int().optional(),
    }),
  })
type Stored = z.output<ReturnType<typeof storedSchema>>

/**
 * @param directory of the project
 * @param database its address; the user name in it is ignored
 */
export function createCheckpoint(source: ImportFile, directory: string, database: string | undefined): Checkpoint {
  const path = join(stateFolder(directory), 'imports', `${digest(source.path).slice(0, 32)}.json`)
  const target = digest((database ?? '').replace(/\/\/[^/]*@/, '//'))
  return {
    find: async () => {
      const stored = await read(path)
      if (!stored) return null
      if (stored.database !== target) throw otherDatabase(source)
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
      createStateFolder(directory)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      writeFileAtomically(path, `${JSON.stringify(stored)}\n`, { mode: 0o600 })
    },
    delete: () => deleteWithRemains(path),
  }
}

/** Also deletes what a run that was killed inside `save` has left; another import may be writing its own at this moment. */
async function deleteWithRemains(path: string): Promise<void> {
  await rm(path, { force: true })
  const prefix = `${basename(path)}.`
  // There is no folder when nothing was saved.
  for (const name of await readdir(dirname(path)).catch(() => []))
    if (name.startsWith(prefix) && findProcessStart(Number.parseInt(name.slice(prefix.length), 10)) === null)
      await rm(join(dirname(path), name), { force: true })
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
    // After a power failure the file may be incomplete. Then the import starts at the beginning.
    return null
  }
}

async function describeFile(source: ImportFile, end: number) {
  const { size, mtimeMs } = await source.handle.stat()
  const head = await digestOf(source, 0, Math.min(end, sampleBytes))
  return { size, modified: mtimeMs, head, tail: await digestOf(source, Math.max(0, end - sampleBytes), end) }
}

async function digestOf({ handle }: ImportFile, from: number, to: number): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(to - from), 0, to - from, from)
  return digest(buffer.subarray(0, bytesRead))
}

const digest = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')

async function findChange(source: ImportFile, stored: Stored): Promise<string | null> {
  const now = await describeFile(source, stored.end)
  if (now.size !== stored.size) return `its size was ${stored.size} bytes and is ${now.size}`
  if (now.head !== stored.head || now.tail !== stored.tail) return 'the imported part is different'
  return now.modified === stored.modified ? null : 'its modification time is different'
}

const withoutResume = 'Import it without --resume: existing users stay unchanged.'

const fileChanged = ({ path }: ImportFile, line: number, how: string): Failure =>
  new Failure('IMPORT_CHANGED', `${basename(path)} has changed since line ${line} was imported: ${how}`, {
    exitCode: exitCodes.refused,
    hint: withoutResume,
  })

const otherDatabase = ({ path }: ImportFile): Failure =>
  new Failure('IMPORT_ELSEWHERE', `The interrupted import of ${basename(path)} used another database than the configured one`, {
    exitCode: exitCodes.refused,
    hint: withoutResume,
  })
