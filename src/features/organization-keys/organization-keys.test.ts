/** Keys of organizations: who may act on them, and what they are good for. */
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import type { ConfigFile } from '../index.ts'

const password = 'correct horse battery'
const teamSet = { configId: 'team', references: 'organization', defaultPrefix: 'org_', disableSessionForAPIKeys: true } as const
const options: ConfigFile = {
  organization: {
    enabled: true,
    ac: {},
    roles: {
      owner: { organization: ['update', 'delete'], member: ['create', 'update', 'delete'] },
      keeper: { apiKey: ['create', 'read'] },
      member: {},
    },
  },
  apiKey: { enabled: true, listAsObject: true, configurations: [teamSet] },
}

async function open(more: ConfigFile = {}) {
  const kit = await testApp({ ...options, ...more })
  const signUp = async (name: string) => {
    const visitor = kit.browser()
    const body = { name, email: `${name.toLowerCase()}@example.com`, password }
    return { visitor, userId: String((await visitor.call('POST /sign-up/email', { body })).body.user.id) }
  }
  const [ann, bob, eve] = [await signUp('Ann'), await signUp('Bob'), await signUp('Eve')]
  const acme = await ann.visitor.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const organizationId = String(acme.body.id)
  const added = { organizationId, userId: bob.userId, role: 'keeper' }
  expect((await kit.privileged().call('POST /organization/add-member', { body: added })).status).toBe(200)
  const create = (browser: Browser, body: object = {}) =>
    browser.call('POST /api-key/create', { body: { configId: 'team', organizationId, ...body } })
  const verify = (body: { key: string; configId?: string }) => kit.privileged().call('POST /api-key/verify', { body })
  const rows = () => kit.app.db.selectFrom('apikey').selectAll().orderBy('id').execute()
  const actions = async () => {
    const events = kit.app.db.selectFrom('auditEvent').select(['action', 'organizationId', 'userId'])
    return events.where('targetType', '=', 'api-key').orderBy('action').execute()
  }
  return {
    ...kit,
    ann: ann.visitor,
    bob: bob.visitor,
    eve: eve.visitor,
    bobId: bob.userId,
    organizationId,
    create,
    verify,
    rows,
    actions,
  }
}

const outcome = ({ status, body }: { status: number; body: { code?: string } }) => `${status} ${body.code ?? ''}`.trim()
const notMember = '403 USER_NOT_MEMBER_OF_ORGANIZATION'
const insufficient = '403 INSUFFICIENT_API_KEY_PERMISSIONS'

test('the creator role manages the keys of its organization, which belong to no user', async () => {
  const { ann, organizationId, create, actions } = await open()
  const { status, body } = await create(ann, { name: 'CI' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    configId: 'team',
    referenceId: organizationId,
    name: 'CI',
    prefix: 'org_',
    start: body.key.slice(0, 6),
  })
  expect(body).not.toHaveProperty('userId')
  const { key: _, ...row } = body
  const named = { configId: 'team' }
  expect((await ann.call('GET /api-key/get', { query: { id: row.id, ...named } })).body).toEqual(row)
  expect((await ann.call('GET /api-key/list', { query: { organizationId } })).body).toEqual({ apiKeys: [row], total: 1 })
  expect((await ann.call('GET /api-key/list', {})).body).toEqual({ apiKeys: [], total: 0 })
  const changed = await ann.call('POST /api-key/update', { body: { keyId: row.id, ...named, name: 'Deploy' } })
  expect(changed.body).toMatchObject({ id: row.id, name: 'Deploy', referenceId: organizationId })
  expect(outcome(await ann.call('POST /api-key/delete', { body: { keyId: row.id } }))).toBe('404 API_KEY_NOT_FOUND')
  expect((await ann.call('POST /api-key/delete', { body: { keyId: row.id, ...named } })).body).toEqual({ success: true })
  const own = { organizationId, userId: null }
  expect(await actions()).toEqual([
    { action: 'organization-key.created', ...own },
    { action: 'organization-key.deleted', ...own },
    { action: 'organization-key.updated', ...own },
  ])
})

test('a member may do what the permission `apiKey` of their role says, and others nothing', async () => {
  const { ann, bob, eve, organizationId, create, rows } = await open()
  const { id } = (await create(bob, { name: 'CI' })).body
  const calls = (browser: Browser) => [
    browser.call('GET /api-key/get', { query: { id, configId: 'team' } }),
    browser.call('GET /api-key/list', { query: { organizationId } }),
    browser.call('POST /api-key/update', { body: { keyId: id, configId: 'team', enabled: false } }),
    browser.call('POST /api-key/delete', { body: { keyId: id, configId: 'team' } }),
  ]
  expect((await Promise.all(calls(bob))).map(outcome)).toEqual(['200', '200', insufficient, insufficient])
  expect((await Promise.all([create(eve), ...calls(eve)])).map(outcome)).toEqual(Array(5).fill(notMember))
  expect(outcome(await create(ann, { organizationId: undefined }))).toBe('400 ORGANIZATION_ID_REQUIRED')
  expect(outcome(await create(ann, { organizationId: 'unknown' }))).toBe(notMember)
  expect(outcome(await create(ann, { remaining: 5 }))).toMatch(/^400 THE_PROPERTY/)
  expect(await rows()).toMatchObject([{ id, enabled: true }])
})

test('a member who is removed while they create a key creates none', async () => {
  // Called between the check and the write.
  let interrupt = async () => {}
  const customKeyGenerator = async () => {
    await interrupt()
    return 'k'.repeat(64)
  }
  const kit = await open({ apiKey: { ...Object(options.apiKey), configurations: [{ ...teamSet, customKeyGenerator }] } })
  interrupt = async () => void (await kit.app.db.deleteFrom('member').where('userId', '=', kit.bobId).execute())
  expect(outcome(await kit.create(kit.bob))).toBe(insufficient)
  expect(await kit.rows()).toEqual([])
})

test('a key of an organization is verified, but has no session', async () => {
  const { ann, organizationId, create, verify, rows, browser } = await open({
    apiKey: { ...Object(options.apiKey), configurations: [{ ...teamSet, disableSessionForAPIKeys: false }] },
  })
  const { key, id } = (await create(ann)).body
  expect((await verify({ key })).body).toMatchObject({ valid: true, key: { id, referenceId: organizationId, configId: 'team' } })
  expect((await verify({ key, configId: 'team' })).body).toMatchObject({ valid: true })
  expect((await verify({ key, configId: 'default' })).body).toMatchObject({ valid: false, error: { code: 'INVALID_API_KEY' } })
  const used = await browser().request('/get-session', { headers: { 'x-api-key': key } })
  expect(outcome(used)).toBe('401 INVALID_REFERENCE_ID_FROM_API_KEY')
  expect(await rows()).toMatchObject([{ requestCount: 2 }])
})

test('keys of an organization outlive their creator, and end with the organization', async () => {
  const { app, ann, bob, bobId, organizationId, create, verify, rows, settled } = await open()
  const { key } = (await create(bob)).body
  await app.db.deleteFrom('user').where('id', '=', bobId).execute()
  expect((await verify({ key })).body).toMatchObject({ valid: true })
  // A large organization is only marked at first.
  await app.db.updateTable('organization').set({ deletedAt: app.now() }).where('id', '=', organizationId).execute()
  expect((await verify({ key })).body).toMatchObject({ valid: false, error: { code: 'INVALID_API_KEY' } })
  await app.db.updateTable('organization').set({ deletedAt: null }).where('id', '=', organizationId).execute()
  expect((await ann.call('POST /organization/delete', { body: { organizationId } })).status).toBe(200)
  await settled()
  expect(await rows()).toEqual([])
})

test('an expired key of an organization is deleted, in the log of the organization', async () => {
  const { app, ann, organizationId, create, verify, actions, clock } = await open()
  const { key } = (await create(ann, { expiresIn: 86_400 })).body
  clock.advance(86_401)
  expect((await verify({ key })).body).toMatchObject({ valid: false, error: { code: 'KEY_EXPIRED' } })
  expect(await app.db.selectFrom('apikey').select('id').execute()).toEqual([])
  expect(await actions()).toMatchObject([{}, { action: 'organization-key.expired', organizationId, userId: null }])
})

test('each set has its own rules, and its keys are credentials in its own header', async () => {
  const deploySet = { configId: 'deploy', apiKeyHeaders: 'x-deploy-key', requireName: true, maximumNameLength: 4 }
  const { browser, clock } = await testApp({ apiKey: { enabled: true, listAsObject: true, configurations: [deploySet] } })
  const ann = browser()
  await ann.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
  const create = (body: object) => ann.call('POST /api-key/create', { body })
  expect(outcome(await create({ configId: 'deploy' }))).toBe('400 NAME_REQUIRED')
  expect(outcome(await create({ configId: 'deploy', name: 'Release' }))).toMatch(/^400 THE_NAME_LENGTH/)
  const usual = (await create({ name: 'Release' })).body
  clock.advance(1)
  const deploy = (await create({ configId: 'deploy', name: 'CI' })).body
  const use = async (headers: Record<string, string>) => outcome(await browser().request('/get-session', { headers }))
  expect(await use({ 'x-deploy-key': deploy.key })).toBe('200')
  expect(await use({ 'x-api-key': usual.key })).toBe('200')
  expect(await use({ 'x-api-key': deploy.key })).toBe('401 INVALID_API_KEY')
  expect(await use({ 'x-deploy-key': usual.key })).toBe('401 INVALID_API_KEY')
  const ids = async (query: object) => {
    const { body } = await ann.call('GET /api-key/list', { query })
    return [body.apiKeys.map(({ id }: { id: string }) => id), body.total]
  }
  expect(await ids({})).toEqual([[usual.id, deploy.id], 2])
  expect(await ids({ configId: 'deploy' })).toEqual([[deploy.id], 1])
  expect(await ids({ configId: 'default' })).toEqual([[usual.id], 1])
  expect(await ids({ sortBy: 'name', sortDirection: 'desc' })).toEqual([[usual.id, deploy.id], 2])
  expect(await ids({ sortBy: 'name', limit: '1', offset: '0' })).toEqual([[deploy.id], 2])
  expect(await ids({ limit: '0' })).toEqual([[], 2])
  expect(await ids({ offset: '1' })).toEqual([[deploy.id], 2])
  expect(outcome(await ann.call('GET /api-key/list', { query: { sortBy: 'key' } as object }))).toBe('400 VALIDATION_ERROR')
  expect(outcome(await ann.call('GET /api-key/list', { query: { organizationId: 'any' } }))).toBe(
    '400 ORGANIZATION_PLUGIN_REQUIRED',
  )
})
