/** Parts of a schema as a live database describes them. */
import type { ColumnSchema, ForeignKeySchema, IndexSchema } from './schema.ts'

const onDeleteActions: Readonly<Record<string, ForeignKeySchema['onDelete']>> = {
  CASCADE: 'cascade',
  'SET NULL': 'set null',
  RESTRICT: 'restrict',
  'NO ACTION': 'restrict',
}

/** @param other what the database says beyond columns and action; empty when it says nothing more */
export function toForeignKey(column: string, references: string, action: string, other = ''): ForeignKeySchema {
  const onDelete = onDeleteActions[action]
  const unknown = (onDelete ? other : `${action} ${other}`).trim().toLowerCase()
  return { column, references, onDelete: onDelete ?? 'restrict', ...(unknown === '' ? {} : { other: unknown }) }
}

/** @param text as the database prints it; null without a default */
export function toDefault(
  type: ColumnSchema['type'] | undefined,
  text: string | null,
  isQuoted: boolean,
): Pick<ColumnSchema, 'default'> {
  if (text === null || (isQuoted && text.toUpperCase() === 'NULL')) return {}
  if (type === 'boolean') return { default: text !== '0' }
  if (type === 'integer' || type === 'bigint') return { default: Number(text) }
  return { default: isQuoted ? text.replace(/^'(.*)'$/s, '$1').replaceAll("''", "'") : text }
}

export interface IndexColumn {
  readonly name: string
  readonly unique: number
  /** Null for an expression. */
  readonly column: string | null
  /** A property that a declared index cannot have. */
  readonly other: string | null
}

/** @param rows one per column, in order */
export function toIndexes(rows: readonly IndexColumn[]): Record<string, IndexSchema> {
  const indexes: Record<string, IndexSchema> = {}
  for (const row of rows) {
    const other = row.other ?? indexes[row.name]?.other
    const columns = [...(indexes[row.name]?.columns ?? []), row.column ?? 'an expression']
    indexes[row.name] = { columns, unique: Number(row.unique) === 1, ...(other === undefined ? {} : { other }) }
  }
  return indexes
}
