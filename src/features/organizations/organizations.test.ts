import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { refusal } from '../../core/errors.ts'

const password = 'correct horse battery'

/** An app with organizations, and a function that signs users up. */
async function withOrganizations(organization: object = {}, more: object = {}) {
  const kit = await testApp({ organization: { enabled: true, ...organization }, ...more })
  const signUp = async (name: string) => {
    const browser = kit.browser()
    await browser.call('POST /sign-up/email', { body: { name, email: `${name.toLowerCase()}@example.com`, password } })
    return browser
  }
  /** Makes a user a member by the database: how members join is tested elsewhere. */
  const join = async (browser: Browser, organizationId: string, role: string) => {
    const { id } = (await browser.call('GET /get-session', {})).body.user
    const row = { id: kit.app.random.id(), organizationId, userId: id, role, createdAt: kit.app.now() }
    await kit.app.db.insertInto('member').values(row).execute()
  }
  return { ...kit, signUp, join }
}

const create = async (browser: Browser, slug: string, more: object = {}) =>
  browser.call('POST /organization/create', { body: { name: slug.toUpperCase(), slug, ...more } })
const activeOf = async (browser: Browser): Promise<string | null> =>
  (await browser.call('GET /get-session', {})).body.session.activeOrganizationId
const refused = (status: number, message: string) => ({ status, body: { message } })

describe('creating an organization', () => {
  test('makes the user its owner, and it the active one unless the call keeps the former', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    expect(await activeOf(ann)).toBeNull()
    const acme = (await create(ann, 'acme')).body
    expect(acme).toMatchObject({ name: 'ACME', slug: 'acme', logo: null, members: [{ role: 'owner' }] })
    expect(Object.keys(acme.members[0]).sort()).toEqual(['createdAt', 'id', 'organizationId', 'role', 'userId'])
    expect(await activeOf(ann)).toBe(acme.id)
    await create(ann, 'beta', { keepCurrentActiveOrganization: true })
    expect(await activeOf(ann)).toBe(acme.id)
  })

  test('returns metadata as an object, and lists return it as the text that was given', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    expect((await create(ann, 'acme')).body).not.toHaveProperty('metadata')
    expect((await create(ann, 'beta', { metadata: { b: 1, a: { c: [] } } })).body.metadata).toEqual({ b: 1, a: { c: [] } })
    const list: { slug: string; metadata: unknown }[] = (await ann.call('GET /organization/list', {})).body
    expect(Object.fromEntries(list.map(({ slug, metadata }) => [slug, metadata]))).toEqual({
      acme: null,
      beta: '{"b":1,"a":{"c":[]}}',
    })
  })

  test('rejects metadata that is nested deeper than 100 levels', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    await create(ann, 'acme')
    const update = async (levels: number) => {
      const body = `{"data":{"metadata":{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}}}`
      const headers = { 'content-type': 'application/json' }
      return (await ann.request('/organization/update', { method: 'POST', headers, body })).status
    }
    // Texts of 16,000 characters could have 7,990 levels.
    expect([await update(100), await update(101), await update(7990)]).toEqual([200, 400, 400])
  })

  test('with metadataAsObject every response has metadata as an object', async () => {
    const { signUp } = await withOrganizations({ metadataAsObject: true })
    const ann = await signUp('Ann')
    await create(ann, 'beta', { metadata: { b: 1 } })
    expect((await ann.call('GET /organization/list', {})).body).toMatchObject([{ metadata: { b: 1 } }])
    expect((await ann.call('GET /organization/get-full-organization', {})).body.metadata).toEqual({ b: 1 })
  })

  test.each([
    ['no user may', { allowUserToCreateOrganization: false }],
    [
      'a function rejects the user',
      { allowUserToCreateOrganization: ({ email }: { email: string }) => email !== 'ann@example.com' },
    ],
    ['creation is disabled', { organizationCreation: { disabled: true } }],
  ])('is rejected when %s', async (_, options) => {
    const { signUp } = await withOrganizations(options)
    expect(await create(await signUp('Ann'), 'acme')).toMatchObject(
      refused(403, 'You are not allowed to create a new organization'),
    )
  })

  test.each([
    ['the number is reached', { organizationLimit: 1 }],
    ['a function says so', { organizationLimit: ({ name }: { name: string }) => name === 'Ann' }],
  ])('is rejected when %s, also with a slug that is taken', async (_, options) => {
    const { signUp } = await withOrganizations(options)
    const ann = await signUp('Ann')
    await create(ann, 'acme')
    await create(await signUp('Bob'), 'beta')
    expect(await create(ann, 'beta')).toMatchObject(refused(403, 'You have reached the maximum number of organizations'))
  })

  test('is rejected when the slug is taken, in any form of it', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    await create(ann, 'acme')
    expect(await create(await signUp('Bob'), 'acme')).toMatchObject(refused(400, 'Organization already exists'))
    for (const slug of ['ACME', ' acme ', 'Acme\t']) {
      expect(await create(ann, slug)).toMatchObject(refused(400, 'Organization already exists'))
      expect(await ann.call('POST /organization/check-slug', { body: { slug } })).toMatchObject(refused(400, 'slug is taken'))
    }
    expect((await ann.call('POST /organization/check-slug', { body: { slug: 'free' } })).body).toEqual({ status: true })
  })

  test('stores a slug in one form, and finds it by any', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    const { id, slug } = (await create(ann, ' Acme-2.0_x~ ')).body
    expect(slug).toBe('acme-2.0_x~')
    const found = await ann.call('GET /organization/get-full-organization', { query: { organizationSlug: 'ACME-2.0_x~' } })
    expect(found.body.id).toBe(id)
    const update = async (given: string) =>
      (await ann.call('POST /organization/update', { body: { organizationId: id, data: { slug: given } } })).body
    expect([(await update('BETA')).slug, (await update('a/b')).code]).toEqual(['beta', 'VALIDATION_ERROR'])
  })

  test('keeps a slug of another form that is stored already', async () => {
    const { app, signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    const { id } = (await create(ann, 'acme')).body
    await app.db.updateTable('organization').set({ slug: 'Ünter/Grund' }).where('id', '=', id).execute()
    const found = await ann.call('GET /organization/get-full-organization', { query: { organizationSlug: 'Ünter/Grund' } })
    expect(found.body.id).toBe(id)
    const data = { name: 'Acme', slug: 'Ünter/Grund' }
    const update = (changes: object) =>
      ann.call('POST /organization/update', { body: { organizationId: id, data: { ...data, ...changes } } })
    expect((await update({})).body).toMatchObject(data)
    expect((await update({ slug: 'a/b' })).body.details).toEqual({ parameters: ['data.slug'] })
  })

  test.each([
    ['an empty name', { name: '' }],
    ['an empty slug', { slug: '' }],
    ['a slug of 256 characters', { slug: 'a'.repeat(256) }],
    ...['.', '..', ' ', 'a/b', 'a?q', 'a#f', 'a%2f', 'a b', 'a\\b', 'mü', 'mu\u0308', 'a:b', 'a\0', '\u200ba', 'аcme'].map(
      (slug): [string, object] => [`the slug ${JSON.stringify(slug)}`, { slug }],
    ),
    ['a logo that is a script', { logo: 'javascript:alert(1)' }],
    ['a logo that hides its scheme', { logo: ' java\tscript:alert(1)' }],
    ['metadata that is a list', { metadata: [1] }],
    ['metadata of 16,001 characters', { metadata: { a: 'a'.repeat(16_001 - 8) } }],
  ])('is rejected with %s', async (_, invalid) => {
    const { signUp } = await withOrganizations()
    expect(await create(await signUp('Ann'), 'acme', invalid)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test('calls the hooks: the first changes the row or rejects it, the second gets organization, user and member', async () => {
    const created: unknown[] = []
    const organizationCreation = {
      beforeCreate: ({ organization }: { organization: { name: string } }) => {
        if (organization.name === 'BAD') throw refusal({ status: 403, message: 'Not this name' })
        return { data: { name: `${organization.name}!`, metadata: { from: 'hook' } } }
      },
      afterCreate: (data: unknown) => void created.push(data),
    }
    const { signUp } = await withOrganizations({ organizationCreation })
    const ann = await signUp('Ann')
    expect(await create(ann, 'bad')).toMatchObject(refused(403, 'Not this name'))
    expect((await create(ann, 'acme')).body).toMatchObject({ name: 'ACME!', metadata: { from: 'hook' } })
    expect(created).toMatchObject([
      { organization: { name: 'ACME!' }, user: { email: 'ann@example.com' }, member: { role: 'owner' } },
    ])
    expect(Object.keys(Object(created[0]).user)).not.toContain('accessRevision')
  })
})

describe('updating an organization', () => {
  const update = (browser: Browser, data: object, organizationId?: string) =>
    browser.call('POST /organization/update', { body: { data, ...(organizationId && { organizationId }) } })

  test('changes what is given, of the active organization or of the given one', async () => {
    const { signUp } = await withOrganizations()
    const ann = await signUp('Ann')
    const acme = (await create(ann, 'acme', { metadata: { a: 1 }, logo: '/logo.png' })).body
    expect((await update(ann, { name: 'Acme' })).body).toMatchObject({ name: 'Acme', slug: 'acme', metadata: { a: 1 } })
    expect((await update(ann, { slug: 'acme-2', metadata: { b: 2 } }, acme.id)).body).toMatchObject({
      slug: 'acme-2',
      metadata: { b: 2 },
    })
    const cleared = (await update(ann, { metadata: null, logo: null })).body
    expect(cleared.logo).toBeNull()
    expect(cleared).not.toHaveProperty('metadata')
    expect((await update(ann, {})).body).toEqual(cleared)
  })

  test('is rejected in the order of the contract', async () => {
    const { signUp, join, browser } = await withOrganizations()
    expect(await update(browser(), { name: 'x' })).toMatchObject(refused(401, 'User not found'))
    const [ann, bob, eve] = [await signUp('Ann'), await signUp('Bob'), await signUp('Eve')]
    expect(await update(ann, { name: 'x' })).toMatchObject(refused(400, 'Organization not found'))
    const acme = (await create(ann, 'acme')).body.id
    expect(await update(eve, { name: 'x' }, acme)).toMatchObject(refused(400, 'User is not a member of the organization'))
    expect(await update(eve, { name: 'x' }, 'unknown')).toMatchObject(refused(400, 'User is not a member of the organization'))
    await join(bob, acme, 'member')
    expect(await update(bob, { name: 'x' }, acme)).toMatchObject(refused(403, 'You are not allowed to update this organization'))
    await create(ann, 'beta')
    expect(await update(ann, { slug: 'acme' })).toMatchObject(refused(400, 'Organization already exists'))
    await join(eve, acme, 'member,admin')
    expect((await update(eve, { name: 'x' }, acme)).status).toBe(200)
  })
})

describe('deleting an organization', () => {
  const remove = (browser: Browser, organizationId: string) =>
    browser.call('POST /organization/delete', { body: { organizationId } })

  test('deletes everything of it and clears it in all sessions, also in cached copies', async () => {
    const { signUp, join, app } = await withOrganizations({}, { session: { cookieCache: { enabled: true } } })
    const [ann, bob] = [await signUp('Ann'), await signUp('Bob')]
    const acme = (await create(ann, 'acme')).body.id
    await join(bob, acme, 'admin')
    await bob.call('POST /organization/set-active', { body: { organizationId: acme } })
    expect(await remove(bob, acme)).toMatchObject(refused(403, 'You are not allowed to delete this organization'))
    expect((await remove(ann, acme)).body).toMatchObject({ id: acme, metadata: null })
    expect([await activeOf(ann), await activeOf(bob)]).toEqual([null, null])
    for (const table of ['organization', 'member'] as const)
      expect(await app.db.selectFrom(table).select('id').execute()).toEqual([])
    const deleted = app.db
      .selectFrom('auditEvent')
      .select(['organizationId', 'details'])
      .where('action', '=', 'organization.deleted')
    expect(await deleted.execute()).toEqual([{ organizationId: acme, details: { name: 'ACME', slug: 'acme' } }])
  })

  test('is rejected for another user as for an unknown organization, and without a session', async () => {
    const { signUp, browser } = await withOrganizations()
    const acme = (await create(await signUp('Ann'), 'acme')).body.id
    const eve = await signUp('Eve')
    const expected = refused(400, 'User is not a member of the organization')
    expect(await remove(eve, acme)).toMatchObject(expected)
    expect(await remove(eve, 'unknown')).toMatchObject(expected)
    expect((await remove(browser(), acme)).status).toBe(401)
  })

  test('when deletion is disabled, it is rejected, and the active organization is cleared', async () => {
    const { signUp } = await withOrganizations({ organizationDeletion: { disabled: true } })
    const ann = await signUp('Ann')
    const acme = (await create(ann, 'acme')).body.id
    expect(await remove(ann, acme)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await activeOf(ann)).toBeNull()
    expect((await ann.call('GET /organization/list', {})).body).toHaveLength(1)
  })

  test('calls the hooks: the first may reject it', async () => {
    const calls: string[] = []
    const organizationDeletion = {
      beforeDelete: ({ organization }: { organization: { slug: string } }) => {
        calls.push(`before ${organization.slug}`)
        if (organization.slug === 'kept') throw refusal({ status: 400, message: 'Cancel the subscription first' })
      },
      afterDelete: ({ organization }: { organization: { slug: string } }) => void calls.push(`after ${organization.slug}`),
    }
    const { signUp } = await withOrganizations({ organizationDeletion })
    const ann = await signUp('Ann')
    const [kept, other] = [(await create(ann, 'kept')).body.id, (await create(ann, 'other')).body.id]
    expect(await remove(ann, kept)).toMatchObject(refused(400, 'Cancel the subscription first'))
    expect((await remove(ann, other)).status).toBe(200)
    expect(calls).toEqual(['before kept', 'before other', 'after other'])
  })
})

describe('the active organization', () => {
  const setActive = (browser: Browser, body: object) => browser.call('POST /organization/set-active', { body })
  const notAMember = refused(403, 'User is not a member of the organization')

  test('is set by slug or id, the slug first; the response is the whole organization without teams', async () => {
    const { signUp } = await withOrganizations({ teams: true })
    const ann = await signUp('Ann')
    const [acme, beta] = [(await create(ann, 'acme')).body.id, (await create(ann, 'beta')).body.id]
    const full = (await setActive(ann, { organizationId: beta, organizationSlug: 'acme' })).body
    expect(full).toMatchObject({
      id: acme,
      members: [{ user: { email: 'ann@example.com', image: null } }],
      invitations: [],
      teams: null,
    })
    expect(await activeOf(ann)).toBe(acme)
    expect((await setActive(ann, {})).body.id).toBe(acme)
    const read = (await ann.call('GET /organization/get-full-organization', {})).body
    expect(read.teams).toMatchObject([{ name: 'ACME', updatedAt: null }])
    expect(read).toMatchObject({ total: { members: 1, invitations: 0, teams: 1 }, hasMore: { members: false } })
    expect((await setActive(ann, { organizationId: null })).body).toBeNull()
    expect(await activeOf(ann)).toBeNull()
    expect((await setActive(ann, {})).body).toBeNull()
    expect((await ann.call('GET /organization/get-full-organization', {})).body).toBeNull()
  })

  test.each(['unknown', 'of another user'])('is cleared when a call names an organization that is %s', async (kind) => {
    const { signUp } = await withOrganizations({}, { session: { cookieCache: { enabled: true } } })
    const ann = await signUp('Ann')
    const acme = (await create(ann, 'acme')).body.id
    const other = kind === 'unknown' ? 'unknown' : (await create(await signUp('Bob'), 'other')).body.id
    expect(await setActive(ann, { organizationId: other })).toMatchObject(notAMember)
    expect(await activeOf(ann)).toBeNull()
    await setActive(ann, { organizationId: acme })
    const query = { organizationId: other }
    expect(await ann.call('GET /organization/get-full-organization', { query })).toMatchObject(notAMember)
    expect(await activeOf(ann)).toBeNull()
  })

  test('belongs to one session', async () => {
    const { signUp, browser } = await withOrganizations()
    const ann = await signUp('Ann')
    const other = browser()
    await other.call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })
    const acme = (await create(ann, 'acme')).body.id
    expect([await activeOf(ann), await activeOf(other)]).toEqual([acme, null])
  })

  test('is in the cached copy of the session immediately after it changed', async () => {
    const { signUp } = await withOrganizations({}, { session: { cookieCache: { enabled: true } } })
    const ann = await signUp('Ann')
    const acme = (await create(ann, 'acme')).body.id
    expect(await activeOf(ann)).toBe(acme)
    await setActive(ann, { organizationId: null })
    expect(await activeOf(ann)).toBeNull()
  })
})

test('the link to the next page of a list keeps the other parameters', async () => {
  const { signUp, clock } = await withOrganizations()
  const ann = await signUp('Ann')
  for (const slug of ['a', 'b', 'c']) {
    await create(ann, slug)
    clock.advance(1)
  }
  const { headers } = await ann.call('GET /organization/list', { query: { limit: 2 } })
  const [, next] = /^<(\?limit=2&after=[\w-]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  expect((await ann.request(`/organization/list${next}`)).body).toMatchObject([{ slug: 'c' }])
})

describe('checking a permission', () => {
  const check = (browser: Browser, body: object) => browser.call('POST /organization/has-permission', { body })

  test('answers for the active or the given organization, and adds up what several roles permit', async () => {
    const { signUp, join } = await withOrganizations({
      ac: { project: ['create', 'delete'] },
      roles: { owner: { organization: ['update'] }, editor: { project: ['create'] }, cleaner: { project: ['delete'] } },
    })
    const [ann, bob] = [await signUp('Ann'), await signUp('Bob')]
    const acme = (await create(ann, 'acme')).body.id
    await join(bob, acme, 'editor,cleaner')
    expect((await check(ann, { permissions: { organization: ['update'] } })).body).toEqual({ error: null, success: true })
    expect((await check(ann, { permission: { organization: ['delete'] } })).body.success).toBe(false)
    const bobs = async (permissions: object) => (await check(bob, { organizationId: acme, permissions })).body.success
    expect(await bobs({ project: ['create'] })).toBe(true)
    expect(await bobs({ project: ['create', 'delete'] })).toBe(true)
    expect(await bobs({ project: ['create'], organization: ['update'] })).toBe(false)
    expect(await bobs({ constructor: ['create'] })).toBe(false)
    expect(await bobs({})).toBe(false)
  })

  test('is rejected without an organization, for one of others, and with an invalid body', async () => {
    const { signUp } = await withOrganizations()
    const [ann, eve] = [await signUp('Ann'), await signUp('Eve')]
    const acme = (await create(ann, 'acme')).body.id
    const permissions = { member: ['create'] }
    expect(await check(eve, { permissions })).toMatchObject(refused(400, 'No active organization'))
    expect(await check(eve, { permissions, organizationId: acme })).toMatchObject(
      refused(401, 'User is not a member of the organization'),
    )
    for (const body of [{}, { permissions, permission: permissions }, { permissions: { member: 'create' } }])
      expect(await check(ann, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
})
