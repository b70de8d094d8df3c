/** Merges and checks the schema that the enabled features declare. */
import type { Feature } from '../core/feature.ts'
import { type Column, type Columns, type Indexes, mergeIndexes, mergeTables } from '../core/table.ts'
import { MigrationError } from './migration-error.ts'
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

/** Limits of InnoDB: a key with dynamic rows, and a row without its long texts. */
const maxKeyBytes = 3072
const maxRowBytes = 65_535

const fail = (message: string): never => {
  throw new MigrationError('SCHEMA_INVALID', message)
}

/**
 * Adds an index for every foreign key that has none.
 * @param features the enabled ones, in list order
 * @throws MigrationError SCHEMA_INVALID: a reference to nothing, a column declared twice, a name or a key too long …
 */
export function declareSchema(features: readonly Pick<Feature, 'tables' | 'indexes'>[]): Schema {
  const declared = mergeTables(features)
  const indexes = mergeIndexes(features)
  for (const table of Object.keys(indexes))
    if (!declared[table]) fail(`An index names the table ${table}, which no feature declares`)
  const tables = Object.entries(declared).map(([name, columns]): [string, TableSchema] => [
    name,
    declareTable(name, columns, indexes[name] ?? []),
  ])
  const schema = { tables: Object.fromEntries(tables) }
  checkSchema(schema)
  return schema
}

function declareTable(table: string, columns: Columns, declared: Indexes[string]): TableSchema {
  const entries = Object.entries(columns)
  const foreignKeys = entries.flatMap(([column, { references }]): [string, ForeignKeySchema][] =>
    references ? [[foreignKeyName(table, column), { column, references: references.table, onDelete: references.onDelete }]] : [],
  )
  const unique = entries.filter(([, column]) => column.unique).map(([name]): IndexSchema => ({ columns: [name], unique: true }))
  const allIndexes: IndexSchema[] = [...unique, ...declared.map(({ columns, unique }) => ({ columns, unique }))]
  const leading = new Set(allIndexes.map((index) => index.columns[0]))
  for (const [, { column }] of foreignKeys) if (!leading.has(column)) allIndexes.push({ columns: [column], unique: false })
  return {
    columns: Object.fromEntries(entries.map(([name, column]) => [name, storedColumn(column)])),
    indexes: Object.fromEntries(allIndexes.map((index) => [indexName(table, index), index])),
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
    if (name.startsWith(ownPrefix)) fail(`The table ${name} has a reserved name: the prefix ${ownPrefix} belongs to the migrator`)
    // SQLite ignores the case of names, and some MySQL servers store table names in lower case.
    for (const global of [name, ...Object.keys(table.foreignKeys)].map((global) => global.toLowerCase())) {
      if (names.has(global)) fail(`The name ${global} is used twice`)
      names.add(global)
    }
    checkColumns(name, table)
    for (const index of Object.values(table.indexes)) checkIndex(name, table, index)
    for (const foreignKey of Object.values(table.foreignKeys)) checkForeignKey(schema, name, table, foreignKey)
  }
}

function checkName(name: string): void {
  if (!/^[a-zA-Z]\w*$/.test(name))
    fail(`The name ${name} must start with a letter and contain only letters, digits and underscores`)
  if (name in {}) fail(`The name ${name} is reserved: every JavaScript object has a property of this name`)
  if (name.length > longestName) fail(`The name ${name} is longer than ${longestName} characters`)
}

function checkColumns(table: string, { columns }: TableSchema): void {
  const names = Object.keys(columns)
  for (const name of names) checkName(name)
  if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
    fail(`The table ${table} has columns whose names differ only in case`)
  const primary = Object.values(columns).filter((column) => column.primary)
  if (primary.length === 0 || primary.some(({ nullable }) => nullable))
    fail(`The table ${table} must have a primary key, whose columns are not nullable`)
  const bytes = Object.values(columns).reduce((sum, column) => sum + (column.type === 'varchar' ? bytesOf(column) : 12), 0)
  if (bytes > maxRowBytes) fail(`A row of the table ${table} can exceed ${maxRowBytes} bytes. Use text() for long texts`)
  for (const [name, column] of Object.entries(columns)) checkDefault(`${table}.${name}`, column)
}

/** MySQL has no plain default for long texts and JSON; a default without quotes needs no escaping. */
function checkDefault(path: string, column: ColumnSchema): void {
  const { type, default: value } = column
  if (value === undefined) return
  const fits = { varchar: 'string', boolean: 'boolean', integer: 'number', bigint: 'number', text: '', timestamp: '', json: '' }[
    type
  ]
  if (typeof value !== fits) fail(`The column ${path} cannot have the default ${JSON.stringify(value)}`)
  if (typeof value === 'string' && !/^[\w .,:/@+-]*$/.test(value))
    fail(`The default of ${path} may contain only letters, digits, spaces and . , : / @ + -`)
  if (typeof value === 'number' && !Number.isSafeInteger(value)) fail(`The default of ${path} must be an integer`)
}

const bytesOf = (column: ColumnSchema): number => (column.length ?? 0) * 4 + 3

function checkIndex(table: string, { columns }: TableSchema, index: IndexSchema): void {
  let bytes = 0
  for (const name of index.columns) {
    const column = columns[name] ?? fail(`The table ${table} has an index over ${name}, which is not one of its columns`)
    if (column.type === 'text' || column.type === 'json')
      fail(`The column ${table}.${name} is too long for an index. Use string()`)
    bytes += column.type === 'varchar' ? bytesOf(column) : 9
  }
  if (bytes > maxKeyBytes) fail(`An index of ${table} over ${index.columns.join(', ')} exceeds ${maxKeyBytes} bytes`)
}

function checkForeignKey(
  schema: Schema,
  table: string,
  own: TableSchema,
  { column, references, onDelete }: ForeignKeySchema,
): void {
  const target =
    schema.tables[references] ?? fail(`${table}.${column} refers to the table ${references}, which no feature declares`)
  const [key, ...others] = Object.values(target.columns).filter(({ primary }) => primary)
  if (others.length > 0) fail(`${table}.${column} refers to the table ${references}, whose primary key has several columns`)
  const from = own.columns[column]
  if (from?.type !== key?.type || from?.length !== key?.length) {
    fail(`${table}.${column} has a different type than the primary key of ${references}`)
  }
  if (onDelete === 'set null' && !from?.nullable)
    fail(`${table}.${column} must be nullable, because its foreign key sets it to null on delete`)
}
