/** What users are read from: files of an export, or the database of the other system. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { SourceDatabase, SourceFile, SourceItem, SystemName } from '../../features/move/index.ts'
import { type ReaderOptions, sourceError, systems, takeSnapshot } from '../../features/move/readers/index.ts'
import { errorReason } from '../../lib/redact.ts'
import { unreachableFailure, usageError } from '../../project/failure.ts'
import { openDatabase, sourceURL } from './source-options.ts'
import type { MoveContext } from './system-commands.ts'

export interface MoveSource {
  /** For the report. */
  readonly names: readonly string[]
  /** Reads from the start. */
  readonly items: () => AsyncIterable<SourceItem>
  readonly close: () => Promise<void>
}

/** @throws Failure USAGE, UNREACHABLE */
export async function openMoveSource(system: SystemName, context: MoveContext, options: ReaderOptions): Promise<MoveSource> {
  const { database, reader, title } = systems[system]
  const { files, database: url, databaseEnv } = context.options
  if (url === undefined && databaseEnv === undefined) {
    if (files.length === 0) throw usageError('Name the files of the export, or the database with --database or --database-env')
    const opened = await openFiles(context)
    return { names: opened.map(({ name }) => name), items: () => reader(opened, options), close: async () => {} }
  }
  if (files.length > 0) throw usageError('Name files or a database, not both')
  const address = sourceURL(context)
  if (!database || !address.startsWith(`${database.scheme}:`))
    throw usageError(`--database: expected ${database?.scheme}:// for ${title}`)
  const source = await openDatabase(address)
  const readable = { ...source, query: queryOf(source) }
  try {
    await takeSnapshot(source)
  } catch (error) {
    await source.close()
    throw unreachableFailure('Cannot read the old database', error)
  }
  return { names: [source.label], items: () => database.reader(readable, options), close: source.close }
}

/** A lost connection or a missing right is an error of the source, not of Latchkey's own database. */
const queryOf =
  (source: SourceDatabase): SourceDatabase['query'] =>
  async (text, values) => {
    try {
      return await source.query(text, values)
    } catch (error) {
      throw sourceError({ name: source.label }, null, errorReason(error), 'Give the account SELECT on the tables of users.')
    }
  }

/** Regular files only: each is read twice. */
async function openFiles({ options, cwd }: MoveContext): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  for (const name of options.files) {
    const path = resolve(cwd, name)
    const found = await stat(path).catch(() => null)
    if (!found?.isFile()) throw usageError(`<files...>: ${name} is not a file`)
    files.push({ name: basename(name), read: () => createReadStream(path, { highWaterMark: 262_144 }) })
  }
  return files
}
