/** The unique keys of the rows of a line, and rows of the database that have them already. */
import type { App } from '../../core/app.ts'
import { type Columns, columnsOf, hasTable, type Index, mergeIndexes } from '../../core/table.ts'
import { batchesOf } from '../../core/write.ts'
import type { Rows } from './user-form.ts'

/** Columns that are unique together. */
type UniqueKey = readonly string[]

const uniqueKeysOf = (columns: Columns, indexes: readonly Index[]): UniqueKey[] => [
  Object.keys(columns).filter((name) => columns[name]?.primary),
  ...Object.keys(columns)
    .filter((name) => columns[name]?.unique)
    .map((name) => [name]),
  ...indexes.filter(({ unique }) => unique).map(({ columns: names }) => names),
]

const keyText = (value: unknown): string => (value instanceof Date ? value.toISOString() : String(value))

/** Null when a part is null: then it is not unique. */
export function keyOf(table: string, key: UniqueKey, row: Readonly<Record<string, unknown>>): string | null {
  const values = key.map((name) => row[name] ?? null)
  return values.includes(null) ? null : JSON.stringify([table, key, values.map(keyText)])
}

/** The unique keys of each table that lines fill. */
export function readUniqueKeys(app: App, tables: readonly string[]): Map<string, UniqueKey[]> {
  const indexes = mergeIndexes(app.features)
  return new Map(
    tables
      .filter((table) => hasTable(app, table))
      .map((table) => [table, uniqueKeysOf(columnsOf(app, table), indexes[table] ?? [])]),
  )
}

interface Reference {
  readonly column: string
  /** As `keyOf` makes it. */
  readonly key: string
  readonly target: string
}

export const referencesOf = (app: App, table: string, row: Readonly<Record<string, unknown>>): Reference[] =>
  Object.entries(columnsOf(app, table)).flatMap(([column, { references }]) => {
    const value = row[column]
    if (!references || value === null || value === undefined) return []
    return [{ column, target: references.table, key: keyOf(references.table, ['id'], { id: value }) ?? '' }]
  })

/** Pairs of one statement: databases limit the depth of a condition. */
const mostPairs = 100

type Stored = Readonly<Record<string, unknown>> & { readonly id: string }

/** The rows that have one of these keys. */
async function findByKey(app: App, table: string, key: UniqueKey, rows: Rows[string]): Promise<Stored[]> {
  const given = rows.filter((row) => keyOf(table, key, row) !== null)
  const [column = 'id'] = key
  const found: Stored[] = []
  for (const some of batchesOf(given, mostPairs)) {
    const query = app.db.selectFrom(table as 'user').selectAll()
    const pairs = query.where((eb) =>
      key.length === 1
        ? eb(
            column as 'id',
            'in',
            some.map((row) => row[column] as string),
          )
        : eb.or(some.map((row) => eb.and(key.map((name) => eb(name as 'id', '=', row[name] as string))))),
    )
    found.push(...(await pairs.execute()))
  }
  return found
}

/** The keys of these rows, none of which is stored, that other rows have in the database. */
export async function findTaken(app: App, table: string, keys: readonly UniqueKey[], rows: Rows[string]): Promise<Set<string>> {
  const taken = new Set<string>()
  for (const key of keys) for (const stored of await findByKey(app, table, key, rows)) taken.add(keyOf(table, key, stored) ?? '')
  return taken
}

/** Tables that have rows: an import into an empty database compares nothing. */
export async function findFilled(app: App, tables: readonly string[]): Promise<Set<string>> {
  const filled = new Set<string>()
  for (const table of tables)
    if (
      await app.db
        .selectFrom(table as 'user')
        .select('id')
        .limit(1)
        .executeTakeFirst()
    )
      filled.add(table)
  return filled
}

/** The stored rows with these IDs. */
export async function findById(app: App, table: string, ids: readonly string[]): Promise<Stored[]> {
  if (ids.length === 0) return []
  return app.db
    .selectFrom(table as 'user')
    .selectAll()
    .where('id', 'in', ids)
    .execute()
}
