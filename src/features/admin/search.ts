/** Queries of lists and searches, which must not occupy the database for long. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { Deadline } from '../audit/index.ts'
import { errors } from './model.ts'

/** The queries of one call, which together have `admin.listTimeout`. `run` throws ApiError SEARCH_TOO_SLOW. */
export type Search = Deadline

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

export const isTooSlow = (error: unknown): boolean => error instanceof ApiError && error.entry === errors.SEARCH_TOO_SLOW
