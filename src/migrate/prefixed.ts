/** The tables of the newest migration under a prefix, in a database where another program still has their names. */
import { CompiledQuery, type Kysely } from 'kysely'
import { type Dialect, unlimited } from '../adapters/database/dialect.ts'
import { createLeaseTable } from '../adapters/database/lease.ts'
import type { Database } from '../features/index.ts'
import { recordAdopted } from './adopt.ts'
import { diffSchemas } from './diff.ts'
import { execute, withMigrationSession } from './execute.ts'
import { withoutForeignKeyChecks } from './foreign-keys.ts'
import { introspect } from './introspect.ts'
import { createJournal, findPending, readJournal } from './journal.ts'
import { MigrationError } from './migration-error.ts'
import { newestSchema, readMigrations } from './migration-files.ts'
import { emptySchema, type Schema, type TableSchema } from './schema.ts'
import { createServingTable } from './serving-table.ts'
import { toMysql } from './sql.ts'
import { findDifferences } from './status.ts'

export interface PrefixedOptions {
  /** Its queries have the prefix. */
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  /** The folder of the migrations. */
  readonly dir: string
  readonly prefix: string
  /** Recorded in the journal. */
  readonly operator: string
}

/** Foreign keys keep their names, because they are not renamed with the tables. */
function prefixSchema(schema: Schema, prefix: string): Schema {
  const tables = Object.entries(schema.tables).map(([name, table]): [string, TableSchema] => {
    const keys = Object.entries(table.foreignKeys).map(([key, foreignKey]) => [
      key,
      { ...foreignKey, references: `${prefix}${foreignKey.references}` },
    ])
    return [`${prefix}${name}`, { ...table, foreignKeys: Object.fromEntries(keys) }]
  })
  return { tables: Object.fromEntries(tables) }
}

/**
 * Creates the tables that are missing, and records the migrations as adopted; a killed run is continued. Then the tables can be renamed.
 * @throws MigrationError SHAPE_DIFFERS when they have another shape, or are of an earlier migration
 */
export async function createPrefixed({ db, dialect, dir, prefix, operator }: PrefixedOptions): Promise<void> {
  const files = await readMigrations(dir)
  const wanted = prefixSchema(newestSchema(files), prefix)
  await createLeaseTable(db)
  await createJournal(db)
  await createServingTable(db)
  const journal = await readJournal(db)
  const pending = findPending(files, journal)
  if (journal.length > 0 && pending.length > 0)
    throw outdated(
      prefix,
      pending.map(({ name }) => `${name} is newer`),
    )
  if (pending.length > 0) await createMissing(db, dialect, wanted)
  const differences = findDifferences(await introspect(db, dialect, Object.keys(wanted.tables)), wanted)
  if (differences.length > 0)
    throw outdated(
      prefix,
      differences.map(({ message }) => message),
    )
  await db.transaction().execute(async (transaction) => {
    for (const file of pending) await recordAdopted(transaction, { dialect, operator }, file)
  })
}

async function createMissing(db: Kysely<Database>, dialect: Dialect, wanted: Schema): Promise<void> {
  const live = await introspect(db, dialect, Object.keys(wanted.tables))
  const own = Object.entries(live.tables).filter(([name]) => wanted.tables[name])
  const found = own.length > 0 ? { tables: Object.fromEntries(own) } : emptySchema
  // Anything else would change a table that exists: the comparison that follows reports it.
  const steps = diffSchemas(found, wanted).filter(({ kind }) => kind === 'create-table' || kind === 'add-foreign-key')
  const statements = toMysql(steps, wanted)
  // A foreign key of a circle is added afterwards, in place.
  await withMigrationSession(db, (session) =>
    withoutForeignKeyChecks(session, async () => {
      for (const { sql } of statements) await session.connection.executeQuery(unlimited(CompiledQuery.raw(sql)))
    }),
  )
}

const outdated = (prefix: string, details: readonly string[]): MigrationError =>
  new MigrationError('SHAPE_DIFFERS', `The tables with the prefix ${prefix} differ from the migrations: ${details[0]}`, {
    details,
  })

export interface StatementRun {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly signal: AbortSignal
}

/**
 * Changes of tables, in order, each repeated while its tables are in use. Foreign keys are added without a check of the rows.
 * @throws the database's error
 */
export const executeChanges = ({ db, dialect, signal }: StatementRun, statements: readonly string[]): Promise<void> =>
  withMigrationSession(db, (session) =>
    withoutForeignKeyChecks(session, async () => {
      for (const text of statements) await execute(session.connection, text, { session, errors: dialect.errors, signal })
    }),
  )
