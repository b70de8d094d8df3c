/** Plans, status and progress of migrations as text. */
import { hostname } from 'node:os'
import { createHolderName } from '../../adapters/system.ts'
import type { OpenApp } from '../../app.ts'
import type { Actor } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import {
  type Applied,
  describeTaken,
  describeTransaction,
  findServing,
  isDrop,
  type Rename,
  type RunOptions,
  type Status,
} from '../../migrate/index.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import { migrationsFolder } from '../../project/schema-check.ts'
import { standInOrigin } from '../../project/stand-ins.ts'
import type { Output, Palette } from '../output.ts'

/** For names that something else has. */
const waysOut =
  'Use a database of its own, or rename these. For tables of Latchkey, as after restoring a dump: latchkey migrate adopt'

interface View {
  readonly clean: boolean
  readonly isEmbedded: boolean
  readonly paint: Palette
}

/** What to do with new migrations. @param obsolete snapshots of an earlier version, which `snapshot.json` replaces */
export function writtenLines({ config, origins }: LoadedConfig, obsolete: readonly string[]): string[] {
  const isEmbedded = config.database.url?.startsWith('sqlite:') === true
  return [
    ...(obsolete.length > 0 ? [`You can delete ${obsolete.join(', ')}: snapshot.json has the content`] : []),
    ...(origins.get('database.url') === standInOrigin
      ? ['No database is configured here: the files are for MySQL and MariaDB']
      : []),
    isEmbedded
      ? 'The files are for MySQL and MariaDB. The configured SQLite database needs none: the daemon updates it.'
      : 'Next: review the SQL, then run latchkey migrate up',
  ]
}

export function statusLines(status: Status, { clean, isEmbedded, paint }: View): string[] {
  const applied = isEmbedded ? 'Embedded database' : `${counted(status.applied, 'migration')} applied`
  const table = migrationTable(status, paint)
  if (clean) return [...table, `${applied}; no problems found`]
  const takenLines = status.taken.map((taken) => `${paint.red('!')} ${describeTaken(taken)}`)
  const section = (title: string, lines: readonly string[], fix: string) =>
    lines.length === 0 ? [] : ['', paint.bold(title), ...lines.map((line) => `  ${line}`), `  ${paint.dim('→')} ${fix}`]
  const drift = status.drift.map(({ message }) => `${paint.yellow('~')} ${message}`)
  const driftFix = isEmbedded
    ? 'The daemon updates it when it starts'
    : 'The database was changed without a migration: restore it, or declare the change in the configuration'
  return [
    ...table,
    applied,
    ...section('Exists, but was not created by Latchkey', takenLines, waysOut),
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

/** One line per applied migration, then the pending ones. Times in UTC. */
function migrationTable({ migrations, pending }: Status, paint: Palette): string[] {
  const rows = [
    ...migrations.map(({ name, appliedAt, appliedBy, duration, adopted }) => {
      const [day = '', time = ''] = appliedAt.toISOString().split(/[T.]/)
      return [
        name,
        `${day} ${time}`,
        `${(duration / 1000).toFixed(1)} s`,
        `${appliedBy ?? 'unknown'}${adopted ? ' (adopted)' : ''}`,
      ]
    }),
    ...pending.map((name) => [name, 'pending', '', '']),
  ]
  if (rows.length === 0) return []
  const titles = ['Migration', 'Applied (UTC)', 'Duration', 'By']
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  return [paint.dim(line(titles)), ...rows.map(line), '']
}

/** One line per change: a mark, its name and its class. */
export const changeLines = (changes: Status['ungenerated'], paint: Palette): string[] => {
  const width = Math.max(0, ...changes.map(({ name }) => name.length))
  return changes.map((change) => `${mark(change.name, paint)} ${change.name.padEnd(width)}  ${classTag(change.class, paint)}`)
}

function mark(name: string, paint: Palette): string {
  if (name.startsWith('drop-')) return paint.red('-')
  return name.startsWith('change-') ? paint.yellow('~') : paint.green('+')
}

function classTag(of: string | null, paint: Palette): string {
  if (of === 'destructive' || of === 'taken') return paint.red(of)
  return of === 'needs-lock' ? paint.yellow(of) : paint.dim(of ?? 'by hand')
}

export const sqlLines = (statements: readonly string[]): string[] => [
  '',
  ...statements.map((sql) => `${sql.replace(/;?\s*$/, '')};`),
]

/** Each migration with its changes. @param sql whether to print the statements too */
export const appliedLines = (applied: readonly Applied[], paint: Palette, sql: boolean): string[] =>
  applied.flatMap(({ name, direction, resumed, statements, kept }) => {
    const changes = statements.flatMap(({ change, class: of }) =>
      change === null ? [] : [`  ${mark(change, paint)} ${change}  ${classTag(of, paint)}`],
    )
    const title = `${direction === 'up' ? '↑' : '↓'} ${paint.bold(name)} (${counted(statements.length, 'statement')}${resumed ? ', resumed' : ''})`
    const keptLines = kept.map(
      ({ change }) => `  ${paint.dim(`= ${change ?? 'by hand'}  kept: not recorded as done by Latchkey`)}`,
    )
    return [title, ...changes, ...keptLines, ...(sql ? sqlLines(statements.map((statement) => statement.sql)) : [])]
  })

/** How to keep the values of a column that was given another name. */
export const renameLines = (renames: readonly Rename[]): string[] =>
  renames.flatMap(({ table, from, to }) => [
    '',
    `${table}.${to} has the type of ${table}.${from}. If this is a rename, keep the column: ${to}: { …, fieldName: '${from}' }`,
  ])

/** Nothing when all daemons use the new schema already. */
export async function nextSteps({ db, dialect }: OpenApp['database'], applied: readonly Applied[]): Promise<string[]> {
  const onlyDrops = applied.every(({ statements }) =>
    statements.every(({ change }) => change !== null && isDrop({ name: change })),
  )
  const serving = await findServing(db, dialect)
  if (serving.length === 0) return ['Next: latchkey seed']
  if (onlyDrops) return []
  const hosts = [...new Set(serving.map(({ host }) => host))]
  return [`Next: latchkey reload${hosts.length > 1 ? ` on ${hosts.join(', ')}` : ''}`]
}

interface RunContext {
  readonly actor: Actor
  readonly database: OpenApp['database']
  readonly loaded: LoadedConfig
  readonly output: Output
  /** Seconds. */
  readonly lockTimeout: number
  readonly acknowledge: readonly string[]
  readonly signal: AbortSignal
}

const operatorName = (actor: Actor): string => (actor.kind === 'operator' ? actor.name : actor.kind)

export function migrationRun({ actor, database, loaded, output, lockTimeout, acknowledge, signal }: RunContext): RunOptions {
  return {
    acknowledge,
    db: database.db,
    dialect: database.dialect,
    dir: migrationsFolder(loaded.directory),
    holder: createHolderName(),
    operator: `${operatorName(actor)}@${hostname()}`,
    lockTimeout: lockTimeout * 1000,
    signal,
    onWait: (holder) => output.info(`Waiting up to ${lockTimeout} s for the lock${holder === null ? '' : ` of ${holder}`}`),
    onServing: (workers) => {
      const hosts = [...new Set(workers.map(({ host }) => host))]
      output.info(`Waiting up to ${lockTimeout} s for the old workers on ${hosts.join(', ')} to finish their requests`)
    },
    onLongTransactions: (open) =>
      output.warn(`Changes of a table wait for open transactions: ${open.map(describeTransaction).join('; ')}`),
    onStatement: reportProgress(output, signal),
  }
}

const progressMs = 10_000
/** At a terminal the first line comes sooner. */
const firstProgressMs = 2000

/** A line when a statement has run for a while, and one with its duration when it has ended. */
function reportProgress(output: Output, signal: AbortSignal): NonNullable<RunOptions['onStatement']> {
  let stop = (): void => {}
  let startedAt = performance.now()
  return ({ migration, position, total, change, phase, rows }) => {
    stop()
    const statement = `${migration} ${position}/${total} ${change ?? 'by hand'}`
    const elapsed = () => Math.round((performance.now() - startedAt) / 100) / 10
    if (phase === 'failed') return
    if (phase === 'kept') return output.info(`${statement} (kept: not recorded as done by Latchkey)`)
    if (phase === 'skipped') return output.info(`${statement} (already done)`)
    if (phase === 'executed') return output.info(elapsed() < 1 ? statement : `${statement} (${elapsed()} s)`)
    startedAt = performance.now()
    const size = rows === null ? '' : `, about ${rows.toLocaleString('en')} rows`
    const report = () => output.info(`${statement} is running: ${Math.round(elapsed())} s${size}`)
    const first = setTimeout(report, output.isTerminal ? firstProgressMs : progressMs).unref()
    const timer = setInterval(report, progressMs).unref()
    const interrupted = () => {
      stop()
      output.info(`Interrupted in statement ${position} of ${total} of ${migration}. latchkey migrate up continues there.`)
    }
    signal.addEventListener('abort', interrupted, { once: true })
    stop = () => {
      clearTimeout(first)
      clearInterval(timer)
      signal.removeEventListener('abort', interrupted)
    }
  }
}
