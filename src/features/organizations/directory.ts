/** Organizations as an operator sees them: all of them, and one with everything that it contains. */
import type { App } from '../../core/app.ts'
import { isAfter, streamPages } from '../../core/pages.ts'
import { metadataOf, type OrganizationRow } from './model.ts'
import { withTeams } from './team-members.ts'

const pageSize = 500

export interface OrganizationFilter {
  /** Only organizations whose name or slug contains this text, in any case. */
  readonly search?: string | undefined
  /** The id after which to start. */
  readonly after?: string | undefined
}

/** Every organization that matches, in the order of the ids, in constant memory. Those created while it runs may be missing. */
export async function* streamOrganizations(
  app: App,
  { search = '', after: first = '' }: OrganizationFilter = {},
): AsyncGenerator<OrganizationRow, void, undefined> {
  const wanted = search.toLowerCase()
  const pages = streamPages(pageSize, first, (after) => {
    const rows = app.db.selectFrom('organization').selectAll().where('id', '>', after).where('deletedAt', 'is', null)
    return rows.orderBy('id').limit(pageSize).execute()
  })
  // Filtered here and not in the query: a search for a rare word among millions of rows would exceed the query timeout.
  for await (const rows of pages) for (const row of rows) if (`${row.name}\n${row.slug}`.toLowerCase().includes(wanted)) yield row
}

/** An organization as commands print it. */
export const describeOrganization = (row: OrganizationRow) => {
  const { id, name, slug, logo, createdAt, memberCount } = row
  return { id, name, slug, logo, createdAt, metadata: metadataOf(row), memberCount }
}

/** The members with their users and the ids of their teams, by the time when they joined, in constant memory. */
export async function* streamMembers(app: App, organizationId: string) {
  for (let position = { createdAt: new Date(0), id: '' }; ; ) {
    const rows = await readMembers(app, organizationId, position)
    yield* await withTeams(app, rows)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    position = last
  }
}

const readMembers = (app: App, organizationId: string, { createdAt, id }: { readonly createdAt: Date; readonly id: string }) =>
  app.db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .select(['member.id', 'member.userId', 'user.email', 'user.name', 'member.role', 'member.teamId', 'member.createdAt'])
    .where('member.organizationId', '=', organizationId)
    .where(isAfter(['member.createdAt', 'member.id'], [createdAt, id]))
    .orderBy('member.createdAt')
    .orderBy('member.id')
    .limit(pageSize)
    .execute()

/** The teams, by the time of their creation, with the number of their members. */
export async function listTeamSizes(app: App, organizationId: string) {
  const count = app.db.fn.count<number | string | bigint>('teamMember.id').as('memberCount')
  const rows = await app.db
    .selectFrom('team')
    .leftJoin('teamMember', 'teamMember.teamId', 'team.id')
    .select(['team.id', 'team.name', 'team.createdAt', count])
    .where('team.organizationId', '=', organizationId)
    .groupBy(['team.id', 'team.name', 'team.createdAt'])
    .orderBy('team.createdAt')
    .orderBy('team.id')
    .execute()
  return rows.map((row) => ({ ...row, memberCount: Number(row.memberCount) }))
}

/** The invitations that can still be accepted, oldest first. */
export const listPendingInvitations = (app: App, organizationId: string) =>
  app.db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'teamId', 'status', 'expiresAt', 'inviterId', 'createdAt'])
    .where('organizationId', '=', organizationId)
    .where('pendingEmail', 'is not', null)
    .where('expiresAt', '>', app.now())
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
