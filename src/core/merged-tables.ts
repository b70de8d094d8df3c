/** The tables of several features as one. */
import type { Feature } from './feature.ts'
import type { Column, Indexes, Tables } from './table.ts'

/**
 * Later features add columns to the tables of earlier ones; a column that two of them declare is a mistake.
 * @throws Error naming a column that is declared twice
 */
export function mergeTables(features: readonly Pick<Feature, 'tables'>[]): Tables {
  const merged: Record<string, Record<string, Column>> = {}
  for (const { tables } of features) {
    for (const [table, columns] of Object.entries(tables ?? {})) {
      const known = (Object.hasOwn(merged, table) && merged[table]) || {}
      merged[table] = known
      for (const [name, column] of Object.entries(columns)) {
        if (Object.hasOwn(known, name)) throw new Error(`The column ${table}.${name} is declared twice`)
        known[name] = column
      }
    }
  }
  return merged
}

export function mergeIndexes(features: readonly Pick<Feature, 'indexes'>[]): Indexes {
  const merged: Record<string, Indexes[string]> = {}
  for (const { indexes } of features) {
    for (const [table, added] of Object.entries(indexes ?? {})) merged[table] = [...(merged[table] ?? []), ...added]
  }
  return merged
}
