/** An organization with its first members, invitations and teams, and their numbers. */
import type { App } from '../../core/app.ts'
import { maxPage } from '../../core/pages.ts'
import { countRows, statement } from '../../core/statement.ts'
import type { InvitationRow, MemberWithUser, OrganizationRow, TeamRow } from './model.ts'

const members = statement(
  { member: 'member', user: 'user' },
  (db, { organizationId, limit }: { organizationId: string; limit: number }) =>
    db
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.userId')
      .where('member.organizationId', '=', organizationId)
      .orderBy('member.createdAt')
      .orderBy('member.id')
      .limit(limit),
)

export interface FullOrganization extends OrganizationRow {
  readonly members: MemberWithUser[]
  readonly invitations: InvitationRow[]
  readonly teams: TeamRow[] | null
  readonly total: { readonly members: number; readonly invitations: number; readonly teams: number }
  readonly hasMore: { readonly members: boolean; readonly invitations: boolean; readonly teams: boolean }
}

/** @param membersLimit number of members; default: as many as a page has */
export async function readFull(
  app: App,
  organization: OrganizationRow,
  membersLimit: number = maxPage,
): Promise<FullOrganization> {
  const { enabled } = app.config.organization.teams
  const [found, invitations, teams] = await Promise.all([
    members(app, { organizationId: organization.id, limit: membersLimit }),
    readRows(app, 'invitation', organization.id),
    enabled ? readRows(app, 'team', organization.id) : { rows: null, total: 0 },
  ])
  const total = { members: organization.memberCount, invitations: invitations.total, teams: teams.total }
  return {
    ...organization,
    members: found.map(({ member, user }) => ({ ...member, user })),
    invitations: invitations.rows as InvitationRow[],
    teams: teams.rows as TeamRow[] | null,
    total,
    hasMore: {
      members: found.length < total.members,
      invitations: invitations.rows.length < total.invitations,
      teams: teams.rows !== null && teams.rows.length < total.teams,
    },
  }
}

/** Counted only when there are more than a page. */
async function readRows(app: App, table: 'invitation' | 'team', organizationId: string) {
  const rows = await app.db
    .selectFrom(table)
    .selectAll()
    .where('organizationId', '=', organizationId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(maxPage)
    .execute()
  if (rows.length < maxPage) return { rows, total: rows.length }
  return { rows, total: await countRows(app.db.selectFrom(table).where('organizationId', '=', organizationId)) }
}
