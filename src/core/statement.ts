/** Queries that nearly every request needs: built once, sent as prepared statements, each row packed into one JSON column. */
import { type Compilable, type CompiledQuery, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../features/index.ts'
import { parseTime } from '../lib/iso-time.ts'
import { type App, memo } from './app.ts'
import { type Column, columnsOf } from './table.ts'

/** A compiled query that the database's adapter should prepare once per connection. */
interface PreparedQuery extends CompiledQuery {
  readonly prepared: true
}
export const isPrepared = (query: CompiledQuery): query is PreparedQuery => 'prepared' in query

type Aliases = Readonly<Record<string, keyof Database & string>>
type Found<A extends Aliases> = { -readonly [K in keyof A]: Selectable<Database[A[K]]> }
type StatementApp = Pick<App, 'db' | 'features' | 'memo' | 'tablePrefix'>
type Values = Readonly<Record<string, unknown>>
type Decode = (cell: unknown) => unknown

/** Stands for a value while the query is built. */
class Marker {
  readonly read: (values: Values) => unknown
  constructor(read: Marker['read']) {
    this.read = read
  }
}

interface Unpack {
  readonly alias: string
  readonly columns: readonly { readonly name: string; readonly decode: Decode | null }[]
}
interface Plan {
  /** Its parameters are markers, or constants of the query itself, such as a limit. */
  readonly query: PreparedQuery
  readonly unpack: readonly Unpack[]
}

const decoders: Readonly<Partial<Record<Column['kind'], Decode>>> = {
  boolean: (cell) => cell === 1 || cell === true,
  timestamp: (cell) => parseTime(String(cell)),
  // As text where the database has no type of its own for JSON.
  json: (cell) => (typeof cell === 'string' ? JSON.parse(cell) : cell),
}

/**
 * Declares a query that is built only once per app.
 * @param rows what a result consists of: alias → table. All columns of the enabled features are selected; the aliases must be
 * the names that the query gives to these tables, joined so that each is present
 * @param build makes the query without its `select`; it gets markers instead of values, so it may pass them on but not read
 * them. A list stays a list of the same length; the query is built once per length that occurs
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
): (app: StatementApp, values: P) => Promise<Found<A>[]> {
  const plansOf = memo((_: StatementApp) => new Map<string, Plan>())

  function getPlan(app: StatementApp, values: P): Plan {
    const plans = plansOf(app)
    const shape = keyOf(app, values)
    const known = plans.get(shape)
    if (known) return known
    const plan = makePlan(app, rows, build(app.db, toMarkers(values) as P))
    plans.set(shape, plan)
    return plan
  }

  return async (app, values) => {
    const plan = getPlan(app, values)
    const result = await app.db.executeQuery<{ packed: unknown }>({ ...plan.query, parameters: fill(plan.query, values) })
    return result.rows.map(({ packed }) => unpackRow(plan.unpack, packed)) as Found<A>[]
  }
}

/**
 * Declares a write that is built only once per app and shape of its values.
 * @param build gets markers in place of the values, as in `statement`
 * @param options.isPrepared sent as a prepared statement: for a write that many requests need
 * @returns a function that runs the write, inside `app`'s transaction if there is one, and returns the number of affected rows
 */
export function command<P extends Values>(
  build: (app: App, values: P) => Compilable,
  { isPrepared = false } = {},
): (app: App, values: P) => Promise<bigint> {
  const queriesOf = memo((_: StatementApp) => new Map<string, CompiledQuery>())
  return async (app, values) => {
    const queries = queriesOf(app)
    const shape = keyOf(app, values)
    const query = queries.get(shape) ?? { ...build(app, toMarkers(values) as P).compile(), ...(isPrepared && { prepared: true }) }
    queries.set(shape, query)
    const result = await app.db.executeQuery({ ...query, parameters: fill(query, values) })
    return result.numAffectedRows ?? 0n
  }
}

const fill = ({ parameters }: CompiledQuery, values: Values): unknown[] =>
  parameters.map((given) => (given instanceof Marker ? given.read(values) : given))

/** A query that was built with a prefix before its tables is another one. */
const keyOf = ({ tablePrefix }: Pick<App, 'tablePrefix'>, values: Values): string =>
  tablePrefix ? `${tablePrefix.value} ${shapeOf(values)}` : shapeOf(values)

function shapeOf(values: Values): string {
  let shape = ''
  for (const name in values) {
    const value = values[name]
    shape += Array.isArray(value) ? `${name}:${value.length},` : `${name},`
  }
  return shape
}

const toMarkers = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (!Array.isArray(value)) return [name, new Marker((given) => given[name])]
      return [name, value.map((_, index) => new Marker((given) => Object(given[name])[index]))]
    }),
  )

function makePlan<DB, TB extends keyof DB>(app: StatementApp, rows: Aliases, query: SelectQueryBuilder<DB, TB, object>): Plan {
  const unpack = Object.entries(rows).map(([alias, table]) => ({
    alias,
    columns: Object.entries(columnsOf(app, table)).map(([name, { kind }]) => ({ name, decode: decoders[kind] ?? null })),
  }))
  const columns = unpack.flatMap(({ alias, columns }) => columns.map(({ name }) => sql.ref(`${alias}.${name}`)))
  const packed = sql`json_array(${sql.join(columns)})`.as('packed')
  return { query: { ...query.select(packed).compile(), prepared: true }, unpack }
}

function unpackRow(unpack: readonly Unpack[], packed: unknown): Record<string, Record<string, unknown>> {
  const cells: unknown = typeof packed === 'string' ? JSON.parse(packed) : packed
  if (!Array.isArray(cells)) throw new TypeError('The database did not return a JSON array')
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

/** The value for the id of each row, to update many rows by one statement. */
export function caseOf(values: readonly (readonly [id: string, value: unknown])[]): RawBuilder<never> {
  const whens = values.map(([id, value]) => sql`when ${id} then ${value}`)
  return sql<never>`case ${sql.ref('id')} ${sql.join(whens, sql` `)} end`
}

/** The number of rows that a query finds. Databases return it as text or as a bigint too. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, Record<never, unknown>>,
): Promise<number> {
  const counting = query.select(sql`count(*)`.as('count')).$castTo<{ count: number | string | bigint }>()
  return Number((await counting.executeTakeFirstOrThrow()).count)
}
