/** The table of the workers that serve. */
import { type Kysely, sql } from 'kysely'
import { ownTableOptions } from '../core/own-table.ts'
import type { Database } from '../features/index.ts'

export const table = sql.table('latchkey_daemon')
export const seenAt = sql.ref('seenAt')

/** In place of daemons of a version that registers no workers: of them nothing is known, so that they may use everything. */
export const unseen = { id: 'unseen', uses: ['*'], seenAt: '9999-12-31 00:00:00' } as const

/**
 * Needs the right to create tables; all other functions here only read and write rows.
 * @param isUsed whether daemons may use the database already: then those that register no workers may run
 */
export async function createServingTable(db: Kysely<Database>, isUsed = false): Promise<void> {
  if (isUsed && !(await hasServingTable(db))) {
    await createTable(db)
    await sql`insert into ${table} (id, host, process, generation, uses, ${seenAt})
      values (${unseen.id}, '', 0, 0, ${JSON.stringify(unseen.uses)}, ${unseen.seenAt})`.execute(db)
  } else await createTable(db)
}

const createTable = (db: Kysely<Database>) =>
  sql`create table if not exists ${table} (
    id varchar(64) not null primary key, host varchar(255) not null, process int not null, generation int not null,
    uses mediumtext not null, ${seenAt} datetime(3) not null
  ) ${ownTableOptions}`.execute(db)

async function hasServingTable(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select 1 from information_schema.tables
    where table_schema = database() and table_name = 'latchkey_daemon'`.execute(db)
  return rows.length > 0
}
