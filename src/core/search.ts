/** Queries of lists and searches, which must not occupy the database for long. */
import { type Compilable, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { App } from './app.ts'
import { ApiError, defineErrors } from './errors.ts'

export const errors = defineErrors({ SEARCH_TOO_SLOW: [503, 'The search took too long. Narrow it down.'] })

/** The queries of one call, which together have `admin.listTimeout`. */
export interface Search {
  /** The first condition of each query. */
  readonly isInTime: RawBuilder<SqlBool>
  /** @throws ApiError SEARCH_TOO_SLOW */
  run<R>(query: Compilable<R>): Promise<R[]>
}

/** @param column of the table that is searched */
export function startSearch(app: App, column: string): Search {
  const limit = Math.min(app.config.admin.listTimeout, app.config.database.queryTimeout)
  const end = performance.now() + limit
  return {
    isInTime: app.database.limitTime(limit).condition(column),
    run: async (query) => {
      const limited = app.database.limitTime(end - performance.now()).apply(query.compile())
      try {
        return (await app.db.executeQuery(limited)).rows as never
      } catch (error) {
        throw app.database.isTimeout(error) ? new ApiError(errors.SEARCH_TOO_SLOW, { cause: error }) : error
      }
    },
  }
}

/** The last character of Unicode: no text with the same start comes after it. */
const last = '\u{10FFFF}'

/** Whether a column begins with a text, as a range of its index. */
export const isBetween = (column: RawBuilder<unknown>, start: string) =>
  sql<SqlBool>`(${column} >= ${start} and ${column} < ${`${start}${last}`})`

/** The same, for rows that are read in another order: an index would only be in the way. */
export const beginsWith = (value: RawBuilder<unknown>, start: string) =>
  sql<SqlBool>`substr(${value}, 1, ${[...start].length}) = ${start}`

/** The number of rows that a query finds. @throws ApiError SEARCH_TOO_SLOW */
export async function countInTime<DB, TB extends keyof DB>(
  search: Search,
  query: SelectQueryBuilder<DB, TB, Record<never, unknown>>,
): Promise<number> {
  const [row] = await search.run(query.select(sql<number | string | bigint>`count(*)`.as('count')))
  return Number(Object(row).count ?? 0)
}
