/** Queries that nearly every call makes: built once, sent as prepared statements, each row packed into one JSON column. */
import { type CompiledQuery, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../features/index.ts'
import type { App } from './app.ts'
import type { Feature } from './feature.ts'
import { mergeTables } from './merged-tables.ts'
import type { ColumnKind } from './table.ts'

/** A compiled query that the database's adapter should prepare once per connection. */
export interface PreparedQuery extends CompiledQuery {
  readonly prepared: true
}
export const isPrepared = (query: CompiledQuery): query is PreparedQuery => 'prepared' in query

type Aliases = Readonly<Record<string, keyof Database & string>>
type Found<A extends Aliases> = { -readonly [K in keyof A]: Selectable<Database[A[K]]> }
type Values = Readonly<Record<string, unknown>>
type Decode = (cell: unknown) => unknown

/** Stands for a value while the query is built; `index` is the position in a list. */
interface Marker {
  readonly name: string
  readonly index: number | null
}
const markers = new WeakSet<object>()
const isMarker = (value: unknown): value is Marker => typeof value === 'object' && value !== null && markers.has(value)

interface Unpack {
  readonly alias: string
  readonly columns: readonly { readonly name: string; readonly decode: Decode | null }[]
}
interface Plan {
  /** Its parameters are markers, or constants of the query itself, such as a limit. */
  readonly query: PreparedQuery
  readonly unpack: readonly Unpack[]
}

/** MySQL and MariaDB write a time as `2026-01-31 12:00:00.000` (and up to three zeros), SQLite as ISO 8601. */
function toDate(cell: unknown): Date {
  const text = String(cell)
  return new Date(text.length === 24 && text.endsWith('Z') ? text : `${text.slice(0, 10)}T${text.slice(11, 23)}Z`)
}
const decoders: Readonly<Partial<Record<ColumnKind, Decode>>> = {
  boolean: (cell) => cell === 1 || cell === true,
  timestamp: toDate,
  // As text where the database has no type of its own for JSON.
  json: (cell) => (typeof cell === 'string' ? JSON.parse(cell) : cell),
}

/**
 * Declares a query that is built once per database and then only run.
 * @param rows what a result consists of: alias → table. All columns of the enabled features are selected; the aliases must be
 * the names that the query gives to these tables, joined so that each is present
 * @param build makes the query without its `select`; in place of values it gets markers, so it may pass them on but not look at
 * them. A list stays a list, of the same length; for each length that occurs the query is built once
 * @returns a function that runs the query with values, inside `app`'s transaction if there is one
 *
 * ```ts
 * const findByHash = statement({ session: 'session', user: 'user' }, (db, { hash }: { hash: string }) =>
 *   db.selectFrom('session').innerJoin('user', 'user.id', 'session.userId').where('session.tokenHash', '=', hash))
 * const [found] = await findByHash(app, { hash })
 * ```
 */
export function statement<const A extends Aliases, P extends Values, DB, TB extends keyof DB>(
  rows: A,
  build: (db: App['db'], values: P) => SelectQueryBuilder<DB, TB, object>,
): (app: Pick<App, 'db' | 'features'>, values: P) => Promise<Found<A>[]> {
  const plans = new WeakMap<readonly Feature[], WeakMap<object, Map<string, Plan>>>()

  function getPlan(app: Pick<App, 'db' | 'features'>, values: P): Plan {
    const { adapter } = app.db.getExecutor()
    const byAdapter = getOrInsert(plans, app.features, () => new WeakMap())
    const byShape = getOrInsert(byAdapter, adapter, () => new Map<string, Plan>())
    return getOrInsert(byShape, shapeOf(values), () => makePlan(app, rows, build(app.db, toMarkers(values) as P)))
  }

  return async (app, values) => {
    const plan = getPlan(app, values)
    const parameters = plan.query.parameters.map((parameter) =>
      isMarker(parameter) ? parameterOf(values, parameter) : parameter,
    )
    const result = await app.db.executeQuery<{ packed: unknown }>({ ...plan.query, parameters })
    return result.rows.map(({ packed }) => unpackRow(plan.unpack, packed)) as Found<A>[]
  }
}

function parameterOf(values: Values, { name, index }: Marker): unknown {
  const value = values[name]
  return index !== null && Array.isArray(value) ? value[index] : value
}

function getOrInsert<K, V>(map: { get(key: K): V | undefined; set(key: K, value: V): unknown }, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function shapeOf(values: Values): string {
  let shape = ''
  for (const name in values) {
    const value = values[name]
    shape += Array.isArray(value) ? `${name}:${value.length},` : `${name},`
  }
  return shape
}

function toMarkers(values: Values): Values {
  const marker = (name: string, index: number | null): Marker => {
    const made = { name, index }
    markers.add(made)
    return made
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((_, index) => marker(name, index)) : marker(name, null),
    ]),
  )
}

function makePlan<DB, TB extends keyof DB>(
  app: Pick<App, 'features'>,
  rows: Aliases,
  query: SelectQueryBuilder<DB, TB, object>,
): Plan {
  const tables = mergeTables(app.features)
  const unpack = Object.entries(rows).map(([alias, table]) => ({
    alias,
    columns: Object.entries(tables[table] ?? {}).map(([name, { kind }]) => ({ name, decode: decoders[kind] ?? null })),
  }))
  const columns = unpack.flatMap(({ alias, columns }) => columns.map(({ name }) => sql.ref(`${alias}.${name}`)))
  const packed = sql`json_array(${sql.join(columns)})`.as('packed')
  return { query: { ...query.select(packed).compile(), prepared: true }, unpack }
}

function unpackRow(unpack: readonly Unpack[], packed: unknown): Record<string, Record<string, unknown>> {
  const cells: unknown = typeof packed === 'string' ? JSON.parse(packed) : packed
  if (!Array.isArray(cells)) throw new TypeError('The database has not answered with a JSON array')
  const found: Record<string, Record<string, unknown>> = {}
  let position = 0
  for (const { alias, columns } of unpack) {
    const row: Record<string, unknown> = {}
    for (const { name, decode } of columns) {
      const cell: unknown = cells[position]
      position += 1
      row[name] = decode && cell !== null ? decode(cell) : cell
    }
    found[alias] = row
  }
  return found
}
