/** Keys of any number of users, for commands. */
import type { App } from '../../core/app.ts'
import { streamPages } from '../../core/pages.ts'
import type { ApiKeyRow } from './model.ts'

const pageSize = 500

export type KeyWithOwner = ApiKeyRow & { readonly email: string }

/** Keys with the email addresses of their owners, by ID, in constant memory. */
export async function* streamKeys(
  app: App,
  { userId, after: first = '' }: { readonly userId?: string | undefined; readonly after?: string | undefined } = {},
): AsyncGenerator<KeyWithOwner, void, undefined> {
  const pages = streamPages(pageSize, first, (after): Promise<KeyWithOwner[]> => {
    const keys = app.db
      .selectFrom('apikey')
      .innerJoin('user', 'user.id', 'apikey.userId')
      .selectAll('apikey')
      .select('user.email')
    const page = keys.where('apikey.id', '>', after).orderBy('apikey.id').limit(pageSize)
    return (userId === undefined ? page : page.where('apikey.userId', '=', userId)).execute()
  })
  for await (const rows of pages) yield* rows
}

/** The keys with these IDs, of any user. */
export const findKeys = (app: App, ids: readonly string[]): Promise<KeyWithOwner[]> =>
  app.db
    .selectFrom('apikey')
    .innerJoin('user', 'user.id', 'apikey.userId')
    .selectAll('apikey')
    .select('user.email')
    .where('apikey.id', 'in', ids)
    .orderBy('apikey.id')
    .execute()
