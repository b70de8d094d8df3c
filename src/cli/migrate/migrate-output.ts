/** Plans, status and progress of migrations as text. */

import { createHolderName } from '../../adapters/system.ts'
import type { OpenApp } from '../../app.ts'
import { counted } from '../../lib/text.ts'
import type { Applied, Change, RunOptions, Status } from '../../migrate/index.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import { migrationsFolder } from '../../project/schema-check.ts'
import type { Output, Palette } from '../output.ts'

interface View {
  readonly clean: boolean
  readonly isEmbedded: boolean
  readonly paint: Palette
}

export function statusLines(status: Status, { clean, isEmbedded, paint }: View): string[] {
  const applied = isEmbedded ? 'Embedded database' : `${counted(status.applied, 'migration')} applied`
  if (clean) return [`${applied}; no problems found`]
  const section = (title: string, lines: readonly string[], fix: string) =>
    lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((line) => `  ${line}`), `  ${paint.dim('→')} ${fix}`]
  const drift = status.drift.map(({ message }) => `${paint.yellow('~')} ${message}`)
  const driftFix = isEmbedded
    ? 'The daemon updates it when it starts'
    : 'The database was changed without a migration: restore it, or declare the change in the configuration'
  return [
    applied,
    ...section('Changes without a migration', changeLines(status.ungenerated, paint), 'latchkey migrate generate'),
    ...section(
      'Pending',
      status.pending.map((name) => `${paint.green('+')} ${name}`),
      'latchkey migrate up',
    ),
    ...section(
      'Interrupted or running',
      status.interrupted.map(({ name, direction }) => `${paint.yellow('~')} ${name} ${direction}`),
      'latchkey migrate up',
    ),
    ...section(
      'Edited after they were applied',
      status.edited.map((name) => `${paint.yellow('~')} ${name}`),
      'Restore the file, and write the change as a new migration',
    ),
    ...section(
      'Applied, but the file is missing',
      status.missing.map((name) => `${paint.red('-')} ${name}`),
      'Restore the file',
    ),
    ...section('Drift: the database differs', drift, driftFix),
  ]
}

/** One line per change: a mark, its name and its class. */
export const changeLines = (changes: readonly Change[], paint: Palette): string[] => {
  const width = Math.max(0, ...changes.map(({ name }) => name.length))
  return changes.map((change) => `${mark(change.name, paint)} ${change.name.padEnd(width)}  ${classTag(change.class, paint)}`)
}

function mark(name: string, paint: Palette): string {
  if (name.startsWith('drop-')) return paint.red('-')
  return name.startsWith('change-') ? paint.yellow('~') : paint.green('+')
}

function classTag(of: string | null, paint: Palette): string {
  if (of === 'destructive') return paint.red(of)
  return of === 'needs-lock' ? paint.yellow(of) : paint.dim(of ?? 'by hand')
}

export const sqlLines = (statements: readonly string[]): string[] => [
  '',
  ...statements.map((sql) => `${sql.replace(/;?\s*$/, '')};`),
]

/** Each migration with its changes. @param sql whether to print the statements too */
export const appliedLines = (applied: readonly Applied[], paint: Palette, sql: boolean): string[] =>
  applied.flatMap(({ name, direction, resumed, statements }) => {
    const changes = statements.flatMap(({ change, class: of }) =>
      change === null ? [] : [`  ${mark(change, paint)} ${change}  ${classTag(of, paint)}`],
    )
    const title = `${direction === 'up' ? '↑' : '↓'} ${paint.bold(name)} (${counted(statements.length, 'statement')}${resumed ? ', resumed' : ''})`
    return [title, ...changes, ...(sql ? sqlLines(statements.map((statement) => statement.sql)) : [])]
  })

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
    holder: createHolderName(),
    lockTimeout: lockTimeout * 1000,
    signal,
    onWait: (holder) => output.info(`Waiting up to ${lockTimeout} s for the lock${holder === null ? '' : ` of ${holder}`}`),
    onStatement: ({ migration, position, total, change, phase }) => {
      if (phase !== 'started')
        output.info(`${migration} ${position}/${total} ${change ?? 'by hand'}${phase === 'skipped' ? ' (already done)' : ''}`)
    },
  }
}
