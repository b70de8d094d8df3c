/** The schema that the enabled features declare, merged and checked. */
import type { Feature } from '../core/feature.ts'
import { mergeIndexes, mergeTables } from '../core/merged-tables.ts'
import type { Column, Columns, Index } from '../core/table.ts'
import { MigrationFault } from './errors.ts'
import {
  type ColumnSchema,
  type ForeignKeySchema,
  foreignKeyName,
  type IndexSchema,
  indexName,
  longestName,
  ownPrefix,
  type Schema,
  type TableSchema,
} from './schema.ts'

/** Bytes of an InnoDB key with dynamic rows, and of a row without its long texts. */
const longestKey = 3072
const longestRow = 65_535

const refuse = (message: string): never => {
  throw new MigrationFault('SCHEMA_INVALID', message)
}

/**
 * Besides what is declared it holds an index for every foreign key that has none.
 * @param features the enabled ones, in list order
 * @throws MigrationFault SCHEMA_INVALID: a reference to nothing, a column declared twice, a name or a key too long …
 */
export function declareSchema(features: readonly Pick<Feature, 'tables' | 'indexes'>[]): Schema {
  const declared = mergeTables(features)
  const indexes = mergeIndexes(features)
  for (const table of Object.keys(indexes))
    if (!declared[table]) refuse(`There is an index for the table ${table}, which nobody declares`)
  const tables = Object.entries(declared).map(([name, columns]): [string, TableSchema] => [
    name,
    declareTable(name, columns, indexes[name] ?? []),
  ])
  const schema = { tables: Object.fromEntries(tables) }
  checkSchema(schema)
  return schema
}

function declareTable(table: string, columns: Columns, declared: readonly Index[]): TableSchema {
  const entries = Object.entries(columns)
  const foreignKeys = entries.flatMap(([column, { references }]): [string, ForeignKeySchema][] =>
    references ? [[foreignKeyName(table, column), { column, references: references.table, onDelete: references.onDelete }]] : [],
  )
  const unique = entries.filter(([, column]) => column.unique).map(([name]): IndexSchema => ({ columns: [name], unique: true }))
  const wanted: IndexSchema[] = [...unique, ...declared.map(({ columns, unique }) => ({ columns, unique }))]
  const leading = new Set(wanted.map((index) => index.columns[0]))
  for (const [, { column }] of foreignKeys) if (!leading.has(column)) wanted.push({ columns: [column], unique: false })
  return {
    columns: Object.fromEntries(entries.map(([name, column]) => [name, storedColumn(column)])),
    indexes: Object.fromEntries(wanted.map((index) => [indexName(table, index), index])),
    foreignKeys: Object.fromEntries(foreignKeys),
  }
}

function storedColumn(column: Column): ColumnSchema {
  const { kind, length, nullable, primary } = column
  const isText = kind === 'id' || kind === 'string'
  return {
    type: kind === 'id' || kind === 'string' ? 'varchar' : kind,
    ...(isText && length !== undefined ? { length } : {}),
    nullable,
    primary,
    ...(column.default === undefined ? {} : { default: column.default }),
  }
}

function checkSchema(schema: Schema): void {
  const names = new Set<string>()
  for (const [name, table] of Object.entries(schema.tables)) {
    checkName(name)
    if (name.startsWith(ownPrefix)) refuse(`The table ${name} has a name that is kept for the migrator`)
    // SQLite finds names whatever their case, and some MySQL servers keep tables in lower case.
    for (const global of [name, ...Object.keys(table.foreignKeys)].map((global) => global.toLowerCase())) {
      if (names.has(global)) refuse(`The name ${global} is used twice`)
      names.add(global)
    }
    checkColumns(name, table)
    for (const index of Object.values(table.indexes)) checkIndex(name, table, index)
    for (const foreignKey of Object.values(table.foreignKeys)) checkForeignKey(schema, name, table, foreignKey)
  }
}

function checkName(name: string): void {
  if (!/^[a-zA-Z]\w*$/.test(name))
    refuse(`The name ${name} must consist of letters, digits and underscores, and begin with a letter`)
  if (name in {}) refuse(`The name ${name} is one that every object of JavaScript has`)
  if (name.length > longestName) refuse(`The name ${name} is longer than ${longestName} characters`)
}

function checkColumns(table: string, { columns }: TableSchema): void {
  const names = Object.keys(columns)
  for (const name of names) checkName(name)
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    refuse(`The table ${table} has columns that differ in case only`)
  const primary = Object.values(columns).filter((column) => column.primary)
  if (primary.length !== 1 || primary[0]?.nullable) refuse(`The table ${table} must have one primary column, which is never null`)
  const bytes = Object.values(columns).reduce((sum, column) => sum + (column.type === 'varchar' ? bytesOf(column) : 12), 0)
  if (bytes > longestRow) refuse(`A row of the table ${table} may be longer than ${longestRow} bytes; use text() for long texts`)
  for (const [name, column] of Object.entries(columns)) checkDefault(`${table}.${name}`, column)
}

/** MySQL keeps no plain default for long texts and JSON, and quoting stays simple without quotes. */
function checkDefault(path: string, column: ColumnSchema): void {
  const { type, default: value } = column
  if (value === undefined) return
  const fits = { varchar: 'string', boolean: 'boolean', integer: 'number', bigint: 'number', text: '', timestamp: '', json: '' }[
    type
  ]
  if (typeof value !== fits) refuse(`The column ${path} cannot have the default ${JSON.stringify(value)}`)
  if (typeof value === 'string' && !/^[\w .,:/@+-]*$/.test(value)) refuse(`The default of ${path} may hold plain characters only`)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) refuse(`The default of ${path} must be a whole number`)
}

const bytesOf = (column: ColumnSchema): number => (column.length ?? 0) * 4 + 3

function checkIndex(table: string, { columns }: TableSchema, index: IndexSchema): void {
  let bytes = 0
  for (const name of index.columns) {
    const column = columns[name] ?? refuse(`The table ${table} has an index over ${name}, which is no column of it`)
    if (column.type === 'text' || column.type === 'json')
      refuse(`The column ${table}.${name} is too long for an index; use string()`)
    bytes += column.type === 'varchar' ? bytesOf(column) : 9
  }
  if (bytes > longestKey) refuse(`An index of ${table} over ${index.columns.join(', ')} is longer than ${longestKey} bytes`)
}

function checkForeignKey(
  schema: Schema,
  table: string,
  own: TableSchema,
  { column, references, onDelete }: ForeignKeySchema,
): void {
  const target =
    schema.tables[references] ?? refuse(`${table}.${column} refers to the table ${references}, which nobody declares`)
  const key = Object.values(target.columns).find(({ primary }) => primary)
  const from = own.columns[column]
  if (from?.type !== key?.type || from?.length !== key?.length) {
    refuse(`${table}.${column} is of another type than the key of ${references}`)
  }
  if (onDelete === 'set null' && !from?.nullable) refuse(`${table}.${column} must be nullable to be set to null`)
}
