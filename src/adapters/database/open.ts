/** Opens the configured database, by the scheme of its URL. */
import { Kysely, type KyselyPlugin, sql } from 'kysely'
import type { DatabaseReport } from '../../core/installation.ts'
import type { Database } from '../../features/index.ts'
import type { DatabaseLog, DatabaseOptions, OpenedDialect } from './dialect.ts'
import { openMysql } from './mysql.ts'
import { findUnsupported, isReadOnly, readServerVariables, readServerVersion, type Unsupported } from './mysql-server.ts'
import { openSqlite, readSqliteVersion } from './sqlite.ts'
import { prefixTables } from './table-prefix.ts'

export type OpenDatabase = ReturnType<typeof openDatabase>

function openDialect(options: DatabaseOptions, log?: DatabaseLog): OpenedDialect {
  const { url } = options
  if (!url) throw new Error('No database is configured: set database.url, or DATABASE_URL')
  if (url.startsWith('mysql:')) return openMysql({ ...options, url }, log)
  if (url.startsWith('sqlite:')) return openSqlite({ ...options, url })
  throw new Error('database.url must start with mysql: or sqlite:')
}

const lockNothing = sql`update ${sql.table('latchkey_lease')} set holder = holder where name = ''`

const pluginsOf = ({ prefixed }: DatabaseOptions): KyselyPlugin[] =>
  prefixed ? [prefixTables(prefixed.prefix, prefixed.isOwn)] : []

/**
 * Connects at the first statement, but opens a SQLite file immediately.
 * @throws Error when the scheme of the URL is unknown, or the file cannot be opened
 */
export function openDatabase(options: DatabaseOptions, log?: DatabaseLog) {
  const opened = openDialect(options, log)
  const db = new Kysely<Database>({ dialect: opened.kysely, plugins: pluginsOf(options) })
  return {
    db,
    dialect: opened.dialect,
    errors: opened.dialect.errors,
    /** The connections of this process; null for an embedded database. */
    usage: opened.pool,
    /** Resolves when the database responds; otherwise rejects with the reason within the timeouts. */
    ping: async () => {
      await sql`select 1`.execute(db)
    },
    /**
     * Resolves when the database accepts writes by this account, otherwise rejects as for any write. Writes nothing. A database
     * without tables, and an embedded one, only has to respond.
     */
    checkWritable: async (): Promise<void> => {
      const write = opened.dialect.name === 'mysql' ? lockNothing : sql`select 1`
      await write.execute(db).catch((error: unknown) => {
        if (!opened.dialect.errors.isMissingTable(error)) throw error
      })
    },
    /** @returns why the product cannot work on this server, whatever is repeated; null if it can */
    findUnsupported: async (): Promise<Unsupported | null> =>
      opened.dialect.name === 'mysql' ? findUnsupported(await readServerVariables(db)) : null,
    /** @throws the error of the server */
    describe: async (): Promise<DatabaseReport> =>
      opened.dialect.name === 'mysql'
        ? { product: await readServerVersion(db), pool: opened.pool(), isReadOnly: await isReadOnly(db) }
        : { product: await readSqliteVersion(db), pool: opened.pool(), isReadOnly: false },
    /** Closes all connections; idempotent. */
    close: async () => {
      await db.destroy()
      await opened.close()
    },
  }
}
