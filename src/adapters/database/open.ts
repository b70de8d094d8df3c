/** Opens the configured database, by the scheme of its URL. */
import { Kysely, sql } from 'kysely'
import type { Database } from '../../features/index.ts'
import type { DatabaseOptions, OpenedDialect } from './dialect.ts'
import { openMysql } from './mysql.ts'
import { findUnsupported, readServerVariables, type Unsupported } from './mysql-server.ts'
import { openSqlite } from './sqlite.ts'

export type OpenDatabase = ReturnType<typeof openDatabase>

function openDialect(options: DatabaseOptions): OpenedDialect {
  const { url } = options
  if (!url) throw new Error('No database is configured: set database.url, or DATABASE_URL')
  if (url.startsWith('mysql:')) return openMysql({ ...options, url })
  if (url.startsWith('sqlite:')) return openSqlite(url)
  throw new Error('database.url must start with mysql: or sqlite:')
}

/**
 * Connects at the first statement, but opens a SQLite file immediately.
 * @throws Error when the scheme of the URL is unknown, or the file cannot be opened
 */
export function openDatabase(options: DatabaseOptions) {
  const opened = openDialect(options)
  const db = new Kysely<Database>({ dialect: opened.kysely })
  return {
    db,
    dialect: opened.dialect,
    errors: opened.dialect.errors,
    /** Resolves when the database responds; otherwise rejects with the reason within the timeouts. */
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    /** @returns why the product cannot work on this server, whatever is repeated; null if it can */
    findUnsupported: async (): Promise<Unsupported | null> =>
      opened.dialect.name === 'mysql' ? findUnsupported(await readServerVariables(db)) : null,
    /** Closes all connections; idempotent. */
    close: async () => {
      await db.destroy()
      await opened.close()
    },
  }
}
