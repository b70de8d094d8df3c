/** Opens the database that the configuration names, by the scheme of its address. */
import { Kysely, sql } from 'kysely'
import type { Database } from '../../features/index.ts'
import type { DatabaseFailures, DatabaseOptions, Dialect, OpenedDialect } from './dialect.ts'
import { openMysql } from './mysql.ts'
import { openSqlite } from './sqlite.ts'

export interface OpenDatabase {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  readonly errors: DatabaseFailures
  /** Resolves when the database answers; rejects within the deadlines with the reason when it does not. */
  ping(): Promise<void>
  /** Ends all connections; idempotent. */
  close(): Promise<void>
}

function openDialect(options: DatabaseOptions): OpenedDialect {
  const { url } = options
  if (!url) throw new Error('There is no database: set database.url, or DATABASE_URL')
  if (url.startsWith('mysql:')) return openMysql({ ...options, url })
  if (url.startsWith('sqlite:')) return openSqlite(url)
  throw new Error('The address of the database must begin with mysql: or sqlite:')
}

/**
 * No connection is made before the first statement, but a SQLite file is opened at once.
 * @throws Error when the address is of no known kind, or names a file that cannot be opened
 */
export function openDatabase(options: DatabaseOptions): OpenDatabase {
  const opened = openDialect(options)
  const db = new Kysely<Database>({ dialect: opened.kysely })
  return {
    db,
    dialect: opened.dialect,
    errors: opened.dialect.errors,
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    close: async () => {
      await db.destroy()
      await opened.close()
    },
  }
}
