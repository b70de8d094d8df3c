import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { testApp } from '../../tests/kit/app.ts'
import type { RawRequest } from '../../tests/kit/browser.ts'
import { extend } from '../core/app.ts'
import { ApiError } from '../core/errors.ts'
import { anyone, freshSession, optionalSession, session } from '../core/permissions.ts'
import { redirect } from '../core/reply.ts'
import { route } from '../core/route.ts'
import { featureList } from '../features/index.ts'
import { createServer } from './server.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const outOfOrder = { status: 500, code: 'OUT_OF_ORDER', message: 'Out of order' } as const
const json = { 'content-type': 'application/json' }
const signUp = (headers: Record<string, string> = {}, body = JSON.stringify(ann)) => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body,
})

describe('an unknown call', () => {
  test.each([
    ['GET', '/nothing'],
    ['POST', '/ok'],
    ['DELETE', '/ok'],
    ['PUT', '/sign-in/email'],
    ['HEAD', '/ok'],
    ['OPTIONS', '/ok'],
    ['GET', '//'],
    ['GET', '//api/authx/ok'],
    ['GET', '//api/auth'],
    ['GET', '//metrics'],
    ['GET', '/__proto__'],
  ])('%s %s is 404, with no body and no content-type', async (method, path) => {
    const { browser } = await testApp()
    const answer = await browser().request(path, { method })
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([404, '', null])
  })

  test('accepts a trailing slash', async () => {
    const { browser } = await testApp()
    expect((await browser().request('/ok/')).body).toEqual({ ok: true })
  })

  test('gives 404 with a text for a disabled path', async () => {
    const { browser } = await testApp({ disabledPaths: ['/ok'] })
    const answer = await browser().request('/ok')
    expect([answer.status, answer.body, answer.headers.get('content-type')]).toEqual([404, 'Not Found', 'text/plain'])
  })

  test('gives 404 with a text for a call disabled by its pattern', async () => {
    const { browser } = await testApp({ disabledPaths: ['/reset-password/:token', '/ok/'] })
    for (const path of ['/reset-password/abc', '/ok']) {
      const answer = await browser().request(path)
      expect([answer.status, answer.body]).toEqual([404, 'Not Found'])
    }
  })

  test('uses the configured base path', async () => {
    const { browser } = await testApp({ basePath: '/accounts/api' })
    expect((await browser().request('//accounts/api/ok')).status).toBe(200)
    expect((await browser().request('//api/auth/ok')).status).toBe(404)
  })

  test('uses a path in baseURL instead of basePath', async () => {
    const { browser } = await testApp({ baseURL: 'http://localhost:3000/id/' })
    expect((await browser().request('//id/ok')).status).toBe(200)
  })
})

test('runs the steps of a call in the order of the contract (00 §2)', async () => {
  const { browser } = await testApp({
    disabledPaths: ['/sign-in/email'],
    captcha: { provider: 'hcaptcha', secretKey: 'x', siteKey: 'y', endpoints: ['/sign-'] },
    rateLimit: {
      enabled: true,
      customRules: { '/sign-up/email': { window: 60, max: 1 }, '/update-user': { window: 60, max: 1 } },
    },
    hooks: { before: ({ headers }) => (headers.has('x-hook') ? { response: { code: 'HOOK' } } : undefined) },
  })
  const ask = async (path: string, headers: Record<string, string>, body: string) => {
    const answer = await browser().request(path, { method: 'POST', headers: { ...json, ...headers }, body })
    return answer.body.code ?? answer.body
  }
  // Each has the faults of those above it, and one of an earlier step.
  expect(await ask('/revoke-session', {}, '{"token":"x"}')).toBe('UNAUTHORIZED')
  expect(await ask('/revoke-session', {}, '{}')).toBe('VALIDATION_ERROR')
  const hooked = { 'x-hook': '1' }
  expect(await ask('/revoke-session', hooked, '{}')).toBe('HOOK')
  const foreign = { ...hooked, cookie: 'a=b', origin: 'https://evil.test' }
  expect(await ask('/revoke-session', foreign, '{}')).toBe('INVALID_ORIGIN')
  expect(await ask('/update-user', foreign, '{')).toBe('VALIDATION_ERROR')
  expect(await ask('/nothing', foreign, '{')).toBe('')
  expect(await ask('/update-user', foreign, '{')).toBe('TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER')
  expect(await ask('/sign-up/email', foreign, '{')).toBe('MISSING_CAPTCHA_RESPONSE')
  expect(await ask('/sign-up/email', foreign, '{')).toBe('TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER')
  expect(await ask('/sign-in/email', foreign, '{')).toBe('Not Found')
})

describe('the body', () => {
  const required = ['name', 'email', 'password']
  test.each([
    ['malformed JSON', json, '{"a":', []],
    ['empty JSON', json, '', []],
    ['a JSON array', json, '[]', required],
    ['a JSON text', json, '"x"', required],
    ['another content type', { 'content-type': 'text/plain' }, JSON.stringify(ann), required],
    ['no content type', {}, JSON.stringify(ann), required],
  ])('%s is a validation error', async (_, headers, body, parameters) => {
    const { browser } = await testApp()
    const answer = await browser().request('/sign-up/email', { method: 'POST', headers, body })
    const { details, ...error } = answer.body
    expect([answer.status, error]).toEqual([400, { code: 'VALIDATION_ERROR', message: 'Invalid body parameters' }])
    expect(details).toEqual({ parameters })
  })

  test('may be a form', async () => {
    const { browser } = await testApp()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const answer = await browser().request('/sign-up/email', { method: 'POST', headers, body: String(new URLSearchParams(ann)) })
    expect(answer.status).toBe(200)
  })

  test('may be a multipart form, whose files are ignored', async () => {
    const { browser } = await testApp()
    const part = (name: string, value: string) => `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const body = `${Object.entries({ ...ann, image: 'i' })
      .map(([name, value]) => part(name === 'image' ? 'image"; filename="i.png' : name, value))
      .join('')}--B--\r\n`
    const headers = { 'content-type': 'multipart/form-data; boundary=B' }
    const answer = await browser().request('/sign-up/email', { method: 'POST', headers, body })
    expect([answer.status, answer.body.user?.image]).toEqual([200, null])
  })

  test('is rejected above the size limit before it is read', async () => {
    const { browser } = await testApp({ server: { bodyLimit: 1000 } })
    const answer = await browser().request('/sign-up/email', signUp({}, JSON.stringify({ ...ann, name: 'a'.repeat(2000) })))
    expect([answer.status, answer.body]).toEqual([413, { code: 'PAYLOAD_TOO_LARGE', message: 'Payload too large' }])
  })

  const form = 'application/x-www-form-urlencoded'
  const multipart = 'multipart/form-data; boundary=B'
  const fields = (count: number) => Array.from({ length: count }, (_, position) => `f${position}=`)
  const parts = (count: number) =>
    fields(count).map((name) => `--B\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n\r\n`)
  test.each([
    ['a form of 64 KiB', form, `a=${'x'.repeat(65_534)}`, 400],
    ['a larger form', form, `a=${'x'.repeat(65_535)}`, 413],
    ['a larger multipart form', multipart, `${parts(1)}${'x'.repeat(65_536)}--B--`, 413],
    ['JSON of 128 KiB', 'application/json', `{"a":"${'x'.repeat(131_064)}"}`, 400],
    ['larger JSON', 'application/json', `{"a":"${'x'.repeat(131_065)}"}`, 413],
  ])('has a maximum size: %s', async (_, type, body, status) => {
    const { browser } = await testApp()
    for (const headers of [{}, { 'content-length': String(body.length) }]) {
      const sent = { method: 'POST', headers: { 'content-type': type, ...headers }, body }
      expect((await browser().request('/sign-up/email', sent)).status).toBe(status)
    }
  })

  test.each([
    ['100 fields', form, fields(100).join('&'), true],
    ['101 fields', form, fields(101).join('&'), false],
    ['a field that is repeated', form, 'a&'.repeat(101), false],
    ['100 parts', multipart, `${parts(100).join('')}--B--\r\n`, true],
    ['101 parts', multipart, `${parts(101).join('')}--B--\r\n`, false],
    ['a quoted boundary and 101 parts', 'multipart/form-data; charset=x; boundary="B"', `${parts(101).join('')}--B--\r\n`, false],
    [
      'a boundary in the value of another parameter',
      'multipart/form-data; a="; boundary=zz"; boundary=B',
      `${parts(101).join('')}--B--\r\n`,
      false,
    ],
    ['an escaped boundary', 'multipart/form-data; boundary="\\B"', `${parts(101).join('')}--B--\r\n`, false],
    ['no boundary', 'multipart/form-data', `${parts(1).join('')}--B--\r\n`, false],
    ['no parts', multipart, 'x', false],
  ])('is a form of 100 fields at most: %s', async (_, type, body, isAccepted) => {
    const { browser } = await testApp()
    const { status, body: response } = await browser().request('/sign-out', {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    })
    expect([status, response.code]).toEqual([400, isAccepted ? 'FAILED_TO_GET_SESSION' : 'VALIDATION_ERROR'])
  })

  test('is optional for a call that declares none', async () => {
    const { browser } = await testApp()
    expect((await browser().request('/sign-out', { method: 'POST' })).body.code).toBe('FAILED_TO_GET_SESSION')
  })

  test.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=B'])(
    'is none when it has no length, whatever its type: %s',
    async (type) => {
      const { browser } = await testApp({ user: { deleteUser: { enabled: true } } })
      const visitor = browser()
      await visitor.request('/sign-up/email', signUp())
      const send = (path: string) =>
        visitor.request(path, { method: 'POST', headers: { 'content-type': type, 'content-length': '0' } })
      for (const path of ['/update-user', '/delete-user']) {
        const answer = await send(path)
        expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR'])
      }
      expect((await send('/sign-out')).body).toEqual({ success: true })
    },
  )
})

describe('the query', () => {
  test.each([
    [64, 200],
    [65, 400],
  ])('has 64 parameters at most: %d', async (count, status) => {
    const { browser } = await testApp()
    for (const path of ['/ok', '/get-session']) {
      const search = Array.from({ length: count }, (_, position) => `k${position}`).join('&')
      const response = await browser().request(`${path}?${search}`)
      expect(response.status).toBe(status)
      if (status === 400)
        expect(response.body).toEqual({
          code: 'VALIDATION_ERROR',
          message: 'Invalid query parameters',
          details: { parameters: [] },
        })
    }
  })

  test('has lists for repeated keys, and any key', async () => {
    const seen: object[] = []
    const { browser } = await testApp({ hooks: { before: ({ query }) => void seen.push(query) } })
    await browser().request('/ok?a=1&b=2&a=3&__proto__=x&a=4#c=5')
    expect(Object.entries(seen[0] ?? {})).toEqual([
      ['a', ['1', '3', '4']],
      ['b', '2'],
      ['__proto__', 'x'],
    ])
  })
})

describe('the origin', () => {
  const withCookie = { cookie: 'a=b' }
  test.each([
    ['our own', { origin: 'http://localhost:3000' }, 200],
    ['our own with a slash', { origin: 'http://localhost:3000/' }, 200],
    ['our own in capitals', { origin: 'http://LOCALHOST:3000' }, 200],
    ['none', {}, 200],
    ['a trusted one', { origin: 'https://app.example.com' }, 200],
    ['null', { origin: 'null' }, 403],
    ['null from a page of ours, as the browser says', { origin: 'null', 'sec-fetch-site': 'same-origin' }, 200],
    ['null from another site', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
    ['null from a neighbour', { origin: 'null', 'sec-fetch-site': 'same-site' }, 403],
    ['another', { origin: 'https://evil.test' }, 403],
    ['another, whatever else is said', { origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }, 403],
    ['another as referer', { referer: 'http://evil.test/p' }, 403],
    ['ours as referer', { referer: 'http://localhost:3000/p?q' }, 200],
    ['a trusted one from another site', { origin: 'https://app.example.com', 'sec-fetch-site': 'cross-site' }, 200],
    ['none from another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['none from an unknown kind of site', { 'sec-fetch-site': 'elsewhere' }, 403],
    ['none from our own page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['none from the same site', { 'sec-fetch-site': 'same-site' }, 200],
    ['none from the user', { 'sec-fetch-site': 'none' }, 200],
    ['an empty one from another site', { origin: '', 'sec-fetch-site': 'cross-site' }, 403],
  ])('of a POST with and without cookies: %s', async (_, headers, status) => {
    const { browser } = await testApp({ trustedOrigins: ['https://app.example.com'] })
    const body = JSON.stringify({ ...ann, email: 'bob@example.com' })
    for (const sent of [signUp({ ...withCookie, ...headers }), signUp(headers, body)]) {
      const answer = await browser().request('/sign-up/email', sent)
      expect(answer.status).toBe(status)
      if (status === 403)
        expect([answer.statusText, answer.body]).toEqual(['FORBIDDEN', { code: 'INVALID_ORIGIN', message: 'Invalid origin' }])
    }
  })

  test('is checked before the body', async () => {
    const { browser } = await testApp()
    expect((await browser().request('/sign-up/email', signUp({ origin: 'https://evil.test' }, '{}'))).status).toBe(403)
  })

  test('is not checked for a call that another site posts to, but its targets are', async () => {
    const features = {
      ...featureList,
      probe: {
        routes: {
          'POST /probe/form': route({
            summary: 'x',
            access: anyone(),
            origin: 'cross-site',
            returns: z.object({}),
            handler: () => ({}),
          }),
        },
      },
    }
    const { browser } = await testApp({}, { features })
    const send = (body: string) => browser().request('/probe/form', signUp({ origin: 'https://provider.test' }, body))
    expect((await send('{}')).status).toBe(200)
    expect((await send('{"callbackURL":"https://evil.test"}')).status).toBe(403)
  })

  test('is not checked with disableCSRFCheck, but redirect targets are', async () => {
    const { browser } = await testApp({ advanced: { disableCSRFCheck: true, requireOrigin: true } })
    const send = (more: object, body = {}) =>
      browser().request('/sign-up/email', signUp({ ...withCookie, ...more }, JSON.stringify({ ...ann, ...body })))
    expect((await send({ origin: 'https://evil.test' }, { callbackURL: 'https://evil.test' })).body.code).toBe(
      'INVALID_CALLBACKURL',
    )
    expect((await send({ origin: 'https://evil.test', 'sec-fetch-mode': 'navigate' })).status).toBe(200)
  })

  test('is required with requireOrigin', async () => {
    const { browser } = await testApp({ advanced: { requireOrigin: true } })
    const send = (headers: Record<string, string>) => browser().request('/sign-up/email', signUp(headers, '{}'))
    for (const headers of [{}, { origin: 'null' }, { origin: '' }]) {
      const answer = await send({ ...withCookie, ...headers })
      expect([answer.status, answer.body]).toEqual([403, { code: 'MISSING_OR_NULL_ORIGIN', message: 'Missing or null Origin' }])
    }
    expect((await send({ ...withCookie, origin: 'https://evil.test' })).body.code).toBe('INVALID_ORIGIN')
    expect((await send({ ...withCookie, referer: 'http://localhost:3000/page' })).status).toBe(400)
    expect((await send({})).status).toBe(400)
  })

  test('is rejected for a form on another site without cookies too, which could sign the visitor in to another account', async () => {
    const { browser } = await testApp({ trustedOrigins: ['https://app.example.com'] })
    const submit = (headers: Record<string, string>) =>
      browser().request('/sign-up/email', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-mode': 'navigate', ...headers },
        body: String(new URLSearchParams(ann)),
      })
    for (const origin of ['https://evil.test', 'null']) {
      const refused = await submit({ 'sec-fetch-site': 'cross-site', origin })
      expect([refused.status, refused.body.code, refused.setCookie]).toEqual([403, 'INVALID_ORIGIN', []])
    }
    expect((await submit({ 'sec-fetch-site': 'cross-site', origin: 'https://app.example.com' })).status).toBe(200)
    expect((await submit({ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' })).status).toBe(422)
  })

  test('is accepted as null for a form on our own page, by Sec-Fetch-Site', async () => {
    const hidden = { origin: 'null', 'sec-fetch-mode': 'navigate' }
    for (const advanced of [{}, { requireOrigin: true }]) {
      const { browser } = await testApp({ advanced })
      const send = async (headers: Record<string, string>) =>
        (await browser().request('/sign-up/email', signUp({ ...hidden, ...headers }, '{}'))).status
      for (const cookies of [{}, withCookie]) {
        expect(await send({ 'sec-fetch-site': 'same-origin', ...cookies })).toBe(400)
        for (const site of ['same-site', 'cross-site', 'none'])
          expect(await send({ 'sec-fetch-site': site, ...cookies })).toBe(403)
      }
    }
  })

  test.each([
    ['callbackURL', 'INVALID_CALLBACKURL', 'Invalid callbackURL'],
    ['redirectTo', 'INVALID_REDIRECTURL', 'Invalid redirectURL'],
    ['errorCallbackURL', 'INVALID_ERRORCALLBACKURL', 'Invalid errorCallbackURL'],
    ['newUserCallbackURL', 'INVALID_NEWUSERCALLBACKURL', 'Invalid newUserCallbackURL'],
  ])('%s must be trusted', async (field, code, message) => {
    const { browser } = await testApp()
    const send = (value: unknown) => browser().request('/sign-up/email', signUp({}, JSON.stringify({ ...ann, [field]: value })))
    const refused = await send('https://evil.test/x')
    expect([refused.status, refused.body]).toEqual([403, { code, message }])
    expect((await send(['/x'])).body.message).toBe(`${message}: expected a string`)
    const tooLong = await send(`https://evil.test/${'x'.repeat(2048)}`)
    expect([tooLong.status, tooLong.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await send('/x')).status).toBe(200)
  })

  test('is checked for a target in the query too', async () => {
    const { browser } = await testApp()
    const answer = await browser().request('/sign-up/email?callbackURL=https://evil.test', signUp())
    expect(answer.body.code).toBe('INVALID_CALLBACKURL')
  })

  test('may be trusted by a function of the request', async () => {
    const { browser } = await testApp({ trustedOrigins: (request) => [request.headers.get('x-tenant') ?? ''] })
    const send = (tenant: string) =>
      browser().request('/sign-up/email', signUp({ 'x-tenant': tenant, origin: 'https://a.test', ...withCookie }))
    expect((await send('https://b.test')).status).toBe(403)
    expect((await send('https://a.test')).status).toBe(200)
  })

  test('may not be trusted together with all others by a function, in production', async () => {
    const trusted = ['https://*', '*', 'https://*.co.jp', 'https://*.a.test']
    const { browser, log } = await testApp({ environment: 'production', trustedOrigins: () => trusted })
    const send = (origin: string) => browser().request('/sign-up/email', signUp({ origin, ...withCookie }))
    expect((await send('https://evil.test')).status).toBe(403)
    expect((await send('https://b.a.test')).status).toBe(200)
    expect(log.filter((line) => line.includes('trusts strangers'))).toHaveLength(3)
  })
})

describe('the host', () => {
  const ask = async (config: object, url: string) => {
    const { app } = await testApp(config)
    const response = await createServer(app, { reasons: async () => [] }).request(`${url}/api/auth/ok`)
    return [response.status, response.status === 200 ? undefined : JSON.parse(await response.text()).code]
  }
  test.each([
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://[::1]:4000',
    'http://LOCALHOST',
    'http://acme.localhost:5000',
    'http://dev.acme.test',
  ])('in development may be a name of this machine, or that of baseURL: %s', async (url) =>
    expect(await ask({ baseURL: 'http://dev.acme.test:3000' }, url)).toEqual([200, undefined]),
  )
  test.each(['http://rebind.evil.test:4105', 'http://localhost.evil.test', 'http://10.0.0.1', 'http://evillocalhost'])(
    'in development is no other: %s',
    async (url) => expect(await ask({}, url)).toEqual([403, 'INVALID_HOST']),
  )
  test('in production may be any', async () => {
    const production = { environment: 'production', baseURL: 'https://accounts.example.com' }
    expect(await ask(production, 'http://inside.example.com')).toEqual([200, undefined])
  })
})

describe('cross-origin headers', () => {
  const names = ['access-control-allow-origin', 'access-control-allow-credentials', 'access-control-expose-headers']
  const trusting = { trustedOrigins: ['https://app.example.com'] }

  test('are sent to a trusted foreign origin with every response', async () => {
    const { browser } = await testApp(trusting)
    for (const path of ['/ok', '/nothing', '/get-session']) {
      const { headers } = await browser().request(path, { headers: { origin: 'https://app.example.com' } })
      expect(names.map((name) => headers.get(name))).toEqual([
        'https://app.example.com',
        'true',
        'set-auth-token, set-auth-jwt, x-retry-after, retry-after, x-total-count, link',
      ])
      expect(headers.get('vary')).toBe('Origin')
    }
  })

  test.each(['http://localhost:3000', 'https://evil.test', 'null'])('do not go to %s', async (origin) => {
    const { browser } = await testApp(trusting)
    const { headers } = await browser().request('/ok', { headers: { origin } })
    expect(names.map((name) => headers.get(name))).toEqual([null, null, null])
    expect(headers.get('vary')).toBe('Origin')
  })

  test('are sent for the preflight of a trusted origin only', async () => {
    const { browser } = await testApp(trusting)
    const ask = (origin: string) =>
      browser().request('/sign-in/email', { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
    const { status, headers } = await ask('https://app.example.com')
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, POST, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toContain('content-type, authorization')
    expect((await ask('https://evil.test')).status).toBe(404)
  })
})

describe('limits', () => {
  const limited = { rateLimit: { enabled: true } }
  const signIn = { email: ann.email, password: ann.password }

  test('allow 3 of 100 concurrent calls with a limit of 3', async () => {
    const { browser, counted } = await testApp(limited)
    const answers = await Promise.all(Array.from({ length: 100 }, () => browser().call('POST /sign-in/email', { body: signIn })))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(3)
    const [refused] = answers.filter(({ status }) => status === 429)
    expect(refused?.statusText).toBe('Too Many Requests')
    expect(refused?.body).toEqual({
      code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER',
      message: 'Too many requests. Please try again later.',
    })
    expect([refused?.headers.get('x-retry-after'), refused?.headers.get('retry-after')]).toEqual(['10', '10'])
    expect(counted.filter((name) => name === 'rate_limited')).toHaveLength(97)
  })

  test('end with their window', async () => {
    const { browser, clock } = await testApp(limited)
    const statuses = async () => (await browser().call('POST /sign-in/email', { body: signIn })).status
    expect([await statuses(), await statuses(), await statuses(), await statuses()]).toEqual([401, 401, 401, 429])
    clock.advance(10.001)
    expect(await statuses()).toBe(401)
  })

  test('count each IPv4 address, and each IPv6 network', async () => {
    const { browser } = await testApp({ ...limited, server: { trustedProxies: ['127.0.0.1'] } })
    const from = async (address: string) =>
      (await browser().call('POST /sign-in/email', { body: signIn }, { 'x-forwarded-for': address })).status
    for (const host of ['1', '2', '3']) expect(await from(`2001:db8::${host}`)).toBe(401)
    expect(await from('2001:db8::4')).toBe(429)
    expect(await from('2001:db8:0:1::4')).toBe(401)
    expect(await from('192.0.2.1')).toBe(401)
  })

  test('count a trusted proxy that sends no IP address, with one warning that names the option', async () => {
    const { browser, log } = await testApp({ ...limited, server: { trustedProxies: ['127.0.0.1'] } })
    const from = async (entries: string) =>
      (await browser().call('POST /sign-in/email', { body: signIn }, { 'x-forwarded-for': entries })).status
    const warnings = () => log.filter((line) => line.includes('is not an IP address'))
    // What the client writes is not read.
    expect(await from('nonsense, 192.0.2.1:5000')).toBe(401)
    expect(warnings()).toEqual([])
    const statuses = [await from('unknown'), await from('client-2'), await from('client-3'), await from('client-4')]
    expect(statuses).toEqual([401, 401, 401, 429])
    expect(warnings()).toEqual([expect.stringMatching(/"unknown".*advanced\.ipAddress\.ipAddressHeaders/)])
  })

  test('ignore forwarding headers that no trusted proxy sent', async () => {
    const { browser } = await testApp(limited)
    const from = async (address: string) =>
      (await browser().call('POST /sign-in/email', { body: signIn }, { 'x-forwarded-for': address })).status
    expect([await from('1.1.1.1'), await from('2.2.2.2'), await from('3.3.3.3'), await from('4.4.4.4')]).toEqual([
      401, 401, 401, 429,
    ])
  })

  test('apply before routing, with one counter for all unknown paths', async () => {
    const { browser } = await testApp({ rateLimit: { enabled: true, max: 3 } })
    const statuses = []
    for (const path of ['/a', '/b', '/c', '/d']) statuses.push((await browser().request(path)).status)
    expect(statuses).toEqual([404, 404, 404, 429])
  })

  test('follow custom rules, by exact path, wildcard or function', async () => {
    const customRules = {
      '/sign-in/email': false as const,
      '/open-api/*': { window: 60, max: 1 },
      '/ok': (request: Request) => ({ window: 60, max: request.headers.has('x-more') ? 2 : 1 }),
    }
    const { browser } = await testApp({ openAPI: true, rateLimit: { enabled: true, customRules } })
    for (let call = 0; call < 5; call += 1)
      expect((await browser().call('POST /sign-in/email', { body: signIn })).status).toBe(401)
    const twice = async (path: string) => [(await browser().request(path)).status, (await browser().request(path)).status]
    expect(await twice('/open-api/generate-schema')).toEqual([200, 429])
    expect(await twice('/ok')).toEqual([200, 429])
  })

  test('follow a custom rule for the declared path of a call', async () => {
    const { browser } = await testApp({
      rateLimit: { enabled: true, customRules: { '/reset-password/:token': { window: 60, max: 1 } } },
    })
    expect((await browser().request('/reset-password/a?callbackURL=/x')).status).toBe(302)
    expect((await browser().request('/reset-password/b?callbackURL=/x')).status).toBe(429)
  })

  test('can be disabled', async () => {
    const { browser } = await testApp({ rateLimit: { enabled: false } })
    for (let call = 0; call < 5; call += 1)
      expect((await browser().call('POST /sign-in/email', { body: signIn })).status).toBe(401)
  })
})

describe('access', () => {
  const probe = {
    routes: {
      'GET /probe/session': route({
        summary: 'x',
        access: session(),
        returns: z.object({ id: z.string() }),
        handler: ({ user }) => ({ id: user.id }),
      }),
      'GET /probe/fresh': route({
        summary: 'x',
        access: freshSession(),
        returns: z.object({ id: z.string() }),
        handler: ({ user }) => ({ id: user.id }),
      }),
      'GET /probe/optional': route({
        summary: 'x',
        access: optionalSession(),
        returns: z.object({ id: z.string().nullable() }),
        handler: ({ user }) => ({ id: user?.id ?? null }),
      }),
      'POST /probe/body': route({
        summary: 'x',
        access: session(),
        body: z.object({ a: z.string() }),
        returns: z.object({ a: z.string() }),
        handler: ({ body }) => body,
      }),
      'GET /probe/broken': route({
        summary: 'x',
        access: anyone(),
        returns: z.object({ a: z.string() }),
        handler: () => {
          throw new Error('the password of the database is 12345')
        },
      }),
      'GET /probe/nothing': route({ summary: 'x', access: anyone(), returns: z.never(), handler: () => Promise.reject() }),
      'GET /probe/meant': route({
        summary: 'x',
        access: anyone(),
        returns: z.never(),
        errors: [outOfOrder],
        handler: () => Promise.reject(new ApiError(outOfOrder)),
      }),
      'GET /probe/away': route({ summary: 'x', access: anyone(), returns: z.never(), handler: () => redirect('/x?y') }),
      'GET /probe/next': route({ summary: 'x', access: anyone(), returns: z.never(), handler: () => redirect('/x', 303) }),
      'GET /probe/leaky': route({
        summary: 'x',
        access: anyone(),
        returns: z.object({ shown: z.string() }),
        handler: () => ({ shown: 'yes', hidden: 'no' }),
      }),
    },
  }
  const probed = (config = {}) => testApp(config, { features: { ...featureList, probe } })

  test('a call that requires a session gives 401 without one, after its input is validated', async () => {
    const { browser } = await probed()
    const refused = await browser().request('/probe/session')
    expect([refused.status, refused.statusText, refused.body]).toEqual([
      401,
      'UNAUTHORIZED',
      { code: 'UNAUTHORIZED', message: 'Unauthorized' },
    ])
    const send = async (body: string) => (await browser().request('/probe/body', { method: 'POST', headers: json, body })).status
    expect([await send('{}'), await send('{"a":"b"}')]).toEqual([400, 401])
  })

  test('a session allows calls that require a fresh one until it is stale', async () => {
    const { browser, clock } = await probed()
    const visitor = browser()
    const { body } = await visitor.call('POST /sign-up/email', { body: ann })
    for (const path of ['session', 'fresh', 'optional'])
      expect((await visitor.request(`/probe/${path}`)).body).toEqual({ id: body.user.id })
    clock.advance(86_399)
    expect((await visitor.request('/probe/fresh')).status).toBe(200)
    clock.advance(1)
    const renewed = await visitor.request('/probe/session')
    expect([renewed.status, renewed.setCookie.length]).toEqual([200, 1])
    const stale = await visitor.request('/probe/fresh')
    expect([stale.status, stale.body]).toEqual([403, { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }])
  })

  test('a redirect has the reason phrase and content type of the contract, and no body', async () => {
    const { browser } = await probed()
    const away = await browser().request('/probe/away')
    const { headers } = away
    expect([away.status, away.statusText, away.body, headers.get('location'), headers.get('content-type')]).toEqual([
      302,
      'FOUND',
      '',
      '/x?y',
      'application/json',
    ])
    const next = await browser().request('/probe/next')
    expect([next.status, next.statusText, next.headers.get('content-type')]).toEqual([303, '', null])
  })

  test('freshAge 0 accepts sessions of any age', async () => {
    const { browser, clock } = await probed({ session: { freshAge: 0 } })
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    clock.advance(500_000)
    expect((await visitor.request('/probe/fresh')).status).toBe(200)
  })

  test('an expired session gives 401 and sets no cookie', async () => {
    const { browser, clock } = await probed()
    const visitor = browser()
    await visitor.call('POST /sign-up/email', { body: ann })
    clock.advance(604_800)
    const answer = await visitor.request('/probe/session')
    expect([answer.status, answer.setCookie]).toEqual([401, []])
    expect((await visitor.request('/probe/optional')).body).toEqual({ id: null })
  })

  test('an unexpected error reveals only its status and the request id of the log', async () => {
    const { browser, counted, log } = await probed()
    const answer = await browser().request('/probe/broken')
    expect([answer.status, answer.statusText, answer.body]).toEqual([
      500,
      'Internal Server Error',
      { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' },
    ])
    const id = answer.headers.get('x-request-id')
    expect(log.some((line) => line.includes(`"requestId":"${id}"`) && line.includes('A call failed unexpectedly'))).toBe(true)
    expect(counted).toContain('unexpected_error')
  })

  test('a failed call is logged with its error code, and no other call with one', async () => {
    const { browser, log } = await probed({ log: { level: 'debug' } })
    const codes = async (path: string) => {
      const { headers } = await browser().request(path)
      const lines = log.filter(
        (line) => line.includes(`"requestId":"${headers.get('x-request-id')}"`) && line.includes('"message":"Call '),
      )
      return lines.map((line) => JSON.parse(line).code)
    }
    expect(await codes('/probe/session')).toEqual(['UNAUTHORIZED'])
    expect(await codes('/probe/broken')).toEqual(['INTERNAL_SERVER_ERROR'])
    expect(await codes('/probe/away')).toEqual([undefined])
    expect(await codes('/nothing')).toEqual([undefined])
  })

  test('request IDs are random, and different for each call', async () => {
    const { browser } = await testApp()
    const ids: string[] = []
    for (let call = 0; call < 600; call += 1) ids.push((await browser().request('/ok')).headers.get('x-request-id') ?? '')
    expect(new Set(ids).size).toBe(600)
    expect(ids.filter((id) => !/^[\w-]{20}$/.test(id))).toEqual([])
    // Neighbours share no more than chance: a count would share nearly all characters.
    const shared = ids.slice(1).map((id, position) => [...id].filter((character, at) => character === ids[position]?.[at]).length)
    expect(Math.max(...shared)).toBeLessThan(12)
  })

  test('an error outside of all steps is our response, and logged', async () => {
    const { app, counted, log } = await testApp()
    const observe = () => {
      throw new Error('no metrics')
    }
    const server = createServer(extend(app, { metrics: { ...app.metrics, observe } }), {
      reasons: () => Promise.reject(new Error('x')),
    })
    for (const path of ['/api/auth/ok', '/readyz']) {
      const response = await server.request(`http://localhost:3000${path}`)
      expect([response.status, await response.json()]).toEqual([
        500,
        { code: 'INTERNAL_SERVER_ERROR', message: 'Internal Server Error' },
      ])
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(log.filter((line) => line.includes('A request failed outside of a call'))).toHaveLength(2)
    expect(counted.filter((name) => name === 'unexpected_error')).toHaveLength(2)
  })

  test('a thrown value that is not an error is unexpected too', async () => {
    const { browser, counted } = await probed()
    expect((await browser().request('/probe/nothing')).status).toBe(500)
    expect(counted).toContain('unexpected_error')
  })

  test('a declared 500 is not logged as unexpected', async () => {
    const { browser, counted, log } = await probed()
    const answer = await browser().request('/probe/meant')
    expect([answer.status, answer.statusText, answer.body]).toEqual([
      500,
      'INTERNAL_SERVER_ERROR',
      { code: 'OUT_OF_ORDER', message: 'Out of order' },
    ])
    expect(counted).toEqual([])
    expect(log.filter((line) => line.includes('"level":"error"'))).toEqual([])
  })

  test.each(['isUnreachable', 'isTimeout'])(
    'an unavailable database is a retryable 503 with the cause in the log (%s)',
    async (name) => {
      const { app, log, counted } = await probed()
      const database = { ...app.database, [name]: () => true }
      const server = createServer(extend(app, { database }), { reasons: async () => [] })
      const answer = await server.request('http://localhost:3000/api/auth/probe/broken')
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
      expect(await answer.json()).toEqual({
        code: 'SERVICE_UNAVAILABLE',
        message: 'Service unavailable. Please try again later.',
      })
      const lines = log.filter((line) => !line.includes('"level":"debug"'))
      expect(lines).toEqual([expect.stringMatching(/"level":"error".*The database is unavailable/)])
      expect(lines[0]).toContain('"err"')
      expect([counted.includes('database_unavailable'), counted.includes('unexpected_error')]).toEqual([true, false])
    },
  )

  test.each([
    [true, 'database_unavailable', 'debug'],
    [false, 'unexpected_error', 'error'],
  ])('work after a response that fails is reported, in an outage (%s) as part of it', async (isOutage, metric, level) => {
    const { app, log, counted } = await probed()
    const found = vi.spyOn(app.database, 'isUnreachable').mockReturnValue(isOutage)
    onTestFinished(() => found.mockRestore())
    app.defer(() => Promise.reject(new Error('the work failed')))
    await expect.poll(() => counted).toEqual([metric])
    expect(log.filter((line) => line.includes('A background task failed'))).toEqual([
      expect.stringMatching(new RegExp(`"level":"${level}".*the work failed`)),
    ])
  })

  test('a response contains only what the call declares', async () => {
    const { browser } = await probed()
    expect((await browser().request('/probe/leaky')).body).toEqual({ shown: 'yes' })
  })
})

test('responses have the headers against caching, sniffing and framing', async () => {
  const { browser } = await testApp({ baseURL: 'https://accounts.example.com' })
  const { headers } = await browser().request('/ok')
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'content-type': 'application/json',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
  })
  expect(headers.has('server')).toBe(false)
})

test('liveness and readiness respond outside of the API with a status only', async () => {
  const { browser } = await testApp()
  expect((await browser().request('//livez')).body).toEqual({ status: 'alive' })
  expect((await browser().request('//readyz')).body).toEqual({ status: 'ready' })
})

describe('an untrusted origin leaves one line in the log that names it and the option', () => {
  const evil = 'http://localhost:5173'
  const line = 'Rejected an untrusted origin. If it is yours, add it to trustedOrigins'
  const linesOf = (log: readonly string[]) => log.filter((text) => text.includes(line)).map((text) => JSON.parse(text).origin)
  test.each([
    ['of a preflight', { method: 'OPTIONS', headers: { origin: evil, 'access-control-request-method': 'POST' } }],
    ['of a script that reads', { headers: { origin: evil, 'sec-fetch-mode': 'cors' } }],
    ['of a script that writes', signUp({ origin: evil })],
    ['in the header Referer', signUp({ referer: `${evil}/page?token=hunter2` })],
    ['of a redirect target', signUp({}, JSON.stringify({ ...ann, callbackURL: `${evil}/done?token=hunter2` }))],
  ])('%s', async (_, request: RawRequest) => {
    const { browser, log } = await testApp()
    const path = request.method === 'POST' ? '/sign-up/email' : '/get-session'
    await browser().request(path, request)
    await browser().request(path, request)
    expect(linesOf(log)).toEqual([evil])
    expect(log.join()).not.toContain('hunter2')
  })
  test('of a link', async () => {
    const { browser, log } = await testApp()
    await browser().request(`/reset-password/hunter2?callbackURL=${encodeURIComponent(evil)}`)
    expect(linesOf(log)).toEqual([evil])
    expect(log.join()).not.toContain('hunter2')
  })
  test('again after a minute, and not more than twenty origins a minute', async () => {
    const { browser, clock, log } = await testApp()
    const read = (origin: string) => browser().request('/ok', { headers: { origin, 'sec-fetch-mode': 'cors' } })
    for (let number = 0; number < 100; number += 1) await read(`https://${number}.evil.test`)
    expect(linesOf(log)).toHaveLength(20)
    clock.advance(61)
    await read('https://0.evil.test')
    expect(linesOf(log).slice(20)).toEqual(['https://0.evil.test'])
  })
  test('but not that of a form, of a page without an origin, and of our own pages', async () => {
    const { browser, log } = await testApp({ trustedOrigins: ['https://app.example.com'] })
    for (const origin of ['null', 'http://localhost:3000', 'https://app.example.com'])
      await browser().request('/ok', { headers: { origin, 'sec-fetch-mode': 'cors' } })
    await browser().request('/ok', { headers: { origin: 'https://provider.test', 'sec-fetch-mode': 'navigate' } })
    expect(linesOf(log)).toEqual([])
  })
})
