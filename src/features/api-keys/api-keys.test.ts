/** The calls for API keys, in the order of the contract (06 §1). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import type { KeyNotice } from './mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
const day = 86_400

async function open(apiKey: ConfigFile['apiKey'] = {}, more: ConfigFile = {}) {
  const kit = await testApp({ ...more, apiKey: typeof apiKey === 'object' ? { enabled: true, ...apiKey } : apiKey })
  const signUp = async (body: typeof ann) => {
    const visitor = kit.browser()
    const { user } = (await visitor.call('POST /sign-up/email', { body })).body
    return { visitor, userId: String(user.id) }
  }
  return { ...kit, signUp, ...(await signUp(ann)) }
}

const create = (browser: Browser, body: object = {}) => browser.call('POST /api-key/create', { body })
const update = (browser: Browser, body: object) => browser.call('POST /api-key/update', { body: body as { keyId: string } })
const list = (browser: Browser) => browser.call('GET /api-key/list', {})
const text = ({ status, body }: { status: number; body: { message?: string; code?: string } }) => [status, body.message]

const serverOnly = [400, "The property you're trying to set can only be set from the server auth instance only."]

test('users can send the examples of the API description', async () => {
  const { visitor } = await open({}, { openAPI: true })
  const { paths } = (await visitor.call('GET /open-api/generate-schema', {})).body
  const exampleOf = (path: string) => paths[path].post.requestBody.content['application/json'].example
  const made = await create(visitor, exampleOf('/api-key/create'))
  expect(text(made)).toEqual([200, undefined])
  const changes = { ...exampleOf('/api-key/update'), keyId: made.body.id }
  expect(text(await update(visitor, changes))).toEqual([200, undefined])
})

describe('creating a key', () => {
  test('returns the key once, with the defaults of the contract', async () => {
    const { visitor, userId, clock, app } = await open()
    const { status, body } = await create(visitor, { name: 'Deployment' })
    expect(status).toBe(200)
    const now = clock.now().toISOString()
    const { key, ...row } = body
    expect(key).toMatch(/^[A-Za-z]{64}$/)
    expect(row).toEqual({
      ...{ id: expect.stringMatching(/^\w{32}$/), name: 'Deployment', start: key.slice(0, 6), prefix: null, userId },
      ...{ refillInterval: null, refillAmount: null, lastRefillAt: null, enabled: true },
      ...{ rateLimitEnabled: true, rateLimitTimeWindow: 86_400_000, rateLimitMax: 10, requestCount: 0 },
      ...{
        remaining: null,
        lastRequest: null,
        expiresAt: null,
        createdAt: now,
        updatedAt: now,
        permissions: null,
        metadata: null,
      },
    })
    expect((await list(visitor)).body).toEqual([row])
    const read = await visitor.call('GET /api-key/get', { query: { id: row.id } })
    expect(read.body).toEqual(row)
    const stored = await app.db.selectFrom('apikey').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain(key)
    expect(stored.key).toBe(app.keyring.hash('api-key', key))
  })

  test('requires a session, whatever user the body names', async () => {
    const { browser, userId } = await open()
    const answer = await create(browser(), { userId, name: 'Mine' })
    expect([answer.status, answer.body]).toEqual([
      401,
      { code: 'UNAUTHORIZED_OR_INVALID_SESSION', message: 'Unauthorized or invalid session' },
    ])
  })

  test('ignores the user in the body of a user', async () => {
    const { signUp, visitor, userId } = await open()
    const other = await signUp(bob)
    for (const given of [other.userId, 5, true, null, [other.userId], { id: other.userId }, 'x'.repeat(1000)])
      expect((await create(visitor, { userId: given })).body.userId).toBe(userId)
    expect((await list(other.visitor)).body).toEqual([])
  })

  test('are listed in an object with `listAsObject`, as clients of 1.5 and later expect', async () => {
    const { visitor } = await open({ listAsObject: true })
    const { id } = (await create(visitor, {})).body
    expect((await list(visitor)).body).toMatchObject({ apiKeys: [{ id }], total: 1 })
  })

  test.each([
    { remaining: 5 },
    { remaining: 0 },
    { refillAmount: 5 },
    { refillInterval: 1 },
    { rateLimitMax: 5 },
    { rateLimitTimeWindow: 1000 },
    { rateLimitEnabled: false },
    { permissions: { projects: ['read'] } },
  ])('rejects %j of a user', async (body) => {
    const { visitor } = await open()
    expect(text(await create(visitor, body))).toEqual(serverOnly)
    expect((await create(visitor, { remaining: null })).status).toBe(200)
  })

  test.each([
    ['metadata that is disabled', {}, { metadata: { plan: 'pro' } }, 'Metadata is disabled.'],
    ['metadata that is not an object', { enableMetadata: true }, { metadata: 'pro' }, 'metadata must be an object or undefined'],
    [
      'an expiration when it is not customizable',
      { keyExpiration: { disableCustomExpiresTime: true } },
      { expiresIn: 30 * day },
      'Custom key expiration values are disabled.',
    ],
    ['a short expiration', {}, { expiresIn: day - 1 }, 'The expiresIn is smaller than the predefined minimum value.'],
    ['a long expiration', {}, { expiresIn: 365 * day + 1 }, 'The expiresIn is larger than the predefined maximum value.'],
    ['an endless expiration', {}, { expiresIn: 1e300 }, 'The expiresIn is larger than the predefined maximum value.'],
    ['a short prefix', { minimumPrefixLength: 3 }, { prefix: 'ab' }, 'The prefix length is either too large or too small.'],
    ['a long prefix', {}, { prefix: 'a'.repeat(33) }, 'The prefix length is either too large or too small.'],
    ['a short name', { minimumNameLength: 3 }, { name: 'ab' }, 'The name length is either too large or too small.'],
    ['a long name', {}, { name: 'a'.repeat(33) }, 'The name length is either too large or too small.'],
    ['a very long name', {}, { name: 'a'.repeat(10_000) }, 'The name length is either too large or too small.'],
  ])('rejects %s', async (_, options, body, message) => {
    const { visitor } = await open(options)
    expect(text(await create(visitor, body))).toEqual([400, message])
  })

  test.each([
    { prefix: 'with space' },
    { expiresIn: 0 },
    { expiresIn: '1' },
    { name: 5 },
    { remaining: -1 },
    { metadata: { text: 'x'.repeat(16_001) } },
    { permissions: { projects: 'read' } },
  ])('responds with 400 to the malformed %j', async (body) => {
    const { visitor } = await open({ enableMetadata: true })
    expect((await create(visitor, body)).body.code).toBe('VALIDATION_ERROR')
  })

  test('responds with 400 to metadata that is nested deeper than the stack', async () => {
    const { visitor } = await open({ enableMetadata: true })
    const body = `{"metadata":{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`
    const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    expect((await visitor.request('/api-key/create', request)).body.code).toBe('VALIDATION_ERROR')
  })

  test('stores prefix, expiration and metadata', async () => {
    const { visitor, clock } = await open({ enableMetadata: true })
    const { body } = await create(visitor, { prefix: 'acme_', expiresIn: 30 * day, metadata: { plan: ['pro'] } })
    expect(body.key).toMatch(/^acme_[A-Za-z]{64}$/)
    expect(body).toMatchObject({ prefix: 'acme_', start: body.key.slice(0, 6), metadata: { plan: ['pro'] } })
    expect(body.expiresAt).toBe(new Date(clock.now().getTime() + 30 * day * 1000).toISOString())
  })

  test('uses the configured defaults', async () => {
    const { visitor, userId, clock } = await open({
      ...{ defaultPrefix: 'acme_', defaultKeyLength: 40, keyExpiration: { defaultExpiresIn: 3600 } },
      startingCharactersConfig: { shouldStore: false },
      rateLimit: { enabled: false, timeWindow: 1000, maxRequests: 3 },
      permissions: { defaultPermissions: async (id) => ({ projects: [id] }) },
    })
    const { body } = await create(visitor)
    expect(body.key).toMatch(/^acme_[A-Za-z]{40}$/)
    expect(body).toMatchObject({ start: null, prefix: 'acme_', permissions: { projects: [userId] } })
    expect(body).toMatchObject({ rateLimitEnabled: false, rateLimitTimeWindow: 1000, rateLimitMax: 3 })
    expect(body.expiresAt).toBe(new Date(clock.now().getTime() + 3_600_000).toISOString())
  })

  test('is rejected at the maximum, which expired keys do not count for', async () => {
    const { visitor, clock } = await open({ maximumKeysPerUser: 2 })
    await create(visitor, { expiresIn: day })
    await create(visitor)
    expect(text(await create(visitor))).toEqual([400, 'Too many API keys'])
    clock.advance(day)
    expect((await create(visitor)).status).toBe(200)
  })

  test('can be left to a function, which must return enough characters', async () => {
    let length = 64
    const { visitor, log } = await open({ customKeyGenerator: ({ prefix }) => `${prefix ?? 'x-'}`.padEnd(length, 'k') })
    expect((await create(visitor)).body.key).toBe(`x-${'k'.repeat(62)}`)
    length = 20
    expect((await create(visitor)).status).toBe(500)
    expect(log.join()).toContain('apiKey.customKeyGenerator must return a text of 64 to 512 characters')
  })
})

describe('servers of the operator', () => {
  test('create keys for any user, with limits and permissions', async () => {
    const { privileged, userId, visitor } = await open()
    const limits = { remaining: 100, refillAmount: 50, refillInterval: 7, rateLimitEnabled: false, rateLimitMax: 5 }
    const given = { ...limits, rateLimitTimeWindow: 1000, permissions: { projects: ['read', 'write'] } }
    const { status, body } = await create(privileged(), { userId, ...given })
    expect([status, body]).toEqual([200, expect.objectContaining({ userId, ...given })])
    expect((await list(visitor)).body[0]).toMatchObject(given)
  })

  test('must name an existing user', async () => {
    const { privileged } = await open()
    expect(text(await create(privileged()))).toEqual([401, 'Unauthorized or invalid session'])
    expect(text(await create(privileged(), { userId: 'unknown' }))).toEqual([404, 'User not found'])
  })

  test('give amount and interval of a refill together; the texts equal the contract', async () => {
    const { privileged, userId } = await open()
    expect(text(await create(privileged(), { userId, refillAmount: 5 }))).toEqual([
      400,
      'refillAmount is required when refillInterval is provided',
    ])
    expect(text(await create(privileged(), { userId, refillInterval: 5 }))).toEqual([
      400,
      'refillInterval is required when refillAmount is provided',
    ])
    const { body } = await create(privileged(), { userId, refillAmount: 5, refillInterval: 1 })
    expect(body.remaining).toBe(5)
    expect(text(await update(privileged(), { userId, keyId: body.id, refillAmount: 5 }))[0]).toBe(400)
  })

  test('change limits and permissions of a key', async () => {
    const { privileged, userId, visitor } = await open()
    const { id } = (await create(visitor)).body
    const given = { remaining: 3, rateLimitMax: 7, permissions: { projects: ['read'] } }
    expect((await update(privileged(), { userId, keyId: id, ...given })).body).toMatchObject(given)
    const cleared = await update(privileged(), { userId, keyId: id, permissions: null })
    expect(cleared.body).toMatchObject({ permissions: null, remaining: 3, requestCount: 0, lastRequest: null })
    expect(text(await update(privileged(), { keyId: id, remaining: 3 }))).toEqual([401, 'Unauthorized or invalid session'])
  })
})

describe('updating a key', () => {
  test('renames, disables and extends it, which does not count as a use', async () => {
    const { visitor, clock } = await open({ enableMetadata: true })
    const { key: _, ...row } = (await create(visitor, { expiresIn: day })).body
    clock.advance(60)
    const { body } = await update(visitor, { keyId: row.id, name: 'CI', enabled: false, expiresIn: null, metadata: { a: 1 } })
    const changed = { name: 'CI', enabled: false, expiresAt: null, metadata: { a: 1 }, updatedAt: clock.now().toISOString() }
    expect(body).toEqual({ ...row, ...changed })
  })

  test('requires a session, and a key of the own', async () => {
    const { browser, signUp, visitor } = await open()
    const { id } = (await create(visitor)).body
    const { visitor: other } = await signUp(bob)
    expect((await update(browser(), { keyId: id, name: 'x' })).status).toBe(401)
    expect(text(await update(other, { keyId: id, name: 'x' }))).toEqual([404, 'API Key not found'])
    expect(text(await update(visitor, { keyId: id, remaining: 5 }))).toEqual(serverOnly)
    expect(text(await update(visitor, { keyId: id, permissions: null }))).toEqual(serverOnly)
    expect(text(await update(visitor, { keyId: id }))).toEqual([400, 'No values to update.'])
    expect(text(await update(visitor, { keyId: id, name: 'a'.repeat(33) }))[0]).toBe(400)
    expect(text(await update(visitor, { keyId: id, metadata: [] }))).toEqual([400, 'metadata must be an object or undefined'])
  })

  test('cannot remove an expiration that is not customizable', async () => {
    const { visitor } = await open({ keyExpiration: { disableCustomExpiresTime: true, defaultExpiresIn: day } })
    const { id } = (await create(visitor)).body
    expect(text(await update(visitor, { keyId: id, expiresIn: null }))).toEqual([
      400,
      'Custom key expiration values are disabled.',
    ])
  })
})

describe('deleting keys', () => {
  test('takes a key of the own', async () => {
    const { signUp, visitor, privileged } = await open()
    const { id, key } = (await create(visitor)).body
    const remove = (browser: Browser) => browser.call('POST /api-key/delete', { body: { keyId: id } })
    expect(text(await remove((await signUp(bob)).visitor))).toEqual([404, 'API Key not found'])
    expect((await remove(visitor)).body).toEqual({ success: true })
    expect(text(await remove(visitor))).toEqual([404, 'API Key not found'])
    const { body } = await privileged().call('POST /api-key/verify', { body: { key } })
    expect(body.error.code).toBe('INVALID_API_KEY')
  })

  test('of a deleted user is part of it', async () => {
    const { app, visitor } = await open({}, { user: { deleteUser: { enabled: true } } })
    await create(visitor)
    await visitor.call('POST /delete-user', { body: { password: ann.password } })
    expect(await app.db.selectFrom('apikey').selectAll().execute()).toEqual([])
  })

  test('that have expired is a call for servers, and follows the creation of another key', async () => {
    const { app, visitor, clock, privileged } = await open()
    const names = async () => (await app.db.selectFrom('apikey').select('name').execute()).map(({ name }) => name)
    await create(visitor, { name: 'a', expiresIn: day })
    clock.advance(day + 1)
    const { body } = await privileged().call('POST /api-key/delete-all-expired-api-keys', { body: {} })
    expect([body, await names()]).toEqual([{ success: true, error: null }, []])
    await create(visitor, { name: 'b', expiresIn: day })
    clock.advance(day + 1)
    await create(visitor, { name: 'c' })
    await expect.poll(names).toEqual(['c'])
  })
})

test('the audit log says who created, changed and deleted a key, and contains no key', async () => {
  const { app, visitor, userId, privileged } = await open()
  const { id, key } = (await create(visitor, { name: 'CI' })).body
  await update(visitor, { keyId: id, enabled: false })
  await visitor.call('POST /api-key/delete', { body: { keyId: id } })
  await create(privileged(), { userId })
  const events = await app.db.selectFrom('auditEvent').selectAll().where('action', 'like', 'api-key.%').execute()
  expect(events.map((event) => [event.action, event.userId, event.actorKind]).sort()).toEqual([
    ['api-key.created', userId, 'operator'],
    ['api-key.created', userId, 'user'],
    ['api-key.deleted', userId, 'user'],
    ['api-key.updated', userId, 'user'],
  ])
  expect(events.find(({ action }) => action === 'api-key.updated')).toMatchObject({
    targetId: id,
    details: { fields: ['enabled'] },
  })
  expect(JSON.stringify(events)).not.toContain(key)
})

test('an export of the data of a user contains their keys without hashes', async () => {
  const { app, visitor } = await open()
  await create(visitor, { name: 'CI' })
  const { body } = await visitor.call('GET /export-data', {})
  const { key } = await app.db.selectFrom('apikey').select('key').executeTakeFirstOrThrow()
  expect(body.apikey).toEqual([expect.objectContaining({ name: 'CI' })])
  expect(JSON.stringify(body)).not.toContain(key)
})

test('a first verification that revokes earlier access deletes the keys', async () => {
  const sent: { token: string }[] = []
  const { app, browser, visitor } = await open(
    {},
    { emailVerification: { sendVerificationEmail: (mail) => void sent.push(mail), revokeEarlierAccess: true } },
  )
  await create(visitor)
  await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
  await expect.poll(() => sent.length).toBe(1)
  await browser().call('GET /verify-email', { query: { token: sent[0]?.token ?? '' } })
  expect(await app.db.selectFrom('apikey').selectAll().execute()).toEqual([])
})

describe('a user who creates a key gets a notice of it', () => {
  test('at a verified email address, in the transaction of the creation', async () => {
    const notices = captureMails<KeyNotice>()
    const { visitor, app } = await open({ sendApiKeyCreated: notices.send })
    await create(visitor)
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    const { key } = (await create(visitor)).body
    const user = expect.objectContaining({ email: ann.email })
    const lockURL = expect.stringContaining('/lock-account?token=')
    expect(await notices.next()).toEqual({ user, start: key.slice(0, 6), lockURL })
    expect(notices.sent).toHaveLength(1)
  })

  test('as the built-in email, which does not contain the key; but not of a key that a server creates', async () => {
    const { visitor, app, userId, privileged, browser } = await open({}, { mail: { catch: true } })
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    expect((await privileged().call('POST /api-key/create', { body: { userId } })).status).toBe(200)
    const { key } = (await create(visitor)).body
    const listed = async () => JSON.stringify((await browser().call('GET /mailbox/list', {})).body)
    await expect.poll(listed, { interval: 5 }).toContain(`Key starts with: ${key.slice(0, 6)}`)
    expect(await listed()).not.toContain(key)
    expect(await app.db.selectFrom('outbox').select('id').where('kind', '=', 'api-key-created').execute()).toHaveLength(1)
  })

  test('unless the notice is off', async () => {
    const { visitor, app } = await open({ sendApiKeyCreated: false }, { mail: { catch: true } })
    await app.db.updateTable('user').set({ emailVerified: true }).execute()
    await create(visitor)
    expect(await app.db.selectFrom('outbox').select('id').where('kind', '=', 'api-key-created').execute()).toEqual([])
  })
})
