/**
 * Changes without downtime: the schema between two schemas, which apps of both can use, and whether an app can serve a database
 * that has more than it needs. Pure.
 */
import type { Change } from './changes.ts'
import { diffSchemas, isRekeyed } from './diff.ts'
import {
  type ColumnSchema,
  constrainedColumns,
  emptyTable,
  type IndexSchema,
  isSame,
  type Schema,
  type TableSchema,
} from './schema.ts'

/** Whether rows can be inserted without the column. */
function isOptional(table: TableSchema, name: string): boolean {
  const column = table.columns[name]
  if (!column) return true
  return constrainedColumns(table).has(name)
    ? column.nullable && column.default === undefined
    : column.nullable || column.default !== undefined
}

/**
 * Whether an app that declares `declared` can serve the database `live`: it may have more, if no insert must fill it, and may lack
 * indexes that only make it faster. Decides for start, reload, restart, replaced workers and readiness.
 */
export function canServe(declared: Schema, live: Schema): boolean {
  const steps = diffSchemas(live, declared)
  const dropped = new Set(steps.flatMap((step) => (step.kind === 'drop-column' ? [`${step.table}.${step.name}`] : [])))
  const isDropped = (table: string, column: string) => !declared.tables[table] || dropped.has(`${table}.${column}`)
  return steps.every((step) => {
    if (step.kind === 'drop-table') return true
    if (step.kind === 'add-index') return !step.index.unique
    const table = live.tables[step.table]
    if (step.kind === 'drop-column') return table !== undefined && isOptional(table, step.name)
    if (step.kind === 'drop-index')
      return !step.index.unique || step.index.columns.some((column) => isDropped(step.table, column))
    return step.kind === 'drop-foreign-key' && isDropped(step.table, step.foreignKey.column)
  })
}

/** A part that a database lacks. */
export interface MissingPart {
  readonly table: string
  /** Its columns, or those of the index or foreign key; empty for a table. */
  readonly columns: readonly string[]
}

/** What `declared` has and `live` has not, or has otherwise. */
export const findMissing = (declared: Schema, live: Schema): MissingPart[] =>
  diffSchemas(live, declared).flatMap((step): MissingPart[] => {
    const { kind, table } = step
    if (kind === 'create-table') return [{ table, columns: [] }]
    if (kind === 'add-column' || kind === 'change-column') return [{ table, columns: [step.name] }]
    if (kind === 'add-index') return step.index.unique ? [{ table, columns: step.index.columns }] : []
    return kind === 'add-foreign-key' ? [{ table, columns: [step.foreignKey.column] }] : []
  })

/**
 * The schema `to` with everything that `from` has more. Columns that `to` does not declare are optional in it, so that an app
 * that declares `to` can insert rows.
 */
export function expandSchema(from: Schema, to: Schema): Schema {
  const kept = Object.entries(from.tables).map(([name, before]): [string, TableSchema] => {
    const after = to.tables[name]
    const foreignKeys = Object.entries(before.foreignKeys).filter(([, { references }]) => !isRekeyed(from, to, references))
    if (!after) return [name, { ...before, foreignKeys: Object.fromEntries(foreignKeys) }]
    const isDropped = (column: string) => !after.columns[column]
    const isLeft = ([, index]: [string, IndexSchema]) => index.columns.some(isDropped)
    const columns = Object.entries(before.columns).filter(([column]) => isDropped(column))
    return [
      name,
      {
        columns: { ...after.columns, ...Object.fromEntries(columns.map(([column]) => [column, relaxed(before, column)])) },
        indexes: { ...after.indexes, ...Object.fromEntries(Object.entries(before.indexes).filter(isLeft)) },
        foreignKeys: { ...after.foreignKeys, ...Object.fromEntries(foreignKeys.filter(([, { column }]) => isDropped(column))) },
      },
    ]
  })
  return { tables: { ...to.tables, ...Object.fromEntries(kept) } }
}

function relaxed(table: TableSchema, name: string): ColumnSchema {
  const column = table.columns[name]
  if (!column) throw new TypeError(`The table has no column ${name}`)
  if (isOptional(table, name)) return column
  const { default: _, ...rest } = column
  return { ...rest, nullable: true }
}

/** Of `schema` what `other` has too, by its name. */
export function intersectSchemas(schema: Schema, other: Schema): Schema {
  const both = <Part>(parts: Readonly<Record<string, Part>>, others: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(parts).filter(([name]) => name in others))
  const tables = Object.entries(both(schema.tables, other.tables)).map(([name, table]): [string, TableSchema] => {
    const { columns, indexes, foreignKeys } = other.tables[name] ?? emptyTable
    const parts = { columns: both(table.columns, columns), indexes: both(table.indexes, indexes) }
    return [name, { ...table, ...parts, foreignKeys: both(table.foreignKeys, foreignKeys) }]
  })
  return { tables: Object.fromEntries(tables) }
}

export interface Rename {
  readonly table: string
  readonly from: string
  readonly to: string
}

/** Pairs of a dropped and an added column of one type, which may be meant as one renamed column. */
export function findRenames(from: Schema, to: Schema): Rename[] {
  return Object.entries(to.tables).flatMap(([table, after]): Rename[] => {
    const before = from.tables[table]
    if (!before) return []
    const gone = Object.entries(before.columns).filter(([name]) => !after.columns[name])
    const added = Object.entries(after.columns).filter(([name]) => !before.columns[name])
    return gone.flatMap(([name, column]) => {
      const fitting = added.filter(([, other]) => other.type === column.type && isSame(other.length, column.length))
      return fitting.map(([other]) => ({ table, from: name, to: other }))
    })
  })
}

/** Changes that only remove. */
export const isDrop = ({ name }: Pick<Change, 'name'>): boolean => name.startsWith('drop-')
