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
    if (state !== 'done') await applyStatement(options, planned, position, statement, state === 'started')
  }
  await finishMigration(db, dialect.clock, file, direction)
}

function refuseEdited(name: string, position: number): never {
  const message = `${name} was interrupted, and its statement ${position + 1}, which had taken place, has been changed since`
  throw new MigrationFault('FILE_EDITED', message, { details: [name] })
}

async function applyStatement(options: ApplyOptions, planned: Planned, position: number, statement: FileStatement, isResumed: boolean): Promise<void> {
  const { db, lease, onStatement, signal } = options
  const { file, direction } = planned
  const place: Place = { migration: file.number, direction, position }
  const total = (direction === 'up' ? file.up : file.down).length
  const tell = async (phase: StatementEvent['phase']) =>
    onStatement?.({ migration: file.name, direction, position: position + 1, total, change: statement.change?.name ?? null, sql: statement.sql, phase })

  signal?.throwIfAborted()
  await lease.check().catch((cause: unknown) => {
    throw lease.lost.aborted ? new MigrationFault('LOCK_LOST', 'The lock was lost; run the command again', { cause }) : cause
  })
  // On the way back always: what is taken back may have been applied in part.
  if ((isResumed || direction === 'down') && (await isThere(options, planned, position, statement, isResumed))) {
    await noteStarted(db, place, statement)
    await noteDone(db, place)
    return tell('skipped')
  }
  if (/^(insert|update|delete|replace)\b/i.test(statement.sql)) {
    await tell('started')
    await db.transaction().execute(async (transaction) => {
      await noteStarted(transaction, place, statement)
      await execute(transaction, options, file.name, position, statement)
      await noteDone(transaction, place)
    })
    return tell('executed')
  }
  await noteStarted(db, place, statement)
  await tell('started')
  await execute(db, options, file.name, position, statement)
  await tell('executed')
  await noteDone(db, place)
}

async function isThere(options: ApplyOptions, planned: Planned, position: number, { change }: FileStatement, isResumed: boolean): Promise<boolean> {
  const isDone = change === null ? null : hasTakenEffect(change.name, await introspectMysql(options.db), planned.target)
  if (isDone !== null || !isResumed) return isDone ?? false
  const message = `${planned.file.name} was interrupted in its statement ${position + 1}, which was written by hand: look whether it has taken
effect, and set its state in latchkey_migration_statement to done, or delete that row`
  throw new MigrationFault('STATEMENT_UNCERTAIN', message.replaceAll('\n', ' '), { details: [planned.file.name] })
}

async function execute(db: Kysely<Database>, { dialect }: ApplyOptions, name: string, position: number, { sql, change }: FileStatement): Promise<void> {
  const what = `${name}, statement ${position + 1}${change ? ` (${change.name})` : ''}`
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.executeQuery(CompiledQuery.raw(sql))
      return
    } catch (cause) {
      if (dialect.errors.isUnreachable(cause)) throw cause
      const isBusy = dialect.errors.isRetryable(cause) && !db.isTransaction
      if (isBusy && attempt === tries) throw new MigrationFault('TABLE_BUSY', `${what}: transactions that use the table did not end in time`, { cause })
      if (!isBusy) throw new MigrationFault('STATEMENT_FAILED', `${what}: ${cause instanceof Error ? cause.message : 'unknown reason'}`, { details: [sql], cause })
      await pause(interval)
    }
  }
}
