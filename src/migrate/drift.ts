/** How a live database differs from what it should be, as sentences. */
import { describeColumn, type ForeignKeySchema, type IndexSchema, isSame, type Schema, type TableSchema } from './schema.ts'

export interface Difference {
  /** `user`, `user.email`, `user.user_email_key`. */
  readonly path: string
  readonly kind: 'table' | 'column' | 'index' | 'foreign-key'
  readonly message: string
}

/** Tables that nobody expects are not ours to judge: the database may have other users. */
export function findDifferences(live: Schema, expected: Schema): Difference[] {
  return Object.entries(expected.tables).flatMap(([table, wanted]): Difference[] => {
    const found = live.tables[table]
    if (!found) return [{ path: table, kind: 'table', message: `The table ${table} is missing` }]
    const other: Difference[] = found.other
      ? [{ path: table, kind: 'table', message: `The table ${table} has the ${found.other}` }]
      : []
    return [
      ...other,
      ...compareColumns(table, found, wanted),
      ...compareIndexes(table, found, wanted),
      ...compareForeignKeys(table, found, wanted),
    ]
  })
}

interface Wording<T> {
  readonly kind: Difference['kind']
  readonly noun: string
  readonly describe: (part: T) => string
}

function compareParts<T>(
  table: string,
  wording: Wording<T>,
  found: Readonly<Record<string, T>>,
  wanted: Readonly<Record<string, T>>,
): Difference[] {
  const { kind, noun, describe } = wording
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(found)])]
  return names.flatMap((name): Difference[] => {
    const [is, should] = [found[name], wanted[name]]
    const path = `${table}.${name}`
    if (is === undefined) return [{ path, kind, message: `The ${noun} ${path} is missing` }]
    if (should === undefined) return [{ path, kind, message: `The ${noun} ${path} is in no migration` }]
    return isSame(is, should)
      ? []
      : [{ path, kind, message: `The ${noun} ${path} is ${describe(is)} instead of ${describe(should)}` }]
  })
}

const compareColumns = (table: string, found: TableSchema, wanted: TableSchema) =>
  compareParts(table, { kind: 'column', noun: 'column', describe: describeColumn }, found.columns, wanted.columns)

const describeIndex = ({ columns, unique, other }: IndexSchema): string =>
  [unique ? 'unique' : 'not unique', `over ${columns.join(', ')}`, ...(other ? [other] : [])].join(' ')
const compareIndexes = (table: string, found: TableSchema, wanted: TableSchema) =>
  compareParts(table, { kind: 'index', noun: 'index', describe: describeIndex }, found.indexes, wanted.indexes)

const describeForeignKey = ({ column, references, onDelete, other }: ForeignKeySchema): string =>
  `from ${column} to ${references} on delete ${other ?? onDelete}`
const compareForeignKeys = (table: string, found: TableSchema, wanted: TableSchema) =>
  compareParts(
    table,
    { kind: 'foreign-key', noun: 'foreign key', describe: describeForeignKey },
    found.foreignKeys,
    wanted.foreignKeys,
  )
