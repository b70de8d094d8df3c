/** Organizations with their teams, members, roles and invitations. */
import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import { createId } from '../../../core/write.ts'
import { sortNameOf } from '../../users/index.ts'
import { type Draft, draftRow, type Kind, left, type MoveContext, plainTable, referredId, rolesOf } from './kind.ts'
import { type SourceRow, textOf, timeOf } from './source.ts'
import { rowsBy, rowsByIds } from './source-pages.ts'
import { addressOf } from './users.ts'

/** The names of the rows that a row refers to, at Latchkey. */
const referred = (context: MoveContext, row: SourceRow) => ({
  organizationId: referredId(context, 'organization', textOf(row.organizationId) ?? ''),
  userId: referredId(context, 'user', textOf(row.userId) ?? ''),
})

/** Version 1.2.12 stores the JSON text of a JSON text. */
export function jsonText(value: string | null): string | null {
  if (value === null) return null
  try {
    const once: unknown = JSON.parse(value)
    const object: unknown = typeof once === 'string' ? JSON.parse(once) : once
    return typeof object === 'object' && object !== null ? JSON.stringify(object) : null
  } catch {
    return null
  }
}

/** Members are counted when they are written. */
export const organizations: Kind = {
  name: 'organization',
  references: {},
  map: (context, row) => {
    const name = textOf(row.name) ?? ''
    const metadata = textOf(row.metadata)
    if (metadata !== null && metadata !== '' && jsonText(metadata) === null)
      return left('the metadata is not a JSON object', 'metadata')
    return draftRow(context, 'organization', row, {
      ...{ memberCount: 0, revision: 0, deletedAt: null, sortName: sortNameOf(name), metadata: jsonText(metadata) },
    })
  },
  ...plainTable('organization', ['memberCount', 'revision', 'deletedAt', 'twoFactorRequiredAt']),
}

export const teams: Kind = {
  name: 'team',
  references: { organizationId: { kind: 'organization' } },
  map: (context, row) => draftRow(context, 'team', row, { organizationId: referred(context, row).organizationId }),
  ...plainTable('team'),
}

/** Also when a former run was killed between the rows and their count: it counts all of them. */
async function countMembers(tx: App, ids: readonly string[]): Promise<void> {
  const members = sql<number>`(select count(*) from ${sql.table('member')} where ${sql.ref('member.organizationId')} = ${sql.ref('organization.id')})`
  if (ids.length === 0) return
  await tx.db.updateTable('organization').set({ memberCount: members }).where('id', 'in', ids).execute()
}

const organizationsOf = (drafts: readonly Draft[]) => [...new Set(drafts.map(({ columns }) => String(columns.organizationId)))]

const memberTable = plainTable('member', ['twoFactorMetAt', 'twoFactorRemindedAt'])
/** Since 1.7 the teams of a member are rows of their own, and their first one is set with those. */
const hasOneTeam = ({ tables }: MoveContext): boolean => tables.get('member')?.columns.teamId !== undefined

export const members: Kind = {
  name: 'member',
  references: { organizationId: { kind: 'organization' }, userId: { kind: 'user' }, teamId: { kind: 'team', optional: true } },
  map: (context, row) => {
    const team = textOf(row.teamId)
    const teamId = team === null ? null : referredId(context, 'team', team)
    return draftRow(context, 'member', row, { ...referred(context, row), teamId, role: rolesOf(row.role) ?? 'member' })
  },
  insert: async (tx, drafts, context) => {
    await memberTable.insert(tx, drafts, context)
    if (hasOneTeam(context)) await insertTeamRows(tx, drafts)
    await countMembers(tx, organizationsOf(drafts))
  },
  update: async (tx, draft, context) => {
    if (!hasOneTeam(context))
      return plainTable('member', ['twoFactorMetAt', 'twoFactorRemindedAt', 'teamId']).update(tx, draft, context)
    await memberTable.update(tx, draft, context)
    await tx.db.deleteFrom('teamMember').where('memberId', '=', draft.id).execute()
    await insertTeamRows(tx, [draft])
  },
  remove: async (tx, ids) => {
    const rows = await tx.db.selectFrom('member').select('organizationId').where('id', 'in', ids).execute()
    await memberTable.remove(tx, ids)
    await countMembers(tx, [...new Set(rows.map(({ organizationId }) => organizationId))])
  },
}

async function insertTeamRows(tx: App, drafts: readonly Draft[]): Promise<void> {
  const rows = drafts
    .filter(({ columns }) => columns.teamId !== null)
    .map(({ id: memberId, columns }) => ({
      ...{ id: createId(tx, 'teamMember'), memberId, teamId: String(columns.teamId) },
      ...{ userId: String(columns.userId), createdAt: columns.createdAt as Date },
    }))
  if (rows.length > 0) await tx.db.insertInto('teamMember').values(rows).execute()
}

export const teamMembers: Kind = {
  name: 'teamMember',
  references: { teamId: { kind: 'team' }, userId: { kind: 'user' } },
  prepare: findMemberships,
  map: (context, row) => {
    const [team, user] = [textOf(row.teamId) ?? '', textOf(row.userId) ?? '']
    const memberId = context.found.get(`${team} ${user}`)
    if (memberId === undefined) return left('the user does not belong to the organization', 'userId')
    return draftRow(context, 'teamMember', row, {
      ...{ memberId: referredId(context, 'member', memberId), teamId: referredId(context, 'team', team) },
      ...{ userId: referredId(context, 'user', user), createdAt: timeOf(row.createdAt, context.zone) ?? context.now },
    })
  },
  ...plainTable('teamMember'),
  insert: async (tx, drafts, context) => {
    await plainTable('teamMember').insert(tx, drafts, context)
    for (const { columns } of drafts.toSorted((one, other) => Number(one.columns.createdAt) - Number(other.columns.createdAt))) {
      const first = tx.db
        .updateTable('member')
        .set({ teamId: String(columns.teamId) })
        .where('id', '=', String(columns.memberId))
      await first.where('teamId', 'is', null).execute()
    }
  },
}

/** The member of its organization that each row means. */
async function findMemberships({ source, tables, found }: MoveContext, rows: readonly SourceRow[]): Promise<void> {
  found.clear()
  const idsOf = (column: string) => [...new Set(rows.flatMap((row) => textOf(row[column]) ?? []))]
  const teamRows = await rowsByIds(source, tables, 'team', idsOf('teamId'))
  const organizations = new Map(teamRows.map((row) => [textOf(row.id) ?? '', textOf(row.organizationId) ?? '']))
  const memberRows = await rowsBy(source, tables, 'member', 'userId', idsOf('userId'))
  const memberIds = new Map(
    memberRows.map((row) => [`${textOf(row.organizationId)} ${textOf(row.userId)}`, textOf(row.id) ?? '']),
  )
  for (const row of rows) {
    const [team, user] = [textOf(row.teamId) ?? '', textOf(row.userId) ?? '']
    const memberId = memberIds.get(`${organizations.get(team)} ${user}`)
    if (memberId !== undefined) found.set(`${team} ${user}`, memberId)
  }
}

export const organizationRoles: Kind = {
  name: 'organizationRole',
  references: { organizationId: { kind: 'organization' } },
  map: (context, row) => {
    const permission = jsonText(textOf(row.permission))
    if (permission === null) return left('the value is not a JSON object', 'permission')
    return draftRow(context, 'organizationRole', row, { permission, organizationId: referred(context, row).organizationId })
  },
  ...plainTable('organizationRole'),
}

const dayMs = 86_400_000

export const invitations: Kind = {
  name: 'invitation',
  references: { organizationId: { kind: 'organization' }, inviterId: { kind: 'user' }, teamId: { kind: 'team', optional: true } },
  map: (context, row) => {
    const { app, now, zone } = context
    const email = addressOf(row.email)
    const expiresAt = timeOf(row.expiresAt, zone, 'later')
    if (expiresAt === null) return left('a value is missing or not understood', 'expiresAt')
    const made = new Date(expiresAt.getTime() - (app.config.organization.invitationExpiresIn ?? 2 * dayMs) * 1000)
    const status = textOf(row.status) ?? 'pending'
    const team = textOf(row.teamId)
    const teamId = team ? referredId(context, 'team', team) : null
    return draftRow(context, 'invitation', row, {
      ...{
        email,
        status,
        expiresAt,
        role: rolesOf(row.role),
        teamId: teamId || null,
        pendingEmail: status === 'pending' ? email : null,
      },
      createdAt: timeOf(row.createdAt, zone) ?? new Date(Math.min(made.getTime(), now.getTime())),
      organizationId: referred(context, row).organizationId,
      inviterId: referredId(context, 'user', textOf(row.inviterId) ?? ''),
    })
  },
  ...plainTable('invitation'),
  insert: async (tx, drafts, context) => {
    for (const draft of drafts) await insertInvitation(tx, draft, context)
  },
}

/** One address has one invitation that can be accepted: of several, the one that ends last. */
async function insertInvitation(tx: App, draft: Draft, context: MoveContext): Promise<void> {
  const { organizationId, pendingEmail, expiresAt } = draft.columns
  const pending =
    pendingEmail === null
      ? undefined
      : await tx.db
          .selectFrom('invitation')
          .select(['id', 'expiresAt'])
          .where('organizationId', '=', String(organizationId))
          .where('pendingEmail', '=', String(pendingEmail))
          .executeTakeFirst()
  const canceled = { status: 'canceled', pendingEmail: null }
  const isLater = pending !== undefined && pending.expiresAt < (expiresAt as Date)
  if (isLater) await tx.db.updateTable('invitation').set(canceled).where('id', '=', pending.id).execute()
  const columns = pending && !isLater ? { ...draft.columns, ...canceled } : draft.columns
  await plainTable('invitation').insert(tx, [{ ...draft, columns }], context)
}
