/** What the switch does in the database that both applications share, found before anything is changed. */

import { movePrefix } from '../../../core/table-prefix.ts'
import { backticked } from '../../../lib/text.ts'
import type { Mapping, Recognized } from '../better-auth/recognition.ts'
import { type SourceDatabase, textOf } from '../better-auth/source.ts'
import { type AppKey, findAppKeys, orphanQuery, plannedStatements } from './app-keys.ts'

/** Before the names of the old tables after the switch. */
const formerPrefix = 'ba_'

export interface SameSchemaPlan {
  /** Of the old tables, with their names after the switch. */
  readonly renames: readonly (readonly [from: string, to: string])[]
  readonly keys: readonly AppKey[]
  /** Names that Latchkey needs, or the old tables get, and that the application uses: the move is not possible. */
  readonly taken: readonly string[]
  /** What the operator has to look at. */
  readonly notes: readonly string[]
  /** Of Latchkey's IDs on this server. */
  readonly collation: string
}

/** Names that Latchkey's tables and their foreign keys get. */
export interface OwnNames {
  readonly tables: readonly string[]
  readonly foreignKeys: readonly string[]
}

export async function planSameSchema(
  source: SourceDatabase,
  { tables, left }: Recognized,
  own: OwnNames,
): Promise<SameSchemaPlan> {
  const [{ mode = 0, version = '' } = {}] = await source.query('select @@lower_case_table_names as mode, version() as version')
  const spell = (name: string) => (Number(mode) === 0 ? name : name.toLowerCase())
  const existing = (await listObjects(source)).filter((name) => !name.startsWith(movePrefix))
  const needed = new Set(own.tables.map(spell))
  const inTheWay = (name: string) => needed.has(spell(name))
  const former = [...tables.values()].map(({ table }) => table)
  const others = left.map(({ table }) => table)
  const renamed = [...former, ...others.filter(inTheWay)]
  const renames = renamed.map((name) => [name, `${formerPrefix}${name}`] as const)
  const names = new Set(existing.map(spell))
  const taken = [
    ...existing.filter((name) => inTheWay(name) && !renamed.includes(name)),
    ...renames.filter(([, to]) => names.has(spell(to))).map(([, to]) => to),
    ...(await takenKeys(source, own.foreignKeys)),
  ]
  const collation = String(version).includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  const keys = await findAppKeys(source, tables, { others, collation })
  return { renames, keys, taken, notes: await findNotes(source, renamed), collation }
}

/** Tables and views. */
async function listObjects({ query }: SourceDatabase): Promise<string[]> {
  const rows = await query('select table_name as name from information_schema.tables where table_schema = database() order by 1')
  return rows.map((row) => textOf(row.name) ?? '')
}

async function takenKeys({ query }: SourceDatabase, names: readonly string[]): Promise<string[]> {
  const rows = await query(
    `select table_name as \`table\`, constraint_name as name from information_schema.table_constraints
      where constraint_schema = database() and constraint_type = 'FOREIGN KEY' order by 1, 2`,
  )
  const own = new Set(names)
  return rows
    .map((row) => ({ table: textOf(row.table) ?? '', name: textOf(row.name) ?? '' }))
    .filter(({ table, name }) => !table.startsWith(movePrefix) && own.has(name))
    .map(({ table, name }) => `${table}.${name}`)
}

/** Triggers follow a renamed table, views do not. */
async function findNotes({ query }: SourceDatabase, renamed: readonly string[]): Promise<string[]> {
  const marks = renamed.map(() => '?').join(', ')
  const triggers = await query(
    `select trigger_name as name, event_object_table as \`table\` from information_schema.triggers
      where trigger_schema = database() and event_object_table in (${marks}) order by 1`,
    renamed,
  )
  const views = await query(
    'select table_name as name, view_definition as text from information_schema.views where table_schema = database() order by 1',
  )
  const reads = (text: string) =>
    renamed.some((table) => text.includes(`.${backticked(table)}`) || text.includes(` ${backticked(table)}`))
  return [
    ...triggers.map((row) => `The trigger ${row.name} stays with ${formerPrefix}${row.table}`),
    ...views
      .filter((row) => reads(textOf(row.text) ?? ''))
      .map((row) => `The view ${row.name} reads Latchkey's tables afterwards`),
  ]
}

/** The names of the old tables after the switch. */
export function renamedMapping(mapping: Mapping, { renames }: Pick<SameSchemaPlan, 'renames'>): Mapping {
  const names = new Map(renames)
  return Object.fromEntries(
    Object.entries(mapping).map(([kind, one]) => [kind, { ...one, table: names.get(one?.table ?? '') ?? one?.table }]),
  ) as Mapping
}

const renameAll = (pairs: readonly (readonly [from: string, to: string])[]): string =>
  `rename table ${pairs.map(([from, to]) => `${backticked(from)} to ${backticked(to)}`).join(', ')}`

/** @param own tables of Latchkey that exist, without the prefix */
export function renameStatement({ renames }: Pick<SameSchemaPlan, 'renames'>, own: readonly string[]): string {
  const pairs = [...renames, ...own.map((name) => [`${movePrefix}${name}`, name] as const)]
  return renameAll(pairs)
}

/** Of a way back. */
export function reverseStatement({ renames }: Pick<SameSchemaPlan, 'renames'>, own: readonly string[]): string {
  const pairs = [
    ...own.map((name) => [name, `${movePrefix}${name}`] as const),
    ...renames.map(([from, to]) => [to, from] as const),
  ]
  return renameAll(pairs)
}

/** For the report: statements in the order in which they run, and why a key is not added. */
export function planDocument(plan: SameSchemaPlan, own: OwnNames) {
  const names = new Map(plan.renames)
  return {
    rename: renameStatement(plan, own.tables),
    foreignKeys: plan.keys.map((key) => ({
      table: key.schema === null ? key.table : `${key.schema}.${key.table}`,
      name: key.name,
      column: key.column,
      orphans: orphanQuery(key, plan.collation),
      statements: plannedStatements(key, names.get(key.former) ?? key.former),
      reason: key.reason,
      copies: key.copies,
    })),
    taken: plan.taken,
    notes: plan.notes,
  }
}
export type PlanDocument = ReturnType<typeof planDocument>
