/**
 * What a migration may touch: before its first statement, everything that it makes must be absent, or made by Latchkey as the
 * journal shows; and a rollback undoes only what the journal shows as done.
 */
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import type { Database } from '../features/index.ts'
import { hasTakenEffect, isMaking, parseChange } from './changes.ts'
import { findViews, introspect } from './introspect.ts'
import { type JournalStatement, type Planned, readStatements } from './journal.ts'
import { checkLosses } from './losses.ts'
import type { FileStatement } from './migration-files.ts'
import { describeTaken, namesTaken, type Taken } from './own-tables.ts'
import type { Schema } from './schema.ts'

/** A database as it is, with names that only tables cannot show. */
export interface Live {
  readonly schema: Schema
  readonly views: readonly string[]
}

export interface Task {
  readonly position: number
  readonly statement: FileStatement
  /** Null when no earlier run has started it. */
  readonly state: JournalStatement['state'] | null
}

export interface Prepared extends Planned {
  /** What is left to execute. */
  readonly tasks: readonly Task[]
  /** Statements of a rollback that are not executed, because the journal does not show that Latchkey did what they undo. */
  readonly kept: readonly Task[]
}

type States = ReadonlyMap<number, JournalStatement['state']>

const statesOf = (recorded: readonly JournalStatement[]): States =>
  new Map(recorded.map(({ position, state }) => [position, state]))

/** Reads only. @throws MigrationError NAMES_TAKEN with everything that exists and is not Latchkey's, STILL_REFERENCED */
export async function prepare(db: Kysely<Database>, dialect: Dialect, planned: readonly Planned[]): Promise<Prepared[]> {
  if (planned.length === 0) return []
  const live = await readLive(db, dialect, planned)
  const prepared: Prepared[] = []
  for (const plan of planned) prepared.push(await prepareOne(db, plan, live.schema))
  const taken = findTaken(live, prepared)
  if (taken.length > 0) throw namesTaken(taken.map(describeTaken))
  checkLosses(live.schema, prepared)
  return prepared
}

/** What the migrations would create, but exists and is not Latchkey's. Reads only. */
export async function findTakenNames(db: Kysely<Database>, dialect: Dialect, planned: readonly Planned[]): Promise<Taken[]> {
  if (planned.length === 0) return []
  const live = await readLive(db, dialect, planned)
  const prepared: Prepared[] = []
  for (const plan of planned) prepared.push(await prepareOne(db, plan, live.schema))
  return findTaken(live, prepared)
}

export async function readLive(
  db: Kysely<Database>,
  dialect: Dialect,
  planned: readonly { readonly target: Schema; readonly file?: { readonly schema: Schema } }[],
): Promise<Live> {
  const schemas = planned.flatMap(({ target, file }) => [target, ...(file ? [file.schema] : [])])
  const names = new Set(schemas.flatMap(({ tables }) => Object.keys(tables)))
  return { schema: await introspect(db, dialect, names), views: await findViews(db, dialect) }
}

async function prepareOne(db: Kysely<Database>, planned: Planned, live: Schema): Promise<Prepared> {
  const { file, direction } = planned
  const states = statesOf(planned.isRecorded ? await readStatements(db, file.number, direction) : [])
  const tasks = file[direction].flatMap((statement, position): Task[] => {
    const state = states.get(position) ?? null
    return state === 'done' || state === 'adopted' ? [] : [{ position, statement, state }]
  })
  if (direction === 'up') return { ...planned, tasks, kept: [] }
  const ups = statesOf(planned.isRecorded ? await readStatements(db, file.number, 'up') : [])
  const isOurs = ({ statement }: Task) => undoesOwn(planned, statement, ups, live)
  return { ...planned, tasks: tasks.filter(isOurs), kept: tasks.filter((task) => !isOurs(task)) }
}

const inverses: Readonly<Record<string, string>> = {
  ...{ 'create-table': 'drop-table', 'drop-table': 'create-table' },
  ...{ 'add-column': 'drop-column', 'drop-column': 'add-column' },
  ...{ 'add-index': 'drop-index', 'drop-index': 'add-index' },
  ...{ 'add-foreign-key': 'drop-foreign-key', 'drop-foreign-key': 'add-foreign-key' },
  'change-column': 'change-column',
}
const losesData = ['drop-table', 'drop-column']

/** Whether a statement of a rollback undoes what the journal shows as done. @param ups states of the statements up */
function undoesOwn({ file }: Planned, { change }: FileStatement, ups: States, live: Schema): boolean {
  const parts = change && parseChange(change.name)
  const undone = parts
    ? [
        `${inverses[parts.kind]}:${parts.table}${parts.name && `.${parts.name}`}`,
        ...(parts.name ? [`create-table:${parts.table}`] : []),
      ]
    : []
  const counterparts = [...file.up.entries()].filter(([, up]) => up.change !== null && undone.includes(up.change.name))
  if (counterparts.length > 0) return counterparts.some(([position, up]) => isDone(up, ups.get(position), live, file.schema))
  if (parts && losesData.includes(parts.kind)) return false
  // A statement without a counterpart, such as one written by hand, undoes those written by hand.
  return file.up.every((up, position) => ups.get(position) !== 'adopted' && (up.change !== null || ups.get(position) === 'done'))
}

/** Whether Latchkey executed a statement, as far as the journal and the live schema show. */
function isDone({ change }: FileStatement, state: JournalStatement['state'] | undefined, live: Schema, target: Schema): boolean {
  if (state === undefined || state === 'adopted' || change === null) return state === 'done'
  if (state === 'done') return true
  const parts = parseChange(change.name)
  // An earlier version recorded `started` without looking whether the name was free.
  if (!parts || (state === 'started' && isMaking(parts))) return false
  return hasTakenEffect(change.name, live, target) === true
}

const kinds = { column: 'columns', index: 'indexes', 'foreign-key': 'foreignKeys' } as const
type PartKind = keyof typeof kinds

/** Names of columns, indexes and foreign keys are compared without case, as both databases compare them. */
const hasName = (parts: Readonly<Record<string, unknown>> | undefined, name: string): boolean =>
  Object.keys(parts ?? {}).some((other) => other.toLowerCase() === name.toLowerCase())

/** In the order of the statements, each once. */
export function findTaken(live: Live, prepared: readonly Pick<Prepared, 'tasks' | 'target'>[]): Taken[] {
  const found = new Map<string, Taken>()
  const gone = new Set<string>()
  for (const { tasks, target } of prepared) {
    for (const { statement, state } of tasks) {
      const parts = statement.change && parseChange(statement.change.name)
      if (!statement.change || !parts) continue
      const key = statement.change.name.replace(/^(add|create|drop|change)-/, '')
      if (parts.kind.startsWith('drop-')) gone.add(key)
      if (!isMaking(parts) || gone.has(key) || found.has(`table:${parts.table}`)) continue
      if (state !== null && hasTakenEffect(statement.change.name, live.schema, target)) continue
      for (const taken of findTakenBy(live, target, parts, gone)) found.set(`${taken.kind}:${taken.path}`, taken)
    }
  }
  return [...found.values()]
}

function findTakenBy(live: Live, target: Schema, parts: NonNullable<ReturnType<typeof parseChange>>, gone: Set<string>): Taken[] {
  const { kind, table, name } = parts
  if (kind === 'create-table') {
    if (live.schema.tables[table]) return [{ path: table, kind: 'table' }]
    if (live.views.some((view) => view.toLowerCase() === table.toLowerCase())) return [{ path: table, kind: 'view' }]
    return Object.keys(target.tables[table]?.foreignKeys ?? {}).flatMap((key) => findKeyElsewhere(live.schema, key, gone))
  }
  const part = kind.slice('add-'.length) as PartKind
  if (part === 'foreign-key') return findKeyElsewhere(live.schema, name, gone)
  return hasName(live.schema.tables[table]?.[kinds[part]], name) ? [{ path: `${table}.${name}`, kind: part }] : []
}

/** The name of a foreign key is unique in the whole database. */
const findKeyElsewhere = ({ tables }: Schema, key: string, gone: Set<string>): Taken[] =>
  Object.entries(tables).flatMap(([table, { foreignKeys }]): Taken[] => {
    const isGone = gone.has(`table:${table}`) || gone.has(`foreign-key:${table}.${key}`)
    return hasName(foreignKeys, key) && !isGone ? [{ path: `${table}.${key}`, kind: 'foreign-key' }] : []
  })
