/** A connection for changes of tables. */
import { type Kysely, sql } from 'kysely'
import type { Database } from '../features/index.ts'

/**
 * Seconds that a statement waits for the transactions that use its table. All who come later wait behind it, so it is short,
 * and tried again.
 */
const patience = 5

/**
 * Runs `work` on one connection whose statements may take as long as they need once they have begun; its settings are put
 * back afterwards. What stands in a comment beginning with `M!` is read by MariaDB only.
 */
export function withSchemaSession<T>(db: Kysely<Database>, work: (connection: Kysely<Database>) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    const before = await sql<{ patience: number; deadline?: number }>`select @@session.lock_wait_timeout as patience
      /*M! , @@session.max_statement_time as deadline */`.execute(connection)
    await setSession(connection, patience, 0)
    try {
      return await work(connection)
    } finally {
      // A connection that was lost keeps no settings.
      await setSession(connection, before.rows[0]?.patience ?? patience, before.rows[0]?.deadline ?? 0).catch(() => undefined)
    }
  })
}

const setSession = (connection: Kysely<Database>, patience: number, deadline: number) =>
  sql`set session lock_wait_timeout = ${sql.lit(patience)} /*M! , max_statement_time = ${sql.lit(deadline)} */`.execute(
    connection,
  )
