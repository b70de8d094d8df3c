/** Whether a change is already there: what a resumed run asks about the statement in which its forerunner died. Pure. */
import { isSame, type Schema, type TableSchema } from './schema.ts'

type Question = (live: Schema, target: Schema, table: string, name: string) => boolean

const has = (parts: (table: TableSchema) => Readonly<Record<string, unknown>>): Question => {
  return (live, _, table, name) => {
    const found = live.tables[table]
    return found !== undefined && parts(found)[name] !== undefined
  }
}
const lacks =
  (question: Question): Question =>
  (live, target, table, name) =>
    !question(live, target, table, name)

const hasTable: Question = (live, _, table) => live.tables[table] !== undefined
const hasColumn = has((table) => table.columns)
const hasIndex = has((table) => table.indexes)
const hasForeignKey = has((table) => table.foreignKeys)

const questions = new Map<string, Question>(
  Object.entries({
    'create-table': hasTable,
    'drop-table': lacks(hasTable),
    'add-column': hasColumn,
    'drop-column': lacks(hasColumn),
    'change-column': (live, target, table, name) =>
      isSame(live.tables[table]?.columns[name], target.tables[table]?.columns[name]),
    'add-index': hasIndex,
    'drop-index': lacks(hasIndex),
    'add-foreign-key': hasForeignKey,
    'drop-foreign-key': lacks(hasForeignKey),
  }),
)

/**
 * Each statement of either server happens whole or not at all, so that a look at the schema decides.
 * @param change its name, as in `add-column:user.nickname`
 * @param target the schema that the whole migration leads to
 * @returns null for a change of no known kind
 */
export function hasTakenEffect(change: string, live: Schema, target: Schema): boolean | null {
  const [, kind = '', table = '', name = ''] = /^([a-z-]+):(\w+)(?:\.(\w+))?$/.exec(change) ?? []
  return questions.get(kind)?.(live, target, table, name) ?? null
}
