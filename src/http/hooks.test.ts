import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { HookCall, HookOutcome } from '../features/request-hooks/index.ts'
import { refusal } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const hooked = async (hooks: NonNullable<Parameters<typeof testApp>[0]>['hooks'], config = {}) => {
  const kit = await testApp({ hooks, ...config })
  return { ...kit, visitor: kit.browser() }
}
const users = async ({ app }: Awaited<ReturnType<typeof testApp>>) => app.db.selectFrom('user').selectAll().execute()

describe('hooks.before', () => {
  test('gets the call as sent, and changes nothing when it returns nothing', async () => {
    const calls: HookCall[] = []
    const { visitor } = await hooked({ before: (call) => void calls.push(call) })
    const answer = await visitor.request('/sign-up/email?a=1&b=2&b=3', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-test': 'yes' },
      body: JSON.stringify({ ...ann, more: 1 }),
    })
    expect(answer.status).toBe(200)
    expect(calls).toHaveLength(1)
    expect(calls[0]).toEqual({
      method: 'POST',
      path: '/sign-up/email',
      headers: expect.any(Headers),
      query: { a: '1', b: ['2', '3'] },
      body: { ...ann, more: 1 },
      address: '127.0.0.1',
      requestId: answer.headers.get('x-request-id'),
    })
    expect(calls[0]?.headers.get('x-test')).toBe('yes')
  })

  test('may change body and query, which are validated afterwards', async () => {
    const kit = await hooked({
      before: async ({ path, body, query }) => {
        if (path === '/sign-up/email') return { context: { body: { ...Object(body), name: 'Changed' } } }
        if (path === '/sign-in/email') return { context: { body: { email: 7 } } }
        return { context: { query: { ...query, disableRefresh: 'true' } } }
      },
    })
    expect((await kit.visitor.call('POST /sign-up/email', { body: ann })).body.user.name).toBe('Changed')
    expect((await kit.visitor.call('POST /sign-in/email', { body: ann })).body.code).toBe('VALIDATION_ERROR')
    kit.clock.advance(100_000)
    expect((await kit.visitor.call('GET /get-session', {})).setCookie).toEqual([])
  })

  test('may respond instead of the call, which does not run', async () => {
    const kit = await hooked({ before: ({ path }) => (path === '/sign-up/email' ? { response: { closed: true } } : undefined) })
    const answer = await kit.visitor.call('POST /sign-up/email', { body: ann })
    expect([answer.status, answer.body, answer.setCookie]).toEqual([200, { closed: true }, []])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(await users(kit)).toEqual([])
    expect((await kit.visitor.call('GET /ok', {})).body).toEqual({ ok: true })
  })

  test('runs after the check of the origin, and before validation and access', async () => {
    const seen: string[] = []
    const { visitor } = await hooked({ before: ({ path }) => void seen.push(path) })
    const headers = { 'content-type': 'application/json' }
    const evil = { ...headers, cookie: 'a=b', origin: 'https://evil.test' }
    expect((await visitor.request('/sign-out', { method: 'POST', headers: evil, body: '{}' })).status).toBe(403)
    expect((await visitor.request('/nothing')).status).toBe(404)
    expect(seen).toEqual([])
    expect((await visitor.request('/sign-up/email', { method: 'POST', headers, body: '{}' })).status).toBe(400)
    expect((await visitor.request('/list-sessions')).status).toBe(401)
    expect(seen).toEqual(['/sign-up/email', '/list-sessions'])
  })

  test('may reject the call with its own code and message', async () => {
    const kit = await hooked({
      before: () => {
        throw refusal({ status: 403, message: 'Only by invitation!' })
      },
    })
    const answer = await kit.visitor.call('POST /sign-up/email', { body: ann })
    expect([answer.status, answer.statusText]).toEqual([403, 'FORBIDDEN'])
    expect(answer.body).toEqual({ code: 'ONLY_BY_INVITATION', message: 'Only by invitation!' })
    expect(await users(kit)).toEqual([])
    expect(kit.counted).not.toContain('unexpected_error')
  })

  test('gives a 500 with the request id of the log, and no effect, when it throws another error', async () => {
    const kit = await hooked({
      before: () => {
        throw new Error('the ledger is unavailable')
      },
    })
    const answer = await kit.visitor.call('POST /sign-up/email', { body: ann })
    expect([answer.status, answer.body]).toEqual([500, { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' }])
    const id = answer.headers.get('x-request-id')
    expect(kit.log.some((line) => line.includes(`"requestId":"${id}"`) && line.includes('the ledger is unavailable'))).toBe(true)
    expect(await users(kit)).toEqual([])
  })
})

describe('hooks.after', () => {
  test('gets the outcome as the client gets it, without hidden columns', async () => {
    const outcomes: (HookCall & HookOutcome)[] = []
    const kit = await hooked({ after: (call) => void outcomes.push(call) })
    const signUp = await kit.visitor.call('POST /sign-up/email', { body: ann })
    const session = await kit.visitor.call('GET /get-session', {})
    await kit.visitor.call('POST /sign-in/email', { body: { email: ann.email, password: 'wrong horse battery' } })
    await kit.visitor.request('/sign-in/email', { method: 'POST' })
    await kit.visitor.request('/error')
    expect(outcomes.map(({ path, result, error }) => [path, result ?? error ?? null])).toEqual([
      ['/sign-up/email', signUp.body],
      ['/get-session', session.body],
      ['/sign-in/email', { status: 401, code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }],
      ['/sign-in/email', { status: 400, code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }],
      ['/error', null],
    ])
  })

  test('may replace a result or an error, and add headers and cookies', async () => {
    const { visitor } = await hooked({
      after: ({ error }) => ({
        response: { replaced: error?.code ?? null },
        headers: { 'X-Test': 'yes', 'set-cookie': 'mine=1; Path=/' },
      }),
    })
    const signUp = await visitor.call('POST /sign-up/email', { body: ann })
    expect([signUp.status, signUp.body, signUp.headers.get('x-test')]).toEqual([200, { replaced: null }, 'yes'])
    expect(signUp.setCookie).toEqual([expect.stringContaining('latchkey.session_token='), 'mine=1; Path=/'])
    const refused = await visitor.call('POST /sign-in/email', { body: { email: 'ann', password: '' } })
    expect([refused.status, refused.body]).toEqual([200, { replaced: 'INVALID_EMAIL' }])
  })

  test('adds headers to an outcome that it does not replace', async () => {
    const { visitor } = await hooked({ after: async () => ({ headers: { 'x-test': 'yes' } }) })
    expect((await visitor.call('GET /ok', {})).headers.get('x-test')).toBe('yes')
    const refused = await visitor.call('POST /sign-out', {})
    expect([refused.status, refused.headers.get('x-test')]).toEqual([400, 'yes'])
  })

  test('is not called when the before-hook responded, or when the call failed unexpectedly', async () => {
    const seen: string[] = []
    const { app, visitor } = await hooked({
      before: ({ path }) => (path === '/ok' ? { response: null } : undefined),
      after: ({ path }) => void seen.push(path),
    })
    expect((await visitor.call('GET /ok', {})).body).toBeNull()
    await app.db.schema.dropTable('account').execute()
    expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(500)
    expect(seen).toEqual([])
  })

  test.each([
    ['a refusal', () => refusal({ status: 403, code: 'NOT_TODAY', message: 'Come back tomorrow' }), 403, 'NOT_TODAY'],
    ['any other error', () => new Error('away'), 500, 'INTERNAL_SERVER_ERROR'],
  ])('that throws %s hands out no session', async (_, make, status, code) => {
    const { visitor } = await hooked({
      after: () => {
        throw make()
      },
    })
    const answer = await visitor.call('POST /sign-up/email', { body: ann })
    expect([answer.status, answer.body.code, answer.setCookie]).toEqual([status, code, []])
    expect(answer.headers.get('x-request-id')).not.toBeNull()
  })

  test('gives a 500 when it adds an invalid header', async () => {
    const { visitor } = await hooked({ after: () => ({ headers: { 'x-test': 'a\r\nset-cookie: b=c' } }) })
    const answer = await visitor.call('GET /ok', {})
    expect([answer.status, answer.headers.get('x-test')]).toEqual([500, null])
  })
})

test('any other function of the configuration may reject in the same way', async () => {
  const kit = await hooked(undefined, {
    databaseHooks: {
      user: {
        create: {
          before: () => {
            throw refusal({ status: 422, message: 'No more users' })
          },
        },
      },
    },
  })
  const answer = await kit.visitor.call('POST /sign-up/email', { body: ann })
  expect([answer.status, answer.body]).toEqual([422, { code: 'NO_MORE_USERS', message: 'No more users' }])
})

test.each([
  ['no hook', {}],
  ['a hook after the call', { after: () => undefined }],
])('a refusal of status 500 is a failure that the log has, with %s', async (_, hooks) => {
  const before = () => {
    throw refusal({ status: 500, message: 'The ledger is unavailable' })
  }
  const { counted, log, visitor } = await hooked(hooks, { databaseHooks: { user: { create: { before } } } })
  const answer = await visitor.call('POST /sign-up/email', { body: ann })
  expect([answer.status, answer.body.code]).toEqual([500, 'THE_LEDGER_IS_UNAVAILABLE'])
  expect(counted).toContain('unexpected_error')
  expect(log.some((line) => line.includes('A call failed unexpectedly'))).toBe(true)
})

test('rejects a refusal with a status that no response has', () => {
  expect(() => refusal({ status: 200 as never, message: 'x' })).toThrow(RangeError)
})
