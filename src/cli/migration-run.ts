/** What `up` and `down` are called with alike. */
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { OpenApp } from '../app.ts'
import type { RunOptions } from '../migrate/index.ts'
import type { LoadedConfig } from './load-config.ts'
import type { Output } from './output.ts'
import { migrationsFolder } from './schema.ts'

interface RunContext {
  readonly database: OpenApp['database']
  readonly loaded: LoadedConfig
  readonly output: Output
  /** Seconds. */
  readonly lockTimeout: number
  readonly signal: AbortSignal
}

export function migrationRun({ database, loaded, output, lockTimeout, signal }: RunContext): RunOptions {
  return {
    db: database.db,
    dialect: database.dialect,
    dir: migrationsFolder(loaded.directory),
    holder: `${hostname()}, process ${process.pid} (${randomBytes(3).toString('hex')})`,
    lockTimeout: lockTimeout * 1000,
    signal,
    onWait: (holder) => output.info(`Waiting up to ${lockTimeout} s for the lock${holder === null ? '' : ` of ${holder}`}`),
    onStatement: ({ migration, position, total, change, phase }) => {
      if (phase !== 'started')
        output.info(`${migration} ${position}/${total} ${change ?? 'by hand'}${phase === 'skipped' ? ' (done before)' : ''}`)
    },
  }
}
