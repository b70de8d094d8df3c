/** Foreign keys of the application's own tables that refer to those of better-auth: they follow a renamed table, so that the switch adds them again. */

import { movePrefix } from '../../../core/table-prefix.ts'
import { backticked } from '../../../lib/text.ts'
import type { KindName } from '../better-auth/shapes.ts'
import { type SourceDatabase, textOf } from '../better-auth/source.ts'
import type { Tables } from '../better-auth/source-pages.ts'
import { findColumn, findConstraint, findKeys, settle, type TableParts, withCollation, withTarget } from './definitions.ts'

export interface AppKey {
  /** Of the table, when it is another database of the server. */
  readonly schema: string | null
  readonly table: string
  readonly name: string
  readonly column: string
  /** The table of Latchkey. */
  readonly target: KindName
  /** That of better-auth, by its name before the switch. */
  readonly former: string
  readonly before: TableParts
  readonly after: TableParts
  /** The indexes of its table before the switch, in their order. */
  readonly indexes: readonly string[]
  /** Why the key is dropped and not added; null when it is added. */
  readonly reason: string | null
  /** Rows that are copied, as the server estimates, because the column gets another collation; 0 when no row is. */
  readonly copies: number
}

interface Reference {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly column: string
  readonly target: string
  readonly targetColumn: string
  readonly count: number
}

/** Of all databases of the server. */
const referencesQuery = `select k.table_schema as \`schema\`, k.table_name as \`table\`, k.constraint_name as name, min(k.column_name) as \`column\`,
    k.referenced_table_name as target, min(k.referenced_column_name) as targetColumn, count(*) as count
  from information_schema.key_column_usage k where k.referenced_table_schema = database()
  group by k.table_schema, k.table_name, k.constraint_name, k.referenced_table_name order by 1, 2, 3`

/** @param others tables of better-auth of which nothing is moved: their keys stay @param collation of Latchkey's IDs */
export async function findAppKeys(
  source: SourceDatabase,
  tables: Tables,
  { others, collation }: { readonly others: readonly string[]; readonly collation: string },
): Promise<AppKey[]> {
  const [{ name: database = '' } = {}] = await source.query('select database() as name')
  const kinds = new Map([...tables.values()].map(({ kind, table }) => [table, kind]))
  const rows = (await source.query(referencesQuery)) as unknown as Reference[]
  const keys: AppKey[] = []
  for (const reference of rows) {
    const isOwn = reference.schema === database && (kinds.has(reference.table) || others.includes(reference.table))
    const target = kinds.get(reference.target)
    if (!target || isOwn || reference.table.startsWith(movePrefix)) continue
    const isId = reference.targetColumn === tables.get(target)?.columns.id && Number(reference.count) === 1
    const place = { ...reference, schema: reference.schema === database ? null : reference.schema }
    keys.push(await readKey(source, place, { target, former: reference.target, isId, collation }))
  }
  return keys
}

interface Wanted {
  readonly target: KindName
  readonly former: string
  /** Whether it is one column that refers to an ID. */
  readonly isId: boolean
  /** Of Latchkey's IDs. */
  readonly collation: string
}

export const tableOf = ({ schema, table }: Pick<AppKey, 'schema' | 'table'>): string =>
  schema === null ? backticked(table) : `${backticked(schema)}.${backticked(table)}`

async function readKey(
  source: SourceDatabase,
  { schema, table, name, column }: Pick<AppKey, 'schema' | 'table' | 'name' | 'column'>,
  { target, former, isId, collation }: Wanted,
): Promise<AppKey> {
  const definition = await readDefinition(source, { schema, table })
  const constraint = findConstraint(definition, name) ?? ''
  const line = findColumn(definition, column) ?? ''
  const place = { schema, table, name, column, target, former, indexes: findKeys(definition) }
  const before = { constraint, columns: {} }
  const dropped = (reason: string): AppKey => ({ ...place, before, after: { constraint: null, columns: {} }, reason, copies: 0 })
  if (!isId) return dropped('it refers to another column than the ID')
  const { type, current, references, rows } = await readColumn(source, { schema, table, column })
  const converted = withCollation(line, collation)
  if (converted === null) return dropped(`the column is ${type}, and IDs of Latchkey are varchar(36)`)
  const after = withTarget(constraint, target, 'id')
  if (current === collation) return { ...place, before, after: { constraint: after, columns: {} }, reason: null, copies: 0 }
  if (references > 0) return dropped(`the column has the collation ${current}, and other foreign keys refer to it`)
  return {
    ...{ ...place, reason: null, copies: rows },
    before: { constraint, columns: { [column]: line } },
    after: { constraint: after, columns: { [column]: converted } },
  }
}

async function readColumn(source: SourceDatabase, { schema, table, column }: Pick<AppKey, 'schema' | 'table' | 'column'>) {
  const place = schema === null ? 'database()' : '?'
  const values = [...(schema === null ? [] : [schema]), table, column]
  const [row] = await source.query(
    `select c.column_type as type, c.collation_name as current, t.table_rows as estimate,
      (select count(*) from information_schema.key_column_usage k where k.referenced_table_schema = c.table_schema
        and k.referenced_table_name = c.table_name and k.referenced_column_name = c.column_name) as refs
    from information_schema.columns c join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = ${place} and c.table_name = ? and c.column_name = ?`,
    values,
  )
  return {
    ...{ type: textOf(row?.type) ?? '', current: textOf(row?.current) },
    ...{ references: Number(row?.refs ?? 0), rows: Number(row?.estimate ?? 0) },
  }
}

export async function readDefinition(
  { query }: Pick<SourceDatabase, 'query'>,
  key: Pick<AppKey, 'schema' | 'table'>,
): Promise<string> {
  const [row] = await query(`show create table ${tableOf(key)}`)
  return textOf(row?.['Create Table']) ?? ''
}

/** Rows that refer to a row that Latchkey does not have. @param target the table as it is named now */
export const orphanQuery = ({ target, column, ...key }: AppKey, collation: string, table: string = target): string =>
  `select count(*) as count from ${tableOf(key)} a left join ${backticked(table)} l on l.id = convert(a.${backticked(column)} using utf8mb4) collate ${collation} where a.${backticked(column)} is not null and l.id is null`

/** As they are printed: after the tables were renamed. @param renamed the table of better-auth under its new name */
export function plannedStatements(key: AppKey, renamed: string): string[] {
  const columns = Object.values(key.before.columns).join('\n')
  const moved = withTarget(key.before.constraint ?? '', renamed, 'id')
  return settle(tableOf(key), `${columns}\n${moved}`, key.name, key.after)
}
