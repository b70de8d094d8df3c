import fc from 'fast-check'
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { createAcme, outcome, signUp, withAcme } from '../../../tests/kit/members.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import { extend } from '../../core/app.ts'
import type { UserRow } from '../../core/request.ts'
import { insertUser, insertUsers, userCreation } from '../users/index.ts'
import { listMembers, memberQuery } from './member-list.ts'
import { createOrganization } from './organizations.ts'

interface MemberOnPage {
  readonly id: string
  readonly role: string
  readonly createdAt: string
  readonly user: { readonly name: string; readonly email: string }
}
interface MemberPage {
  readonly members: MemberOnPage[]
  readonly total: number
  readonly hasMore: boolean
  readonly next: string | null
}

const list = (browser: Browser, query: object = {}) => browser.call('GET /organization/list-members', { query } as never)
const page = async (browser: Browser, query: object = {}): Promise<MemberPage> => (await list(browser, query)).body
const names = async (browser: Browser, query: object) => (await page(browser, query)).members.map(({ user }) => user.name)

/** Members that no one signs in as; of each second three. */
async function insertMembers({ app }: TestApp, organizationId: string, count: number, label = 'u'): Promise<void> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  const users = numbers.map((number) => {
    const { draft } = userCreation(app, { name: `${label}${number}`, email: `${label}${number}@example.com` })
    return { ...draft, accessRevision: 0, role: null } as UserRow
  })
  const members = users.map(({ id: userId }, number) => ({
    id: app.random.id(),
    organizationId,
    userId,
    role: ['member', 'admin', 'member,admin', 'owner'][number % 4] ?? 'member',
    teamId: null,
    createdAt: new Date(app.now().getTime() + Math.floor(number / 3) * 1000),
  }))
  await insertUsers(app, users)
  await app.db.insertInto('member').values(members).execute()
  const more = app.db.updateTable('organization').set((eb) => ({ memberCount: eb('memberCount', '+', count) }))
  await more.where('id', '=', organizationId).execute()
}

/** All pages of a list, by the position or by the last id. */
async function walk(
  browser: Browser,
  query: object,
  by: 'next' | 'id',
  between: () => Promise<void> = async () => {},
): Promise<MemberOnPage[]> {
  const found: MemberOnPage[] = []
  for (let after: string | undefined, last = false; !last; ) {
    const { members, hasMore, next } = await page(browser, { ...query, ...(after !== undefined && { after }) })
    expect(hasMore).toBe(next !== null)
    found.push(...members)
    after = (by === 'next' ? next : members.at(-1)?.id) ?? undefined
    last = !hasMore
    if (!last) await between()
  }
  return found
}

describe('GET /organization/list-members', () => {
  test('pages of any size put together are the whole list in its order', async () => {
    const kit = await withAcme()
    await insertMembers(kit, kit.organizationId, 50)
    const ids = (members: readonly MemberOnPage[]) => members.map(({ id }) => id)
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.constantFrom('createdAt', 'role'),
        fc.constantFrom('asc', 'desc'),
        fc.constantFrom('next', 'id'),
        fc.constantFrom({}, { filterField: 'role', filterValue: 'admin', filterOperator: 'contains' }, { search: 'u1' }),
        async (limit, sortBy, sortDirection, by, filter) => {
          const query = { sortBy, sortDirection, ...filter }
          const whole = await page(kit.ann.browser, { ...query, limit: 1000 })
          expect([whole.total, whole.hasMore, whole.next]).toEqual([whole.members.length, false, null])
          expect(ids(await walk(kit.ann.browser, { ...query, limit }, by))).toEqual(ids(whole.members))
          const key = (member: MemberOnPage) => `${member[sortBy]} ${member.id}`
          const keys = whole.members.map(key)
          expect(keys).toEqual([...keys].sort((one, other) => (one < other ? -1 : 1) * (sortDirection === 'asc' ? 1 : -1)))
        },
      ),
      { numRuns: 25 },
    )
  })

  test('shows the last sign-in of members only to those who may update them', async () => {
    const kit = await withAcme()
    const at = new Date('2026-01-01T00:00:00.000Z')
    await kit.app.db.updateTable('user').set({ lastSignInAt: at }).where('id', '=', kit.ann.userId).execute()
    const query = { organizationId: kit.organizationId, lastSignIn: 'true' }
    const [first] = (await list(kit.ann.browser, query)).body.members
    expect(first).toMatchObject({ userId: kit.ann.userId, lastSignInAt: at.toISOString() })
    const ben = await kit.join('Ben')
    const { status, body } = await list(ben.browser, query)
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
    expect(JSON.stringify(await page(ben.browser, { organizationId: kit.organizationId }))).not.toContain('lastSignIn')
  })

  test('has no member twice and misses none who stays, while others are added and removed between pages', async () => {
    const kit = await withAcme()
    await insertMembers(kit, kit.organizationId, 40)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 10 }), fc.infiniteStream(fc.nat()), async (limit, numbers) => {
        const draw = () => Number(numbers.next().value)
        const before = (await page(kit.ann.browser, { limit: 1000 })).members
        const removed = new Set<string>()
        const change = async () => {
          const present = (await page(kit.ann.browser, { limit: 1000 })).members.filter(({ user }) => user.name !== 'Ann')
          // Anyone, also the last row of the page before.
          const leaving = present[draw() % present.length]
          if (!leaving) return
          removed.add(leaving.id)
          const body = { memberIdOrEmail: leaving.id }
          expect((await kit.ann.browser.call('POST /organization/remove-member', { body })).status).toBe(200)
          await insertMembers(kit, kit.organizationId, 1, `new${kit.app.random.id()}`.toLowerCase())
        }
        const found = (await walk(kit.ann.browser, { limit }, 'next', change)).map(({ id }) => id)
        expect(new Set(found).size).toBe(found.length)
        for (const { id } of before) if (!removed.has(id)) expect(found).toContain(id)
      }),
      { numRuns: 6 },
    )
  })

  test('finds members by the start of a name or email address, by id, role, team and time', async () => {
    const kit = await withAcme({ teams: true })
    const [ada, max] = [await kit.join('Ada', 'admin'), await kit.join('Max', 'member,admin')]
    await kit.app.db.updateTable('user').set({ name: 'Max%', sortName: 'max%' }).where('id', '=', max.userId).execute()
    const { browser } = kit.ann
    const [team] = (await browser.call('GET /organization/list-teams', {})).body
    await browser.call('POST /organization/add-team-member', { body: { teamId: team.id, userId: ada.userId } })
    const filter = (filterField: string, filterOperator: string, filterValue: string) => ({
      filterField,
      filterOperator,
      filterValue,
    })
    const expected: [query: object, found: string[]][] = [
      [{}, ['Ada', 'Ann', 'Max%']],
      [{ search: 'A' }, ['Ada', 'Ann']],
      [{ search: 'ADA@' }, ['Ada']],
      [{ search: 'da' }, []],
      [{ search: '%' }, []],
      [{ search: 'max%' }, ['Max%']],
      [{ search: 'max_' }, []],
      [{ search: ada.memberId }, ['Ada']],
      [{ search: max.userId }, ['Max%']],
      [{ teamId: team.id }, ['Ada', 'Ann']],
      [{ teamId: 'unknown' }, []],
      [filter('role', 'eq', 'admin'), ['Ada']],
      [filter('role', 'ne', 'admin'), ['Ann', 'Max%']],
      [{ filterField: 'role', filterValue: 'owner' }, ['Ann']],
      [filter('role', 'contains', 'admin'), ['Ada', 'Max%']],
      [filter('role', 'starts_with', 'member'), ['Max%']],
      [filter('role', 'ends_with', ',admin'), ['Max%']],
      [filter('role', 'in', 'admin'), ['Ada']],
      [filter('role', 'not_in', 'admin'), ['Ann', 'Max%']],
      [filter('userId', 'eq', ada.userId), ['Ada']],
      [filter('id', 'ne', ada.memberId), ['Ann', 'Max%']],
      [filter('createdAt', 'lte', kit.app.now().toISOString()), ['Ada', 'Ann', 'Max%']],
      [filter('createdAt', 'gt', kit.app.now().toISOString()), []],
    ]
    for (const [query, found] of expected) {
      const result = await page(browser, query)
      expect([query, result.members.map(({ user }) => user.name).sort(), result.total]).toEqual([query, found, found.length])
    }
    const listed = await browser.request(
      '/organization/list-members?filterField=role&filterOperator=in&filterValue=admin&filterValue=owner',
    )
    expect(listed.body.total).toBe(2)
    expect(await names(browser, { sortBy: 'role', sortDirection: 'desc' })).toEqual(['Ann', 'Max%', 'Ada'])
    expect((await page(browser, { offset: 1, sortBy: 'role', limit: 1 })).members[0]?.user.name).toBe('Max%')
  })

  test('rejects what it cannot read, and does not begin again at an unknown row', async () => {
    const kit = await withAcme()
    const bob = await kit.other()
    const text = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    for (const query of [
      { limit: 0 },
      { limit: 1001 },
      { offset: -1 },
      { sortBy: 'email' },
      { filterField: 'password', filterValue: 'x' },
      { filterField: 'role' },
      { filterField: 'createdAt', filterValue: 'yesterday' },
      { filterField: 'createdAt', filterOperator: 'contains', filterValue: '2026-01-01' },
      { after: 'unknown' },
      { after: bob.memberId },
      { after: text(['2026', 'x']) },
      { after: text([1e300, 'x']) },
      // MySQL cannot compare such times with others.
      { after: text([253_402_300_800_000, 'x']) },
      { after: text([-8.64e15, 'x']) },
      { filterField: 'createdAt', filterOperator: 'gt', filterValue: '+010000-01-01T00:00:00.000Z' },
      { filterField: 'createdAt', filterOperator: 'in', filterValue: '-000001-01-01T00:00:00.000Z' },
      { after: text([1]) },
      { after: text([1, 'x']), sortBy: 'role' },
    ])
      expect([query, outcome(await list(kit.ann.browser, query))]).toEqual([query, '400 VALIDATION_ERROR'])
  })

  test('requires a membership', async () => {
    const kit = await withAcme()
    const { organizationId } = kit
    const notAMember = '403 YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION'
    const bob = await kit.other()
    expect(outcome(await list(kit.browser()))).toBe('401 UNAUTHORIZED')
    for (const query of [
      { organizationId },
      { organizationSlug: 'acme' },
      { organizationId: 'unknown' },
      { organizationSlug: 'unknown' },
    ])
      expect([query, outcome(await list(bob.browser, query))]).toEqual([query, notAMember])
    expect(outcome(await list((await signUp(kit, 'Eve')).browser))).toBe('400 NO_ACTIVE_ORGANIZATION')
  })

  test('takes the same statements for 10 members and for 1000', async () => {
    const count = async (members: number) => {
      const kit = await withAcme()
      await insertMembers(kit, kit.organizationId, members - 1)
      const { record } = recordStatements(kit)
      const { result, statements } = await record(() => list(kit.ann.browser, { limit: 1000 }))
      expect(result.body.members).toHaveLength(members)
      return statements
    }
    expect(await count(1000)).toEqual(await count(10))
  })
})

test.skipIf(inject('servers') === null).each(['createdAt'] as const)(
  'a page far down the list by %s is read along an index',
  async (sortBy) => {
    const kit = await withAcme()
    for (let number = 0; number < 5; number += 1) await insertMembers(kit, kit.organizationId, 1000, `u${number}-`)
    for (const table of ['member', 'user']) await kit.app.db.executeQuery(CompiledQuery.raw(`analyze table \`${table}\``))
    const whole = await page(kit.ann.browser, { limit: 1000, sortBy, sortDirection: 'desc' })
    const statements: CompiledQuery[] = []
    const plugin: KyselyPlugin = {
      transformQuery: ({ node, queryId }) => {
        statements.push(kit.app.db.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const watching = extend(kit.app, { db: kit.app.db.withPlugin(plugin) })
    const query = memberQuery.parse({ limit: 10, sortBy, after: whole.members.at(-1)?.id })
    await listMembers(watching, await kit.stored(), query)
    const listings = statements.filter(({ sql }) => sql.includes('order by'))
    expect(listings).toHaveLength(2)
    for (const { sql, parameters } of listings) {
      // Only MySQL reads the comment; without it MySQL 9 returns a tree.
      const question = CompiledQuery.raw(`explain /*!80000 format=traditional */ ${sql}`, [...parameters])
      const { rows } = await kit.app.db.executeQuery<Record<string, unknown>>(question)
      expect(rows.map(({ table, type }) => [table, type])).toEqual([
        ['member', expect.stringMatching(/^(range|ref)$/)],
        ['user', 'eq_ref'],
      ])
      expect(JSON.stringify(rows)).not.toMatch(/filesort|temporary/)
    }
  },
)

describe('GET /organization/list-memberships', () => {
  test('returns own organizations by name, in pages', async () => {
    const kit = await testApp({ organization: true })
    const { ann, join } = await createAcme(kit)
    await join('Ben')
    const owner = await insertUser(kit.app, userCreation(kit.app, { name: 'Zoe', email: 'zoe@example.com' }).draft, {})
    const user = await kit.app.db.selectFrom('user').selectAll().where('id', '=', ann.userId).executeTakeFirstOrThrow()
    const foreign = (await createOrganization(kit.app, owner, { name: 'Aaa', slug: 'aaa' })).organization
    for (let number = 0; number < 30; number += 1)
      await createOrganization(kit.app, user, { name: `${number % 2 ? 'b' : 'C'}${number % 5}`, slug: `org-${number}` })
    const read = async (query: object) => (await ann.browser.call('GET /organization/list-memberships', { query } as never)).body
    const whole = await read({ limit: 1000 })
    expect([whole.total, whole.hasMore, whole.next]).toEqual([31, false, null])
    expect(whole.memberships[0]).toEqual({
      organization: { id: expect.any(String), name: 'Acme', slug: 'acme', logo: null },
      role: 'owner',
      memberCount: 2,
      joinedAt: expect.any(String),
    })
    const ids = (memberships: { organization: { id: string; name: string } }[]) =>
      memberships.map(({ organization }) => organization.id)
    const sorted = whole.memberships.map(
      ({ organization: { id, name } }: { organization: { id: string; name: string } }) => `${name.toLowerCase()} ${id}`,
    )
    expect(sorted).toEqual([...sorted].sort())
    for (const limit of [1, 7, 31])
      for (const by of ['next', 'id']) {
        const found: string[] = []
        for (let after: string | undefined, isLast = false; !isLast; ) {
          const { memberships, next, hasMore } = await read({ limit, ...(after !== undefined && { after }) })
          found.push(...ids(memberships))
          after = by === 'next' ? next : found.at(-1)
          isLast = !hasMore
        }
        expect(found).toEqual(ids(whole.memberships))
      }
    expect(ids((await read({ search: 'CM' })).memberships)).toHaveLength(1)
    expect((await read({ search: 'org-1' })).total).toBe(11)
    expect((await read({ search: '%' })).total).toBe(0)
    expect((await read({})).memberships).toHaveLength(31)
    // The position of an organization of others would reveal its name.
    expect((await read({ after: foreign.id })).code).toBe('VALIDATION_ERROR')
  })
})

test('GET /organization/list has pages by the time of joining, which do not begin again at an unknown row', async () => {
  const kit = await testApp({ organization: true })
  const { ann, other } = await createAcme(kit)
  const bob = await other()
  for (let number = 0; number < 10; number += 1) {
    kit.clock.advance(number % 2)
    await ann.browser.call('POST /organization/create', { body: { name: 'Org', slug: `org-${number}` } })
  }
  const read = (query: object) => ann.browser.call('GET /organization/list', { query } as never)
  const ids = (body: { id: string }[]) => body.map(({ id }) => id)
  const whole = ids((await read({})).body)
  expect(whole).toHaveLength(11)
  for (const by of ['link', 'id']) {
    const found: string[] = []
    for (let after: string | undefined, isLast = false; !isLast; ) {
      const { body, headers } = await read({ limit: 4, ...(after !== undefined && { after }) })
      expect(headers.get('x-total-count')).toBe('11')
      found.push(...ids(body))
      const [, next] = /[?&]after=([\w-]+).*>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
      isLast = next === undefined
      after = by === 'link' ? decodeURIComponent(next ?? '') : found.at(-1)
    }
    expect(found).toEqual(whole)
  }
  for (const after of ['unknown', bob.organizationId]) {
    const refused = await read({ after })
    expect([outcome(refused), refused.body.details]).toEqual(['400 VALIDATION_ERROR', { parameters: ['after'] }])
  }
})

test('a search of members that takes too long is canceled', async () => {
  // A server measures time; the embedded database can be given a limit that has passed.
  if (inject('servers') !== null) return
  const { ann, app, organizationId } = await withAcme()
  const { limitTime } = app.database
  // All apps of this process share the object.
  const limit = vi.spyOn(app.database, 'limitTime').mockImplementation(() => limitTime(-1))
  onTestFinished(() => limit.mockRestore())
  const query = { organizationId, search: 'ann' }
  expect(await ann.browser.call('GET /organization/list-members', { query })).toMatchObject({
    status: 503,
    body: { code: 'SEARCH_TOO_SLOW' },
  })
})
