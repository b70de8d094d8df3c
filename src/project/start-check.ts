/** What `start --check` looks at beyond the schema check of a start. */
import { sql } from 'kysely'
import type { OpenApp } from '../app.ts'
import { isDenied } from '../lib/driver-errors.ts'
import { errorReason } from '../lib/redact.ts'
import { exitCodes, Failure } from './failure.ts'
import type { LoadedConfig } from './load-config.ts'
import { declaredSchema, readStatus, rejectTaken } from './schema-check.ts'

type Project = Pick<LoadedConfig, 'config' | 'directory'>

/**
 * Tables of another program under the names of Latchkey's, also those that an earlier version has taken for its own.
 * @throws MigrationError NAMES_TAKEN; Failure SCHEMA_DRIFTED
 */
export async function checkTables(loaded: Project, { db, dialect }: OpenApp['database']): Promise<void> {
  const found = await readStatus(loaded, { db, dialect })
  rejectTaken(found)
  const { drift } = found
  // A start updates an embedded database.
  const missing = dialect.keepsMigrationFiles ? drift.filter(({ message }) => message.endsWith(' is missing')) : []
  if (missing.length === 0) return
  throw new Failure('SCHEMA_DRIFTED', `The database lacks what the applied migrations created. ${missing[0]?.message}`, {
    hint: 'See all differences: `latchkey migrate status`. Restore the tables from a backup.',
    details: missing.map(({ path, message }) => ({ id: 'schema-drifted', path, message })),
  })
}

/**
 * Executes statements that change no row, because only the server knows what roles and grants amount to.
 * @throws Failure DATABASE_REFUSED when the account cannot read and write the rows of every table
 */
export async function checkRights(loaded: Project, { db, dialect }: OpenApp['database']): Promise<void> {
  if (!dialect.keepsMigrationFiles) return
  for (const [name, { columns }] of Object.entries(declaredSchema(loaded).tables)) {
    const table = sql.table(name)
    const column = sql.ref(Object.keys(columns)[0] ?? 'id')
    const statements = [
      sql`update ${table} set ${column} = ${column} where 1 = 0`,
      sql`delete from ${table} where 1 = 0`,
      sql`insert into ${table} select * from ${table} where 1 = 0`,
    ]
    for (const statement of statements) await statement.execute(db).catch(refuse)
  }
}

function refuse(error: unknown): never {
  if (!isDenied(error)) throw error
  throw new Failure('DATABASE_REFUSED', `The database account cannot do what serving needs: ${errorReason(error)}`, {
    exitCode: exitCodes.unreachable,
    retryable: false,
    hint: 'Grant it SELECT, INSERT, UPDATE and DELETE on the database. `latchkey doctor` prints the statement.',
    cause: error,
  })
}
