/** Keys of any number of owners, for commands. */
import type { App } from '../../core/app.ts'
import { streamPages } from '../../core/pages.ts'
import { hasOrganizationKeys } from '../organizations/index.ts'
import type { KeyOwner } from './key-draft.ts'
import type { ApiKeyRow } from './model.ts'

const pageSize = 500

/** With the email address of its owner, or the slug of the organization that owns it. */
export type KeyWithOwner = ApiKeyRow & { readonly email: string | null; readonly organizationSlug?: string | null }

const ownedKeys = (app: App) =>
  app.db
    .selectFrom('apikey')
    .leftJoin('user', 'user.id', 'apikey.userId')
    .selectAll('apikey')
    .select('user.email')
    // Without such keys, there is no such column.
    .$if(hasOrganizationKeys(app.config), (query) =>
      query.leftJoin('organization', 'organization.id', 'apikey.organizationId').select('organization.slug as organizationSlug'),
    )

/** Keys with their owners, by ID, in constant memory. */
export async function* streamKeys(
  app: App,
  { owner, after: first = '' }: { readonly owner?: KeyOwner | undefined; readonly after?: string | undefined } = {},
): AsyncGenerator<KeyWithOwner, void, undefined> {
  const pages = streamPages(pageSize, first, (after): Promise<KeyWithOwner[]> => {
    const page = ownedKeys(app).where('apikey.id', '>', after).orderBy('apikey.id').limit(pageSize)
    if (owner === undefined) return page.execute()
    return owner.userId === undefined
      ? page.where('apikey.organizationId', '=', owner.organizationId).execute()
      : page.where('apikey.userId', '=', owner.userId).execute()
  })
  for await (const rows of pages) yield* rows
}

/** The keys with these IDs, of any owner. */
export const findKeys = (app: App, ids: readonly string[]): Promise<KeyWithOwner[]> =>
  ownedKeys(app).where('apikey.id', 'in', ids).orderBy('apikey.id').execute()
