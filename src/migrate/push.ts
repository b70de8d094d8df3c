/** Updates an embedded SQLite database to the declared schema, without migration files. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { createLeaseTable } from '../adapters/database/lease.ts'
import type { Database } from '../features/index.ts'
import { type Change, classOf, nameOf, type Step, toChanges } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { expandSchema } from './expand.ts'
import {
  checkReferring,
  findForeign,
  findForeignDefinitions,
  type Ownership,
  partsOf,
  readOwnership,
  recordMade,
} from './made.ts'
import { MigrationError, rejectAny } from './migration-error.ts'
import { checkOwnTables, describeTaken, namesTaken } from './own-tables.ts'
import type { Schema, TableSchema } from './schema.ts'
import { findServing } from './serving.ts'
import { createServingTable } from './serving-table.ts'
import { toSqlite } from './sql.ts'

export interface PushOptions {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly schema: Schema
  /** Names of changes that may lose data, as in `drop-column:user.nickname`. */
  readonly acknowledge?: readonly string[]
  /** Tables that a version may have created that did not record what it created. */
  readonly known?: readonly string[]
  /** Only plan: nothing is written. */
  readonly dryRun?: boolean
}
interface PushResult {
  readonly changes: readonly Change[]
}

/**
 * All or nothing, in one transaction. What a running daemon uses is dropped only later. A database that matches the declared schema is only read.
 * Changes and drops only what Latchkey created.
 * @throws MigrationError NAMES_TAKEN with what exists and was not created by Latchkey, STILL_REFERENCED, ACKNOWLEDGEMENT_NEEDED for a loss of data that is not acknowledged, STATEMENT_FAILED when rows do
 * not fit the declared schema, DIALECT_UNSUPPORTED for a database other than SQLite
 */
export async function push(options: PushOptions): Promise<PushResult> {
  const { db, dialect, schema, known = [], dryRun = false } = options
  if (dialect.keepsMigrationFiles)
    throw new MigrationError('DIALECT_UNSUPPORTED', 'Only SQLite updates its schema without migration files')
  await checkOwnTables(db, dialect.errors)
  const ownership = await readOwnership(db, dialect, schema, known)
  const steps = diffSchemas(ownership.own, schema)
  const isRecorded = partsOf(schema).every((part) => ownership.recorded.has(part))
  if (dryRun || (steps.length === 0 && isRecorded)) {
    rejectForeign(ownership, steps, schema)
    if (!dryRun) await createOwnTables(db)
    return { changes: toChanges(steps) }
  }
  return db.connection().execute((connection) => pushOn(connection, options))
}

async function pushOn(connection: Kysely<Database>, options: PushOptions): Promise<PushResult> {
  const { dialect, schema, acknowledge = [], known = [] } = options
  // The pragmas have no effect inside a transaction. `checkReferences` replaces the enforcement.
  await sql`pragma foreign_keys = off`.execute(connection)
  // Otherwise a view of another program over a rebuilt table would make its renaming fail.
  await sql`pragma legacy_alter_table = on`.execute(connection)
  try {
    return await connection.transaction().execute(async (db) => {
      // Again, in the transaction: another process may have changed the schema since.
      const ownership = await readOwnership(db, dialect, schema, known)
      const { own, recorded } = ownership
      rejectForeign(ownership, diffSchemas(own, schema), schema)
      await checkLoss(db, diffSchemas(own, schema), acknowledge)
      const target = keepUsed(own, schema, await findServing(db, dialect))
      const steps = diffSchemas(own, target)
      const definitions = await findForeignDefinitions(db, steps, own)
      for (const text of [...toSqlite(steps, own, target), ...definitions]) await run(db, text)
      await checkReferences(db)
      await createOwnTables(db)
      await recordMade(db, target, recorded)
      return { changes: toChanges(steps) }
    })
  } finally {
    await sql`pragma legacy_alter_table = off`.execute(connection)
    await sql`pragma foreign_keys = on`.execute(connection)
  }
}

function rejectForeign(ownership: Ownership, steps: readonly Step[], schema: Schema): void {
  const taken = findForeign(ownership, steps, schema)
  if (taken.length > 0) throw namesTaken(taken.map(describeTaken))
  checkReferring(ownership, steps)
}

export async function createOwnTables(db: Kysely<Database>): Promise<void> {
  await createLeaseTable(db)
  await createServingTable(db)
}

/** The declared schema, with what running daemons use until they are reloaded. A later update drops it. */
function keepUsed(live: Schema, declared: Schema, serving: readonly { readonly uses: readonly string[] }[]): Schema {
  const used = new Set(serving.flatMap(({ uses }) => uses))
  const tables = Object.entries(live.tables).flatMap(([name, table]): [string, TableSchema][] => {
    if (!declared.tables[name]) return used.has(name) ? [[name, table]] : []
    const isKept = (column: string) => used.has(`${name}.${column}`) || declared.tables[name]?.columns[column] !== undefined
    const columns = Object.entries(table.columns).filter(([column]) => isKept(column))
    const indexes = Object.entries(table.indexes).filter(([, index]) => index.columns.every(isKept))
    const foreignKeys = Object.entries(table.foreignKeys).filter(([, { column }]) => isKept(column))
    const [keptIndexes, keptKeys] = [Object.fromEntries(indexes), Object.fromEntries(foreignKeys)]
    return [[name, { columns: Object.fromEntries(columns), indexes: keptIndexes, foreignKeys: keptKeys }]]
  })
  return expandSchema({ tables: Object.fromEntries(tables) }, declared)
}

async function run(db: Kysely<Database>, text: string): Promise<void> {
  try {
    await db.executeQuery(CompiledQuery.raw(text))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new MigrationError('STATEMENT_FAILED', `Cannot update the database to the declared schema: ${reason}`, {
      details: [text],
      cause: error,
    })
  }
}

/** Empty tables and columns need no acknowledgement, so that a feature under development can change freely. */
async function checkLoss(db: Kysely<Database>, steps: readonly Step[], acknowledge: readonly string[]): Promise<void> {
  const lost: string[] = []
  for (const step of steps) {
    if (classOf(step, steps) === 'destructive' && !acknowledge.includes(nameOf(step)) && (await holdsData(db, step)))
      lost.push(nameOf(step))
  }
  rejectAny('ACKNOWLEDGEMENT_NEEDED', 'These changes lose data and are not acknowledged', lost)
}

async function holdsData(db: Kysely<Database>, step: Step): Promise<boolean> {
  const column = step.kind === 'drop-column' || step.kind === 'change-column' ? sql.ref(step.name) : sql.lit(1)
  const ignored = step.kind === 'drop-column' ? (step.column.default ?? null) : null
  const { rows } =
    await sql`select 1 from ${sql.table(step.table)} where ${column} is not null and ${column} is not ${ignored} limit 1`.execute(
      db,
    )
  return rows.length > 0
}

async function checkReferences(db: Kysely<Database>): Promise<void> {
  const { rows } = await sql<{
    table: string
    parent: string
  }>`select "table", parent from pragma_foreign_key_check limit 1`.execute(db)
  const [broken] = rows
  if (!broken) return
  throw new MigrationError('STATEMENT_FAILED', `Rows of ${broken.table} refer to rows of ${broken.parent} that do not exist`)
}
