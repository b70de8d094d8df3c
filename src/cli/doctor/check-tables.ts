/** Checks the tables of a MySQL or MariaDB server as a whole: their sizes, engine and collation, and what holds them open. */
import { sql } from 'kysely'
import { collations } from '../../adapters/database/mysql.ts'
import type { OpenApp } from '../../app.ts'
import { isDenied } from '../../lib/driver-errors.ts'
import { counted } from '../../lib/text.ts'
import { ownTableNames } from '../../migrate/index.ts'
import { check, type Finding } from './finding.ts'

type Db = OpenApp['database']['db']

/** @param declared names of the tables of the configuration */
export async function checkTables(db: Db, declared: readonly string[]): Promise<Finding[]> {
  const tables = await readTables(db, [...declared, ...ownTableNames])
  return [describeSizes(tables), ...findMisplaced(tables), await checkTransactions(db)]
}

interface LiveTable {
  readonly name: string
  readonly engine: string | null
  readonly collation: string | null
  readonly bytes: string | number | null
  readonly rows: string | number | null
}

async function readTables(db: Db, names: readonly string[]): Promise<readonly LiveTable[]> {
  const { rows } = await sql<LiveTable>`select table_name as name, engine as engine, table_collation as collation,
      data_length + index_length as bytes, table_rows as \`rows\`
    from information_schema.tables where table_schema = database() and table_name in (${sql.join([...names])})
    order by data_length + index_length desc`.execute(db)
  return rows
}

const size = (bytes: number): string => (bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`)

/** From the statistics of the server, so that the numbers of rows are estimates. */
function describeSizes(tables: readonly LiveTable[]): Finding {
  const { ok } = check('database-size', 'Size')
  const total = tables.reduce((sum, { bytes }) => sum + Number(bytes ?? 0), 0)
  const largest = tables
    .slice(0, 3)
    .map(({ name, bytes, rows }) => `${name} ${size(Number(bytes ?? 0))} (about ${counted(Number(rows ?? 0), 'row')})`)
  return ok(`${counted(tables.length, 'table')}, ${size(total)}: ${largest.join(', ')}`)
}

/**
 * The tables of the migrator, which are in no migration file. Earlier versions left engine and collation to the server; without
 * transactions a lock or a record of a migration can be lost, and Galera does not replicate them.
 */
function findMisplaced(tables: readonly LiveTable[]): Finding[] {
  const { warning, failed } = check('own-tables', 'Own tables')
  const own = tables.filter(({ name }) => ownTableNames.includes(name))
  const collation = tables.find((table) => collations.includes(table.collation ?? ''))?.collation
  return own.flatMap(({ name, engine, collation: found }) => {
    if (engine?.toLowerCase() !== 'innodb')
      return [failed(`${name} has the engine ${engine ?? 'unknown'}`, `ALTER TABLE ${name} ENGINE=InnoDB`)]
    // Earlier versions left another one of Unicode, in which the names that these tables hold are compared alike.
    if (!collation || found?.startsWith('utf8mb4_')) return []
    const fix = `ALTER TABLE ${name} CONVERT TO CHARACTER SET utf8mb4 COLLATE ${collation}`
    return [warning(`${name} has the collation ${found ?? 'unknown'} instead of ${collation}`, fix)]
  })
}

const longSeconds = 60

/** A transaction that stays open blocks migrations, and keeps old versions of all rows. */
async function checkTransactions(db: Db): Promise<Finding> {
  const { ok, skipped, warning } = check('database-transactions', 'Transactions')
  try {
    const { rows } = await sql<{ id: string | number; seconds: string | number }>`select trx_mysql_thread_id as id,
      timestampdiff(second, trx_started, now()) as seconds from information_schema.innodb_trx order by trx_started limit 1`.execute(
      db,
    )
    const [oldest] = rows
    if (!oldest || Number(oldest.seconds) < longSeconds) return ok(`None is open for longer than ${longSeconds} s`)
    return warning(
      `One is open for ${oldest.seconds} s, by connection ${oldest.id}: it blocks migrations of the tables that it uses`,
      `See what it does: SHOW PROCESSLIST. End it: KILL ${oldest.id}`,
    )
  } catch (error) {
    if (!isDenied(error)) throw error
    return skipped('Only an account with the privilege PROCESS sees them')
  }
}
