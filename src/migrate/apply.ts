/** Runs the statements of one migration in order, and records each in the journal before and after. */
import type { Lease } from '../adapters/database/lease.ts'
import { isDenied } from '../lib/driver-errors.ts'
import { errorReason } from '../lib/redact.ts'
import { checkBlocking } from './blocking.ts'
import { hasTakenEffect, isMaking, parseChange } from './changes.ts'
import { estimateRows, execute, findLongTransactions, type LongTransaction, type Session } from './execute.ts'
import { checkReferences, findNewForeignKey, withoutForeignKeyChecks } from './foreign-keys.ts'
import { introspect } from './introspect.ts'
import {
  checkResumed,
  discardStatement,
  finishMigration,
  type Planned,
  readStatements,
  recordState,
  type StatementKey,
  startMigration,
} from './journal.ts'
import { MigrationError } from './migration-error.ts'
import type { Prepared, Task as PreparedTask } from './ownership.ts'
import type { RunOptions } from './run.ts'
import { checkUnused, type UseCheck } from './serving.ts'
import { readSliceSize, runInSlices } from './slices.ts'

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
  /**
   * `started`: recorded, about to run. `executed`: it took effect. `skipped`: it took effect in an earlier, interrupted run.
   * `kept`: of a rollback, not executed, because Latchkey did not do what it undoes.
   */
  readonly phase: 'started' | 'executed' | 'failed' | 'skipped' | 'kept'
  /** Rows of the changed table, as the server estimates it; only for `started`, null when unknown. */
  readonly rows: number | null
}

export interface ApplyOptions extends Pick<RunOptions, 'dialect' | 'signal' | 'onStatement' | 'onLongTransactions'> {
  readonly session: Session
  /** Recorded in the journal. */
  readonly operator: string
  readonly lease: Lease
  readonly useCheck: UseCheck
}

/** Age in seconds of transactions that are reported before a change of a table. */
const longTransaction = 5

/**
 * @throws MigrationError STATEMENT_FAILED, STATEMENT_UNCERTAIN, TABLE_BUSY, IN_USE, COPY_NEEDED, SLICES_NEEDED, ORPHANS, FILE_EDITED, LOCK_LOST; the database's error
 * when it is unreachable
 */
export async function applyMigration(options: ApplyOptions, planned: Prepared): Promise<void> {
  const { dialect, session } = options
  const db = session.connection
  const { file, direction } = planned
  checkResumed(planned, await readStatements(db, file.number, direction))
  const [first, ...others] = planned.tasks.map((task): Task => ({ ...task, options, planned, isResumed: task.state !== null }))
  // Also before the start, so that a migration of which a statement is not executed stays pending.
  if (first && !first.isResumed) {
    await checkUse(first)
    for (const task of [first, ...others]) await checkBlocked(task)
  }
  await startMigration(db, dialect.clock, planned, options.operator)
  for (const task of planned.kept) await emit({ ...task, options, planned, isResumed: false }, 'kept')
  for (const task of first ? [first, ...others] : []) await applyStatement(task)
  await finishMigration(db, dialect.clock, file, direction)
}

/** One statement with its context. */
interface Task extends PreparedTask {
  readonly options: ApplyOptions
  readonly planned: Planned
  /** Started by a run that was interrupted. */
  readonly isResumed: boolean
}

async function applyStatement(task: Task): Promise<void> {
  const { options, planned, position, statement, isResumed } = task
  const { session } = options
  const db = session.connection
  const key: StatementKey = { migration: planned.file.number, direction: planned.direction, position }
  await checkRunning(task)
  // Always on rollback: the migration may have been applied in part.
  if ((isResumed || planned.direction === 'down') && (await hasEffect(task))) {
    await checkNewReferences(task)
    // An earlier version recorded `started` without looking whether the name was free, so this may be another program's.
    await recordState(db, key, statement, task.state === 'started' && isMakingTask(task) ? 'adopted' : 'done')
    return emit(task, 'skipped')
  }
  await checkUse(task)
  await checkBlocked(task)
  const isSliced = readSliceSize(statement.sql) !== null
  if (/^(insert|update|delete|replace)\b/i.test(statement.sql) && !isSliced) {
    await emit(task, 'started')
    await db.transaction().execute(async (transaction) => {
      await executeIn(transaction, task)
      await recordState(transaction, key, statement, 'done')
    })
    return emit(task, 'executed')
  }
  const { onLongTransactions } = options
  const open = onLongTransactions && !isSliced ? await findLongTransactions(db, longTransaction) : []
  if (open.length > 0) onLongTransactions?.(open)
  await recordState(db, key, statement, isMakingTask(task) ? 'making' : 'started')
  await emit(task, 'started')
  await emit(task, (await executeOnce(task, key)) ? 'executed' : 'skipped')
  await recordState(db, key, statement, 'done')
}

/** @throws MigrationError LOCK_LOST, the reason of the signal */
async function checkRunning({ options: { lease, signal } }: Task): Promise<void> {
  signal?.throwIfAborted()
  await lease.check().catch((cause: unknown) => {
    throw lease.lost.aborted
      ? new MigrationError('LOCK_LOST', 'The migration lock was lost. Run the command again', { cause })
      : cause
  })
}

const isMakingTask = ({ statement: { change } }: Task): boolean => {
  const parts = change && parseChange(change.name)
  return parts !== null && isMaking(parts)
}

const checkUse = (task: Task): Promise<void> => checkUnused(task.options.useCheck, task.statement, nameOf(task))

async function emit({ options, planned, position, statement }: Task, phase: StatementEvent['phase']): Promise<void> {
  const { onStatement, session } = options
  if (!onStatement) return
  const { file, direction } = planned
  const place = { migration: file.name, direction, position: position + 1, total: file[direction].length }
  const { change } = statement
  const rows = phase === 'started' && change ? await estimateRows(session.connection, tableOf(change.name)) : null
  await onStatement({ ...place, change: change?.name ?? null, sql: statement.sql, phase, rows })
}

/**
 * The server may still be executing the statement of a killed run and finish it while this one waits for the table. Then this
 * one fails, although the change is there.
 * @returns whether this execution took effect
 */
async function executeOnce(task: Task, key: StatementKey): Promise<boolean> {
  try {
    await executeIn(task.options.session.connection, task)
    return true
  } catch (error) {
    const isRejected = error instanceof MigrationError && error.code === 'STATEMENT_FAILED'
    if (isRejected && task.isResumed && (await hasEffect(task))) return false
    // Otherwise what another program makes under this name would count as the effect of this statement.
    if (isRejected && !task.isResumed) await discardStatement(task.options.session.connection, key)
    throw error
  }
}

async function hasEffect({ options, planned, position, statement, isResumed }: Task): Promise<boolean> {
  const { change } = statement
  const isDone =
    change === null ? null : hasTakenEffect(change.name, await introspectFor(options, planned, change.name), planned.target)
  if (isDone !== null || !isResumed || readSliceSize(statement.sql) !== null) return isDone ?? false
  const { name } = planned.file
  const message = `${name} was interrupted in its statement ${position + 1}, which was written by hand`
  const fix = 'Check whether it took effect, then set its state in latchkey_migration_statement to done, or delete that row'
  throw new MigrationError('STATEMENT_UNCERTAIN', `${message}. ${fix}`, { details: [name] })
}

/** A dropped table is not in the target. */
const introspectFor = ({ session, dialect }: ApplyOptions, { target }: Planned, change: string) =>
  introspect(session.connection, dialect, [...Object.keys(target.tables), tableOf(change)])

const tableOf = (change: string): string => /^[a-z-]+:(\w+)/.exec(change)?.[1] ?? ''

async function executeIn(db: Session['connection'], task: Task): Promise<void> {
  const { session, dialect, signal } = task.options
  const run = () => execute(db, task.statement.sql, { session, errors: dialect.errors, signal })
  const runSlice = async () => {
    await checkRunning(task)
    return run()
  }
  try {
    if (readSliceSize(task.statement.sql) !== null) await runInSlices(task.statement.sql, runSlice)
    else await (isInPlace(task) ? withoutForeignKeyChecks(session, run) : run())
    await checkNewReferences(task)
  } catch (cause) {
    await emit(task, 'failed')
    throw await toMigrationError(task, cause)
  }
}

const newForeignKey = ({ planned, statement }: Task) => findNewForeignKey(statement.change?.name, planned.target)

/** Whether a statement adds a foreign key without checking the rows; a file of an earlier version copies the table instead. */
const isInPlace = (task: Task): boolean => newForeignKey(task) !== null && /\balgorithm\s*=\s*inplace\b/i.test(task.statement.sql)

/** Also when the statement took effect in an earlier run, which may have been killed before its check. */
async function checkNewReferences(task: Task): Promise<void> {
  const added = newForeignKey(task)
  if (added && isInPlace(task)) await checkReferences(task.options.session, added)
}

const checkBlocked = ({ options: { session, useCheck }, statement }: Task): Promise<void> =>
  checkBlocking(session.connection, statement, useCheck.acknowledge)

const nameOf = ({ planned, position, statement: { change } }: Task): string =>
  `${planned.file.name}, statement ${position + 1}${change ? ` (${change.name})` : ''}`

/** @throws the database's own error when it is unreachable */
async function toMigrationError(task: Task, cause: unknown): Promise<MigrationError> {
  if (cause instanceof MigrationError) return cause
  const { dialect, session, signal } = task.options
  if (dialect.errors.isUnreachable(cause) || isDenied(cause) || signal?.aborted) throw cause
  const { sql } = task.statement
  const statementName = nameOf(task)
  if (dialect.errors.isRetryable(cause)) {
    const open = (await findLongTransactions(session.connection, 1)).map(describeTransaction).join(', ')
    const message = `${statementName}: transactions that use the table did not end in time${open === '' ? '' : `. Open are: ${open}`}`
    return new MigrationError('TABLE_BUSY', message, { cause })
  }
  return new MigrationError('STATEMENT_FAILED', `${statementName}: ${errorReason(cause)}`, { details: [sql], cause })
}

/** As in `process 12 of app, 40 s`. */
export const describeTransaction = ({ process, user, seconds }: LongTransaction): string =>
  `process ${process}${user === null ? '' : ` of ${user}`}, ${seconds} s`
