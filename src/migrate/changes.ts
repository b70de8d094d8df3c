/** The steps from one schema to another, as data. */
import type { ColumnSchema, ForeignKeySchema, IndexSchema, TableSchema } from './schema.ts'

/**
 * `safe`: done online, loses nothing. `needs-lock`: writers wait, or rows are checked and may be refused.
 * `destructive`: data is lost.
 */
export type ChangeClass = 'safe' | 'needs-lock' | 'destructive'

interface TableChange {
  readonly kind: 'create-table' | 'drop-table'
  readonly table: string
  readonly schema: TableSchema
}
interface ColumnAddition {
  readonly kind: 'add-column' | 'drop-column'
  readonly table: string
  readonly name: string
  readonly column: ColumnSchema
}
export interface ColumnChange {
  readonly kind: 'change-column'
  readonly table: string
  readonly name: string
  readonly from: ColumnSchema
  readonly to: ColumnSchema
}
interface IndexChange {
  readonly kind: 'add-index' | 'drop-index'
  readonly table: string
  readonly name: string
  readonly index: IndexSchema
}
interface ForeignKeyChange {
  readonly kind: 'add-foreign-key' | 'drop-foreign-key'
  readonly table: string
  readonly name: string
  readonly foreignKey: ForeignKeySchema
}
export type Step = TableChange | ColumnAddition | ColumnChange | IndexChange | ForeignKeyChange

/** A step as it is shown, acknowledged and found again in a file. */
export interface Change {
  /** As in `drop-column:user.nickname`. */
  readonly name: string
  readonly class: ChangeClass
}

export const nameOf = (step: Step): string => `${step.kind}:${step.table}${'name' in step ? `.${step.name}` : ''}`

export const toChange = (step: Step): Change => ({ name: nameOf(step), class: classOf(step) })

export function classOf(step: Step): ChangeClass {
  switch (step.kind) {
    case 'drop-table':
    case 'drop-column':
      return 'destructive'
    case 'add-foreign-key':
      return 'needs-lock'
    case 'change-column':
      return classOfColumnChange(step)
    default:
      return 'safe'
  }
}

/** Conversions that keep every value or, in strict mode, fail. */
const keeps: Readonly<Record<ColumnSchema['type'], readonly ColumnSchema['type'][]>> = {
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
  if (!keeps[from.type].includes(to.type)) return 'destructive'
  return isOnline(step) && (to.nullable || !from.nullable) ? 'safe' : 'needs-lock'
}

export const changesDefaultOnly = ({ from, to }: ColumnChange): boolean =>
  from.nullable === to.nullable && hasSameType(from, to) && from.primary === to.primary

export const hasSameType = (one: ColumnSchema, other: ColumnSchema): boolean =>
  one.type === other.type && one.length === other.length && one.other === other.other

/** InnoDB keeps the length of a text in one byte when it never exceeds 255 bytes; only within a kind can it grow in place. */
const isShort = (column: ColumnSchema): boolean => (column.length ?? 0) * 4 <= 255

/** Whether both servers change the column while others write to the table. */
export function isOnline(step: ColumnChange): boolean {
  const { from, to } = step
  if (from.other !== to.other || from.primary !== to.primary) return false
  if (hasSameType(from, to)) return true
  if (from.type !== 'varchar' || to.type !== 'varchar') return false
  return (from.length ?? 0) <= (to.length ?? 0) && isShort(from) === isShort(to)
}
