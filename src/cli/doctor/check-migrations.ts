/** Checks that the migrations are applied, and that the tables are those of the migrations. */
import { sql } from 'kysely'
import { collations } from '../../adapters/database/mysql.ts'
import type { OpenApp } from '../../app.ts'
import { counted } from '../../lib/text.ts'
import { describeTaken, type Status } from '../../migrate/index.ts'
import type { LoadedConfig } from '../../project/load-config.ts'
import { readStatus } from '../../project/schema-check.ts'
import { check, type Finding } from './finding.ts'

export async function checkMigrations(loaded: LoadedConfig, { db, dialect }: OpenApp['database']): Promise<Finding[]> {
  const found = await readStatus(loaded, { db, dialect })
  if (found.taken.length > 0) {
    const message = `Exist, but were not created by Latchkey: ${found.taken.map(describeTaken).join(', ')}`
    return [check('migrations', 'Migrations').failed(message, 'See the ways out: `latchkey migrate status`.')]
  }
  if (!dialect.keepsMigrationFiles) {
    const { ok, skipped } = check('drift', 'Tables')
    if (found.drift.length === 0) return [ok('Match the configuration')]
    return [skipped('Older than the configuration; the daemon updates them when it starts')]
  }
  return [describeMigrations(found), describeDrift(found), ...(await checkOwnTables(db))]
}

function describeMigrations({ ungenerated, pending, interrupted, edited, missing, applied }: Status): Finding {
  const { ok, failed } = check('migrations', 'Migrations')
  const wrong = [...edited, ...missing]
  if (wrong.length > 0)
    return failed(`Applied, but edited or deleted since: ${wrong.join(', ')}`, 'Restore the files from version control.')
  if (ungenerated.length > 0)
    return failed(
      `${counted(ungenerated.length, 'schema change')} without a migration`,
      'Run `latchkey migrate generate`, review the SQL, then run `latchkey migrate up`.',
    )
  if (interrupted.length > 0)
    return failed(`Interrupted or running: ${interrupted.map(({ name }) => name).join(', ')}`, 'Run `latchkey migrate up`.')
  if (pending.length > 0) return failed(`Pending: ${pending.join(', ')}`, 'Run `latchkey migrate up`.')
  return ok(`${applied} applied, none pending`)
}

function describeDrift({ drift, interrupted }: Status): Finding {
  const { ok, skipped, failed } = check('drift', 'Tables')
  if (interrupted.length > 0) return skipped('A migration is interrupted or running')
  const [first] = drift
  if (!first) return ok('Match the applied migrations')
  const others = drift.length === 1 ? '' : `, and ${drift.length - 1} more`
  return failed(
    `${first.message}${others}`,
    'See all with `latchkey migrate status`. Restore the database, or declare the change in the configuration.',
  )
}

interface StoredTable {
  readonly name: string
  readonly engine: string | null
  readonly format: string | null
  readonly collation: string | null
}

/** The tables of the journal, the lock and the workers: an earlier version made them as the server does by default. Nothing when they are right. */
async function checkOwnTables(db: OpenApp['database']['db']): Promise<Finding[]> {
  const { rows } =
    await sql<StoredTable>`select table_name as name, engine as engine, row_format as format, table_collation as collation
    from information_schema.tables where table_schema = database() and table_name like ${'latchkey\\_%'} order by table_name`.execute(
      db,
    )
  const isOther = ({ engine, format, collation }: StoredTable) =>
    engine !== 'InnoDB' || format !== 'Dynamic' || !collations.includes(collation ?? '')
  const others = rows.filter(isOther)
  if (others.length === 0) return []
  const shown = others.map(({ name, engine, format, collation }) => `${name} (${engine}, ${format}, ${collation})`).join(', ')
  const collation = collations.find((each) => rows.some((row) => row.collation === each)) ?? collations.join(' or ')
  const fix = `A cluster may not replicate them. Run for each: ALTER TABLE ${others[0]?.name} ENGINE=InnoDB ROW_FORMAT=DYNAMIC, CONVERT TO CHARACTER SET utf8mb4 COLLATE ${collation}`
  return [check('own-tables', 'Tables of migrations').warning(`Stored otherwise than declared: ${shown}`, fix)]
}
