/** `node:sqlite` behind Kysely, with one connection: Kysely lets one query or one transaction use it at a time. */

import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type QueryResult,
  type SelectModifierNode,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { TimeLimit } from '../../core/app.ts'
import { spendDatabaseTime } from '../../core/database-time.ts'
import { countRows } from '../../core/statement.ts'
import type { Database } from '../../features/index.ts'
import { errorProperty, hasProperty } from '../../lib/driver-errors.ts'
import { doubleQuoted } from '../../lib/text.ts'
import { columnTypes, type DatabaseOptions, type Dialect, type OpenedDialect, toParameter } from './dialect.ts'

/** The longest wait while another process writes; a call that has less time waits that long. */
const longestBusyMs = 5000
const maxCachedStatements = 200

/** Primary result codes are the low byte of the extended ones (https://sqlite.org/rescode.html). */
const resultCode = (error: unknown) => {
  const code = errorProperty(error, 'errcode')
  return typeof code === 'number' ? code : 0
}
const uniqueViolations = [2067, 1555]
const busyOrLocked = [5, 6]
const cannotOpen = [10, 14, 26]

const timeLimitCode = 'SQLITE_TIME_LIMIT'

/** Called for each row, because a statement runs in this thread: nothing else could end it. */
const checkTime = 'latchkey_check_time'

const limitTime = (milliseconds: number): TimeLimit => {
  const end = performance.now() + milliseconds
  return {
    // With a column, so that it is called for every row.
    condition: (column) => sql<SqlBool>`${sql.raw(checkTime)}(${end}, ${sql.ref(column)})`,
    apply: (query) => query,
  }
}

function defineFunctions(database: DatabaseSync): void {
  // SQLite's own knows the letters of ASCII only.
  database.function('lower', { deterministic: true }, (text) => (text === null ? null : String(text).toLowerCase()))
  database.function(checkTime, { varargs: true }, (end) => {
    if (performance.now() > Number(end)) throw Object.assign(new Error('The query took too long'), { code: timeLimitCode })
    return 1
  })
}

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  keepsMigrationFiles: false,
  errors: {
    isUniqueViolation: (error) => hasProperty(error, 'errcode', uniqueViolations),
    isRetryable: (error) => busyOrLocked.includes(resultCode(error) & 0xff),
    isUnreachable: (error) => cannotOpen.includes(resultCode(error) & 0xff),
    isTimeout: (error) => hasProperty(error, 'code', [timeLimitCode]),
    isMissingTable: (error) => error instanceof Error && resultCode(error) === 1 && error.message.startsWith('no such table'),
    limitTime,
    // Counts the pages of the smallest index.
    estimateRows: (db, table) => countRows(db.selectFrom(table as 'user')),
    // A derived table with a limit is read before the table that it is joined with.
    inJoinOrder: sql``,
    byPrimaryKey: sql``,
    estimateReads: async () => 0,
  },
  clock: {
    now: sql<Date>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
    after: (milliseconds) => sql<Date>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${(milliseconds / 1000).toFixed(3)} seconds`})`,
  },
  columnType: columnTypes('json'),
  tableOptions: '',
  quote: doubleQuoted,
}

type Decoder = ((value: SQLOutputValue) => unknown) | null
interface Prepared {
  readonly statement: StatementSync
  readonly names: readonly string[]
  readonly decoders: readonly Decoder[]
}

const decoders: Readonly<Record<string, Decoder>> = {
  'tinyint(1)': (value) => value !== 0,
  'datetime(3)': (value) => new Date(String(value)),
  json: (value) => JSON.parse(String(value)),
}

/** Times are stored as ISO 8601 strings in UTC, which sort like times. */
function encode(value: unknown): SQLInputValue {
  const parameter = toParameter(value)
  if (parameter instanceof Date) return parameter.toISOString()
  return typeof parameter === 'boolean' ? Number(parameter) : parameter
}

/** SQLite reports a column's declared type through aliases and joins; expressions have none and are not decoded. */
function prepare(database: DatabaseSync, text: string): Prepared {
  const statement = database.prepare(text)
  const columns = statement.columns()
  statement.setReturnArrays(true)
  return {
    statement,
    names: columns.map((column) => column.name),
    decoders: columns.map((column) => decoders[column.type?.toLowerCase() ?? ''] ?? null),
  }
}

function decodeRow(prepared: Prepared, cells: readonly SQLOutputValue[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [index, name] of prepared.names.entries()) {
    const cell = cells[index] ?? null
    const decoder = prepared.decoders[index]
    row[name] = decoder && cell !== null ? decoder(cell) : cell
  }
  return row
}

const isArray = (value: unknown): value is SQLOutputValue[] => Array.isArray(value)

function createConnection(database: DatabaseSync): DatabaseConnection {
  const cache = new Map<string, Prepared>()

  function cached(text: string): Prepared {
    let prepared = cache.get(text)
    if (prepared) return prepared
    if (cache.size >= maxCachedStatements) cache.clear()
    prepared = prepare(database, text)
    cache.set(text, prepared)
    return prepared
  }

  async function execute<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // The columns that a cached statement reports may have changed.
    if (/^\s*(create|drop|alter)\b/i.test(query.sql)) cache.clear()
    const prepared = cached(query.sql)
    const values = query.parameters.map(encode)
    if (prepared.names.length > 0) {
      const rows: unknown[] = prepared.statement.all(...values)
      return { rows: rows.filter(isArray).map((cells) => decodeRow(prepared, cells)) as R[] }
    }
    const { changes } = prepared.statement.run(...values)
    return { numAffectedRows: BigInt(changes), rows: [] }
  }

  return {
    executeQuery: <R>(query: CompiledQuery) => spendDatabaseTime(() => execute<R>(query)),
    // Not cached, because a cached statement may run again while this one is read.
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      const prepared = prepare(database, query.sql)
      for (const cells of prepared.statement.iterate(...query.parameters.map(encode))) {
        if (isArray(cells)) yield { rows: [decodeRow(prepared, cells) as R] }
      }
    },
  }
}

function createDriver(database: DatabaseSync): Driver {
  const connection = createConnection(database)
  const run = (text: string) => () => spendDatabaseTime(async () => database.exec(text))
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // With plain `begin` two processes that read and then write would fail immediately, whatever the timeout.
    beginTransaction: (_, { accessMode }) => run(accessMode === 'read only' ? 'begin' : 'begin immediate')(),
    commitTransaction: run('commit'),
    rollbackTransaction: async () => {
      // SQLite rolls back by itself on some errors, such as a full disk.
      if (database.isTransaction) database.exec('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  }
}

/** Creates a missing file with owner-only access, because it contains password hashes. Its auxiliary files get the same mode. */
function openFile(path: string, timeout: number): DatabaseSync {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path, { timeout, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  defineFunctions(database)
  return database
}

/** SQLite has one writer at a time, and no syntax to lock rows. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node)
  }
}

type SqliteOptions = Pick<DatabaseOptions, 'queryTimeout' | 'content'> & { readonly url: string }

/**
 * Opens a file, creating it when absent.
 * @param options.url `sqlite:` and a path, or `sqlite::memory:`
 * @throws Error when the file cannot be opened
 */
export function openSqlite({ url, queryTimeout, content }: SqliteOptions): OpenedDialect {
  const database = openFile(url.replace(/^sqlite:(\/\/)?/, ''), Math.min(longestBusyMs, queryTimeout))
  if (content) database.deserialize(content)
  return {
    dialect: sqliteDialect,
    kysely: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(database),
      createQueryCompiler: () => new LocklessQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    pool: () => null,
    // Kysely does not destroy a driver that was never used.
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}

/** @returns such as `SQLite 3.50.4` */
export async function readSqliteVersion(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ version: string }>`select sqlite_version() as version`.execute(db)
  return `SQLite ${rows[0]?.version ?? ''}`.trimEnd()
}
