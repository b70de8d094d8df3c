/** The organizations of a user. */
import type { App } from '../../core/app.ts'
import { statement } from '../../core/statement.ts'
import type { OrganizationRow } from './model.ts'
import { cutPage, isAfter, readPosition } from './pages.ts'

const all = statement({ organization: 'organization' }, (db, { userId }: { userId: string }) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.userId', '=', userId)
    .orderBy('member.createdAt')
    .orderBy('member.id'),
)

interface Page {
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

interface OrganizationPage {
  readonly organizations: OrganizationRow[]
  readonly total: number
  /** The position of the next page; null: this is the last one. */
  readonly after: string | null
}

/**
 * The organizations of a user, by the time when they joined.
 * @param page default: all. `after`: the id of an organization, or a position
 * @throws ApiError VALIDATION_ERROR when `after` is neither
 */
export async function listOrganizations(app: App, userId: string, { limit, after }: Page = {}): Promise<OrganizationPage> {
  if (limit === undefined && after === undefined) {
    const organizations = (await all(app, { userId })).map(({ organization }) => organization)
    return { organizations, total: organizations.length, after: null }
  }
  const own = app.db.selectFrom('member').where('member.userId', '=', userId)
  const position = await readPosition(after, 'time', async (organizationId) => {
    const found = await own.select(['id', 'createdAt']).where('organizationId', '=', organizationId).executeTakeFirst()
    return found ? [found.createdAt, found.id] : null
  })
  const following = position ? own.where(isAfter(['member.createdAt', 'member.id'], position)) : own
  const found = await following
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .selectAll('organization')
    .select(['member.id as memberId', 'member.createdAt as joinedAt'])
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .$if(limit !== undefined, (query) => query.limit((limit ?? 0) + 1))
    .execute()
  const { rows, next } = cutPage(found, limit, ({ joinedAt, memberId }) => [joinedAt, memberId])
  const { count } = await own.select((eb) => eb.fn.countAll<number | string | bigint>().as('count')).executeTakeFirstOrThrow()
  return { organizations: rows, total: Number(count), after: next }
}
