/** The statements of one migration, one after the other, each noted before and after. */
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Lease } from '../core/lease.ts'
import type { Database } from '../features/index.ts'
import { hasTakenEffect } from './effect.ts'
import { MigrationFault } from './errors.ts'
import type { FileStatement } from './files.ts'
import { introspectMysql } from './introspect-mysql.ts'
import { beginMigration, finishMigration, noteDone, noteStarted, type Place, readStatements } from './journal.ts'
import type { Planned } from './plan.ts'

export interface StatementEvent {
  /** With its number: `0002_teams`. */
  readonly migration: string
  readonly direction: 'up' | 'down'
  /** From 1. */
  readonly position: number
  readonly total: number
  /** As in `add-column:user.nickname`; null when the statement was written by hand. */
  readonly change: string | null
  readonly sql: string
  /** `started`: noted, about to run. `executed`: it took place. `skipped`: it had taken place in an earlier, interrupted run. */
  readonly phase: 'started' | 'executed' | 'skipped'
}

export interface ApplyOptions {
  /** One connection, whose session is made for changes of tables. */
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly lease: Lease
  /** Aborted: ends before the next statement. */
  readonly signal?: AbortSignal | undefined
  readonly onStatement?: ((event: StatementEvent) => void | Promise<void>) | undefined
}

/** Tries for a statement that found its table in use, and milliseconds between them. */
const tries = 12
const interval = 500

/** @throws MigrationFault STATEMENT_FAILED, STATEMENT_UNCERTAIN, TABLE_BUSY, FILE_EDITED, LOCK_LOST; the database's error when it is away */
export async function applyMigration(options: ApplyOptions, planned: Planned): Promise<void> {
  const { db, dialect } = options
  const { file, direction } = planned
  const statements = direction === 'up' ? file.up : file.down
  const noted = await readStatements(db, file.number, direction)
  for (const { position, checksum, state } of noted) {
    if (state === 'done' && statements[position]?.checksum !== checksum) refuseEdited(file.name, position)
  }
  await beginMigration(db, dialect.clock, file, direction)
  for (const [position, statement] of statements.entries()) {
    const state = noted.find((other) => other.position === position)?.state
    if (state !== 'done') await applyStatement({ options, planned, position, statement, isResumed: state === 'started' })
  }
  await finishMigration(db, dialect.clock, file, direction)
}

function refuseEdited(name: string, position: number): never {
  const message = `${name} was interrupted, and its statement ${position + 1}, which had taken place, has been changed since`
  throw new MigrationFault('FILE_EDITED', message, { details: [name] })
}

/** One statement and all that is known of it. */
interface Task {
  readonly options: ApplyOptions
  readonly planned: Planned
  readonly position: number
  readonly statement: FileStatement
  /** Begun by a run that did not come to its end. */
  readonly isResumed: boolean
}

async function applyStatement(task: Task): Promise<void> {
  const { options, planned, position, statement, isResumed } = task
  const { db, lease, signal } = options
  const place: Place = { migration: planned.file.number, direction: planned.direction, position }
  signal?.throwIfAborted()
  await lease.check().catch((cause: unknown) => {
    throw lease.lost.aborted ? new MigrationFault('LOCK_LOST', 'The lock was lost; run the command again', { cause }) : cause
  })
  // On the way back always: what is taken back may have been applied in part.
  if ((isResumed || planned.direction === 'down') && (await isThere(task))) {
    await noteStarted(db, place, statement)
    await noteDone(db, place)
    return tell(task, 'skipped')
  }
  if (/^(insert|update|delete|replace)\b/i.test(statement.sql)) {
    await tell(task, 'started')
    await db.transaction().execute(async (transaction) => {
      await noteStarted(transaction, place, statement)
      await execute(transaction, task)
      await noteDone(transaction, place)
    })
    return tell(task, 'executed')
  }
  await noteStarted(db, place, statement)
  await tell(task, 'started')
  await tell(task, (await executeOnce(task)) ? 'executed' : 'skipped')
  await noteDone(db, place)
}

async function tell({ options, planned, position, statement }: Task, phase: StatementEvent['phase']): Promise<void> {
  const { file, direction } = planned
  const { sql, change } = statement
  const total = file[direction].length
  await options.onStatement?.({
    migration: file.name,
    direction,
    position: position + 1,
    total,
    change: change?.name ?? null,
    sql,
    phase,
  })
}

/**
 * The statement of a killed run may still be at work in the server, and come to its end while ours waits for the table: then
 * ours fails, for a change that is there.
 * @returns whether it was ours that took effect
 */
async function executeOnce(task: Task): Promise<boolean> {
  try {
    await execute(task.options.db, task)
    return true
  } catch (error) {
    const mayBeThere = task.isResumed && error instanceof MigrationFault && error.code === 'STATEMENT_FAILED'
    if (!mayBeThere || !(await isThere(task))) throw error
    return false
  }
}

async function isThere({ options, planned, position, statement, isResumed }: Task): Promise<boolean> {
  const { change } = statement
  const isDone = change === null ? null : hasTakenEffect(change.name, await introspectMysql(options.db), planned.target)
  if (isDone !== null || !isResumed) return isDone ?? false
  const { name } = planned.file
  const message = `${name} was interrupted in its statement ${position + 1}, which was written by hand`
  const mend = 'look whether it has taken effect, and set its state in latchkey_migration_statement to done, or delete that row'
  throw new MigrationFault('STATEMENT_UNCERTAIN', `${message}: ${mend}`, { details: [name] })
}

async function execute(db: Kysely<Database>, task: Task): Promise<void> {
  const { sql } = task.statement
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.executeQuery(CompiledQuery.raw(sql))
      return
    } catch (cause) {
      const failure = describeFailure(task, cause)
      if (failure.code !== 'TABLE_BUSY' || db.isTransaction || attempt === tries) throw failure
      await pause(interval)
    }
  }
}

/** @throws the database's own error when it is away */
function describeFailure({ options, planned, position, statement }: Task, cause: unknown): MigrationFault {
  const { errors } = options.dialect
  if (errors.isUnreachable(cause)) throw cause
  const { sql, change } = statement
  const what = `${planned.file.name}, statement ${position + 1}${change ? ` (${change.name})` : ''}`
  if (errors.isRetryable(cause)) {
    return new MigrationFault('TABLE_BUSY', `${what}: transactions that use the table did not end in time`, { cause })
  }
  const reason = cause instanceof Error ? cause.message : 'unknown reason'
  return new MigrationFault('STATEMENT_FAILED', `${what}: ${reason}`, { details: [sql], cause })
}
