/** A database for a command that may only look: an embedded one that does not exist yet is not made for it. */
import { statSync } from 'node:fs'
import type { OpenApp } from '../app.ts'
import type { BaseContext } from './command.ts'
import type { LoadedConfig } from './load-config.ts'
import { declaredSchema, readySchema } from './schema.ts'

interface DryRun {
  readonly dryRun: boolean
  /** Seconds. */
  readonly waitForDatabase: number
}
/** @throws CliFailure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING, and those of `openApp` */
export async function openForDryRun(
  { openApp, loadConfig, output }: Pick<BaseContext, 'openApp' | 'loadConfig' | 'output'>,
  { dryRun, waitForDatabase }: DryRun,
): Promise<OpenApp & { readonly loaded: LoadedConfig }> {
  const isAbsent = dryRun && isMissing((await loadConfig()).config.database.url ?? '')
  const inMemory = [{ path: 'database.url', value: 'sqlite::memory:', origin: '--dry-run' }]
  // Everything is kept in memory, and forgotten.
  const opened = await openApp({ waitForDatabase, ...(isAbsent && { overrides: inMemory }) })
  await readySchema(opened.loaded, opened.database, { dryRun: dryRun && !isAbsent })
  if (isAbsent) output.info(`There is no database yet; made would be the tables ${tablesOf(opened.loaded)}`)
  return opened
}

const tablesOf = (loaded: LoadedConfig): string => Object.keys(declaredSchema(loaded).tables).sort().join(', ')

/** An empty file is none. */
function isMissing(url: string): boolean {
  const [, path] = /^sqlite:(?:\/\/)?(.+)$/.exec(url) ?? []
  return path !== undefined && path !== ':memory:' && !statSync(path, { throwIfNoEntry: false })?.size
}
