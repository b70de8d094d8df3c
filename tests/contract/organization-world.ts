/** Organizations as data for properties: their ids are readable, so that a counterexample is. */
import fc from 'fast-check'
import { mergeTables } from '../../src/core/table.ts'
import type { ConfigFile, Database } from '../../src/features/index.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import type { Answer, Browser } from '../kit/browser.ts'

const all = {
  organization: ['update', 'delete'],
  member: ['create', 'update', 'delete'],
  invitation: ['create', 'cancel'],
  team: ['create', 'update', 'delete'],
  ac: ['create', 'read', 'update', 'delete'],
}
export type Permissions = Readonly<Record<string, readonly string[]>>

/** What the model expects of each role; the configuration gets the same. */
export const roles: Readonly<Record<string, Permissions>> = {
  owner: all,
  admin: { ...all, organization: ['update'] },
  member: {},
  inviter: { invitation: ['create'] },
  moderator: { member: ['update', 'delete'] },
  lead: { team: ['update', 'delete'] },
}

const config = {
  organization: {
    enabled: true,
    teams: true,
    dynamicAccessControl: true,
    roles: roles as Record<string, Record<string, string[]>>,
    sendInvitationEmail: () => {},
    invitationMailLimit: { max: 100_000 },
  },
  mailLimit: { enabled: false },
} satisfies ConfigFile

export const users = 5
export const emailOf = (person: number) => `person-${person}@example.com`
const password = 'correct horse battery'

export interface Draft {
  readonly members: readonly { readonly person: number; readonly role: string; readonly team: number | null }[]
  readonly teams: number
  readonly invitations: readonly {
    readonly person: number
    readonly role: string
    readonly team: number | null
    readonly status: string
    readonly isExpired: boolean
  }[]
}
/** `active`: the active organization of each person. */
export interface World {
  readonly organizations: readonly Draft[]
  readonly active: readonly (number | null)[]
}

const organizationTables = ['organization', 'team', 'member', 'teamMember', 'organizationRole', 'invitation'] as const
const concerned: readonly string[] = [...organizationTables, 'session']
/** Written while a mail is sent, or when a call was rejected, after the response. */
const mailTables: readonly string[] = ['outbox', 'mailCount', 'auditEvent', 'statistic']
type Row = Readonly<Record<string, unknown>>
export type Snapshot = Readonly<Record<string, readonly Row[]>>

export interface Installation extends TestApp {
  readonly browsers: readonly Browser[]
  readonly anonymous: Browser
  readonly userIds: readonly string[]
  /** Replaces all organizations. */
  set(world: World): Promise<void>
  /** The rows of organizations, and the sessions. */
  snapshot(): Promise<Snapshot>
  /** The rows of all other tables, but for the mails. */
  otherRows(): Promise<Snapshot>
  restore(snapshot: Snapshot): Promise<void>
  call(caller: number | null, key: string, input: object): Promise<Answer>
}

/** Of tables whose rows have no ID. */
const orders: Readonly<Record<string, string>> = { userWord: 'word', listExportPart: 'number' }

/** An installation with users, of whom all but one have a verified email address. */
export async function install(more: ConfigFile = {}, count = users): Promise<Installation> {
  const kit = await testApp({ ...config, ...more })
  const { db } = kit.app
  const browsers = Array.from({ length: count }, () => kit.browser())
  const userIds: string[] = []
  for (const [person, browser] of browsers.entries()) {
    const body = { name: `Person ${person}`, email: emailOf(person), password }
    userIds.push((await browser.call('POST /sign-up/email', { body })).body.user.id)
  }
  await db
    .updateTable('user')
    .set({ emailVerified: true })
    .where('email', '<>', emailOf(users - 1))
    .execute()
  const anonymous = kit.browser()
  const tables = Object.keys(mergeTables(kit.app.features))
  const restore = async (rows: Snapshot) => {
    await db.deleteFrom('organization').execute()
    for (const table of organizationTables) {
      const values = rows[table] ?? []
      if (values.length > 0)
        await db
          .insertInto(table)
          .values(values.map(encoded) as never)
          .execute()
    }
    for (const { id, activeOrganizationId, activeTeamId = null } of rows.session ?? [])
      await db
        .updateTable('session')
        .set({ activeOrganizationId, activeTeamId } as never)
        .where('id', '=', id as string)
        .execute()
  }
  const read = async (names: readonly string[]): Promise<Snapshot> =>
    Object.fromEntries(
      await Promise.all(
        names.map(async (table) => [
          table,
          await db
            .selectFrom(table as keyof Database)
            .selectAll()
            .orderBy((orders[table] ?? 'id') as 'id')
            .execute(),
        ]),
      ),
    )
  return {
    ...kit,
    browsers,
    anonymous,
    userIds,
    snapshot: () => read(concerned),
    otherRows: () => read(tables.filter((table) => !concerned.includes(table) && !mailTables.includes(table))),
    restore,
    set: async (world) => restore({ ...rowsOf(world, userIds, kit.app.now()), ...(await sessionsOf(kit, world, userIds)) }),
    call: (caller, key, input) => (browsers[caller ?? -1] ?? anonymous).call(key as 'GET /ok', input),
  }
}

/** With the ids of users in the place of `user-0`, `user-1` and so on. */
export const withUserIds = ({ userIds }: Pick<Installation, 'userIds'>, input: object): object =>
  JSON.parse(JSON.stringify(input).replaceAll(/user-(\d)/g, (_, person) => userIds[Number(person)] ?? 'unknown'))

/** As a statement takes it: JSON columns as text. */
const encoded = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value?.constructor === Object ? JSON.stringify(value) : value]),
  )

async function sessionsOf({ app }: TestApp, { active }: World, userIds: readonly string[]): Promise<Snapshot> {
  const sessions = await app.db.selectFrom('session').select(['id', 'userId']).execute()
  const activeOf = (userId: string) => active[userIds.indexOf(userId)] ?? null
  return {
    session: sessions.map(({ id, userId }) => {
      const organization = activeOf(userId)
      return { id, activeOrganizationId: organization === null ? null : `o${organization}` }
    }),
  }
}

function rowsOf({ organizations }: World, userIds: readonly string[], now: Date): Snapshot {
  const numbered = organizations.map((draft, number) => ({ ...draft, organizationId: `o${number}` }))
  const teamOf = (organizationId: string, teams: number, team: number | null) =>
    team !== null && team < teams ? `${organizationId}-t${team}` : null
  return {
    organization: numbered.map(({ organizationId: id, members }) => ({
      id,
      name: `${id}-name`,
      slug: `${id}-slug`,
      createdAt: now,
      memberCount: members.length,
    })),
    team: numbered.flatMap(({ organizationId, teams }) =>
      Array.from({ length: teams }, (_, team) => ({
        id: `${organizationId}-t${team}`,
        name: `${organizationId}-team`,
        organizationId,
        createdAt: now,
      })),
    ),
    member: numbered.flatMap(({ organizationId, members, teams }) =>
      members.map(({ person, role, team }, position) => ({
        id: `${organizationId}-m${position}`,
        organizationId,
        userId: userIds[person],
        role,
        teamId: teamOf(organizationId, teams, team),
        createdAt: now,
      })),
    ),
    teamMember: numbered.flatMap(({ organizationId, members, teams }) =>
      members.flatMap(({ person, team }, position) => {
        const teamId = teamOf(organizationId, teams, team)
        const memberId = `${organizationId}-m${position}`
        return teamId === null
          ? []
          : [{ id: `${organizationId}-p${position}`, teamId, userId: userIds[person], memberId, createdAt: now }]
      }),
    ),
    organizationRole: [],
    invitation: numbered.flatMap(({ organizationId, invitations, members, teams }) =>
      invitations.map(({ person, role, status, team, isExpired }, position) => ({
        id: `${organizationId}-i${position}`,
        organizationId,
        email: emailOf(person),
        role,
        teamId: teamOf(organizationId, teams, team),
        status,
        expiresAt: new Date(now.getTime() + (isExpired ? -1000 : 3_600_000)),
        inviterId: userIds[members[0]?.person ?? 0],
        createdAt: now,
        pendingEmail: status === 'pending' && !isExpired ? emailOf(person) : null,
      })),
    ),
  }
}

export const person = fc.nat(users - 1)
export const role = fc
  .uniqueArray(fc.constantFrom(...Object.keys(roles)), { minLength: 1, maxLength: 2 })
  .map((names) => names.join(','))
const team = fc.option(fc.nat(1))
const isOwner = { weight: 1, arbitrary: fc.constant('owner') }
const member = fc.record({ person, role: fc.oneof(isOwner, { weight: 2, arbitrary: role }), team })
const invitation = fc.record({
  person,
  role,
  team,
  status: fc.oneof({ weight: 3, arbitrary: fc.constant('pending') }, fc.constantFrom('accepted', 'rejected', 'canceled')),
  isExpired: fc.nat(3).map((number) => number === 3),
})
const draft = fc.record({
  members: fc.uniqueArray(member, { selector: (one) => one.person, minLength: 2, maxLength: 3 }),
  teams: fc.nat(2),
  invitations: fc.uniqueArray(invitation, { selector: (one) => one.person, minLength: 1, maxLength: 2 }),
})
export const world: fc.Arbitrary<World> = fc.record({
  organizations: fc.array(draft, { minLength: 2, maxLength: 4 }),
  active: fc.array(fc.option(fc.nat(4)), { minLength: users, maxLength: users }),
})
