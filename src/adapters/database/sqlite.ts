/** `node:sqlite` behind Kysely. One connection; Kysely lets one query, or one transaction, at a time use it. */
import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from 'node:sqlite'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import type { Dialect, OpenedDialect, StoredColumn } from './dialect.ts'
import { errorProperty, toParameter } from './dialect.ts'

/** Milliseconds to wait while another process writes. */
const busyTimeout = 5000
const cachedStatements = 200

const types = {
  varchar: 'varchar',
  text: 'text',
  boolean: 'tinyint(1)',
  integer: 'int',
  bigint: 'bigint',
  timestamp: 'datetime(3)',
  json: 'json',
}
const columnType = (column: StoredColumn) => (column.type === 'varchar' ? `varchar(${column.length})` : types[column.type])

/** Primary result codes are the low byte of the extended ones (https://sqlite.org/rescode.html). */
const resultCode = (error: unknown) => {
  const code = errorProperty(error, 'errcode')
  return typeof code === 'number' ? code : 0
}
const uniqueViolations = [2067, 1555]
const busyOrLocked = [5, 6]
const cannotOpen = [10, 14, 26]

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  errors: {
    isUniqueViolation: (error) => uniqueViolations.includes(resultCode(error)),
    isRetryable: (error) => busyOrLocked.includes(resultCode(error) & 0xff),
    isUnreachable: (error) => cannotOpen.includes(resultCode(error) & 0xff),
    isTimeout: () => false,
    isMissingTable: (error) => error instanceof Error && resultCode(error) === 1 && error.message.startsWith('no such table'),
  },
  clock: {
    now: sql<Date>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`,
    after: (milliseconds) => sql<Date>`strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ${`${(milliseconds / 1000).toFixed(3)} seconds`})`,
  },
  columnType,
  tableOptions: '',
  quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
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

/** Times are kept as ISO 8601 texts in UTC, which sort as the times do. */
function encode(value: unknown): SQLInputValue {
  const parameter = toParameter(value)
  if (parameter instanceof Date) return parameter.toISOString()
  return typeof parameter === 'boolean' ? Number(parameter) : parameter
}

/** SQLite reports a column's declared type through aliases and joins; expressions have none and are left as they are. */
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
    const known = cache.get(text)
    if (known) {
      cache.delete(text)
      cache.set(text, known)
      return known
    }
    const made = prepare(database, text)
    const eldest = cache.keys().next()
    if (cache.size >= cachedStatements && !eldest.done) cache.delete(eldest.value)
    cache.set(text, made)
    return made
  }

  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      // A changed table changes the columns that an old statement reports.
      if (/^\s*(create|drop|alter)\b/i.test(query.sql)) cache.clear()
      const prepared = cached(query.sql)
      const values = query.parameters.map(encode)
      if (prepared.names.length > 0) {
        const rows: unknown[] = prepared.statement.all(...values)
        return { rows: rows.filter(isArray).map((cells) => decodeRow(prepared, cells)) as R[] }
      }
      const { changes } = prepared.statement.run(...values)
      return { numAffectedRows: BigInt(changes), rows: [] }
    },
    // A statement of its own: the cached one may be run again while this one is read.
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
  const run = (text: string) => async () => database.exec(text)
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    // Not plain `begin`: two processes that read and then write would fail at once, whatever the timeout.
    beginTransaction: run('begin immediate'),
    commitTransaction: run('commit'),
    rollbackTransaction: async () => {
      // SQLite itself rolls back on some errors, a full disk for one.
      if (database.isTransaction) database.exec('rollback')
    },
    releaseConnection: async () => {},
    destroy: async () => database.close(),
  }
}

/** Creates a missing file readable by its owner only: it holds password hashes. The files beside it get the same mode. */
function openFile(path: string): DatabaseSync {
  if (path !== ':memory:') closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path, { timeout: busyTimeout, enableForeignKeyConstraints: true })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal')
  return database
}

/**
 * Opens a file, creating it when absent.
 * @param url `sqlite:` and a path, or `sqlite::memory:`
 * @throws Error when the file cannot be opened
 */
export function openSqlite(url: string): OpenedDialect {
  const database = openFile(url.replace(/^sqlite:(\/\/)?/, ''))
  return {
    dialect: sqliteDialect,
    kysely: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(database),
      createQueryCompiler: () => new SqliteQueryCompiler(),
      createIntrospector: (db) => new SqliteIntrospector(db),
    },
    // Kysely destroys no driver that was never used.
    close: async () => {
      if (database.isOpen) database.close()
    },
  }
}
