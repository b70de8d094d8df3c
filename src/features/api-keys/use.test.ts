/** Verifying keys: by servers of the operator, and as the credential of a request (contract 06 §1). */
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type TestOptions, testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { recordStatements, runBefore } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'
import { jobs } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const day = 86_400
const secret = 'a secret of the tests, 0123456789 abcdefghij'

async function open(apiKey: ConfigFile['apiKey'] = {}, more: ConfigFile = {}, options: TestOptions = {}) {
  const kit = await testApp({ ...more, apiKey: typeof apiKey === 'object' ? { enabled: true, ...apiKey } : apiKey }, options)
  const visitor = kit.browser()
  const userId = String((await visitor.call('POST /sign-up/email', { body: ann })).body.user.id)
  const create = async (body: object = {}): Promise<{ id: string; key: string; start: string | null }> => {
    const created = await kit.privileged().call('POST /api-key/create', { body: { userId, rateLimitEnabled: false, ...body } })
    // It leaves the deletion of expired keys until after its response, which must not meet what the test lets expire.
    await kit.settled()
    return created.body
  }
  const verify = async (key: string, permissions?: Record<string, string[]>) =>
    (await kit.privileged().call('POST /api-key/verify', { body: { key, ...(permissions && { permissions }) } })).body
  const code = async (key: string, permissions?: Record<string, string[]>) => (await verify(key, permissions)).error?.code ?? null
  const get = (path: string, key: string) => kit.browser().request(path, { headers: { 'x-api-key': key } })
  const row = (id: string) => kit.app.db.selectFrom('apikey').selectAll().where('id', '=', id).executeTakeFirst()
  return { ...kit, visitor, userId, create, verify, code, get, row }
}

describe('verify', () => {
  test('is not a call of the public listener', async () => {
    const { browser } = await open()
    expect((await browser().call('POST /api-key/verify', { body: { key: 'x' } })).status).toBe(404)
    expect((await browser().call('POST /api-key/delete-all-expired-api-keys', { body: {} })).status).toBe(404)
  })

  test('returns the key and counts its use', async () => {
    const { create, verify, clock, row } = await open()
    const { key, id, ...rest } = await create({ remaining: 5, rateLimitEnabled: true })
    const used = { remaining: 4, requestCount: 1, lastRequest: clock.now().toISOString() }
    expect(await verify(key)).toEqual({ valid: true, error: null, key: { ...rest, id, ...used } })
    expect(await row(id)).toMatchObject({ ...used, lastRequest: clock.now() })
  })

  test('is one query and one update, and within a second of the last use only a query if the key has no limits', async () => {
    const { app, create, verify, clock, row } = await open()
    const [plain, limited] = [await create(), await create({ remaining: 5 })]
    const { record } = recordStatements({ app })
    const statementsOf = async ({ key }: { key: string }) => (await record(() => verify(key))).statements
    const counted = ['select apikey', 'update apikey']
    for (const key of [plain, limited]) expect(await statementsOf(key)).toEqual(counted)
    clock.advance(0.9)
    expect(await statementsOf(plain)).toEqual(['select apikey'])
    expect(await statementsOf(limited)).toEqual(counted)
    clock.advance(0.1)
    expect(await statementsOf(plain)).toEqual(counted)
    expect((await row(plain.id))?.lastRequest).toEqual(clock.now())
    expect((await row(limited.id))?.remaining).toBe(3)
  })

  test.each([
    ['a short text', 'x', 'KEY_NOT_FOUND', 'Invalid API key.'],
    ['a very long text', 'x'.repeat(5000), 'INVALID_API_KEY', 'Invalid API key.'],
    ['an unknown key', 'x'.repeat(64), 'INVALID_API_KEY', 'Invalid API key.'],
  ])('rejects %s', async (_, key, code, message) => {
    const { verify } = await open()
    expect(await verify(key)).toEqual({ valid: false, error: { code, message }, key: null })
  })

  test('rejects disabled and expired keys; an expired one is deleted', async () => {
    const { create, verify, visitor, clock, row } = await open()
    const disabled = await create({ expiresIn: day })
    const expired = await create({ expiresIn: day })
    await visitor.call('POST /api-key/update', { body: { keyId: disabled.id, enabled: false } })
    clock.advance(day)
    expect((await verify(disabled.key)).error).toEqual({ code: 'KEY_DISABLED', message: 'API Key is disabled' })
    expect((await verify(expired.key)).error).toEqual({ code: 'KEY_EXPIRED', message: 'API Key has expired' })
    expect([await row(disabled.id), await row(expired.id)]).toEqual([expect.anything(), undefined])
  })

  test('records keys that Latchkey deletes as its own act', async () => {
    const { app, create, verify, clock, userId } = await open()
    const expired = await create({ expiresIn: day, name: 'first' })
    const swept = await create({ expiresIn: day, name: 'second' })
    const used = await create({ remaining: 1, name: 'third' })
    for (let use = 0; use < 2; use += 1) await verify(used.key)
    clock.advance(day)
    await verify(expired.key)
    await jobs.apiKeys.run(app, new AbortController().signal)
    const rows = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'api-key.expired').execute()
    expect(rows.map((row) => [row.targetId, row.actorKind, row.actorName, row.userId, row.details]).sort()).toEqual(
      [
        [used.id, 'system', 'apiKeys', userId, { name: 'third', reason: 'used-up' }],
        [expired.id, 'system', 'apiKeys', userId, { name: 'first', reason: 'expired' }],
        [swept.id, 'system', 'apiKeys', userId, { name: 'second', reason: 'expired' }],
      ].sort(),
    )
  })

  test('requires that the key permits everything that is asked for', async () => {
    const { create, code } = await open()
    const limited = await create({ permissions: { projects: ['read', 'write'], files: ['read'] } })
    const plain = await create()
    expect(await code(limited.key, { projects: ['write'], files: ['read'] })).toBeNull()
    for (const [{ key }, asked] of [
      [limited, { projects: ['delete'] }],
      [limited, { projects: ['read'], users: ['read'] }],
      [limited, { constructor: ['name'] }],
      [plain, { projects: ['read'] }],
    ] as const)
      expect(await code(key, asked as never)).toBe('KEY_NOT_FOUND')
    expect(await code(plain.key)).toBeNull()
  })

  test('ends a key without refill after its last use', async () => {
    const { create, verify, code, row } = await open()
    const { key, id } = await create({ remaining: 2 })
    expect([await code(key), await code(key)]).toEqual([null, null])
    expect((await verify(key)).error).toEqual({ code: 'USAGE_EXCEEDED', message: 'API Key has reached its usage limit' })
    expect(await row(id)).toBeUndefined()
    expect(await code(key)).toBe('INVALID_API_KEY')
  })

  test('refills a key after its interval, up to the amount', async () => {
    const { create, verify, code, clock, row } = await open()
    const { key, id } = await create({ remaining: 1, refillAmount: 2, refillInterval: 1 })
    expect([await code(key), await code(key)]).toEqual([null, 'USAGE_EXCEEDED'])
    clock.advance(day)
    expect(await code(key)).toBe('USAGE_EXCEEDED')
    clock.advance(0.001)
    expect((await verify(key)).key).toMatchObject({ remaining: 1, lastRefillAt: clock.now().toISOString() })
    expect([await code(key), await code(key)]).toEqual([null, 'USAGE_EXCEEDED'])
    expect(await row(id)).toMatchObject({ remaining: 0, lastRefillAt: clock.now() })
  })

  test('limits the uses in a window, which starts again after a pause', async () => {
    const { create, verify, code, clock } = await open()
    const { key } = await create({ rateLimitEnabled: true, rateLimitMax: 2, rateLimitTimeWindow: 1000 })
    expect([await code(key), await code(key)]).toEqual([null, null])
    clock.advance(0.4)
    expect((await verify(key)).error).toEqual({
      ...{ code: 'RATE_LIMITED', message: 'Rate limit exceeded.' },
      details: { tryAgainIn: 600 },
    })
    clock.advance(0.601)
    expect((await verify(key)).key.requestCount).toBe(1)
  })

  test('ignores the limits of all keys when the configuration says so', async () => {
    const { create, code } = await open({ rateLimit: { enabled: false } })
    const { key } = await create({ rateLimitEnabled: true, rateLimitMax: 1 })
    expect([await code(key), await code(key)]).toEqual([null, null])
  })

  test('asks a function of the configuration before the database', async () => {
    const { create, code } = await open({ customAPIKeyValidator: async ({ key }) => key.startsWith('ok_') })
    expect(await code((await create({ prefix: 'ok_' })).key)).toBeNull()
    expect(await code((await create({ prefix: 'no_' })).key)).toBe('KEY_NOT_FOUND')
  })

  test('rejects the keys of a banned user until the ban ends, without counting a use', async () => {
    const { app, create, code, userId, clock, row } = await open({}, { admin: true })
    const { key, id } = await create({ remaining: 5 })
    const banExpires = new Date(clock.now().getTime() + 60_000)
    await app.db.updateTable('user').set({ banned: true, banExpires }).where('id', '=', userId).execute()
    expect(await code(key)).toBe('USER_IS_BANNED')
    expect((await row(id))?.remaining).toBe(5)
    clock.advance(61)
    expect(await code(key)).toBeNull()
  })
})

describe('the stored hash', () => {
  test('of a key that better-auth created is accepted, and replaced at its first use', async () => {
    const { app, create, code, row } = await open()
    const { id } = await create()
    const key = `pk_${'A'.repeat(64)}`
    const plain = createHash('sha256').update(key).digest('base64url')
    expect(plain).toBe('L1NSpPE1GghtclST7g-DfWWQ1fmBA7yArgAIWvDUq-k')
    await app.db.updateTable('apikey').set({ key: plain }).where('id', '=', id).execute()
    expect(await code(key)).toBeNull()
    expect((await row(id))?.key).toBe(app.keyring.hash('api-key', key))
    expect(await code(key)).toBeNull()
  })

  test('and the other columns may come from another application', async () => {
    const { app, create, verify, row } = await open()
    const { id, key } = await create()
    for (const text of ['null', '"text"', '[1]', 'no JSON', '{"projects":"read"}']) {
      await app.db.updateTable('apikey').set({ permissions: text, metadata: text }).where('id', '=', id).execute()
      expect((await verify(key)).key?.permissions).toBeNull()
      expect((await verify(key, { projects: ['read'] })).valid).toBe(false)
    }
    expect(await row(id)).toBeDefined()
  })

  test('follows a rotation of the secret', async () => {
    const newSecret = 'another secret of the tests, 0123456789 abc'
    const { app, create, row } = await open({}, { secret: [newSecret, secret] })
    const { id, key } = await create()
    const retired = app.keyring.hashes('api-key', key)[1] ?? ''
    await app.db.updateTable('apikey').set({ key: retired }).where('id', '=', id).execute()
    const { useKey } = await import('./use.ts')
    expect(await useKey(app, key)).toMatchObject({ key: { id } })
    expect((await row(id))?.key).toBe(app.keyring.hash('api-key', key))
  })
})

describe('the checksum', () => {
  const pattern = /^acme_[0-9A-Za-z]{64}$/

  test('is part of new keys, and a text without a valid one is not looked up', async () => {
    const { create, code } = await open({ defaultPrefix: 'acme_', checksum: 'require' })
    const { key } = await create()
    expect(key).toMatch(pattern)
    expect(await code(key)).toBeNull()
    const other = key.at(-1) === 'A' ? 'B' : 'A'
    expect(await code(`${key.slice(0, -1)}${other}`)).toBe('KEY_NOT_FOUND')
    expect(await code(`${key.slice(0, 10)}${other}${key.slice(11)}`)).toBe('KEY_NOT_FOUND')
  })

  test('is not required of older keys with `add`', async () => {
    const { app, create, code } = await open({ defaultPrefix: 'acme_', checksum: 'add' })
    const { id, key } = await create()
    expect(key).toMatch(pattern)
    const older = 'k'.repeat(64)
    await app.db
      .updateTable('apikey')
      .set({ key: app.keyring.hash('api-key', older) })
      .where('id', '=', id)
      .execute()
    expect(await code(older)).toBeNull()
  })
})

describe('a request with a key', () => {
  test('is one of its owner, with a session view that does not contain the key', async () => {
    const { create, get, clock, userId, row } = await open()
    const { id, key, start } = await create({ remaining: 3 })
    const { status, body, setCookie } = await get('/get-session', key)
    expect([status, setCookie]).toEqual([200, []])
    const at = clock.now()
    expect(body.user).toMatchObject({ id: userId, email: ann.email })
    expect(body.session).toEqual({
      ...{ id, userId, token: start, ipAddress: expect.any(String), userAgent: null },
      ...{ createdAt: at.toISOString(), updatedAt: at.toISOString() },
      expiresAt: new Date(at.getTime() + 604_800_000).toISOString(),
    })
    expect((await row(id))?.remaining).toBe(2)
    expect((await get('/list-sessions', key)).body).toHaveLength(1)
    expect((await row(id))?.remaining).toBe(1)
  })

  test.each([
    ['too short', 'x', 403, { code: 'INVALID_API_KEY', message: 'Invalid API key.' }],
    ['too long', 'x'.repeat(5000), 401, { code: 'INVALID_API_KEY', message: 'Invalid API key.' }],
    ['unknown', 'x'.repeat(64), 401, { code: 'INVALID_API_KEY', message: 'Invalid API key.' }],
  ])('fails when it is %s', async (_, key, status, body) => {
    const { get } = await open()
    for (const path of ['/get-session', '/list-sessions']) {
      const answer = await get(path, key)
      expect([answer.status, answer.body, answer.setCookie]).toEqual([status, body, []])
    }
  })

  test('fails with the time to wait at its rate limit', async () => {
    const { create, get } = await open()
    const { key } = await create({ rateLimitEnabled: true, rateLimitMax: 1, rateLimitTimeWindow: 5000 })
    expect((await get('/get-session', key)).status).toBe(200)
    const { status, body } = await get('/get-session', key)
    expect([status, body]).toEqual([
      401,
      { code: 'RATE_LIMITED', message: 'Rate limit exceeded.', details: { tryAgainIn: 5000 } },
    ])
  })

  test('takes the first configured header that is present, or what a function finds', async () => {
    const several = await open({ apiKeyHeaders: ['X-First', 'X-Second'] })
    const { key } = await several.create()
    const send = (headers: Record<string, string>) => several.browser().request('/list-sessions', { headers })
    expect((await send({ 'x-second': key })).status).toBe(200)
    expect((await send({ 'x-first': 'x', 'x-second': key })).status).toBe(403)
    expect((await send({ 'x-api-key': key })).status).toBe(401)
    const found = await open({ customAPIKeyGetter: ({ headers }) => headers.get('Authorization')?.replace('Key ', '') ?? null })
    const other = await found.create()
    const authorization = `Key ${other.key}`
    expect((await found.browser().request('/list-sessions', { headers: { authorization } })).status).toBe(200)
    expect((await found.browser().request('/list-sessions')).status).toBe(401)
  })

  test('may come from a trusted origin in a header of its own', async () => {
    const { browser } = await open({ apiKeyHeaders: 'X-Acme-Key' }, { trustedOrigins: ['https://app.example.com'] })
    const headers = { origin: 'https://app.example.com', 'access-control-request-method': 'GET' }
    const answer = await browser().request('/get-session', { method: 'OPTIONS', headers })
    expect([answer.status, answer.headers.get('access-control-allow-headers')]).toEqual([
      204,
      expect.stringContaining('x-api-key, x-acme-key'),
    ])
  })

  test('fails when that function returns no text', async () => {
    const { get } = await open({ customAPIKeyGetter: ({ headers }) => (headers.get('x-api-key') ? 5 : null) })
    const { status, body } = await get('/get-session', 'a key')
    expect([status, body.message]).toEqual([400, 'API Key getter returned an invalid key type. Expected string.'])
  })

  test('is used once by any call, also one that needs no session, before the body is validated', async () => {
    const { browser, create, get, row } = await open()
    const { key, id } = await create({ remaining: 3 })
    const unknown = 'x'.repeat(64)
    for (const path of ['/ok', '/error', '/get-session']) expect([path, (await get(path, unknown)).status]).toEqual([path, 401])
    expect((await get('/ok', 'short')).status).toBe(403)
    expect((await get('/unknown', unknown)).status).toBe(404)
    const send = (given: string) => browser().call('POST /sign-in/email', { body: {} as never }, { 'x-api-key': given })
    expect([(await send(unknown)).status, (await send(key)).status]).toEqual([401, 400])
    expect((await get('/ok', key)).status).toBe(200)
    expect((await row(id))?.remaining).toBe(1)
  })

  test('is rejected before other checks of the call, and before it has an effect', async () => {
    const { browser, visitor } = await open({}, { username: true, multiSession: true })
    const send = (call: 'POST /sign-up/email' | 'POST /update-user', body: object) =>
      browser().call(call, { body: body as never }, { 'x-api-key': 'x'.repeat(64) })
    expect((await send('POST /sign-up/email', { ...ann, username: 'a' })).body.code).toBe('INVALID_API_KEY')
    expect((await send('POST /update-user', { username: 'a' })).body.code).toBe('INVALID_API_KEY')
    const before = (await visitor.call('GET /multi-session/list-device-sessions', {})).body
    const signOut = await visitor.call('POST /sign-out', {}, { 'x-api-key': 'x'.repeat(64) })
    expect([signOut.status, signOut.setCookie]).toEqual([401, []])
    expect((await visitor.call('GET /multi-session/list-device-sessions', {})).body).toEqual(before)
  })

  test('that signs out ends the session that it carries in addition', async () => {
    const { app, browser, create, visitor } = await open({}, { bearer: true })
    const { key } = await create()
    const { token } = (await browser().call('POST /sign-in/email', { body: ann })).body
    const sessions = async () => (await app.db.selectFrom('session').select('id').execute()).length
    expect(await sessions()).toBe(2)
    expect((await visitor.call('POST /sign-out', {}, { 'x-api-key': key })).body).toEqual({ success: true })
    expect(await sessions()).toBe(1)
    const headers = { 'x-api-key': key, authorization: `Bearer ${token}` }
    expect((await browser().call('POST /sign-out', {}, headers)).body).toEqual({ success: true })
    expect(await sessions()).toBe(0)
    expect((await browser().call('POST /sign-out', {}, { 'x-api-key': key })).body.code).toBe('FAILED_TO_GET_SESSION')
  })

  test('that signs in replaces the session that it carries in addition', async () => {
    const { app, create, visitor } = await open()
    const { key } = await create()
    const sessions = () => app.db.selectFrom('session').select('id').execute()
    const [former] = await sessions()
    const { email, password } = ann
    const signIn = await visitor.call('POST /sign-in/email', { body: { email, password } }, { 'x-api-key': key })
    expect(signIn.status).toBe(200)
    expect(await sessions()).toEqual([{ id: expect.not.stringMatching(String(former?.id)) }])
  })

  test('is anonymous when keys are only for servers', async () => {
    const { create, get, code } = await open({ disableSessionForAPIKeys: true })
    const { key } = await create()
    expect([(await get('/list-sessions', key)).status, (await get('/get-session', key)).body, await code(key)]).toEqual([
      401,
      null,
      null,
    ])
  })

  test('of a banned user fails', async () => {
    const { app, create, get } = await open({}, { admin: true })
    const { key } = await create()
    await app.db.updateTable('user').set({ banned: true }).execute()
    expect((await get('/list-sessions', key)).body.code).toBe('USER_IS_BANNED')
  })

  test('from a foreign origin is rejected like any other', async () => {
    const { create, browser } = await open()
    const { key } = await create()
    const headers = { 'x-api-key': key, origin: 'https://evil.example' }
    const { body } = await browser().call('POST /update-user', { body: { name: 'Eve' } }, headers)
    expect(body.code).toBe('INVALID_ORIGIN')
  })

  test('names its owner in the audit log when it is rejected', async () => {
    const { app, create, get, visitor, userId } = await open()
    const { id, key } = await create()
    await visitor.call('POST /api-key/update', { body: { keyId: id, enabled: false } })
    await get('/list-sessions', key)
    const events = () => app.db.selectFrom('auditEvent').selectAll().where('outcome', '=', 'failed').execute()
    await expect
      .poll(events)
      .toEqual([
        expect.objectContaining({ action: 'sign-in.failed', userId, details: expect.objectContaining({ code: 'KEY_DISABLED' }) }),
      ])
  })
})

describe('what a key may not do', () => {
  const everything: ConfigFile = {
    ...{ admin: true, organization: true, username: true, phoneNumber: true, jwt: true },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    session: { freshAge: 0 },
  }
  const password = ann.password

  test.each([
    ['POST /api-key/create', {}],
    ['POST /api-key/update', { keyId: 'x', name: 'x' }],
    ['POST /api-key/delete', { keyId: 'x' }],
    ['POST /change-password', { currentPassword: password, newPassword: 'another horse entirely' }],
    ['POST /change-email', { newEmail: 'eve@example.com' }],
    ['POST /delete-user', { password }],
    ['GET /export-data', {}],
    ['GET /token', {}],
    ['POST /update-user', { username: 'eve' }],
    ['POST /update-user', { phoneNumber: null }],
    ['POST /update-session', {}],
    ['POST /organization/set-active', { organizationId: null }],
    ['POST /admin/stop-impersonating', {}],
  ] as const)('%s, even with the password', async (key, body) => {
    const { create, browser } = await open({}, everything)
    const headers = { 'x-api-key': (await create({ permissions: { user: ['impersonate'] } })).key }
    const call = browser().call as (key: string, input: object, headers: object) => ReturnType<Browser['request']>
    const answer = await call(key, { body }, headers)
    expect([answer.status, answer.body]).toEqual([
      403,
      { code: 'NOT_ALLOWED_WITH_AN_API_KEY', message: 'Not allowed with an API key' },
    ])
    expect(answer.setCookie).toEqual([])
  })

  test('get a token for other services with its session', async () => {
    const { create, get } = await open({}, everything)
    const { status, body, headers } = await get('/get-session', (await create()).key)
    expect([status, body.user.email, headers.get('set-auth-jwt')]).toEqual([200, ann.email, null])
  })

  test('change cookies, or sign anyone out', async () => {
    const { create, browser } = await open({}, everything)
    const headers = { 'x-api-key': (await create()).key }
    const updated = await browser().call('POST /update-user', { body: { name: 'Anna' } }, headers)
    expect([updated.status, updated.setCookie]).toEqual([200, []])
    const created = await browser().call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } }, headers)
    expect([created.status, created.setCookie]).toEqual([200, []])
    const signedOut = await browser().call('POST /sign-out', {}, headers)
    expect([signedOut.status, signedOut.body.code]).toEqual([400, 'FAILED_TO_GET_SESSION'])
    for (const call of ['POST /revoke-session', 'POST /revoke-sessions', 'POST /revoke-other-sessions'] as const)
      expect((await browser().call(call, { body: { token: 'x' } } as never, headers)).body.code).toBe(
        'NOT_ALLOWED_WITH_AN_API_KEY',
      )
  })

  test('use permissions of the roles of its owner that it does not have itself', async () => {
    const { app, browser, create, userId } = await open({}, { ...everything, admin: { adminUserIds: [] } })
    await app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
    await browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } })
    const bob = await app.db.selectFrom('user').select('id').where('email', '=', 'bob@example.com').executeTakeFirstOrThrow()
    const statuses = async (permissions?: object) => {
      const headers = { 'x-api-key': (await create({ permissions })).key }
      const listed = await browser().call('GET /admin/list-users', { query: {} }, headers)
      const banned = await browser().call('POST /admin/ban-user', { body: { userId: bob.id } }, headers)
      const impersonated = await browser().call('POST /admin/impersonate-user', { body: { userId: bob.id } }, headers)
      const asked = await browser().call('POST /admin/has-permission', { body: { permissions: { user: ['ban'] } } }, headers)
      return [listed.status, banned.status, impersonated.body.code, asked.body.success]
    }
    expect(await statuses()).toEqual([403, 403, 'NOT_ALLOWED_WITH_AN_API_KEY', false])
    expect(await statuses({ user: ['list'] })).toEqual([200, 403, 'NOT_ALLOWED_WITH_AN_API_KEY', false])
    expect(await statuses({ user: ['ban', 'impersonate'] })).toEqual([403, 200, 'NOT_ALLOWED_WITH_AN_API_KEY', true])
  })
})

test('a use is not counted when the key expires after it was read', async () => {
  const kit = await open()
  const { key, id } = await kit.create({ remaining: 5 })
  const expire = () => kit.app.db.updateTable('apikey').set({ expiresAt: kit.clock.now() }).where('id', '=', id).execute()
  const hasExpired = runBefore(kit, 'update apikey', expire)
  expect(await kit.code(key)).toBe('KEY_EXPIRED')
  expect(hasExpired()).toBe(true)
})
