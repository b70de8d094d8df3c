/** Projects with a database server. */
import { expect, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { complete, configFile, type Environment, folder, latchkey } from './kit.ts'

export interface Project {
  readonly cwd: string
  readonly env: Environment
}

/** On an empty database. */
export async function project(): Promise<Project> {
  const database = await freshDatabase()
  onTestFinished(() => database.drop())
  return { cwd: folder({ 'auth.config.ts': configFile() }), env: { ...complete, DATABASE_URL: database.url } }
}

/** With everything applied. */
export async function migrated(): Promise<Project> {
  const made = await project()
  await latchkey(made.cwd, ['migrate', 'generate'], made.env)
  const { exitCode, stderr } = await latchkey(made.cwd, ['migrate', 'up', '--yes'], made.env)
  expect(exitCode, stderr).toBe(0)
  return made
}

/** The database of a project, closed with the test. */
export function opened({ env }: Project) {
  const database = openDatabase({ url: env.DATABASE_URL, poolSize: 2, connectTimeout: 5000, queryTimeout: 5000 })
  onTestFinished(() => database.close())
  return database
}

/** A configuration with one table more than `configFile()` needs. */
