/** Names by which lists are sorted and searched. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { beginsWith, isBetween } from '../../core/search.ts'
import { sweep } from '../../core/sweep.ts'

/** Characters of `sortName`. */
const sortNameLength = 64

/** The start of a name in lower case, for lists: names are long texts, which no index can have, and compared byte by byte. */
export const sortNameOf = (name: string): string =>
  name
    .toLowerCase()
    .slice(0, sortNameLength)
    // Half of a character that the end has cut, which databases reject.
    .replace(/[\uD800-\uDBFF]$/, '')

/** Conditions of names that begin with a text in any case: those that an index finds, and those that no job has read yet. */
export function nameStarts(table: 'user' | 'organization', text: string): readonly RawBuilder<SqlBool>[] {
  const [sortName, name] = [sql.ref(`${table}.sortName`), sql`lower(${sql.ref(`${table}.name`)})`]
  const start = text.toLowerCase()
  const short = sortNameOf(start)
  const rest = short.length < start.length ? sql` and ${beginsWith(name, start)}` : sql``
  return [
    sql<SqlBool>`(${isBetween(sortName, short)}${rest})`,
    sql<SqlBool>`(${sortName} is null and ${beginsWith(name, start)})`,
  ]
}

type NamedTable = 'user' | 'organization'

interface Named {
  readonly id: string
  readonly name: string
}

/** Writes `sortName` of rows with these names. */
export async function setSortNames(app: App, table: NamedTable, rows: readonly Named[]): Promise<void> {
  const names = rows.map(({ id, name }) => sql`when ${id} then ${sortNameOf(name)}`)
  const ids = rows.map(({ id }) => id)
  await app.db
    // Both tables have these columns.
    .updateTable(table as 'user')
    .set({ sortName: sql<string>`case id ${sql.join(names, sql` `)} end` })
    .where('id', 'in', ids)
    .execute()
}

/** Reads the names of rows that an application inserted, or that are older than `sortName`. */
const readNames = (app: App, signal: AbortSignal, table: NamedTable, read: ReadRows): Promise<void> =>
  sweep(app, signal, '', async (from, limit) => {
    const unread = app.db
      .selectFrom(table as 'user')
      .select(['id', 'name'])
      .where('sortName', 'is', null)
      .where('id', '>', from)
    const rows = await unread.orderBy('id').limit(limit).execute()
    const last = rows.at(-1)
    if (!last) return null
    await read(app, rows)
    return rows.length < limit ? null : last.id
  })

type ReadRows = (app: App, rows: readonly Named[]) => Promise<void>

/**
 * @param read writes what is derived from the names of these rows
 * @returns the job that reads the names of a table
 */
export const sortNameJob = (table: NamedTable, read: ReadRows = (app, rows) => setSortNames(app, table, rows)) => ({
  every: 600,
  run: (app: App, signal: AbortSignal) => readNames(app, signal, table, read),
})
