/** Tables in the database of another system: their rows in pages, all of one moment. */
import type { SourceDatabase, SourceRow } from '../../../core/source-database.ts'
import { sourceError } from './source-file.ts'

/** Values as the dump of the table has them; null also for an empty text. */
export type Fields = Readonly<Record<string, string | null>>

export interface OpenedTable {
  readonly name: string
  /** With its quotes. */
  readonly quoted: string
  /** Of the columns that a reader knows, those that exist. */
  readonly columns: readonly string[]
}

const snapshots = {
  mysql: ['set session transaction isolation level repeatable read', 'start transaction with consistent snapshot, read only'],
  postgres: ['start transaction isolation level repeatable read, read only'],
  sqlite: ['begin'],
} as const

/** A move reads the users twice: both readings must find the same ones, also while the other system serves. */
export async function takeSnapshot(source: SourceDatabase): Promise<void> {
  for (const statement of snapshots[source.product]) await source.query(statement)
}

/**
 * @param schema null: that of the connection
 * @param known columns that the reader knows; versions differ
 * @returns null when there is no such table, or the account may not read it
 */
export async function findTable(
  source: SourceDatabase,
  schema: string | null,
  name: string,
  known: readonly string[],
): Promise<OpenedTable | null> {
  const place = schema === null ? 'database()' : '?'
  const text = `select column_name as name from information_schema.columns where table_schema = ${place} and table_name = ?`
  const rows = await source.query(text, [...(schema === null ? [] : [schema]), name])
  const existing = new Set(rows.map((row) => String(row.name)))
  const parts = [...(schema === null ? [] : [schema]), name]
  const columns = known.filter((column) => existing.has(column))
  return columns.length > 0 ? { name: parts.join('.'), quoted: parts.map((part) => source.quote(part)).join('.'), columns } : null
}

/** @throws SourceError when there is no such table, or the account may not read it */
export async function requireTable(...args: Parameters<typeof findTable>): Promise<OpenedTable> {
  const [source, schema, name] = args
  const found = await findTable(...args)
  if (found) return found
  const missing = [schema, name].filter((part) => part !== null).join('.')
  throw sourceError({ name: source.label }, null, `there is no table ${missing} that this account may read`, missingHint)
}

const missingHint = 'Check the URL, the rights of its account and, for WordPress, --table-prefix.'

const rowsPerPage = 1000

const fieldsOf = (row: SourceRow): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const text = value === null ? '' : typeof value === 'object' ? Buffer.from(value).toString() : String(value)
      return [name, text === '' ? null : text]
    }),
  )

/** Pages of a table, in the order of its key. */
export async function* readPages(source: SourceDatabase, { quoted, columns }: OpenedTable, key: string) {
  const selected = columns.map((name) => source.quote(name)).join(', ')
  const order = `order by ${source.quote(key)} limit ${rowsPerPage}`
  let after: string | null = null
  for (;;) {
    const where: string = after === null ? '' : `where ${source.quote(key)} > ?`
    const rows = await source.query(`select ${selected} from ${quoted} ${where} ${order}`, after === null ? [] : [after])
    const page: readonly Fields[] = rows.map(fieldsOf)
    if (page.length > 0) yield page
    after = page.at(-1)?.[key] ?? null
    if (page.length < rowsPerPage || after === null) return
  }
}

/** The rows of one page's users, by the ID of their user. @param more a further condition, with its values */
export async function readRowsOf(
  source: SourceDatabase,
  table: OpenedTable | null,
  {
    key,
    ids,
    more = '',
    values = [],
  }: {
    readonly key: string
    readonly ids: readonly string[]
    readonly more?: string
    readonly values?: readonly string[]
  },
): Promise<Map<string, Fields[]>> {
  if (!table || ids.length === 0) return new Map()
  const selected = table.columns.map((name) => source.quote(name)).join(', ')
  const places = ids.map(() => '?').join(', ')
  const text = `select ${selected} from ${table.quoted} where ${source.quote(key)} in (${places}) ${more} order by ${table.columns
    .slice(0, 2)
    .map((name) => source.quote(name))
    .join(', ')}`
  const rows = await source.query(text, [...ids, ...values])
  return Map.groupBy(rows.map(fieldsOf), (row) => row[key] ?? '')
}
