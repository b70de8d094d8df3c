/** The organizations of a user. */
import type { App } from '../../core/app.ts'
import { cutPage, isAfter, type Position, readPosition } from '../../core/pages.ts'
import { countRows, statement } from '../../core/statement.ts'
import type { MemberRow, OrganizationRow } from './model.ts'

const all = statement({ organization: 'organization' }, (db, { userId }: { userId: string }) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .where('member.userId', '=', userId)
    .where('organization.deletedAt', 'is', null)
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
  /** The position after a page that is not the last one. */
  readonly next: string | null
}

/** The organizations of a user, by the time when they joined: all of them, or a page. `after`: a position, or the id of an organization */
export async function listOrganizations(app: App, userId: string, { limit, after }: Page = {}): Promise<OrganizationPage> {
  if (limit === undefined && after === undefined) {
    const organizations = (await all(app, { userId })).map(({ organization }) => organization)
    return { organizations, total: organizations.length, next: null }
  }
  const own = app.db
    .selectFrom('member')
    .where('member.userId', '=', userId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('organization')
          .select('organization.id')
          .whereRef('organization.id', '=', 'member.organizationId')
          .where('organization.deletedAt', 'is', null),
      ),
    )
  const position = await readPosition({ after }, 'time', async (id) => {
    const row = await own.select(['id', 'createdAt']).where('organizationId', '=', id).executeTakeFirst()
    return row ? positionOf(row) : null
  })
  const following = position ? own.where(isAfter(['member.createdAt', 'member.id'], position)) : own
  // The memberships of the page first: joined before the limit, a database may read all organizations of the user.
  const memberships = following
    .select(['member.id as memberId', 'member.createdAt as joinedAt', 'member.organizationId'])
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .$if(limit !== undefined, (query) => query.limit((limit ?? 0) + 1))
    .as('membership')
  const rows = await app.db
    .selectFrom(memberships)
    .innerJoin('organization', 'organization.id', 'membership.organizationId')
    .selectAll('organization')
    .select(['membership.memberId', 'membership.joinedAt'])
    .orderBy('membership.joinedAt')
    .orderBy('membership.memberId')
    .execute()
  const page = cutPage(rows, limit, ({ memberId, joinedAt }) => positionOf({ id: memberId, createdAt: joinedAt }))
  return { organizations: page.rows, total: await countRows(own), next: page.next }
}

const positionOf = ({ createdAt, id }: Pick<MemberRow, 'id' | 'createdAt'>): Position => [createdAt, id]
