/** Reads the tables of the old database in pages by their IDs, with the names of better-auth. */
import { batchesOf } from '../../../core/write.ts'
import type { RecognizedTable } from './recognition.ts'
import type { KindName } from './shapes.ts'
import { type SourceDatabase, type SourceRow, textOf } from './source.ts'

export type Tables = ReadonlyMap<KindName, RecognizedTable>

/** The columns of better-auth, and those of the application, which may be additional fields: quoted, with the names that rows have. */
function columnsIn({ quote }: SourceDatabase, { columns, others }: RecognizedTable): (readonly [column: string, name: string])[] {
  const own = Object.entries(columns).map(([name, column]) => [quote(column), quote(name)] as const)
  const more = others.filter(({ name }) => !(name in columns)).map(({ name }) => [quote(name), quote(name)] as const)
  return [...own, ...more]
}

const selected = (source: SourceDatabase, table: RecognizedTable): string =>
  columnsIn(source, table)
    .map(([column, name]) => `${column} as ${name}`)
    .join(', ')

/** Since 1.7 API keys name their owner in another column, which is a user or an organization, and an invitation may be to several teams, of which the first one counts. */
function named(kind: KindName, rows: SourceRow[]): SourceRow[] {
  if (kind === 'invitation') return rows.map((row) => ({ ...row, teamId: textOf(row.teamId)?.split(',')[0] ?? null }))
  if (kind !== 'apikey') return rows
  return rows.map(({ referenceId = null, ...row }) => ({
    ...{ ...row, referenceId },
    ...{ userId: referenceId ?? row.userId ?? null, organizationId: referenceId },
  }))
}

interface Page {
  /** ID of the last row that was read. */
  readonly after: string | null
  readonly limit: number
}

async function readPage(
  source: SourceDatabase,
  table: RecognizedTable,
  list: string,
  { after, limit }: Page,
): Promise<SourceRow[]> {
  const id = source.quote(table.columns.id ?? 'id')
  const where = after === null ? '' : `where ${id} > ?`
  const text = `select ${list} from ${source.quote(table.table)} ${where} order by ${id} limit ${limit}`
  return source.query(text, after === null ? [] : [after])
}

export async function pageRows(source: SourceDatabase, tables: Tables, kind: KindName, page: Page): Promise<SourceRow[]> {
  const table = tables.get(kind)
  return table ? named(kind, await readPage(source, table, selected(source, table), page)) : []
}

/** Of each row its `id` and a `hash` of the whole, which the old database makes: unchanged rows need not be read. */
export async function pageHashes(source: SourceDatabase, tables: Tables, kind: KindName, page: Page): Promise<SourceRow[]> {
  const table = tables.get(kind)
  if (!table) return []
  const { quote } = source
  const columns = columnsIn(source, table).map(([column]) => column)
  const hash = source.hash(table.table, columns)
  return readPage(source, table, `${quote(table.columns.id ?? 'id')} as ${quote('id')}, ${hash} as ${quote('hash')}`, page)
}

const idsOnPage = 1000

/** The IDs of all rows, in constant memory. */
export async function* pageIds(source: SourceDatabase, tables: Tables, kind: KindName): AsyncGenerator<string[]> {
  const table = tables.get(kind)
  if (!table) return
  const list = `${source.quote(table.columns.id ?? 'id')} as ${source.quote('id')}`
  for (let after: string | null = null; ; ) {
    const rows: SourceRow[] = await readPage(source, table, list, { after, limit: idsOnPage })
    const ids = rows.flatMap((row) => textOf(row.id) ?? [])
    if (ids.length > 0) yield ids
    after = ids.at(-1) ?? null
    if (rows.length < idsOnPage) return
  }
}

const numberForm = /int|serial/

/** Whether the IDs of a table are numbers. */
export function hasNumberIds(tables: Tables, kind: KindName): boolean {
  const table = tables.get(kind)
  return numberForm.test(table?.types[table.columns.id ?? 'id'] ?? '')
}

const idsPerQuery = 1000

/** @returns those of the IDs that exist */
export async function presentIds(
  source: SourceDatabase,
  tables: Tables,
  kind: KindName,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await rowsBy(source, tables, kind, 'id', ids, 'id')
  return new Set(rows.map((row) => textOf(row.id) ?? ''))
}

/** The whole rows with these IDs. */
export const rowsByIds = (source: SourceDatabase, tables: Tables, kind: KindName, ids: readonly string[]): Promise<SourceRow[]> =>
  rowsBy(source, tables, kind, 'id', ids)

/**
 * @param column of better-auth, with IDs
 * @param columns `id`: nothing else is read
 */
export async function rowsBy(
  source: SourceDatabase,
  tables: Tables,
  kind: KindName,
  column: string,
  ids: readonly string[],
  columns: 'id' | 'all' = 'all',
): Promise<SourceRow[]> {
  const table = tables.get(kind)
  const physical = table?.columns[column]
  if (!table || physical === undefined) return []
  const form = formOf(table.types[physical] ?? '')
  const usable = form === null ? ids : ids.filter((one) => form.test(one))
  const found: SourceRow[] = []
  for (const some of batchesOf(usable, idsPerQuery)) {
    const list = columns === 'id' ? `${source.quote(physical)} as ${source.quote('id')}` : selected(source, table)
    const marks = some.map(() => '?').join(', ')
    found.push(
      ...(await source.query(
        `select ${list} from ${source.quote(table.table)} where ${source.quote(physical)} in (${marks})`,
        some,
      )),
    )
  }
  return named(kind, found)
}

/** A text of another form cannot name a row, and PostgreSQL rejects it. */
function formOf(type: string): RegExp | null {
  if (numberForm.test(type)) return /^\d{1,18}$/
  return type === 'uuid' ? /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i : null
}

export async function countRows(source: SourceDatabase, tables: Tables, kind: KindName): Promise<number> {
  const table = tables.get(kind)
  if (!table) return 0
  const [row] = await source.query(`select count(*) as ${source.quote('count')} from ${source.quote(table.table)}`)
  return Number(row?.count ?? 0)
}

/** @param column of better-auth @returns quoted; null when the table or the column does not exist */
export function columnOf(source: SourceDatabase, tables: Tables, kind: KindName, column: string): string | null {
  const name = tables.get(kind)?.columns[column]
  return name === undefined ? null : source.quote(name)
}
