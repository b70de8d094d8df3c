/** Under which names Latchkey's tables are: those of the copy, or their own after the switch. */
import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import { movePrefix } from '../../../core/table-prefix.ts'

const copied = sql.table(`${movePrefix}latchkey_move`)

/** Whether the database has tables of a copy that no switch has renamed yet. */
export async function hasPrefixedTables({ db, database }: Pick<App, 'db' | 'database'>): Promise<boolean> {
  try {
    await sql`select 1 from ${copied} where 1 = 0`.execute(db)
    return true
  } catch (error) {
    if (database.isMissingTable(error)) return false
    throw error
  }
}

/** The next query uses the tables under the names that they have now. */
export async function settlePrefix(app: App): Promise<void> {
  if (app.tablePrefix) app.tablePrefix.value = (await hasPrefixedTables(app)) ? movePrefix : ''
}
