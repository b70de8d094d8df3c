/** Brings a SQLite file to the declared schema, without files: embedded databases follow the declaration. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { createLeaseTable } from '../core/lease.ts'
import type { Database } from '../features/index.ts'
import { type Change, classOf, nameOf, type Step, toChange } from './changes.ts'
import { diffSchemas } from './diff.ts'
import { MigrationFault } from './errors.ts'
import { introspectSqlite } from './introspect-sqlite.ts'
import type { Schema } from './schema.ts'
import { toSqlite } from './sql-sqlite.ts'

export interface PushOptions {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly schema: Schema
  /** Names of changes that may lose data, as in `drop-column:user.nickname`. */
  readonly acknowledge?: readonly string[]
  /** Only plan: nothing is written. */
  readonly dryRun?: boolean
}
export interface PushResult {
  readonly changes: readonly Change[]
}

/**
 * All or nothing, in one transaction; a file that is as declared is only read.
 * @throws MigrationFault ACKNOWLEDGEMENT_NEEDED when data would be lost that is not named, STATEMENT_FAILED when rows do not
 * fit what is declared, DIALECT_UNSUPPORTED for a database other than SQLite
 */
export async function push({ db, dialect, schema, acknowledge = [], dryRun = false }: PushOptions): Promise<PushResult> {
  if (dialect.name !== 'sqlite')
    throw new MigrationFault('DIALECT_UNSUPPORTED', 'Only SQLite is brought to the schema without migration files')
  const steps = diffSchemas(await introspectSqlite(db), schema)
  if (dryRun) return { changes: steps.map(toChange) }
  if (steps.length === 0) {
    await createLeaseTable(db)
    return { changes: [] }
  }
  return db.connection().execute((connection) => pushOn(connection, schema, acknowledge))
}

async function pushOn(connection: Kysely<Database>, declared: Schema, acknowledge: readonly string[]): Promise<PushResult> {
  // The pragma does nothing inside a transaction. The check at the end takes its place.
  await sql`pragma foreign_keys = off`.execute(connection)
  try {
    return await connection.transaction().execute(async (db) => {
      // Again, inside: another process may have been quicker.
      const live = await introspectSqlite(db)
      const steps = diffSchemas(live, declared)
      await refuseLoss(db, steps, acknowledge)
      for (const text of toSqlite(steps, live, declared)) await run(db, text)
      await checkReferences(db)
      await createLeaseTable(db)
      return { changes: steps.map(toChange) }
    })
  } finally {
    await sql`pragma foreign_keys = on`.execute(connection)
  }
}

async function run(db: Kysely<Database>, text: string): Promise<void> {
  try {
    await db.executeQuery(CompiledQuery.raw(text))
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown'
    throw new MigrationFault('STATEMENT_FAILED', `The database cannot follow the declared schema: ${reason}`, {
      details: [text],
      cause: error,
    })
  }
}

/** Empty tables and columns may go unasked: while a feature is being written nobody wants to name what was never used. */
async function refuseLoss(db: Kysely<Database>, steps: readonly Step[], acknowledge: readonly string[]): Promise<void> {
  const lost: string[] = []
  for (const step of steps) {
    if (classOf(step) === 'destructive' && !acknowledge.includes(nameOf(step)) && (await holdsData(db, step)))
      lost.push(nameOf(step))
  }
  if (lost.length === 0) return
  throw new MigrationFault('ACKNOWLEDGEMENT_NEEDED', `Data would be lost by ${lost.join(', ')}`, { details: lost })
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
  throw new MigrationFault('STATEMENT_FAILED', `Rows of ${broken.table} refer to rows of ${broken.parent} that do not exist`)
}
