/** The organizations of a user. */
import type { App } from '../../core/app.ts'
import { statement } from '../../core/statement.ts'
import type { MemberRow, OrganizationRow } from './model.ts'

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
  /** The last organization of a page that is not the last one. */
  readonly after: string | null
}

/** The organizations of a user, by the time when they joined. @param page default: all. `after`: the id of an organization */
export async function listOrganizations(app: App, userId: string, { limit, after }: Page = {}): Promise<OrganizationPage> {
  if (limit === undefined && after === undefined) {
    const organizations = (await all(app, { userId })).map(({ organization }) => organization)
    return { organizations, total: organizations.length, after: null }
  }
  const position = after === undefined ? null : await findPosition(app, userId, after)
  const rows = await app.db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .selectAll('organization')
    .where('member.userId', '=', userId)
    .$if(position !== null, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('member.createdAt', 'member.id'), '>', eb.tuple(position?.createdAt ?? new Date(0), position?.id ?? '')),
      ),
    )
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .$if(limit !== undefined, (query) => query.limit((limit ?? 0) + 1))
    .execute()
  const organizations = limit === undefined ? rows : rows.slice(0, limit)
  const counting = app.db.selectFrom('member').select((eb) => eb.fn.countAll<number | string | bigint>().as('count'))
  const { count } = await counting.where('userId', '=', userId).executeTakeFirstOrThrow()
  return {
    organizations,
    total: Number(count),
    after: rows.length > organizations.length ? (organizations.at(-1)?.id ?? null) : null,
  }
}

const findPosition = async (
  app: App,
  userId: string,
  organizationId: string,
): Promise<Pick<MemberRow, 'id' | 'createdAt'> | null> =>
  (await app.db
    .selectFrom('member')
    .select(['id', 'createdAt'])
    .where('userId', '=', userId)
    .where('organizationId', '=', organizationId)
    .executeTakeFirst()) ?? null
