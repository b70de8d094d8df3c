import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { extend } from '../../core/app.ts'
import type { ConfigFile } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'
import { clearAttempts, explainAttempts, jobs } from './index.ts'

const email = 'ann.lee@example.com'
const password = 'correct horse battery'
const refusal = { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER', message: 'Too many requests. Please try again later.' }

async function daemon(attempts: ConfigFile['attempts'] = {}, config: ConfigFile = {}) {
  const kit = await testApp({ attempts: { enabled: true, ...attempts }, server: { trustedProxies: ['127.0.0.1'] }, ...config })
  await kit.browser().call('POST /sign-up/email', { body: { name: 'Ann', email, password } }, { 'x-forwarded-for': '10.9.9.9' })
  const signIn = (address: string, text: string, given: { who?: string; from?: Browser } = {}) =>
    (given.from ?? kit.browser()).call(
      'POST /sign-in/email',
      { body: { email: given.who ?? email, password: text } },
      { 'x-forwarded-for': address },
    )
  const fail = async (times: number, address: (time: number) => string, who = email) => {
    const statuses: number[] = []
    for (let time = 0; time < times; time += 1) statuses.push((await signIn(address(time), 'a wrong password', { who })).status)
    return statuses
  }
  return { ...kit, signIn, fail }
}
const home = () => '192.0.2.1'
const everywhere = (time: number) => `198.51.${100 + Math.floor(time / 200)}.${time % 200}`

describe('guessing from one network', () => {
  test('is delayed from the tenth consecutive failure: one second, then doubling', async () => {
    const { fail, signIn, clock } = await daemon()
    expect(await fail(10, home)).toEqual(Array(10).fill(401))
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      const response = await signIn(home(), 'a wrong password')
      expect([response.status, response.statusText]).toEqual([429, 'Too Many Requests'])
      expect(response.body).toEqual(refusal)
      expect(response.headers.get('x-retry-after')).toBe(String(seconds))
      expect(response.headers.get('retry-after')).toBe(String(seconds))
      clock.advance(seconds)
      expect((await signIn(home(), 'a wrong password')).status).toBe(401)
    }
  })

  test('rejects the right password during the delay, and accepts it afterwards: there is no lock', async () => {
    const { fail, signIn, clock } = await daemon()
    await fail(10, home)
    const refused = await signIn(home(), password)
    expect([refused.status, refused.setCookie]).toEqual([429, []])
    clock.advance(1)
    expect((await signIn(home(), password)).status).toBe(200)
  })

  test('resets the count after a success', async () => {
    const { fail, signIn } = await daemon()
    await fail(9, home)
    expect((await signIn(home(), password)).status).toBe(200)
    expect(await fail(10, home)).toEqual(Array(10).fill(401))
    expect(await fail(1, home)).toEqual([429])
  })

  test('resets the count after a day without a failure', async () => {
    const { fail, clock } = await daemon()
    await fail(9, home)
    clock.advance(86_401)
    expect(await fail(10, home)).toEqual(Array(10).fill(401))
    expect(await fail(1, home)).toEqual([429])
  })

  test('does not delay other networks and accounts', async () => {
    const { fail, signIn } = await daemon()
    await fail(10, home)
    expect((await signIn('192.0.2.2', password)).status).toBe(200)
    expect(await fail(1, home, 'bob@example.com')).toEqual([401])
  })

  test('counts an IPv6 customer as one network, and ignores the case of the email address', async () => {
    const { fail } = await daemon()
    await fail(5, (time) => `2001:db8::${time + 1}`)
    await fail(5, (time) => `2001:db8::ffff:${time + 1}`, 'ANN.LEE@example.com')
    expect(await fail(1, () => '2001:db8::1')).toEqual([429])
    expect(await fail(1, () => '2001:db8:0:1::1')).toEqual([401])
  })

  test('counts for an account that does not exist as for one that does', async () => {
    const { fail, signIn, clock } = await daemon()
    expect(await fail(10, home, 'unknown@example.com')).toEqual(Array(10).fill(401))
    const response = await signIn(home(), password, { who: 'unknown@example.com' })
    expect([response.status, response.body, response.headers.get('retry-after')]).toEqual([429, refusal, '1'])
    clock.advance(1)
    expect(await fail(1, home, 'unknown@example.com')).toEqual([401])
  })

  test('is rejected before anything is hashed', async () => {
    const { app, fail, replaceHasher } = await daemon()
    await fail(10, home)
    let hashes = 0
    const { verify } = app.hasher
    const counting: typeof verify = (stored, text) => {
      hashes += 1
      return verify(stored, text)
    }
    replaceHasher({ verify: counting })
    expect(await fail(1, home)).toEqual([429])
    expect(hashes).toBe(0)
  })

  test('verifies ten of 64 concurrent guesses, and does not reveal the right one among the others', async () => {
    const { app, signIn } = await daemon()
    const wrong = Array.from({ length: 63 }, () => signIn(home(), 'a wrong password'))
    const responses = await Promise.all([...wrong, signIn(home(), password)])
    const statuses = responses.map(({ status }) => status)
    // The right one may come first; later it must not.
    const succeeded = statuses.filter((status) => status === 200).length
    expect(succeeded).toBeLessThanOrEqual(1)
    const answered = statuses.filter((status) => status === 401).length
    expect(answered).toBeGreaterThanOrEqual(10)
    expect(answered).toBeLessThanOrEqual(succeeded === 1 ? 19 : 10)
    expect(new Set(statuses)).toEqual(new Set(succeeded ? [200, 401, 429] : [401, 429]))
    const rows = await app.db.selectFrom('attempt').select('failures').execute()
    expect(Math.max(...rows.map(({ failures }) => failures))).toBe(10)
  })

  test('counts 64 concurrent failures exactly', async () => {
    const { app, signIn } = await daemon()
    const responses = await Promise.all(
      Array.from({ length: 64 }, () => signIn(home(), 'a wrong password', { who: 'bob@example.com' })),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(54)
    const rows = await app.db.selectFrom('attempt').select('failures').execute()
    expect(rows.map(({ failures }) => failures).sort()).toEqual([10, 10])
  })

  test('accepts 64 concurrent right passwords', async () => {
    const { signIn } = await daemon()
    const responses = await Promise.all(Array.from({ length: 64 }, () => signIn(home(), password)))
    expect(responses.map(({ status }) => status)).toEqual(Array(64).fill(200))
  })
})

describe('guessing from many networks', () => {
  test('is delayed from the fiftieth consecutive failure, by a minute at most', async () => {
    const { fail, signIn, clock } = await daemon()
    expect(await fail(50, everywhere)).toEqual(Array(50).fill(401))
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const response = await signIn('203.0.113.1', 'a wrong password')
      expect([response.status, response.headers.get('x-retry-after')]).toEqual([429, String(seconds)])
      clock.advance(seconds)
      expect(await fail(1, () => `203.0.113.${seconds + 1}`)).toEqual([401])
    }
    clock.advance(60)
    expect((await signIn('203.0.113.200', password)).status).toBe(200)
    expect(await fail(1, everywhere)).toEqual([401])
  })

  test('counts 64 concurrent failures from as many networks exactly', async () => {
    const { signIn } = await daemon()
    const responses = await Promise.all(Array.from({ length: 64 }, (_, time) => signIn(everywhere(time), 'a wrong password')))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(50)
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(14)
  })

  test('does not delay a network that has signed in before, which has its own count', async () => {
    const { fail, signIn } = await daemon()
    await signIn(home(), password)
    await fail(50, everywhere)
    expect((await signIn('203.0.113.1', password)).status).toBe(429)
    expect((await signIn(home(), password)).status).toBe(200)
    expect(await fail(10, home)).toEqual(Array(10).fill(401))
    expect((await signIn(home(), password)).status).toBe(429)
  })

  test('remembers a network for 90 days', async () => {
    const { fail, signIn, clock } = await daemon()
    await signIn(home(), password)
    clock.advance(7_776_001)
    await fail(50, everywhere)
    expect((await signIn(home(), password)).status).toBe(429)
  })
})

describe('a device that signed in before', () => {
  test('is allowed by the session it still has, and has its own count', async () => {
    const { browser, fail, signIn } = await daemon()
    const device = browser()
    await signIn(home(), password, { from: device })
    await fail(10, home)
    expect((await signIn(home(), password)).status).toBe(429)
    for (let time = 0; time < 10; time += 1) expect((await signIn(home(), 'a wrong password', { from: device })).status).toBe(401)
    expect((await signIn(home(), password, { from: device })).status).toBe(429)
  })

  test('signs in while other clients guess', async () => {
    const { browser, fail, signIn } = await daemon()
    const device = browser()
    await signIn('192.0.2.77', password, { from: device })
    await fail(50, everywhere)
    await fail(10, home)
    expect((await signIn(home(), password, { from: device })).status).toBe(200)
  })

  test('does not include a device that signed in to another account', async () => {
    const { browser, fail, signIn } = await daemon()
    const stranger = browser()
    await stranger.call('POST /sign-up/email', { body: { name: 'Eve', email: 'eve@example.com', password } })
    await fail(10, home)
    expect((await signIn(home(), password, { from: stranger })).status).toBe(429)
  })

  test('is unknown after sign-out without deviceCookie, which sets no cookie', async () => {
    const { browser, fail, signIn } = await daemon()
    const device = browser()
    const response = await signIn(home(), password, { from: device })
    expect(response.setCookie).toEqual([expect.stringMatching(/^latchkey\.session_token=/)])
    await device.call('POST /sign-out', {})
    await fail(10, home)
    expect((await signIn(home(), password, { from: device })).status).toBe(429)
  })

  test('is known after sign-out with deviceCookie, for this account only', async () => {
    const { browser, fail, signIn } = await daemon({ deviceCookie: true })
    const device = browser()
    const response = await signIn(home(), password, { from: device })
    expect(response.setCookie).toContainEqual(
      expect.stringMatching(/^latchkey\.known_device=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/),
    )
    await device.call('POST /sign-out', {})
    await fail(10, home)
    await fail(10, home, 'bob@example.com')
    expect((await signIn(home(), password, { from: device })).status).toBe(200)
    expect((await signIn(home(), password, { from: device, who: 'bob@example.com' })).status).toBe(429)
    expect((await signIn(home(), password)).status).toBe(429)
  })

  test('rejects a forged device cookie', async () => {
    const { browser, fail, signIn } = await daemon({ deviceCookie: true })
    const device = browser()
    device.cookies.set('latchkey.known_device', encodeURIComponent(`${'a'.repeat(32)}.${'A'.repeat(43)}=`))
    await fail(10, home)
    expect((await signIn(home(), password, { from: device })).status).toBe(429)
  })
})

test('delays guesses of the current user’s password by their device', async () => {
  const { browser, fail, signIn } = await daemon()
  const device = browser()
  await signIn(home(), password, { from: device })
  const verify = async (text: string) =>
    (await device.call('POST /verify-password', { body: { password: text } }, { 'x-forwarded-for': home() })).status
  await fail(10, home)
  for (let time = 0; time < 10; time += 1) expect(await verify('a wrong password')).toBe(400)
  expect(await verify('a wrong password')).toBe(429)
  expect(await verify(password)).toBe(429)
})

test('counts an error neither as failure nor as success', async () => {
  const { app, fail, replaceHasher, signIn } = await daemon()
  await fail(9, home)
  const { verify } = app.hasher
  replaceHasher({ verify: () => Promise.reject(new Error('no memory')) })
  expect((await signIn(home(), 'a wrong password')).status).toBe(500)
  replaceHasher({ verify })
  expect(await fail(2, home)).toEqual([401, 429])
})

test('counts forged setup links by network, and does not delay other networks', async () => {
  const { browser } = await daemon()
  const setUp = async (address: string) =>
    (await browser().call('POST /set-up', { body: { token: 'forged', newPassword: password } }, { 'x-forwarded-for': address }))
      .status
  for (let time = 0; time < 10; time += 1) expect(await setUp(home())).toBe(400)
  expect(await setUp(home())).toBe(429)
  expect(await setUp('192.0.2.2')).toBe(400)
})

describe('forged links', () => {
  type Send = (browser: Browser, token: string, address: string) => Promise<{ status: number; headers: Headers; body: unknown }>
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const doors: Readonly<Record<string, [send: Send, status: number]>> = {
    'POST /reset-password': [
      (by, token, at) => by.call('POST /reset-password', { body: { token, newPassword: 'another horse entirely' } }, from(at)),
      400,
    ],
    'GET /reset-password/:token': [
      (by, token, at) => by.call('GET /reset-password/:token', { params: { token }, query: { callbackURL: '/reset' } }, from(at)),
      302,
    ],
    'GET /verify-email': [(by, token, at) => by.call('GET /verify-email', { query: { token } }, from(at)), 401],
    'POST /verify-email': [(by, token, at) => by.call('POST /verify-email', { body: { token } }, from(at)), 401],
    'GET /delete-user/callback': [(by, token, at) => by.call('GET /delete-user/callback', { query: { token } }, from(at)), 404],
    'POST /delete-user': [(by, token, at) => by.call('POST /delete-user', { body: { token } }, from(at)), 404],
  }

  async function withLinks() {
    const mails = captureMails()
    const kit = await daemon(
      {},
      {
        emailAndPassword: { enabled: true, sendResetPassword: mails.send },
        emailVerification: { sendVerificationEmail: mails.send },
        user: { deleteUser: { enabled: true, sendDeleteAccountVerification: mails.send } },
      },
    )
    const visitor = kit.browser()
    await kit.signIn(home(), password, { from: visitor })
    return { ...kit, mails, visitor }
  }

  test.each(Object.keys(doors))('%s: the 50th consecutive one from a network is delayed, by a minute at most', async (door) => {
    const { clock, visitor } = await withLinks()
    const [send, status] = doors[door] ?? []
    for (let time = 0; time < 50; time += 1) expect((await send?.(visitor, `forged-${time}`, home()))?.status).toBe(status)
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      const refused = await send?.(visitor, 'forged', home())
      expect([refused?.status, refused?.body, refused?.headers.get('retry-after')]).toEqual([429, refusal, String(seconds)])
      expect((await send?.(visitor, 'forged', '192.0.2.2'))?.status).toBe(status)
      clock.advance(seconds)
      expect((await send?.(visitor, 'forged', home()))?.status).toBe(status)
    }
  })

  test('a valid link resets the count, and its network is not remembered', async () => {
    const { app, browser, mails } = await withLinks()
    const [send] = doors['POST /reset-password'] ?? []
    for (let time = 0; time < 49; time += 1) await send?.(browser(), 'forged', home())
    const before = (await app.db.selectFrom('attempt').selectAll().execute()).length
    await browser().call('POST /request-password-reset', { body: { email } })
    expect((await send?.(browser(), (await mails.next()).token, home()))?.status).toBe(200)
    for (let time = 0; time < 50; time += 1) expect((await send?.(browser(), 'forged', home()))?.status).toBe(400)
    expect((await send?.(browser(), 'forged', home()))?.status).toBe(429)
    expect(await app.db.selectFrom('attempt').selectAll().execute()).toHaveLength(before)
  })

  test('does not count an expired link', async () => {
    const { browser, clock, mails } = await withLinks()
    await browser().call('POST /send-verification-email', { body: { email } })
    const { token } = await mails.next()
    clock.advance(3601)
    for (let time = 0; time < 60; time += 1)
      expect((await browser().call('GET /verify-email', { query: { token } })).body.code).toBe('TOKEN_EXPIRED')
  })
})

test('counts failures by default in production only', async () => {
  const { app, browser } = await testApp()
  for (let time = 0; time < 12; time += 1) {
    expect((await browser().call('POST /sign-in/email', { body: { email, password } })).status).toBe(401)
  }
  expect(await app.db.selectFrom('attempt').selectAll().execute()).toEqual([])
  const production = await testApp({ environment: 'production', rateLimit: { enabled: false } })
  for (let time = 0; time < 10; time += 1) await production.browser().call('POST /sign-in/email', { body: { email, password } })
  expect((await production.browser().call('POST /sign-in/email', { body: { email, password } })).status).toBe(429)
})

test('stores neither email nor IP addresses', async () => {
  const { app, fail, signIn } = await daemon()
  await fail(3, home)
  await signIn(home(), password)
  const stored = JSON.stringify(await app.db.selectFrom('attempt').selectAll().execute())
  expect(stored).not.toContain('ann.lee')
  expect(stored).not.toContain('192.0')
})

test('limits the delay after a clock was set back', async () => {
  const { fail, clock } = await daemon()
  await fail(10, home)
  clock.advance(-86_400)
  expect(await fail(1, home)).toEqual([401])
})

describe('an operator', () => {
  test('sees the backoff of an account, from one network and from all', async () => {
    const { app, fail, signIn } = await daemon()
    await signIn('192.0.2.200', password)
    await fail(11, home)
    await fail(3, everywhere)
    expect(await explainAttempts(app, email.toUpperCase(), home())).toEqual({
      enabled: true,
      account: { failures: 13, wait: 0, nextDelay: 0 },
      network: { failures: 10, wait: 1, nextDelay: 2, isKnown: false },
      places: 4,
    })
    const unknown = await explainAttempts(app, 'unknown@example.com', null)
    expect(unknown).toEqual({ enabled: true, account: { failures: 0, wait: 0, nextDelay: 0 }, network: null, places: 0 })
    expect((await explainAttempts(app, email, '192.0.2.200')).network).toEqual({
      failures: 0,
      wait: 0,
      nextDelay: 0,
      isKnown: true,
    })
  })

  test('resets one network, or all; known networks stay known', async () => {
    const { app, fail, signIn } = await daemon()
    await signIn('192.0.2.200', password)
    await fail(10, home)
    await fail(40, everywhere)
    expect(await clearAttempts(app, email, home())).toBe(1)
    expect((await signIn(home(), password)).status).toBe(429)
    expect(await clearAttempts(app, email, null)).toBe(41)
    expect(await fail(1, home)).toEqual([401])
    expect((await explainAttempts(app, email, '192.0.2.200')).network?.isKnown).toBe(true)
    expect(await clearAttempts(app, 'unknown@example.com', null)).toBe(0)
  })
})

test('deletes rows that no longer matter, and keeps the others', async () => {
  const { app, fail, signIn, clock } = await daemon()
  await fail(2, everywhere)
  await signIn(home(), password)
  clock.advance(86_401)
  await fail(1, everywhere, 'bob@example.com')
  await jobs.attempts.run(app, new AbortController().signal)
  expect(await app.db.selectFrom('attempt').select('failures').orderBy('failures').execute()).toEqual([
    { failures: 0 },
    { failures: 1 },
    { failures: 1 },
  ])
})

describe('a user who resets the password', () => {
  test.each([
    ['forgot it and tried too often', home],
    ['reset it while others guess', everywhere],
  ])('signs in immediately with the new one, when they %s', async (_, failures) => {
    const mails = captureMails()
    const { browser, fail, signIn } = await daemon({}, { emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
    await fail(51, failures)
    expect((await signIn(home(), password)).status).toBe(429)
    const owner = browser()
    const headers = { 'x-forwarded-for': home() }
    await owner.call('POST /request-password-reset', { body: { email } }, headers)
    const { token } = await mails.next()
    const newPassword = 'another horse entirely'
    expect((await owner.call('POST /reset-password', { body: { token, newPassword } }, headers)).status).toBe(200)
    expect((await signIn('203.0.113.9', newPassword)).status).toBe(failures === home ? 200 : 429)
    expect((await signIn(home(), newPassword)).status).toBe(200)
  })

  test('does not make the network of an administrator known, who sets one', async () => {
    const { app, fail, signIn } = await daemon()
    const { setPasswordForUser } = await import('../password-change/index.ts')
    const user = (await findUserByEmail(app, email)) ?? expect.fail('no user')
    const actor = {
      kind: 'user',
      userId: 'ada',
      credential: { kind: 'cookie', id: 's' },
      ipAddress: home(),
      requestId: 'r',
    } as const
    await fail(51, everywhere)
    await setPasswordForUser(extend(app, { actor }), user, 'another horse entirely')
    expect((await signIn(home(), 'another horse entirely')).status).toBe(429)
  })
})
