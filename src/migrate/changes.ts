/** The steps from one schema to another, as data: their names, their risk, and whether they have taken effect. */
import { type ColumnSchema, type ForeignKeySchema, type IndexSchema, isSame, type Schema, type TableSchema } from './schema.ts'

/**
 * `safe`: runs online and loses nothing. `needs-lock`: blocks writers, or checks rows and may reject them.
 * `destructive`: loses data.
 */
export type ChangeClass = 'safe' | 'needs-lock' | 'destructive'

export interface ColumnChange {
  readonly kind: 'change-column'
  readonly table: string
  readonly name: string
  readonly from: ColumnSchema
  readonly to: ColumnSchema
}
/** The table of a step, and the name of its column, index or foreign key. */
interface Part {
  readonly table: string
  readonly name: string
}
export type Step =
  | ColumnChange
  | { readonly kind: 'create-table' | 'drop-table'; readonly table: string; readonly schema: TableSchema }
  | (Part & { readonly kind: 'add-column' | 'drop-column'; readonly column: ColumnSchema })
  | (Part & { readonly kind: 'add-index' | 'drop-index'; readonly index: IndexSchema })
  | (Part & { readonly kind: 'add-foreign-key' | 'drop-foreign-key'; readonly foreignKey: ForeignKeySchema })

/** A step as commands display it, users acknowledge it and migration files name it. */
export interface Change {
  /** As in `drop-column:user.nickname`. */
  readonly name: string
  readonly class: ChangeClass
}

export const nameOf = (step: Step): string => `${step.kind}:${step.table}${'name' in step ? `.${step.name}` : ''}`

/** The changes of a plan, in its order. */
export const toChanges = (steps: readonly Step[]): Change[] =>
  steps.map((step) => ({ name: nameOf(step), class: classOf(step, steps) }))

/** @param plan the steps of which it is one */
export function classOf(step: Step, plan: readonly Step[]): ChangeClass {
  switch (step.kind) {
    case 'drop-table':
    case 'drop-column':
      return 'destructive'
    case 'add-foreign-key':
      return hasEmptyColumn(step.table, [step.foreignKey.column], plan) ? 'safe' : 'needs-lock'
    case 'change-column':
      return classOfColumnChange(step)
    case 'add-index':
      return step.index.unique && !hasEmptyColumn(step.table, step.index.columns, plan) ? 'needs-lock' : 'safe'
    default:
      return 'safe'
  }
}

/** Whether one of the columns is new and without values, so that existing rows are never equal, and refer to no row. */
const hasEmptyColumn = (table: string, columns: readonly string[], plan: readonly Step[]): boolean =>
  plan.some(
    (step) =>
      step.kind === 'add-column' &&
      step.table === table &&
      columns.includes(step.name) &&
      step.column.nullable &&
      step.column.default === undefined,
  )

/** Conversions that keep every value or, in strict mode, fail. */
const losslessConversions: Readonly<Record<ColumnSchema['type'], readonly ColumnSchema['type'][]>> = {
  varchar: ['varchar', 'text'],
  text: ['text', 'varchar'],
  boolean: ['boolean', 'integer', 'bigint'],
  integer: ['integer', 'bigint'],
  bigint: ['bigint', 'integer'],
  timestamp: ['timestamp'],
  json: ['json', 'text'],
}

function classOfColumnChange(step: ColumnChange): ChangeClass {
  const { from, to } = step
  if (!losslessConversions[from.type].includes(to.type)) return 'destructive'
  return isOnline(step) && (to.nullable || !from.nullable) ? 'safe' : 'needs-lock'
}

export const changesDefaultOnly = ({ from, to }: ColumnChange): boolean =>
  from.nullable === to.nullable && hasSameType(from, to) && from.primary === to.primary

export const hasSameType = (one: ColumnSchema, other: ColumnSchema): boolean =>
  one.type === other.type && one.length === other.length && one.other === other.other

/** InnoDB stores the length of a text of at most 255 bytes in one byte; a text can grow in place only while that stays so. */
const isShort = (column: ColumnSchema): boolean => (column.length ?? 0) * 4 <= 255

/** Whether both servers can change the column while other connections write to the table. */
export function isOnline(step: ColumnChange): boolean {
  const { from, to } = step
  if (from.other !== to.other || from.primary !== to.primary) return false
  if (hasSameType(from, to)) return true
  if (from.type !== 'varchar' || to.type !== 'varchar') return false
  return (from.length ?? 0) <= (to.length ?? 0) && isShort(from) === isShort(to)
}

/** Whether the change, of which `name` is the column, index or foreign key, is in the live schema. */
type EffectCheck = (live: Schema, target: Schema, table: string, name: string) => boolean

const hasTable: EffectCheck = (live, _, table) => live.tables[table] !== undefined
type PartsOfTable = 'columns' | 'indexes' | 'foreignKeys'
const hasPart =
  (parts: PartsOfTable): EffectCheck =>
  (live, _, table, name) =>
    live.tables[table]?.[parts][name] !== undefined
/** Something else under the same name is not the effect. */
const hasSamePart =
  (parts: PartsOfTable): EffectCheck =>
  (live, target, table, name) =>
    hasPart(parts)(live, target, table, name) && isSame(live.tables[table]?.[parts][name], target.tables[table]?.[parts][name])
const not =
  (check: EffectCheck): EffectCheck =>
  (...args) =>
    !check(...args)

/** A table may get some of its foreign keys later. */
const hasSameTable: EffectCheck = (live, target, table) => {
  const [found, expected] = [live.tables[table], target.tables[table]]
  if (!found || !expected) return false
  const { foreignKeys, ...rest } = found
  const { foreignKeys: allKeys, ...others } = expected
  return isSame(rest, others) && Object.entries(foreignKeys).every(([name, key]) => isSame(key, allKeys[name]))
}

/** A new column may lose its default later. */
const hasSameColumn: EffectCheck = (live, target, table, name) => {
  const [found, expected] = [live.tables[table]?.columns[name], target.tables[table]?.columns[name]]
  return found !== undefined && expected !== undefined && isSame({ ...found, default: null }, { ...expected, default: null })
}

const effectChecks = new Map<string, EffectCheck>(
  Object.entries({
    'create-table': hasSameTable,
    'drop-table': not(hasTable),
    'add-column': hasSameColumn,
    'drop-column': not(hasPart('columns')),
    'change-column': hasSamePart('columns'),
    'add-index': hasSamePart('indexes'),
    'drop-index': not(hasPart('indexes')),
    'add-foreign-key': hasSamePart('foreignKeys'),
    'drop-foreign-key': not(hasPart('foreignKeys')),
  } satisfies Record<Step['kind'], EffectCheck>),
)

export interface ChangeParts {
  /** As in `add-column`. */
  readonly kind: string
  readonly table: string
  /** Of the column, index or foreign key; empty for a table. */
  readonly name: string
}

/** The parts of a name as `nameOf` makes it; null for another text. */
export function parseChange(change: string): ChangeParts | null {
  const [, kind = '', table = '', name = ''] = /^([a-z-]+):(\w+)(?:\.(\w+))?$/.exec(change) ?? []
  return effectChecks.has(kind) ? { kind, table, name } : null
}

/** Whether a change makes something, of which another program may have the name. */
export const isMaking = ({ kind }: Pick<ChangeParts, 'kind'>): boolean => kind.startsWith('add-') || kind === 'create-table'

/**
 * Whether the live schema already has a change. Both servers execute each statement completely or not at all, so the schema
 * shows whether an interrupted statement took effect.
 * @param change its name, as in `add-column:user.nickname`
 * @param target the schema that the whole migration leads to
 * @returns null for an unknown kind of change
 */
export function hasTakenEffect(change: string, live: Schema, target: Schema): boolean | null {
  const parts = parseChange(change)
  return parts && (effectChecks.get(parts.kind)?.(live, target, parts.table, parts.name) ?? null)
}
