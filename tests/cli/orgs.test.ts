import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { type Environment, latchkey, latchkeyJSON } from './kit.ts'
import { type Project, places, serve } from './projects.ts'

const options: ConfigFile = {
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  mail: { enabled: true, from: 'accounts@acme.test', smtp: 'smtp://127.0.0.1:1' },
  organization: { teams: { enabled: true }, membershipLimit: 3 },
}

/** Runs commands of one project, with --json, and expects them to succeed unless `fails` is used. */
async function open(create: (given?: ConfigFile) => Promise<Project>, given: ConfigFile = options) {
  const project = await create(given)
  const { cwd, env } = project
  const run = (...args: string[]) => latchkeyJSON(cwd, args, env)
  const succeeds = async (...args: string[]) => {
    const ended = await run(...args)
    expect(ended.exitCode, ended.stderr + ended.stdout).toBe(0)
    return ended.document
  }
  const fails = async (...args: string[]) => {
    const { exitCode, document } = await run(...args)
    return [exitCode, document.code]
  }
  const createUsers = async (...names: string[]) => {
    for (const name of names) await succeeds('users', 'create', '--email', `${name}@example.com`, '--name', name)
  }
  return { project, run, succeeds, fails, createUsers, human: (...args: string[]) => latchkey(cwd, args, env) }
}

const lines = (stdout: string): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe.each(Object.entries(places))('on %s', { timeout: 90_000 }, (_, create) => {
  test('creates an organization with its owner and default team, and shows it by ID and by slug', async () => {
    const { succeeds, createUsers, human } = await open(create)
    await createUsers('ann')
    const metadata = { plan: 'pro', seats: 5 }
    const args = ['orgs', 'create', 'Ácme & Sons', '--owner', 'ann@example.com', '--metadata', JSON.stringify(metadata)]
    const made = await succeeds(...args)
    const organization = { name: 'Ácme & Sons', slug: 'acme-sons', metadata, memberCount: 1, logo: null }
    expect(made).toMatchObject({ schema: 'orgs-create/v1', organization, owner: { email: 'ann@example.com' } })
    const { id } = made.organization as { id: string }
    for (const wanted of [id, 'acme-sons']) {
      expect(await succeeds('orgs', 'show', wanted)).toMatchObject({
        schema: 'orgs-show/v1',
        organization: { id, ...organization },
        members: [{ email: 'ann@example.com', role: 'owner' }],
        teams: [{ name: 'Ácme & Sons', memberCount: 1 }],
        invitations: [],
        total: { members: 1, teams: 1, invitations: 0 },
      })
    }
    const { stdout } = await human('orgs', 'show', 'acme-sons')
    expect(stdout).toMatch(/^metadata +\{"plan":"pro","seats":5\}$/m)
    expect(stdout).toMatch(/^\w{32} {2}ann@example\.com {2}ann {2}owner {2}Ácme & Sons$/m)
  })

  test('adds, shows and removes members, with role and team, but never the last owner', async () => {
    const { succeeds, fails, createUsers, project } = await open(create)
    await createUsers('ann', 'bob', 'eve', 'joe')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    const added = await succeeds('orgs', 'add-member', 'acme', 'BOB@example.com', '--role', 'admin', '--team', 'Acme')
    expect(added).toMatchObject({ schema: 'orgs-add-member/v1', member: { email: 'bob@example.com', role: 'admin' } })
    expect((await succeeds('orgs', 'show', 'acme')).members).toMatchObject([
      { email: 'ann@example.com', role: 'owner' },
      { email: 'bob@example.com', role: 'admin', teamId: (added.member as { teamId: string }).teamId },
    ])
    const again = await fails('orgs', 'add-member', 'acme', 'bob@example.com')
    expect(again).toEqual([1, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION'])
    await succeeds('orgs', 'add-member', 'acme', 'eve@example.com')
    expect(await fails('orgs', 'add-member', 'acme', 'joe@example.com')).toEqual([1, 'ORGANIZATION_MEMBERSHIP_LIMIT_REACHED'])
    const last = await fails('orgs', 'remove-member', 'acme', 'ann@example.com')
    expect(last).toEqual([1, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER'])
    expect(await succeeds('orgs', 'remove-member', 'acme', 'bob@example.com')).toMatchObject({
      schema: 'orgs-remove-member/v1',
      member: { email: 'bob@example.com', role: 'admin' },
    })
    expect(await fails('orgs', 'remove-member', 'acme', 'bob@example.com')).toEqual([1, 'MEMBER_NOT_FOUND'])
    expect((await succeeds('orgs', 'show', 'acme')).total).toMatchObject({ members: 2 })
    const { app } = await serve(project, options)
    const activity = await app.db.selectFrom('auditEvent').select(['action', 'actorKind', 'actorId']).execute()
    expect(activity.filter(({ action }) => action === 'member.removed')).toEqual([
      { action: 'member.removed', actorKind: 'operator', actorId: null },
    ])
  })

  test('invites in the name of an owner or of another member, prints the link, and sends the email', async () => {
    const { succeeds, fails, createUsers, project } = await open(create)
    await createUsers('ann', 'bob')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    await succeeds('orgs', 'add-member', 'acme', 'bob@example.com')
    const sent = await succeeds('orgs', 'invite', 'acme', 'New@Example.com', '--role', 'admin')
    const { id } = sent.invitation as { id: string }
    expect(sent).toMatchObject({
      schema: 'orgs-invite/v1',
      invitation: { email: 'new@example.com', role: 'admin' },
      link: `http://localhost:4000/accept-invitation?id=${id}`,
    })
    expect((await succeeds('orgs', 'show', 'acme')).invitations).toMatchObject([{ id, email: 'new@example.com', role: 'admin' }])
    const { app } = await serve(project, options)
    const mails = await app.db.selectFrom('outbox').select(['kind', 'recipient']).execute()
    expect(mails).toEqual([{ kind: 'organization-invitation', recipient: 'new@example.com' }])
    expect(await fails('orgs', 'invite', 'acme', 'new@example.com')).toEqual([1, 'USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION'])
    const again = await succeeds('orgs', 'invite', 'acme', 'new@example.com', '--resend', '--inviter', 'bob@example.com')
    expect(again.invitation).toMatchObject({ id, role: 'member' })
    expect(await fails('orgs', 'invite', 'acme', 'bob@example.com')).toEqual([1, 'USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION'])
    expect(await fails('orgs', 'invite', 'acme', 'x@example.com', '--inviter', 'none@example.com')).toEqual([1, 'USER_NOT_FOUND'])
  })

  test('lists, creates, changes and deletes roles of an organization, but none that a member has', async () => {
    const given = { ...options, organization: { dynamicAccessControl: { enabled: true }, ac: { project: ['read', 'write'] } } }
    const { succeeds, fails, createUsers, project } = await open(create, given)
    await createUsers('ann', 'bob')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    const permission = { member: ['update'], project: ['read', 'write'] }
    const made = await succeeds('orgs', 'create-role', 'acme', ' Auditor ', '--permissions', JSON.stringify(permission))
    expect(made).toMatchObject({ schema: 'orgs-create-role/v1', role: { role: 'auditor', permission } })
    for (const taken of ['auditor', 'owner'])
      expect(await fails('orgs', 'create-role', 'acme', taken)).toEqual([1, 'ROLE_NAME_IS_ALREADY_TAKEN'])
    const undeclared = ['orgs', 'update-role', 'acme', 'auditor', '--permissions']
    for (const wrong of ['{"project":["burn"]}', '{"ship":["read"]}', '{"member":"update"}', '[]'])
      expect(await fails(...undeclared, wrong)).toEqual([2, 'USAGE'])
    expect(await fails('orgs', 'update-role', 'acme', 'auditor')).toEqual([2, 'USAGE'])
    await succeeds('orgs', 'update-role', 'acme', 'auditor', '--name', 'reviewer')
    await succeeds('orgs', 'update-role', 'acme', 'reviewer', '--permissions', '{"project":["read"]}')
    const listed = await succeeds('orgs', 'roles', 'acme')
    expect(listed.own).toMatchObject([{ role: 'reviewer', permission: { project: ['read'] } }])
    expect((listed.predefined as { role: string }[]).map(({ role }) => role)).toEqual(['owner', 'admin', 'member'])
    await succeeds('orgs', 'add-member', 'acme', 'bob@example.com', '--role', 'reviewer')
    expect(await fails('orgs', 'delete-role', 'acme', 'reviewer')).toEqual([1, 'ROLE_IS_ASSIGNED_TO_MEMBERS'])
    await succeeds('orgs', 'remove-member', 'acme', 'bob@example.com')
    await succeeds('orgs', 'delete-role', 'acme', 'reviewer')
    expect(await fails('orgs', 'delete-role', 'acme', 'reviewer')).toEqual([1, 'ROLE_NOT_FOUND'])
    expect(await fails('orgs', 'delete-role', 'acme', 'owner')).toEqual([1, 'CANNOT_DELETE_A_PRE_DEFINED_ROLE'])
    const { app } = await serve(project, given)
    const events = app.db.selectFrom('auditEvent').select(['action', 'actorKind']).where('action', 'like', 'organization-role.%')
    expect((await events.orderBy('action').execute()).map(({ action, actorKind }) => `${actorKind} ${action}`)).toEqual([
      'operator organization-role.created',
      'operator organization-role.deleted',
      'operator organization-role.updated',
      'operator organization-role.updated',
    ])
  })

  test('deletes an organization and all of its rows after a confirmation by slug', async () => {
    const { succeeds, run, createUsers, project, human } = await open(create)
    await createUsers('ann')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    await succeeds('orgs', 'create', 'Other', '--owner', 'ann@example.com')
    await succeeds('orgs', 'invite', 'acme', 'new@example.com')
    const unconfirmed = await run('orgs', 'delete', 'acme', '--yes')
    const effect = 'This deletes Acme with 1 membership, 1 team and 1 pending invitation.'
    expect(unconfirmed).toMatchObject({ exitCode: 4, document: { code: 'ANSWER_NEEDED' } })
    expect(unconfirmed.document.message).toContain(effect)
    const wrong = await run('orgs', 'delete', 'acme', '--confirm', 'other')
    expect(wrong).toMatchObject({ exitCode: 5, document: { code: 'NOT_CONFIRMED' } })
    expect(await succeeds('orgs', 'delete', 'acme', '--confirm', 'acme')).toMatchObject({
      schema: 'orgs-delete/v1',
      slug: 'acme',
      deleted: { members: 1, teams: 1, invitations: 1 },
    })
    expect(await run('orgs', 'show', 'acme')).toMatchObject({ exitCode: 1, document: { code: 'ORGANIZATION_NOT_FOUND' } })
    const { app } = await serve(project, options)
    for (const table of ['member', 'team'] as const) expect(await app.db.selectFrom(table).select('id').execute()).toHaveLength(1)
    expect(await app.db.selectFrom('invitation').select('id').execute()).toEqual([])
    expect((await human('users', 'show', 'ann@example.com')).exitCode).toBe(0)
  })

  test('lists every organization once, filters by name and slug, and continues after an ID', async () => {
    const { createUsers, project, human } = await open(create)
    await createUsers('ann')
    const { app } = await serve(project, options)
    const createdAt = new Date('2026-01-01T00:00:00Z')
    const number = (at: number) => String(at).padStart(4, '0')
    const rows = Array.from({ length: 1203 }, (_, at) => ({
      id: `id-${number(at)}`,
      name: at === 700 ? 'Größe \u001b[31m' : `Name ${at}`,
      slug: at === 900 ? 'special' : `slug-${at}`,
      createdAt,
    }))
    for (let at = 0; at < rows.length; at += 100)
      await app.db
        .insertInto('organization')
        .values(rows.slice(at, at + 100))
        .execute()
    const list = async (...args: string[]) => {
      const { exitCode, stdout, stderr } = await human('orgs', 'list', '--json', ...args)
      expect(exitCode, stderr).toBe(0)
      return lines(stdout)
    }
    const all = await list()
    expect(all.map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(all[0]).toEqual({
      schema: 'orgs-list/v1',
      id: 'id-0000',
      name: 'Name 0',
      slug: 'slug-0',
      logo: null,
      createdAt: createdAt.toISOString(),
      metadata: null,
      memberCount: 0,
    })
    expect((await list('--search', 'GRÖSSE')).length + (await list('--search', 'GRÖ')).length).toBe(1)
    expect((await list('--search', 'Special')).map(({ id }) => id)).toEqual(['id-0900'])
    expect((await list('--after', 'id-1200', '--limit', '1')).map(({ id }) => id)).toEqual(['id-1201'])
    const shown = await human('orgs', 'list', '--search', 'größe')
    expect(shown.stdout).toBe('id-0700  slug-700  Größe \\u001b[31m  0 members')
  })
})

describe('orgs is rejected', () => {
  test.each([
    [['orgs', 'add-member', 'acme', 'bob@example.com', '--role', 'boss,admin'], 2, 'USAGE', '--role: there is no role "boss"'],
    [['orgs', 'invite', 'acme', 'new@example.com', '--role', 'boss'], 2, 'USAGE', '--role: there is no role "boss"'],
    [['orgs', 'invite', 'acme', 'new'], 2, 'USAGE', '<email>: expected an email address that receives mail, not "new"'],
    [['orgs', 'create', 'Acme', '--owner', 'eve@example.com'], 1, 'USER_NOT_FOUND', 'There is no user eve@example.com'],
    [
      ['orgs', 'create', 'ACME', '--owner', 'ann@example.com'],
      1,
      'ORGANIZATION_ALREADY_EXISTS',
      'Organization already exists: acme',
    ],
    [
      ['orgs', 'create', '東京', '--owner', 'ann@example.com'],
      2,
      'USAGE',
      '--slug: is missing, and cannot be derived from the name',
    ],
    [
      ['orgs', 'create', 'New', '--owner', 'ann@example.com', '--metadata', '[1]'],
      2,
      'USAGE',
      '--metadata: expected a JSON object',
    ],
    [
      ['orgs', 'create', 'New', '--owner', 'ann@example.com', '--metadata', '{'],
      2,
      'USAGE',
      '--metadata: expected a JSON object',
    ],
    [['orgs', 'create', 'New'], 2, 'USAGE', '--owner: is missing'],
    [['orgs', 'show', 'none'], 1, 'ORGANIZATION_NOT_FOUND', 'There is no organization none'],
    [['orgs', 'add-member', 'acme', 'bob@example.com', '--team', 'Ops'], 1, 'TEAM_NOT_FOUND', 'The organization has no team Ops'],
  ])('%j', async (args, exitCode, code, message) => {
    const { succeeds, run, createUsers } = await open(places.SQLite)
    await createUsers('ann', 'bob')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    expect(await run(...args)).toMatchObject({
      exitCode,
      document: { schema: 'error/v1', code, message, hint: expect.any(String) },
    })
  })
  test('with the known roles in the hint', async () => {
    const { succeeds, run, createUsers } = await open(places.SQLite, {
      ...options,
      seed: { roles: { auditor: { organization: ['update'] } } },
    })
    await createUsers('ann', 'bob')
    await succeeds('seed')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    const { document } = await run('orgs', 'add-member', 'acme', 'bob@example.com', '--role', 'boss')
    expect(document.hint).toContain('Known roles: owner, admin, member, auditor.')
    await succeeds('orgs', 'add-member', 'acme', 'bob@example.com', '--role', 'auditor,member')
  })
  test('when the limit of organizations of a user is reached', async () => {
    const limited = { ...options, organization: { organizationLimit: 1, allowUserToCreateOrganization: false } }
    const { succeeds, fails, createUsers } = await open(places.SQLite, limited)
    await createUsers('ann')
    await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    const second = await fails('orgs', 'create', 'Other', '--owner', 'ann@example.com')
    expect(second).toEqual([1, 'YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS'])
  })
  test('when several teams have the given name, but not by ID', async () => {
    const { succeeds, run, createUsers, project } = await open(places.SQLite)
    await createUsers('ann', 'bob')
    const { organization } = await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
    const { id: organizationId } = organization as { id: string }
    const { app } = await serve(project, options)
    const twin = { id: 'twin', name: 'Acme', organizationId, createdAt: new Date() }
    await app.db.insertInto('team').values(twin).execute()
    const ambiguous = await run('orgs', 'add-member', 'acme', 'bob@example.com', '--team', 'Acme')
    expect(ambiguous).toMatchObject({ exitCode: 1, document: { code: 'TEAM_AMBIGUOUS', details: [{}, { path: 'twin' }] } })
    const added = await succeeds('orgs', 'add-member', 'acme', 'bob@example.com', '--team', 'twin')
    expect(added.member).toMatchObject({ teamId: 'twin' })
  })
})

test('commands for roles of an organization name the option when it is off', async () => {
  const { run, succeeds, createUsers } = await open(places.SQLite)
  await createUsers('ann')
  await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
  const { exitCode, document } = await run('orgs', 'roles', 'acme')
  expect([exitCode, document.code]).toEqual([1, 'OWN_ROLES_DISABLED'])
  expect(document.hint).toContain('dynamicAccessControl: { enabled: true }')
})

test('a slug that a user chose is not a command in what is shown', async () => {
  const { project, createUsers, human, succeeds } = await open(places.SQLite)
  await createUsers('ann')
  const slug = `$(id) 'x'`
  const { organization } = await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
  // As it may be stored since before slugs had one form.
  const { app } = await serve(project, options)
  await app.db.updateTable('organization').set({ slug }).execute()
  expect((await human('orgs', 'show', slug)).stdout).toContain((organization as { id: string }).id)
  const deleted = await human('orgs', 'delete', slug)
  expect([deleted.exitCode, deleted.stderr]).toEqual([4, expect.stringContaining(`Add --confirm '$(id) '\\''x'\\'''`)])
})

test('finds an organization by its ID when another one has this ID as its slug', async () => {
  const { succeeds, createUsers } = await open(places.SQLite)
  await createUsers('ann', 'eve')
  const { organization } = await succeeds('orgs', 'create', 'Acme', '--owner', 'ann@example.com')
  const { id } = organization as { id: string }
  await succeeds('orgs', 'create', 'Decoy', '--slug', id, '--owner', 'eve@example.com')
  expect((await succeeds('orgs', 'show', id)).organization).toMatchObject({ name: 'Acme' })
})

const commands = [
  'orgs list',
  'orgs show acme',
  'orgs create Acme --owner ann@example.com',
  'orgs delete acme --confirm acme',
  'orgs add-member acme ann@example.com',
  'orgs remove-member acme ann@example.com',
  'orgs invite acme ann@example.com',
  'orgs roles acme',
  'orgs create-role acme auditor',
  'orgs update-role acme auditor --name reviewer',
  'orgs delete-role acme auditor',
]

test.each(commands)('%s names the option when organizations are disabled', async (line) => {
  const { cwd, env } = await places.SQLite({ emailAndPassword: { enabled: true } })
  const { exitCode, document } = await latchkeyJSON(cwd, line.split(' '), env)
  expect([exitCode, document.code]).toEqual([1, 'ORGANIZATIONS_DISABLED'])
  expect(document.hint).toContain('organization: true')
})

test.each(commands)('%s needs a configuration and a database', async (line) => {
  const unreachable: Environment = { DATABASE_URL: 'mysql://root@127.0.0.1:1/nowhere' }
  const { cwd, env } = await places.SQLite(options)
  const { exitCode, document } = await latchkeyJSON(cwd, line.split(' '), { ...env, ...unreachable })
  expect([exitCode, document.code]).toEqual([6, 'UNREACHABLE'])
})
