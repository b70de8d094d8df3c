/** Runs the statements of one migration in order, and records each in the journal before and after. */
import { setTimeout as pause } from 'node:timers/promises'
import { CompiledQuery, type Kysely } from 'kysely'
import type { Lease } from '../adapters/database/lease.ts'
import type { Database } from '../features/index.ts'
import { errorReason } from '../lib/redact.ts'
import { hasTakenEffect } from './changes.ts'
import { introspect } from './introspect.ts'
import {
  checkResumed,
  finishMigration,
  type Planned,
  readStatements,
  recordDone,
  recordStarted,
  type StatementKey,
  startMigration,
} from './journal.ts'
import { MigrationError } from './migration-error.ts'
import type { FileStatement } from './migration-files.ts'
import type { RunOptions } from './run.ts'

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
  /** `started`: recorded, about to run. `executed`: it took effect. `skipped`: it took effect in an earlier, interrupted run. */
  readonly phase: 'started' | 'executed' | 'skipped'
}

/** `db` is one connection with the session settings for migrations. */
export interface ApplyOptions extends Pick<RunOptions, 'db' | 'dialect' | 'signal' | 'onStatement'> {
  readonly lease: Lease
}

/** Retries of a statement whose table is in use. */
const busyAttempts = 12
const busyPauseMs = 500

/** @throws MigrationError STATEMENT_FAILED, STATEMENT_UNCERTAIN, TABLE_BUSY, FILE_EDITED, LOCK_LOST; the database's error when it is unreachable */
export async function applyMigration(options: ApplyOptions, planned: Planned): Promise<void> {
  const { db, dialect } = options
  const { file, direction } = planned
  const statements = direction === 'up' ? file.up : file.down
  const recorded = await readStatements(db, file.number, direction)
  checkResumed(planned, recorded)
  await startMigration(db, dialect.clock, file, direction)
  for (const [position, statement] of statements.entries()) {
    const state = recorded.find((other) => other.position === position)?.state
    if (state !== 'done') await applyStatement({ options, planned, position, statement, isResumed: state === 'started' })
  }
  await finishMigration(db, dialect.clock, file, direction)
}

/** One statement with its context. */
interface Task {
  readonly options: ApplyOptions
  readonly planned: Planned
  readonly position: number
  readonly statement: FileStatement
  /** Started by a run that was interrupted. */
  readonly isResumed: boolean
}

async function applyStatement(task: Task): Promise<void> {
  const { options, planned, position, statement, isResumed } = task
  const { db, lease, signal } = options
  const key: StatementKey = { migration: planned.file.number, direction: planned.direction, position }
  signal?.throwIfAborted()
  await lease.check().catch((cause: unknown) => {
    throw lease.lost.aborted
      ? new MigrationError('LOCK_LOST', 'The migration lock was lost. Run the command again', { cause })
      : cause
  })
  // Always on rollback: the migration may have been applied in part.
  if ((isResumed || planned.direction === 'down') && (await hasEffect(task))) {
    await recordStarted(db, key, statement)
    await recordDone(db, key)
    return emit(task, 'skipped')
  }
  if (/^(insert|update|delete|replace)\b/i.test(statement.sql)) {
    await emit(task, 'started')
    await db.transaction().execute(async (transaction) => {
      await recordStarted(transaction, key, statement)
      await execute(transaction, task)
      await recordDone(transaction, key)
    })
    return emit(task, 'executed')
  }
  await recordStarted(db, key, statement)
  await emit(task, 'started')
  await emit(task, (await executeOnce(task)) ? 'executed' : 'skipped')
  await recordDone(db, key)
}

async function emit({ options, planned, position, statement }: Task, phase: StatementEvent['phase']): Promise<void> {
  const { file, direction } = planned
  const place = { migration: file.name, direction, position: position + 1, total: file[direction].length }
  await options.onStatement?.({ ...place, change: statement.change?.name ?? null, sql: statement.sql, phase })
}

/**
 * The server may still be executing the statement of a killed run and finish it while this one waits for the table. Then this
 * one fails, although the change is there.
 * @returns whether this execution took effect
 */
async function executeOnce(task: Task): Promise<boolean> {
  try {
    await execute(task.options.db, task)
    return true
  } catch (error) {
    const mayHaveEffect = task.isResumed && error instanceof MigrationError && error.code === 'STATEMENT_FAILED'
    if (!mayHaveEffect || !(await hasEffect(task))) throw error
    return false
  }
}

async function hasEffect({ options, planned, position, statement, isResumed }: Task): Promise<boolean> {
  const { change } = statement
  const isDone =
    change === null ? null : hasTakenEffect(change.name, await introspect(options.db, options.dialect), planned.target)
  if (isDone !== null || !isResumed) return isDone ?? false
  const { name } = planned.file
  const message = `${name} was interrupted in its statement ${position + 1}, which was written by hand`
  const fix = 'Check whether it took effect, then set its state in latchkey_migration_statement to done, or delete that row'
  throw new MigrationError('STATEMENT_UNCERTAIN', `${message}. ${fix}`, { details: [name] })
}

async function execute(db: Kysely<Database>, task: Task): Promise<void> {
  const { sql } = task.statement
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.executeQuery(CompiledQuery.raw(sql))
      return
    } catch (cause) {
      const failure = toMigrationError(task, cause)
      if (failure.code !== 'TABLE_BUSY' || db.isTransaction || attempt === busyAttempts) throw failure
      await pause(busyPauseMs)
    }
  }
}

/** @throws the database's own error when it is unreachable */
function toMigrationError({ options, planned, position, statement }: Task, cause: unknown): MigrationError {
  const { errors } = options.dialect
  if (errors.isUnreachable(cause)) throw cause
  const { sql, change } = statement
  const statementName = `${planned.file.name}, statement ${position + 1}${change ? ` (${change.name})` : ''}`
  if (errors.isRetryable(cause)) {
    return new MigrationError('TABLE_BUSY', `${statementName}: transactions that use the table did not end in time`, { cause })
  }
  return new MigrationError('STATEMENT_FAILED', `${statementName}: ${errorReason(cause)}`, { details: [sql], cause })
}
