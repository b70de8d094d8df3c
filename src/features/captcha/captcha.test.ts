import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList } from '../index.ts'

interface Asked {
  readonly contentType: string | undefined
  readonly body: string
}

/** In place of a provider. */
async function verifier(
  answer: { status?: number; body?: unknown; headers?: Record<string, string>; until?: Promise<void> } = {},
) {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', async () => {
      asked.push({ contentType: request.headers['content-type'], body })
      await answer.until
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? { success: true }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify` }
}

type Captcha = Exclude<ConfigFile['captcha'], boolean | undefined>
const secretKey = 'a secret of the provider'
const solved = { 'x-captcha-response': 'solved & more' }
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function daemon(captcha: Captcha, config: ConfigFile = {}) {
  const kit = await testApp({
    captcha: { provider: 'cloudflare-turnstile', secretKey, ...captcha },
    dashboard: { enabled: false },
    ...config,
  })
  return {
    ...kit,
    signUp: (headers: Record<string, string> = {}) => kit.browser().call('POST /sign-up/email', { body: ann }, headers),
  }
}

describe('a protected request', () => {
  test('is rejected without a captcha response, and the provider is not called', async () => {
    const { url, asked } = await verifier()
    const { signUp } = await daemon({ siteVerifyURLOverride: url })
    const answer = await signUp()
    expect([answer.status, answer.statusText]).toEqual([400, 'BAD_REQUEST'])
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.body).toEqual({ code: 'MISSING_CAPTCHA_RESPONSE', message: 'Missing CAPTCHA response' })
    expect(asked).toEqual([])
  })

  test('passes with a solved captcha', async () => {
    const { url } = await verifier()
    const { signUp } = await daemon({ siteVerifyURLOverride: url })
    expect((await signUp(solved)).status).toBe(200)
  })

  test('is rejected with an unsolved captcha', async () => {
    const { url } = await verifier({ body: { success: false, 'error-codes': ['timeout-or-duplicate'] } })
    const { app, signUp } = await daemon({ siteVerifyURLOverride: url })
    const answer = await signUp(solved)
    expect([answer.status, answer.body]).toEqual([
      403,
      { code: 'CAPTCHA_VERIFICATION_FAILED', message: 'Captcha verification failed' },
    ])
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test.each([
    ['returns 500', { status: 500 }],
    ['returns no JSON', { body: '<html>' }],
    ['returns JSON without a verdict', { body: { ok: true } }],
    ['redirects', { status: 302, headers: { location: 'http://127.0.0.1:1/' } }],
  ])('is rejected when the provider %s, with the reason in the log only', async (_, answered) => {
    const { url } = await verifier(answered)
    const { signUp, log } = await daemon({ siteVerifyURLOverride: url })
    const answer = await signUp(solved)
    expect([answer.status, answer.body]).toEqual([500, { code: 'SOMETHING_WENT_WRONG', message: 'Something went wrong' }])
    expect(log.filter((line) => line.includes('Cannot verify a captcha'))).toHaveLength(1)
    expect(log.join('\n')).not.toContain(secretKey)
  })

  test('is rejected when the provider cannot be reached', async () => {
    const { signUp } = await daemon({ siteVerifyURLOverride: 'http://127.0.0.1:1/' })
    expect([(await signUp(solved)).status, (await signUp(solved)).body.code]).toEqual([500, 'SOMETHING_WENT_WRONG'])
  })
})

describe('the provider gets', () => {
  const remote = { ...solved, 'x-captcha-user-remote-ip': '192.0.2.1' }
  const form = 'application/x-www-form-urlencoded'
  test.each([
    [{ provider: 'cloudflare-turnstile' }, solved, 'application/json', `{"secret":"${secretKey}","response":"solved & more"}`],
    [
      { provider: 'cloudflare-turnstile' },
      remote,
      'application/json',
      `{"secret":"${secretKey}","response":"solved & more","remoteip":"192.0.2.1"}`,
    ],
    [{ provider: 'google-recaptcha' }, solved, form, 'secret=a+secret+of+the+provider&response=solved+%26+more'],
    [
      { provider: 'google-recaptcha' },
      remote,
      form,
      'secret=a+secret+of+the+provider&response=solved+%26+more&remoteip=192.0.2.1',
    ],
    [{ provider: 'hcaptcha' }, solved, form, 'secret=a+secret+of+the+provider&response=solved+%26+more'],
    [
      { provider: 'hcaptcha', siteKey: 'k1' },
      remote,
      form,
      'secret=a+secret+of+the+provider&response=solved+%26+more&sitekey=k1&remoteip=192.0.2.1',
    ],
  ] as const)('%j, %j', async (captcha, headers, contentType, body) => {
    const { url, asked } = await verifier()
    const { signUp } = await daemon({ ...captcha, siteVerifyURLOverride: url })
    expect((await signUp(headers)).status).toBe(200)
    expect(asked).toEqual([{ contentType, body }])
  })
})

describe('the score of reCAPTCHA v3', () => {
  test.each([
    [0.49, {}, 403],
    [0.5, {}, 200],
    [0.6, { minScore: 0.7 }, 403],
    [0.7, { minScore: 0.7 }, 200],
    [0, { minScore: 0 }, 200],
  ])('%d with %j gives status %i', async (score, captcha, status) => {
    const { url } = await verifier({ body: { success: true, score } })
    const { signUp } = await daemon({ provider: 'google-recaptcha', ...captcha, siteVerifyURLOverride: url })
    expect((await signUp(solved)).status).toBe(status)
  })

  test('of another provider is ignored', async () => {
    const { url } = await verifier({ body: { success: true, score: 0.1 } })
    const { signUp } = await daemon({ provider: 'hcaptcha', siteVerifyURLOverride: url })
    expect((await signUp(solved)).status).toBe(200)
  })
})

describe('protected paths', () => {
  const missing = async (path: string, captcha: Captcha = {}) => {
    const { browser } = await daemon({ siteVerifyURLOverride: 'http://127.0.0.1:1/', ...captcha })
    const answer = await browser().request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    return answer.body.code === 'MISSING_CAPTCHA_RESPONSE'
  }

  test.each([
    '/sign-up/email',
    '/sign-in/email',
    '/forget-password',
    '/request-password-reset',
    '/sign-in/email/',
    '/sign-in/em%61il',
  ])('include %s', async (path) => expect(await missing(path)).toBe(true))
  test.each([
    '/sign-out',
    '/ok',
    '/unknown',
    '/unknown/sign-in/email',
    '/sign-out?x=/sign-in/email',
    '/unknown?x=/sign-in/email',
  ])('exclude %s', async (path) => expect(await missing(path)).toBe(false))

  test('are those in the configuration', async () => {
    expect(await missing('/sign-out', { endpoints: ['/sign-out'] })).toBe(true)
    expect(await missing('/sign-in/email', { endpoints: ['/sign-out'] })).toBe(false)
  })

  test('do not exist when captcha is off', async () => {
    const { browser } = await testApp()
    expect((await browser().call('POST /sign-up/email', { body: ann })).status).toBe(200)
  })
})

describe('the order of checks', () => {
  test('a disabled path and the rate limit of the path come before it', async () => {
    const { url, asked } = await verifier({ body: { success: false } })
    const { browser, signUp } = await daemon(
      { siteVerifyURLOverride: url },
      { rateLimit: { enabled: true }, disabledPaths: ['/sign-in/email'] },
    )
    expect((await browser().request('/sign-in/email', { method: 'POST' })).status).toBe(404)
    const statuses = []
    for (let time = 0; time < 10; time += 1) statuses.push((await signUp(solved)).status)
    expect(statuses).toEqual([403, 403, 403, ...Array(7).fill(429)])
    expect(asked).toHaveLength(3)
  })

  test.each([
    ['GET', '/nothing?x=/sign-in/email'],
    ['POST', '/nothing?x=/sign-in/email'],
    ['GET', '/nothing/sign-in/email'],
    ['GET', '/sign-in/email'],
    ['GET', '/ok?x=/sign-in/email'],
  ])('the provider is not called for %s %s', async (method, path) => {
    const { url, asked } = await verifier()
    const { browser } = await daemon({ siteVerifyURLOverride: url })
    await browser().request(path, { method, headers: solved })
    expect(asked).toEqual([])
  })

  const from = (ip: string) => ({ ...solved, 'x-forwarded-for': ip })
  const proxied: ConfigFile = { server: { trustedProxies: ['127.0.0.1'] } }

  test('32 verifications are in flight at most; further requests wait 2 seconds, then get 503 with Retry-After', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    const { url, asked } = await verifier({ until })
    const { signUp } = await daemon({ siteVerifyURLOverride: url }, proxied)
    const unavailable: unknown[] = []
    const calls = Array.from({ length: 40 }, async (_, index) => {
      const answer = await signUp(from(`192.0.2.${index >> 1}`))
      if (answer.status === 503) unavailable.push([answer.body.code, answer.headers.get('retry-after')])
    })
    await expect.poll(() => [asked.length, unavailable.length], { timeout: 15_000 }).toEqual([32, 8])
    expect(unavailable[0]).toEqual(['SERVICE_UNAVAILABLE', '1'])
    release()
    await Promise.all(calls)
    expect((await signUp(solved)).status).toBe(422)
  })

  test('a network with many requests has two verifications in flight, and does not delay another network', async () => {
    const { promise: until, resolve: release } = Promise.withResolvers<void>()
    const { url, asked } = await verifier({ until })
    const { signUp } = await daemon({ siteVerifyURLOverride: url }, proxied)
    const statuses: number[] = []
    const flood = Array.from({ length: 300 }, async (_, index) =>
      statuses.push((await signUp(from(`2001:db8::${index.toString(16)}`))).status),
    )
    await expect.poll(() => statuses.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(282)
    const other = signUp(from('192.0.2.1'))
    await expect.poll(() => asked.length, { timeout: 15_000 }).toBe(3)
    expect(new Set(statuses)).toEqual(new Set([503]))
    release()
    await Promise.all([other, ...flood])
  })

  test('a request beyond the share of its network passes when there is room', async () => {
    const { url } = await verifier()
    const { signUp } = await daemon({ siteVerifyURLOverride: url }, proxied)
    const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await signUp(from('192.0.2.1'))).status))
    expect(statuses).not.toContain(503)
  })

  test('the body is not read before it', async () => {
    const { browser } = await daemon({ siteVerifyURLOverride: 'http://127.0.0.1:1/' })
    const answer = await browser().request('/sign-up/email', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    })
    expect(answer.body.code).toBe('MISSING_CAPTCHA_RESPONSE')
  })

  test('a browser of another trusted origin can read the error', async () => {
    const { browser } = await daemon(
      { siteVerifyURLOverride: 'http://127.0.0.1:1/' },
      { trustedOrigins: ['https://app.example.com'] },
    )
    const headers = { origin: 'https://app.example.com' }
    const preflight = { ...headers, 'access-control-request-method': 'POST' }
    expect((await browser().request('/sign-up/email', { method: 'OPTIONS', headers: preflight })).status).toBe(204)
    const answer = await browser().request('/sign-up/email', { method: 'POST', headers })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([400, 'https://app.example.com'])
  })
})

test('rejects a configuration without provider or secret', () => {
  const input = {
    secret: 'a secret of the tests, 0123456789 abcdefghij',
    environment: 'development',
    database: { url: 'sqlite::memory:' },
  }
  const parsed = parseConfig(featureList, { ...input, captcha: true })
  expect('issues' in parsed && parsed.issues.map(({ id, path }) => [id, path])).toEqual([
    ['captcha-provider', 'captcha.provider'],
    ['captcha-secret', 'captcha.secretKey'],
    ['captcha-site-key', 'captcha.siteKey'],
  ])
})
