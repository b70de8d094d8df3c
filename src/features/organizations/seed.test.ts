import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { many, places } from '../../../tests/kit/race.ts'
import { type App, extend } from '../../core/app.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { insertUser, userCreation } from '../users/index.ts'
import { addMember, createOrganization, seed } from './index.ts'

type Declared = NonNullable<NonNullable<ConfigFile['seed']>['organizations']>[number]

const options = { dryRun: false, prune: false, readSecret: () => undefined }
const acme: Declared = {
  slug: 'acme',
  name: 'Acme',
  owner: 'Ann@example.com',
  teams: ['Design', 'Ops'],
  members: [
    { email: 'bob@example.com', role: 'admin', team: 'Design' },
    { email: 'Eve@Example.com', role: 'member' },
  ],
}
const config = (organizations: readonly Declared[], more: object = {}): ConfigFile => ({
  twoFactor: { required: [{ organizations: true }] },
  organization: { teams: { enabled: true, defaultTeam: { enabled: false } }, ...more },
  seed: { organizations: [...organizations] },
})

const given = {
  secret: 'x'.repeat(32),
  baseURL: 'http://localhost:3000',
  environment: 'development' as const,
  database: { url: 'sqlite::memory:' },
}

/** The same app with other declared organizations. */
function declaring(app: App, ...organizations: readonly Declared[]): App {
  const parsed = parseConfig(featureList, { ...given, ...config(organizations) })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return extend(app, { config: { ...app.config, seed: parsed.config.seed } })
}

async function openSeeded(...organizations: readonly Declared[]) {
  const kit = await testApp(config(organizations))
  for (const name of ['ann', 'bob', 'eve']) {
    await insertUser(kit.app, userCreation(kit.app, { name, email: `${name}@example.com` }).draft, {})
  }
  return kit
}

const summary = async (app: App, declared = app) =>
  (await seed(declared, options)).map(({ kind, name, outcome, detail }) => [outcome, kind, name, ...(detail ? [detail] : [])])

async function membersOf(app: App): Promise<unknown[]> {
  const members = app.db.selectFrom('member').innerJoin('user', 'user.id', 'member.userId')
  const rows = members.leftJoin('team', 'team.id', 'member.teamId').select(['user.name', 'member.role', 'team.name as team'])
  return (await rows.orderBy('user.name').execute()).map(({ name, role, team }) => [name, role, team])
}

describe('seeding an organization', () => {
  test('creates it with owner, teams and members once', async () => {
    const { app } = await openSeeded(acme)
    expect(await summary(app)).toEqual([
      ['created', 'organization', 'acme'],
      ['created', 'team', 'acme/Design'],
      ['created', 'team', 'acme/Ops'],
      ['created', 'member', 'acme/bob@example.com', 'admin, team Design'],
      ['created', 'member', 'acme/Eve@Example.com', 'member'],
    ])
    expect(await membersOf(app)).toEqual([
      ['ann', 'owner', null],
      ['bob', 'admin', 'Design'],
      ['eve', 'member', null],
    ])
    expect((await app.db.selectFrom('organization').select('memberCount').executeTakeFirst())?.memberCount).toBe(3)
    expect(new Set((await seed(app, options)).map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']))
  })

  test('changes the name, roles and teams that differ, and the owner', async () => {
    const { app } = await openSeeded(acme)
    await seed(app, options)
    const changed = declaring(app, {
      ...acme,
      name: 'Acme Inc.',
      owner: 'bob@example.com',
      teams: ['Ops'],
      members: [{ email: 'eve@example.com', role: 'admin', team: 'Ops' }],
    })
    expect(await summary(app, changed)).toEqual([
      ['changed', 'organization', 'acme', 'name Acme → Acme Inc.'],
      ['unchanged', 'team', 'acme/Ops'],
      ['changed', 'member', 'acme/bob@example.com', 'role admin → owner'],
      ['changed', 'member', 'acme/eve@example.com', 'role member → admin; team Ops'],
    ])
    expect(await membersOf(app)).toEqual([
      ['ann', 'owner', null],
      ['bob', 'owner', 'Design'],
      ['eve', 'admin', 'Ops'],
    ])
    expect(new Set((await seed(changed, options)).map(({ outcome }) => outcome))).toEqual(new Set(['unchanged']))
  })

  test('sets the declared policy of second factors, and leaves one that is not declared', async () => {
    const kit = await openSeeded(acme)
    const { app } = kit
    await seed(app, options)
    const demanding = (twoFactor?: { required: boolean; graceDays?: number; showAdministrators?: boolean }) =>
      declaring(app, { ...acme, ...(twoFactor && { twoFactor }) })
    const policies = async (declared: App, given = options) =>
      (await seed(declared, given)).filter(({ kind }) => kind === 'policy').map(({ outcome, detail }) => [outcome, detail])
    const changed = [['changed', 'second factor required, 7 days of grace']]
    expect(await policies(demanding({ required: true, graceDays: 7 }), { ...options, dryRun: true })).toEqual(changed)
    expect(await policies(demanding({ required: true, graceDays: 7 }))).toEqual(changed)
    expect(await policies(demanding({ required: true }))).toEqual([])
    expect(await policies(demanding())).toEqual([])
    const row = await app.db.selectFrom('organization').select(['twoFactorRequired', 'twoFactorGraceDays']).executeTakeFirst()
    expect(row).toEqual({ twoFactorRequired: true, twoFactorGraceDays: 7 })
    expect(await policies(demanding({ required: false }))).toEqual([['changed', 'second factor not required']])
    const shown = demanding({ required: false, showAdministrators: true })
    expect(await policies(shown)).toEqual([['changed', 'second factor not required, administrators shown']])
    expect(await policies(shown)).toEqual([])
  })

  test('removes no member and no team, also with --prune', async () => {
    const { app } = await openSeeded(acme)
    await seed(app, options)
    const less = declaring(app, { ...acme, teams: [], members: [] })
    expect(await seed(less, { ...options, prune: true })).toEqual([{ kind: 'organization', name: 'acme', outcome: 'unchanged' }])
    expect(await membersOf(app)).toHaveLength(3)
    expect(await app.db.selectFrom('team').select('id').execute()).toHaveLength(2)
  })

  test('reports members who have a role that --prune would delete', async () => {
    const { app } = await openSeeded(acme)
    await seed(app, options)
    const now = app.now()
    for (const name of ['support', 'admin']) {
      const role = { id: name, name, permissions: '{}', createdAt: now, updatedAt: now }
      await app.db.insertInto('role').values(role).execute()
    }
    const plan = async () => (await seed(app, { ...options, prune: true, dryRun: true })).filter(({ kind }) => kind === 'role')
    expect(await plan()).toEqual([])
    await app.db.updateTable('member').set({ role: 'member,support' }).where('role', '=', 'member').execute()
    const detail = '1 member of organizations still has it'
    expect(await plan()).toEqual([{ kind: 'role', name: 'support', outcome: 'removed', detail, users: 1 }])
  })

  test('keeps further roles of an owner', async () => {
    const { app } = await openSeeded(acme)
    await seed(app, options)
    await app.db.updateTable('member').set({ role: 'admin,owner' }).where('role', '=', 'owner').execute()
    expect((await seed(app, options)).map(({ outcome }) => outcome)).toEqual(Array(5).fill('unchanged'))
  })

  test('writes nothing in a dry run, and reports the same', async () => {
    const { app } = await openSeeded(acme)
    const planned = await seed(app, { ...options, dryRun: true })
    expect(await app.db.selectFrom('organization').select('id').execute()).toEqual([])
    expect(await seed(app, options)).toEqual(planned)
    const changed = declaring(app, { ...acme, name: 'New', teams: ['Design', 'New'] })
    const changes = await seed(changed, { ...options, dryRun: true })
    expect(changes.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'created', 'unchanged', 'unchanged'])
    expect(await seed(changed, options)).toEqual(changes)
  })

  test('fails for an organization of others who have taken the slug', async () => {
    const { app } = await openSeeded(acme)
    const mallory = await insertUser(app, userCreation(app, { name: 'mallory', email: 'mallory@example.com' }).draft, {})
    const { organization } = await createOrganization(app, mallory, { name: 'Acme', slug: 'acme' })
    for (const dryRun of [true, false])
      await expect(seed(app, { ...options, dryRun })).rejects.toThrow('The organization acme belongs to others')
    expect(await membersOf(app)).toHaveLength(1)
    const ann = await app.db.selectFrom('user').select('id').where('name', '=', 'ann').executeTakeFirstOrThrow()
    await addMember(app, { organizationId: organization.id, userId: ann.id, role: 'owner' })
    await seed(app, options)
    expect(await membersOf(app)).toHaveLength(4)
  })

  test('completes a run that was interrupted', async () => {
    const { app } = await openSeeded(acme)
    await seed(declaring(app, { ...acme, teams: ['Design'], members: [] }), options)
    expect((await seed(app, options)).map(({ outcome }) => outcome)).toEqual([
      'unchanged',
      'unchanged',
      'created',
      'created',
      'created',
    ])
  })

  test('respects the limits of the configuration', async () => {
    const kit = await testApp(config([acme], { membershipLimit: () => 2 }))
    for (const name of ['ann', 'bob', 'eve'])
      await insertUser(kit.app, userCreation(kit.app, { name, email: `${name}@example.com` }).draft, {})
    await expect(seed(kit.app, options)).rejects.toMatchObject({ entry: { code: 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED' } })
  })

  test('names each user who does not exist, except administrators that the same run creates', async () => {
    const { app } = await testApp({
      ...config([acme]),
      seed: { organizations: [acme], roles: { admin: {} }, admins: [{ email: 'ann@example.com', name: 'Ann' }] },
    })
    const planned = await seed(app, { ...options, dryRun: true })
    expect(planned.flatMap(({ missingUser }) => missingUser ?? [])).toEqual(['bob@example.com', 'Eve@Example.com'])
  })

  test.each(places)(
    'creates one organization, and each team and member once, when 64 pipelines run at the same time (%s)',
    async (place) => {
      const kit = await openSeeded(acme)
      const apps = place === 'two daemons' ? [kit.app, (await kit.another()).app] : [kit.app]
      const results = await Promise.all(Array.from({ length: many }, (_, at) => seed(apps[at % apps.length] ?? kit.app, options)))
      const created = results.flat().filter(({ outcome }) => outcome === 'created')
      expect(created.map(({ name }) => name).sort()).toEqual(
        ['acme', 'acme/Design', 'acme/Eve@Example.com', 'acme/Ops', 'acme/bob@example.com'].sort(),
      )
      expect(results.flat().filter(({ outcome }) => outcome === 'changed')).toEqual([])
      expect(await membersOf(kit.app)).toHaveLength(3)
      const renamed = declaring(kit.app, {
        ...acme,
        name: 'New',
        members: [{ email: 'bob@example.com', role: 'member', team: 'Ops' }],
      })
      const changes = await Promise.all(Array.from({ length: many }, () => seed(renamed, options)))
      expect(
        changes
          .flat()
          .flatMap(({ outcome, name }) => (outcome === 'changed' ? [name] : []))
          .sort(),
      ).toEqual(['acme', 'acme/bob@example.com'])
    },
    120_000,
  )
})

describe('the configuration is rejected', () => {
  const issuesOf = (declared: readonly object[], organization: object | undefined = { teams: { enabled: true } }) => {
    const seeded = { roles: { auditor: {} }, organizations: declared }
    const parsed = parseConfig(featureList, { ...given, ...(organization && { organization }), seed: seeded })
    return 'issues' in parsed ? parsed.issues.map(({ id, path }) => [id, path]) : []
  }
  test.each<[string, object[], [string, string][]]>([
    ['a duplicate slug', [acme, { ...acme, name: 'B' }], [['seed-organization-twice', '1.slug']]],
    [
      'an unknown role',
      [{ ...acme, members: [{ email: 'x@example.com', role: 'boss,auditor' }] }],
      [['seed-member-role', '0.members.0.role']],
    ],
    [
      'a team that is not declared',
      [{ ...acme, members: [{ email: 'x@example.com', team: 'Sales' }] }],
      [['seed-member-team', '0.members.0.team']],
    ],
    ['a duplicate team', [{ ...acme, teams: ['Design', 'Design'] }], [['seed-team-twice', '0.teams.1']]],
    [
      'a duplicate member, and the owner as a member',
      [{ ...acme, members: [{ email: 'ANN@example.com' }, { email: 'b@example.com' }, { email: 'B@example.com' }] }],
      [
        ['seed-member-twice', '0.members.0.email'],
        ['seed-member-twice', '0.members.2.email'],
      ],
    ],
  ])('with %s', (_, declared, expected) => {
    expect(issuesOf(declared)).toEqual(expected.map(([id, path]) => [id, `seed.organizations.${path}`]))
  })
  test('with teams while teams are disabled, or organizations while they are', () => {
    const { members: _, ...withoutMembers } = acme
    expect(issuesOf([withoutMembers], { enabled: true })).toEqual([['seed-organization-teams', 'seed.organizations.0.teams']])
    expect(issuesOf([acme], { enabled: false })).toEqual([['seed-organizations-disabled', 'seed.organizations']])
  })
  test('but an unknown role is accepted when roles are not checked', () => {
    const declared = [{ ...acme, members: [{ email: 'x@example.com', role: 'boss' }] }]
    expect(issuesOf(declared, { checkRoles: false, teams: { enabled: true } })).toEqual([])
  })
})
