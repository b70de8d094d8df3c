/** The users who match a filter of the list, for actions on all of them. */
import type { App } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { startSearch } from '../../core/search.ts'
import { criteriaOf } from './user-filters.ts'
import { matching } from './user-pages.ts'
import type { UserFilter } from './user-query.ts'
import { criterion, isOneOf, mostCounted } from './user-search.ts'

/** What decides whether an action concerns a user. */
export type UserMatch = Pick<UserRow, 'id' | 'role' | 'banned' | 'banExpires'>

/**
 * Users with these IDs, who match the filter, or both. One query reads all of them, so that they matched at the same time.
 * @param most users that are read at most
 * @throws ApiError VALIDATION_ERROR, SEARCH_TOO_SLOW
 */
export async function findMatches(
  app: App,
  { ids, filter }: { readonly ids?: readonly string[] | undefined; readonly filter?: UserFilter | undefined },
  most: number,
): Promise<UserMatch[]> {
  const search = startSearch(app, 'user.id')
  const among = ids ? [criterion(isOneOf('id', ids))] : []
  const criteria = filter ? await criteriaOf({ app, search, most: mostCounted }, filter) : []
  const users = matching(app, search, { criteria: [...among, ...criteria], lead: null })
  return search.run(users.select(['user.id', 'user.role', 'user.banned', 'user.banExpires']).limit(most))
}
