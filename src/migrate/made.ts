/** Which parts of an embedded database Latchkey created, as rows of a table: it changes and drops nothing else. */
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { type Step, toChanges } from './changes.ts'
import { rejectReferring } from './losses.ts'
import type { Taken } from './own-tables.ts'
import { findTaken, type Live, readLive, type Task } from './ownership.ts'
import type { Schema, TableSchema } from './schema.ts'

const made = sql.table('latchkey_made')

export interface Ownership {
  readonly live: Live
  /** The parts of the live schema that Latchkey created. */
  readonly own: Schema
  /** What is recorded: `table:user`, `column:user.email`, `index:user.user_email_key`. */
  readonly recorded: ReadonlySet<string>
}

/** @param known tables that Latchkey may have created before it recorded that */
export async function readOwnership(
  db: Kysely<Database>,
  dialect: Dialect,
  declared: Schema,
  known: readonly string[],
): Promise<Ownership> {
  const live = await readLive(db, dialect, [{ target: declared }])
  const { rows } = await sql<{ name: string }>`select name from sqlite_master
    where type = 'table' and name in ('latchkey_made', 'latchkey_lease', 'latchkey_daemon')`.execute(db)
  const names = rows.map(({ name }) => name)
  if (!names.includes('latchkey_made')) {
    const isFormer = (name: string) => names.length > 0 && (declared.tables[name] !== undefined || known.includes(name))
    const tables = Object.entries(live.schema.tables).filter(([name]) => isFormer(name))
    return { live, own: { tables: Object.fromEntries(tables) }, recorded: new Set() }
  }
  const recorded = new Set((await sql<{ part: string }>`select part from ${made}`.execute(db)).rows.map(({ part }) => part))
  return { live, own: restrict(live.schema, recorded), recorded }
}

function restrict({ tables }: Schema, recorded: ReadonlySet<string>): Schema {
  const own = Object.entries(tables).filter(([name]) => recorded.has(`table:${name}`))
  return {
    tables: Object.fromEntries(
      own.map(([name, { columns, indexes, foreignKeys }]): [string, TableSchema] => {
        const isOwn = (kind: string) => (entry: readonly [string, unknown]) => recorded.has(`${kind}:${name}.${entry[0]}`)
        const hasOwnColumn = (entry: readonly [string, { readonly column: string }]) => isOwn('column')([entry[1].column, null])
        return [
          name,
          {
            columns: Object.fromEntries(Object.entries(columns).filter(isOwn('column'))),
            indexes: Object.fromEntries(Object.entries(indexes).filter(isOwn('index'))),
            foreignKeys: Object.fromEntries(Object.entries(foreignKeys).filter(hasOwnColumn)),
          },
        ]
      }),
    ),
  }
}

export const partsOf = ({ tables }: Schema): string[] =>
  Object.entries(tables).flatMap(([name, { columns, indexes }]) => [
    `table:${name}`,
    ...Object.keys(columns).map((column) => `column:${name}.${column}`),
    ...Object.keys(indexes).map((index) => `index:${name}.${index}`),
  ])

/** Creates the table. Writes nothing when the record is right. */
export async function recordMade(db: Kysely<Database>, schema: Schema, recorded: ReadonlySet<string>): Promise<void> {
  const parts = partsOf(schema)
  await sql`create table if not exists ${made} (part varchar(200) not null primary key)`.execute(db)
  if (parts.length === recorded.size && parts.every((part) => recorded.has(part))) return
  await sql`delete from ${made}`.execute(db)
  for (const part of parts) await sql`insert into ${made} (part) values (${part})`.execute(db)
}

/** A table with such a change is dropped and created again. */
const rebuilding: readonly Step['kind'][] = ['add-column', 'drop-column', 'change-column', 'add-foreign-key', 'drop-foreign-key']

const tablesWith = (steps: readonly Step[], kinds: readonly Step['kind'][]): string[] => [
  ...new Set(steps.filter(({ kind }) => kinds.includes(kind)).map(({ table }) => table)),
]

/** Steps in place of the statements of a file. */
const toTasks = (steps: readonly Step[]): Task[] =>
  toChanges(steps).map((change, position) => ({ position, state: null, statement: { change, sql: '', checksum: '' } }))

/**
 * Rows of others that refer to none: the transaction would be rolled back; without rows, their next insert would fail.
 * @throws MigrationError STILL_REFERENCED
 */
export const checkReferring = ({ live, own }: Ownership, steps: readonly Step[]): void =>
  rejectReferring(live.schema, [{ tasks: toTasks(steps), base: own, byHand: [] }])

/** What the steps need, but is not Latchkey's: names in use, and columns that a dropped or rebuilt table would lose. */
export function findForeign({ live, own }: Ownership, steps: readonly Step[], target: Schema): Taken[] {
  const tasks = toTasks(steps)
  const lost = tablesWith(steps, [...rebuilding, 'drop-table']).flatMap((table) =>
    Object.keys(live.schema.tables[table]?.columns ?? {})
      .filter((column) => own.tables[table] && !own.tables[table].columns[column])
      .map((column): Taken => ({ path: `${table}.${column}`, kind: 'column' })),
  )
  const taken = [...findTaken(live, [{ tasks, target }]), ...findIndexNames(live.schema, own, steps), ...lost]
  return taken.filter(({ path }, index) => taken.findIndex((other) => other.path === path) === index)
}

/** The name of an index is unique in the whole file, also among tables and views. */
function findIndexNames(live: Schema, own: Schema, steps: readonly Step[]): Taken[] {
  const made = steps.flatMap((step): string[] => {
    if (step.kind === 'create-table') return [step.table, ...Object.keys(step.schema.indexes)]
    return step.kind === 'add-index' ? [step.name] : []
  })
  const names = new Set(made.map((name) => name.toLowerCase()))
  return Object.entries(live.tables).flatMap(([table, { indexes }]) =>
    Object.keys(indexes)
      .filter((name) => !own.tables[table]?.indexes[name] && names.has(name.toLowerCase()))
      .map((name): Taken => ({ path: `${table}.${name}`, kind: 'index' })),
  )
}

/** Indexes and triggers of others on tables that the steps rebuild, as the statements that create them. */
export async function findForeignDefinitions(db: Kysely<Database>, steps: readonly Step[], own: Schema): Promise<string[]> {
  const found: string[] = []
  for (const table of tablesWith(steps, rebuilding)) {
    const { rows } = await sql<{ name: string; definition: string }>`select name, sql as definition from sqlite_master
      where tbl_name = ${table} and type in ('index', 'trigger') and sql is not null`.execute(db)
    for (const { name, definition } of rows) if (!own.tables[table]?.indexes[name]) found.push(definition)
  }
  return found
}
