import fc from 'fast-check'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { UserRow } from '../../core/request.ts'
import { defaultRow } from '../../core/table.ts'
import type { ConfigFile } from '../index.ts'
import { insertUsers } from '../users/index.ts'
import { listUsers } from './user-list.ts'
import { type Bounds, bounds } from './user-pages.ts'
import { userQuery } from './user-query.ts'

const password = 'correct horse battery'
const additionalFields = {
  level: { type: 'number', required: false },
  nick: { type: 'string', required: false, sortable: true, fieldName: 'nick_name' },
  secret: { type: 'string', required: false, returned: false },
  tags: { type: 'string[]', required: false },
} as const

type Query = Readonly<Record<string, unknown>>

/** An administrator, who is signed in, and `list`, which calls as they do. */
async function withAdmin(config: ConfigFile = {}) {
  const kit = await testApp({ admin: true, user: { additionalFields }, ...config })
  const admin = kit.browser()
  const { body } = await admin.call('POST /sign-up/email', { body: { name: 'Root', email: 'root@example.com', password } })
  const adminId: string = body.user.id
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', adminId).execute()
  const list = async (query: Query) => {
    const parameters = Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    )
    const { status, body } = await admin.request(`/admin/list-users?${new URLSearchParams(parameters)}`)
    return { status, body, names: status === 200 ? body.users.map((user: { readonly name: string }) => user.name) : body.code }
  }
  return { ...kit, admin, adminId, list }
}

type Given = Partial<UserRow> & Readonly<Record<string, unknown>>

/** Inserts users, one second after the other. */
async function addUsers({ app, clock }: TestApp, given: readonly Given[]): Promise<UserRow[]> {
  const rows = given.map((one, position): UserRow => {
    const id = app.random.id()
    const createdAt = new Date(clock.now().getTime() + 1000 * (position + 1))
    // No search for the start of a name finds it by chance.
    const row = { ...defaultRow(app, 'user'), id, name: `User ${position}`, email: `0${id.toLowerCase()}@example.com`, createdAt }
    return { ...row, updatedAt: createdAt, emailVerified: false, role: 'user', ...one } as UserRow
  })
  if (rows.length > 0) await insertUsers(app, rows)
  return rows
}

const sampleUsers: readonly Given[] = [
  { name: 'Ann Smith', email: 'ann@example.com', emailVerified: true, level: 3, nick_name: 'A' },
  { name: 'ÄNNE 50%', email: 'aenne@example.org', banned: true, role: 'support,admin', level: -1 },
  { name: 'bob_smith', email: 'bob@example.com', emailVerified: true, banned: false, role: null, nick_name: 'b%' },
  { name: 'Bob!', email: 'bob2@example.com', lastSignInAt: new Date('2026-01-01T00:00:00.000Z'), role: 'support' },
]

async function withSampleUsers(config: ConfigFile = {}) {
  const kit = await withAdmin(config)
  return { ...kit, users: await addUsers(kit, sampleUsers) }
}

describe('GET /admin/list-users', () => {
  test('finds users by the start of a username or phone number, with and without punctuation', async () => {
    const kit = await withAdmin({ username: true, phoneNumber: true, sms: { send: () => {} } })
    await addUsers(kit, [
      { name: 'Ann', username: 'red.fox', displayUsername: 'Red.Fox', phoneNumber: '+15550100' },
      { name: 'Bob', username: 'blue', phoneNumber: '+15550200' },
    ])
    const found = async (search: string) => (await kit.list({ search })).names
    for (const search of ['Red', 'red.fox', '+1 555-01', '1555010', '001 555 0100'])
      expect(await found(search), search).toEqual(['Ann'])
    expect(await found('+1555')).toEqual(['Ann', 'Bob'])
    expect(await found('fox')).toEqual([])
    expect(await found('()')).toEqual([])
  })

  test('lists users with every visible column, oldest first', async () => {
    const { list } = await withSampleUsers()
    const { body, names } = await list({})
    expect(names).toEqual(['Root', 'Ann Smith', 'ÄNNE 50%', 'bob_smith', 'Bob!'])
    expect(body).toMatchObject({ total: 5, totalIsEstimate: false, nextCursor: null })
    for (const absent of ['limit', 'offset']) expect(body).not.toHaveProperty(absent)
    expect(body.users[1]).toMatchObject({ role: 'user', banned: null, banReason: null, banExpires: null, lastSignInAt: null })
    expect(body.users[1]).toMatchObject({ level: 3, nick: 'A', tags: null })
    for (const absent of ['accessRevision', 'sortName', 'secret', 'nick_name', 'organizations'])
      expect(body.users[1]).not.toHaveProperty(absent)
  })

  test.each<[string, readonly string[]]>([
    ['wolfsgruber', ['Ida Wolfsgruber']],
    ['WOLFS', ['Ida Wolfsgruber', 'Wolfsöhner, Zoë']],
    ['wolfs ida', ['Ida Wolfsgruber']],
    ['ida wolfs', ['Ida Wolfsgruber']],
    ['ida wolfsgruberin', []],
    ['zoe', ['Wolfsöhner, Zoë']],
    ['wolfsohner zoe', ['Wolfsöhner, Zoë']],
    ['Zoë', ['Wolfsöhner, Zoë']],
    ['gruber', []],
    ['ida.wolfs', []],
    ["o'neil", ["Max O'Neill"]],
    ['neill', ["Max O'Neill"]],
    ['strasse', ['Ann Straße']],
    ['max neill straße', []],
    ['%', []],
  ])('finds users by the starts of words of their names: %j', async (search, expected) => {
    const kit = await withAdmin()
    await addUsers(
      kit,
      ['Ida Wolfsgruber', 'Wolfsöhner, Zoë', "Max O'Neill", 'Ann Straße'].map((name) => ({ name })),
    )
    expect((await kit.list({ search })).names).toEqual(expected)
    expect((await kit.list({ search, status: 'unverified' })).names).toEqual(expected)
    const query = userQuery.parse({ search, limit: 1 })
    const { users, total } = await listUsers(kit.app, query, { found: 0, matches: 0, walked: [], walkedForMany: 1 })
    expect([users.map(({ name }) => name), total]).toEqual([expected.slice(0, 1), expected.length])
  })

  test('requires a session and the permission', async () => {
    const { browser } = await withAdmin()
    expect(await browser().call('GET /admin/list-users', {})).toMatchObject({ status: 401 })
    const ann = browser()
    await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    const message = 'You are not allowed to list users'
    expect(await ann.call('GET /admin/list-users', {})).toMatchObject({ status: 403, body: { message } })
  })

  test.each([true, false])('finds users with and without a second factor; twoFactor: %s', async (twoFactor) => {
    const kit = await withAdmin({ twoFactor })
    await addUsers(kit, [{ name: 'With', ...(twoFactor && { twoFactorEnabled: true }) }, { name: 'Never' }])
    const found = [(await kit.list({ secondFactor: 'with' })).names, (await kit.list({ secondFactor: 'without' })).names]
    expect(found).toEqual(twoFactor ? [['With'], ['Root', 'Never']] : [[], ['Root', 'With', 'Never']])
  })

  test.each<[string, Query, readonly string[]]>([
    ['part of an email address by default', { searchValue: 'EXAMPLE.org' }, ['ÄNNE 50%']],
    ['an empty text as none', { searchValue: '', searchField: 'name' }, ['Root', 'Ann Smith', 'ÄNNE 50%', 'bob_smith', 'Bob!']],
    ['part of a name in any case', { searchValue: 'SMITH', searchField: 'name' }, ['Ann Smith', 'bob_smith']],
    ['letters beyond ASCII in any case', { searchValue: 'änn', searchField: 'name' }, ['ÄNNE 50%']],
    ['start of an email address', { searchValue: 'Bob', searchOperator: 'starts_with' }, ['bob_smith', 'Bob!']],
    ['start of a name', { searchValue: 'ANN', searchField: 'name', searchOperator: 'starts_with' }, ['Ann Smith']],
    ['end of an email address', { searchValue: '.ORG', searchOperator: 'ends_with' }, ['ÄNNE 50%']],
    ['end of a name', { searchValue: 'SMITH', searchField: 'name', searchOperator: 'ends_with' }, ['Ann Smith', 'bob_smith']],
    ['a percent sign as itself', { searchValue: '%', searchField: 'name' }, ['ÄNNE 50%']],
    ['an underscore as itself', { searchValue: '_', searchField: 'name' }, ['bob_smith']],
    ['the escape character as itself', { searchValue: '!', searchField: 'name' }, ['Bob!']],
    ['SQL as text', { searchValue: `' or 1=1 -- `, searchField: 'name' }, []],
    ['search and filter together', { searchValue: 'bob', filterField: 'emailVerified', filterValue: 'true' }, ['bob_smith']],
  ])('finds %s', async (_, query, expected) => {
    const { list } = await withSampleUsers()
    expect((await list(query)).names).toEqual(expected)
    expect((await list(query)).body.total).toBe(expected.length)
  })

  test.each<[Query, readonly string[] | string]>([
    [{ filterValue: 'ANN@example.com' }, ['Ann Smith']],
    [{ filterField: '', filterValue: 'bob2@example.com' }, ['Bob!']],
    [{ filterField: 'name', filterValue: 'Bob!' }, ['Bob!']],
    [{ filterField: 'name', filterValue: 'bob!' }, []],
    [{ filterField: 'emailVerified', filterValue: 'true' }, ['Ann Smith', 'bob_smith']],
    [{ filterField: 'emailVerified', filterValue: '0' }, ['Root', 'ÄNNE 50%', 'Bob!']],
    [{ filterField: 'emailVerified', filterValue: 'yes' }, 'VALIDATION_ERROR'],
    [{ filterField: 'emailVerified', filterValue: '' }, ['Root', 'Ann Smith', 'ÄNNE 50%', 'bob_smith', 'Bob!']],
    [{ filterField: 'banned', filterOperator: 'ne', filterValue: 'true' }, ['bob_smith']],
    [{ filterField: 'level', filterOperator: 'gt', filterValue: '-2' }, ['Ann Smith', 'ÄNNE 50%']],
    [{ filterField: 'level', filterOperator: 'lte', filterValue: '2.5' }, ['ÄNNE 50%']],
    [{ filterField: 'level', filterValue: 'many' }, 'VALIDATION_ERROR'],
    [{ filterField: 'level', filterOperator: 'contains', filterValue: '3' }, 'VALIDATION_ERROR'],
    [{ filterField: 'lastSignInAt', filterOperator: 'gte', filterValue: '2026-01-01' }, ['Bob!']],
    [{ filterField: 'lastSignInAt', filterOperator: 'lt', filterValue: '2026-01-01T01:00:00.001+01:00' }, ['Bob!']],
    [{ filterField: 'createdAt', filterValue: 'today' }, 'VALIDATION_ERROR'],
    [{ filterField: 'createdAt', filterValue: '-200000-01-01T00:00:00.000Z' }, 'VALIDATION_ERROR'],
    [{ filterField: 'role', filterOperator: 'in', filterValue: ['support', 'admin'] }, ['Root', 'Bob!']],
    [{ filterField: 'role', filterOperator: 'in', filterValue: '["support","admin"]' }, ['Root', 'Bob!']],
    [{ filterField: 'role', filterOperator: 'in', filterValue: '[]' }, []],
    [{ filterField: 'role', filterOperator: 'not_in', filterValue: '["user", "admin"]' }, ['ÄNNE 50%', 'Bob!']],
    [{ filterField: 'role', filterOperator: 'in', filterValue: '[{}]' }, 'VALIDATION_ERROR'],
    [{ filterField: 'role', filterValue: ['support', 'admin'] }, 'VALIDATION_ERROR'],
    [{ filterField: 'role', filterOperator: 'contains', filterValue: 'UPP' }, ['ÄNNE 50%', 'Bob!']],
    [{ filterField: 'role', filterOperator: 'starts_with', filterValue: 'support' }, ['ÄNNE 50%', 'Bob!']],
    [{ filterField: 'role', filterOperator: 'ends_with', filterValue: 'admin' }, ['Root', 'ÄNNE 50%']],
    [{ filterField: 'role', filterOperator: 'like', filterValue: 'admin' }, 'VALIDATION_ERROR'],
    [{ filterField: 'nick', filterOperator: 'contains', filterValue: '%' }, ['bob_smith']],
    ...['nick_name', 'secret', 'tags', 'accessRevision', 'sortName', 'password', 'constructor', 'id or 1=1', 'user.id'].map(
      (filterField): [Query, string] => [{ filterField, filterValue: '1' }, 'VALIDATION_ERROR'],
    ),
  ])('filters by a column: %j', async (query, expected) => {
    const { list } = await withSampleUsers()
    expect((await list(query)).names).toEqual(expected)
  })

  test.each<[string, Query, readonly string[] | string]>([
    ['id', { search: 'an id' }, []],
    ['email address', { search: 'BOB@example.com' }, ['bob_smith']],
    ['start of a name or email address', { search: 'aE' }, ['ÄNNE 50%']],
    ['start of either', { search: 'bob' }, ['bob_smith', 'Bob!']],
    ['status banned', { status: 'banned' }, ['ÄNNE 50%']],
    ['status active', { status: 'active' }, ['Root', 'Ann Smith', 'bob_smith', 'Bob!']],
    ['status unverified', { status: 'unverified' }, ['Root', 'ÄNNE 50%', 'Bob!']],
    ['unknown status', { status: 'gone' }, 'VALIDATION_ERROR'],
    ['one of several roles', { role: 'admin' }, ['Root', 'ÄNNE 50%']],
    ['the default role, which users without one have', { role: 'user' }, ['Ann Smith', 'bob_smith']],
    ['any of several roles', { role: 'user,support' }, ['Ann Smith', 'ÄNNE 50%', 'bob_smith', 'Bob!']],
    ['part of a role as none', { role: 'supp' }, []],
    ['provider', { provider: 'credential' }, ['Root']],
    ['unknown organization', { organizationId: 'unknown' }, []],
    ['last sign-in', { lastSignInAfter: '2025-12-31', lastSignInBefore: '2026-01-02' }, ['Bob!']],
    ['last sign-in before its time', { lastSignInBefore: '2026-01-01' }, []],
    ['creation', { createdBefore: '2026-01-31T12:00:01Z' }, ['Root']],
    ['malformed time', { createdAfter: 'yesterday' }, 'VALIDATION_ERROR'],
  ])('finds users by %s', async (_, query, expected) => {
    const { list, users } = await withSampleUsers()
    expect((await list(query)).names).toEqual(expected)
    expect((await list({ search: users[3]?.id })).names).toEqual(['Bob!'])
  })

  test('finds users of an expired ban as active', async () => {
    const { list, clock, ...kit } = await withAdmin()
    await addUsers({ clock, ...kit }, [{ name: 'Ann', banned: true, banExpires: new Date(clock.now().getTime() + 60_000) }])
    expect((await list({ status: 'banned' })).names).toEqual(['Ann'])
    clock.advance(60)
    expect((await list({ status: 'banned' })).names).toEqual([])
    expect((await list({ status: 'active' })).names).toEqual(['Root', 'Ann'])
  })

  test('finds members of an organization, and counts the organizations of users', async () => {
    const { list, admin } = await withSampleUsers({ organization: true })
    const { body: acme } = await admin.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    expect((await list({ organizationId: acme.id })).names).toEqual(['Root'])
    const { body } = await list({ include: 'organizations' })
    expect(body.users.map((user: { readonly organizations: number }) => user.organizations)).toEqual([1, 0, 0, 0, 0])
  })

  test.each<[Query, { readonly limit?: number; readonly offset?: number; readonly count: number } | string]>([
    [{}, { count: 5 }],
    [{ limit: 2 }, { limit: 2, count: 2 }],
    [
      { limit: '2', offset: '4' },
      { limit: 2, offset: 4, count: 1 },
    ],
    [{ offset: 1 }, { offset: 1, count: 4 }],
    [{ limit: 0, offset: 0 }, { count: 5 }],
    [{ limit: 'many', offset: 'x' }, { count: 5 }],
    [
      { limit: 3, offset: 1e9 },
      { limit: 3, offset: 1e9, count: 0 },
    ],
    [{ limit: '' }, { count: 5 }],
    [{ limit: -1 }, 'VALIDATION_ERROR'],
    [{ limit: 1.5 }, 'VALIDATION_ERROR'],
    [{ limit: 1e9 }, { limit: 1e9, count: 5 }],
    [{ offset: -1 }, 'VALIDATION_ERROR'],
    [{ offset: 1e300 }, 'VALIDATION_ERROR'],
    [{ limit: ['1', '2'] }, 'VALIDATION_ERROR'],
  ])('reads limit and offset: %j', async (query, expected) => {
    const { list } = await withSampleUsers()
    const { body } = await list(query)
    if (typeof expected === 'string') return expect(body.code).toBe(expected)
    expect([body.users.length, body.limit, body.offset, body.total]).toEqual([expected.count, expected.limit, expected.offset, 5])
  })

  test.each([
    ['of another list', { sortBy: 'email' }],
    ['forged', { cursor: 'e30' }],
    ['with no time', { cursor: Buffer.from(JSON.stringify(['createdAt', true, 'y'])).toString('base64url') }],
    ['with a forged value', { cursor: Buffer.from(JSON.stringify(['createdAt', 'x', 'y'])).toString('base64url') }],
    ['with an object', { cursor: Buffer.from(JSON.stringify(['email', { a: 1 }, 'y'])).toString('base64url'), sortBy: 'email' }],
  ])('rejects a cursor %s', async (_, query) => {
    const { list } = await withSampleUsers()
    const { body } = await list({ limit: 1 })
    expect((await list({ cursor: body.nextCursor, ...query })).body.code).toBe('VALIDATION_ERROR')
  })

  test('continues after a cursor in which an earlier version wrote times as text', async () => {
    const { list } = await withSampleUsers()
    const first = await list({ limit: 2 })
    const written: [string, number, string] = JSON.parse(Buffer.from(first.body.nextCursor, 'base64url').toString())
    const former = JSON.stringify(written.with(1, new Date(written[1]).toISOString()))
    const cursor = Buffer.from(former).toString('base64url')
    expect((await list({ limit: 2, cursor })).names).toEqual((await list({ limit: 2, cursor: first.body.nextCursor })).names)
  })

  test('finds and sorts users whose name no job has read yet', async () => {
    const { list, app } = await withSampleUsers()
    await app.db.updateTable('user').set({ sortName: null }).execute()
    expect((await list({ search: 'änne' })).names).toEqual(['ÄNNE 50%'])
    expect((await list({ filterField: 'name', filterValue: 'Bob!' })).names).toEqual(['Bob!'])
    expect((await list({ sortBy: 'name' })).body.users).toHaveLength(5)
    for (const { jobs = {} } of app.features) await jobs.userSortNames?.run(app, new AbortController().signal)
    expect((await list({ sortBy: 'name' })).names).toEqual(['Ann Smith', 'Bob!', 'bob_smith', 'Root', 'ÄNNE 50%'])
  })

  test('fails when a search takes too long, and returns the page when only counting does', async () => {
    const { list, app, ...kit } = await withSampleUsers()
    if (inject('servers') !== null) return
    await addUsers(
      { app, ...kit },
      sampleUsers.map(({ name = '' }) => ({ name })),
    )
    const { limitTime } = app.database
    const limit = vi.spyOn(app.database, 'limitTime').mockImplementation(() => limitTime(-1))
    onTestFinished(() => limit.mockRestore())
    expect(await list({ searchValue: 'x' })).toMatchObject({ status: 503, body: { code: 'SEARCH_TOO_SLOW' } })
    let queries = 0
    limit.mockImplementation((milliseconds) => {
      queries += 1
      return {
        ...limitTime(milliseconds),
        apply: (query) =>
          queries === 4
            ? { ...query, parameters: query.parameters.map((value, position) => (position === 0 ? -1 : value)) }
            : query,
      }
    })
    const query = userQuery.parse({ filterField: 'emailVerified', filterValue: false, limit: 2 })
    const { users, total, totalIsEstimate } = await listUsers(app, query, {
      found: 1,
      matches: 1,
      walked: [100],
      walkedForMany: 1,
    })
    expect([users.length, totalIsEstimate]).toEqual([2, true])
    expect(total).toBeGreaterThanOrEqual(3)
  })
})

type Value = string | number | null

/** As both databases sort: null first, texts by their bytes. */
function compare(one: Value, other: Value): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? -1 : 1
  return one < other ? -1 : 1
}

const sortable: Readonly<Record<string, (user: UserRow) => Value>> = {
  id: ({ id }: UserRow) => id,
  name: ({ name }: UserRow) => name.toLowerCase(),
  email: ({ email }: UserRow) => email,
  emailVerified: ({ emailVerified }: UserRow) => Number(emailVerified),
  createdAt: ({ createdAt }: UserRow) => createdAt.getTime(),
  role: ({ role }: UserRow) => role,
  banned: ({ banned }: UserRow) => (banned === null ? null : Number(banned)),
  lastSignInAt: ({ lastSignInAt }: UserRow) => lastSignInAt?.getTime() ?? null,
  image: ({ image }: UserRow) => image,
}

const someUser = fc.record({
  name: fc.constantFrom('Ann', 'ann', 'Bob', 'bo%', '', 'Änne'),
  emailVerified: fc.boolean(),
  banned: fc.constantFrom(null, true, false),
  role: fc.constantFrom(null, 'user', 'admin', 'support,admin'),
  image: fc.constantFrom(null, 'https://example.com/1', 'https://example.com/2'),
  lastSignInAt: fc.option(fc.integer({ min: 0, max: 3 }).map((day) => new Date(Date.UTC(2026, 0, 1 + day)))),
})
interface SomeQuery {
  readonly sortBy: string
  readonly sortDirection: 'asc' | 'desc'
  readonly limit: number
  readonly filter: keyof typeof filters
  readonly limits: Bounds
}
/** Of which equal values are in the order of creation. */
const byTime: readonly string[] = ['emailVerified', 'role', 'banned']
const someQuery: fc.Arbitrary<SomeQuery> = fc.record({
  sortBy: fc.constantFrom(...Object.keys(sortable)),
  sortDirection: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 6 }),
  filter: fc.constantFrom(
    'none' as const,
    'verified' as const,
    'named' as const,
    'searched' as const,
    'both' as const,
    'admins' as const,
  ),
  limits: fc.constantFrom<Bounds>(
    bounds,
    { found: 0, matches: 0, walked: [], walkedForMany: 1 },
    { found: 1, matches: 1, walked: [1, 2], walkedForMany: 1 },
    { found: 2, matches: 0, walked: [100], walkedForMany: 1 },
  ),
})

const filters = {
  none: { query: {}, matches: () => true },
  verified: {
    query: { filterField: 'emailVerified', filterValue: true },
    matches: ({ emailVerified }: UserRow) => emailVerified,
  },
  named: { query: { searchValue: 'N', searchField: 'name' }, matches: ({ name }: UserRow) => name.toLowerCase().includes('n') },
  searched: { query: { search: 'an' }, matches: ({ name }: UserRow) => /^[aä]n/i.test(name) },
  both: {
    query: { search: 'an', status: 'unverified' },
    matches: ({ name, emailVerified }: UserRow) => /^[aä]n/i.test(name) && !emailVerified,
  },
  admins: { query: { role: 'admin' }, matches: ({ role }: UserRow) => (role ?? '').split(',').includes('admin') },
} as const

test('has every user on exactly one page, in the order of any column, while users are created and deleted', async () => {
  const kit = await withAdmin()
  const run = async (given: readonly Given[], { sortBy, sortDirection, limit, filter, limits }: SomeQuery, more: Given) => {
    const { app, adminId } = kit
    await app.db.deleteFrom('user').where('id', '<>', adminId).execute()
    const users = await addUsers(kit, given)
    const admin = await app.db.selectFrom('user').selectAll().where('id', '=', adminId).executeTakeFirstOrThrow()
    const read = sortable[sortBy] ?? (() => null)
    const sign = sortDirection === 'asc' ? 1 : -1
    const compareTimes = (one: UserRow, other: UserRow) =>
      byTime.includes(sortBy) ? one.createdAt.getTime() - other.createdAt.getTime() : 0
    const { query, matches } = filters[filter]
    const expected = [...users, admin]
      .filter(matches)
      .sort((one, other) => sign * (compare(read(one), read(other)) || compareTimes(one, other) || compare(one.id, other.id)))
      .map(({ id }) => id)
    const changing = new Set<string>()
    const seen: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const parsed = userQuery.parse({ ...query, sortBy, sortDirection, limit, ...(cursor && { cursor }) })
      const { users: page, total, nextCursor } = await listUsers(app, parsed, limits)
      if (cursor === undefined) expect(total).toBe(expected.length)
      const ids = page.map(({ id }) => id)
      seen.push(...ids)
      cursor = nextCursor
      const [added] = await addUsers(kit, [more])
      changing.add(added?.id ?? '')
      const removed = ids.find((id) => id !== adminId)
      if (removed) {
        changing.add(removed)
        await app.db.deleteFrom('user').where('id', '=', removed).execute()
      }
    }
    expect(new Set(seen).size).toBe(seen.length)
    // Those who were there at the start, and not deleted before their page: all of them, since only seen users are deleted.
    expect(seen.filter((id) => expected.includes(id))).toEqual(expected)
  }
  await fc.assert(fc.asyncProperty(fc.array(someUser, { maxLength: 14 }), someQuery, someUser, run), { numRuns: 150 })
}, 120_000)
