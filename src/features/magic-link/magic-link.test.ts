import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { enrol } from '../../../tests/kit/second-factor.ts'
import { refusal } from '../../core/errors.ts'
import type { ConfigFile } from '../index.ts'
import { sweepVerifications } from '../verifications/index.ts'
import type { LinkMail } from './mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const { email } = ann
const origin = 'http://localhost:3000'
type Options = Exclude<NonNullable<ConfigFile['magicLink']>, boolean>

const outcome = ({ status, body }: Answer) => [status, body?.code].filter(Boolean).join(' ')
/** What a browser sends with a call of a page of our own, and when its user opens a link. */
const page = { origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }
const navigation = { accept: 'text/html', 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

async function arrive(magicLink: Options = {}, config: ConfigFile = {}) {
  const mails = captureMails<LinkMail>()
  const kit = await testApp({ ...config, magicLink: { sendMagicLink: mails.send, ...magicLink } })
  const post = (path: string, body: object, browser: Browser = kit.browser(), headers: Record<string, string> = page) =>
    browser.call(`POST ${path}` as never, { body } as never, headers)
  const ask = async (browser: Browser, more: object = {}, headers: Record<string, string> = page) => {
    const response = await post('/sign-in/magic-link', { email, ...more }, browser, headers)
    expect([response.status, response.body]).toEqual([200, { status: true }])
    return mails.next()
  }
  /** By a GET. */
  const open = async (browser: Browser, query: object, headers: Record<string, string> = navigation) => {
    const answer = await browser.call('GET /magic-link/verify', { query } as never, headers)
    return { ...answer, location: answer.headers.get('location') }
  }
  const signUp = async (body: object = {}) => {
    const browser = kit.browser()
    expect((await post('/sign-up/email', { ...ann, ...body }, browser)).status).toBe(200)
    return browser
  }
  const use = (token: string, browser = kit.browser(), more: object = {}) =>
    post('/magic-link/verify', { token, ...more }, browser)
  return { ...kit, mails, post, ask, open, signUp, use }
}

describe('POST /sign-in/magic-link', () => {
  test('sends a link to the page, with a code, and sets a cookie; the rows have neither', async () => {
    const { app, browser, ask } = await arrive()
    const visitor = browser()
    const { url, token, code, email: to } = await ask(visitor, { email: 'ANN@Example.com', callbackURL: '/dash?x=1' })
    expect([to, token, code]).toEqual([email, expect.stringMatching(/^[a-zA-Z]{32}$/), expect.stringMatching(/^\d{6}$/)])
    expect(url).toBe(`${origin}/magic-link?token=${token}&callbackURL=%2Fdash%3Fx%3D1`)
    expect([...visitor.cookies.keys()]).toEqual(['latchkey.magic_link'])
    const stored = JSON.stringify([
      await app.db.selectFrom('verification').selectAll().execute(),
      await app.db.selectFrom('oneTimeCode').selectAll().execute(),
      await app.db.selectFrom('auditEvent').selectAll().execute(),
    ])
    for (const secret of [token, `"${code}"`, visitor.cookies.get('latchkey.magic_link')?.slice(0, 32) ?? ''])
      expect(stored).not.toContain(secret)
  })

  test('without hosted pages, sends the link of the call', async () => {
    const { browser, ask } = await arrive({}, { dashboard: { enabled: false } })
    const { url, token } = await ask(browser())
    expect(url).toBe(`${origin}/api/auth/magic-link/verify?token=${token}&callbackURL=%2F`)
  })

  test.each([
    ['an invalid address', { email: 'nope' }, '400 VALIDATION_ERROR'],
    ['an untrusted target', { email, callbackURL: 'http://evil.example/x' }, '403 INVALID_CALLBACKURL'],
    ['an untrusted target for errors', { email, errorCallbackURL: 'http://evil.example/x' }, '403 INVALID_ERRORCALLBACKURL'],
    ['metadata that is too long', { email, metadata: { x: 'x'.repeat(5000) } }, '400 VALIDATION_ERROR'],
  ])('rejects %s', async (_, body, expected) => {
    const { post } = await arrive()
    expect(outcome(await post('/sign-in/magic-link', body))).toBe(expected)
  })

  test('rejects metadata of 60,000 levels', async () => {
    const { browser } = await arrive()
    const body = `{"email":"${email}","metadata":{"x":${'['.repeat(60_000)}${']'.repeat(60_000)}}}`
    const headers = { 'content-type': 'application/json' }
    const { status } = await browser().request('/sign-in/magic-link', { method: 'POST', headers, body })
    expect(status).toBe(400)
  })

  test('with sign-up disabled, sends nothing to an unknown address, with the same response', async () => {
    const { browser, mails, post, settled } = await arrive({ disableSignUp: true })
    const answer = await post('/sign-in/magic-link', { email }, browser())
    expect([answer.status, answer.body, answer.setCookie.length]).toEqual([200, { status: true }, 1])
    await settled()
    expect(mails.sent).toEqual([])
  })

  test('hands metadata over, and uses tokens of the configuration that cannot be guessed', async () => {
    const { browser, ask, post } = await arrive({ generateToken: (to) => `token-for-${to}-0123456789` })
    const { token, metadata } = await ask(browser(), { metadata: { plan: 'pro' } })
    expect([token, metadata]).toEqual([`token-for-${email}-0123456789`, { plan: 'pro' }])
    const short = await arrive({ generateToken: () => 'short' })
    expect(outcome(await short.post('/sign-in/magic-link', { email }))).toBe('500 INTERNAL_SERVER_ERROR')
    expect(outcome(await post('/magic-link/verify', { token }))).toBe('200')
  })
})

describe('GET /magic-link/verify in the browser that asked', () => {
  test('signs up, verifies and redirects: new users to their own target', async () => {
    const { app, browser, ask, open } = await arrive()
    const visitor = browser()
    const targets = { callbackURL: '/dash?x=1', newUserCallbackURL: '/welcome' }
    const created = await open(visitor, { token: (await ask(visitor, { name: 'Ann' })).token, ...targets })
    expect([created.status, created.location, await nameOf(visitor)]).toEqual([302, '/welcome', 'Ann'])
    const { token } = await ask(visitor)
    expect((await open(visitor, { token, ...targets })).location).toBe('/dash?x=1')
    expect(await app.db.selectFrom('user').select('emailVerified').execute()).toEqual([{ emailVerified: true }])
    expect((await open(visitor, { token, ...targets })).location).toBe(
      `/magic-link?token=${token}&callbackURL=%2Fdash%3Fx%3D1&newUserCallbackURL=%2Fwelcome`,
    )
  })

  test('without a target, responds with token, user and session', async () => {
    const { browser, ask, open } = await arrive()
    const visitor = browser()
    const { status, body } = await open(visitor, { token: (await ask(visitor)).token })
    expect([status, body]).toMatchObject([
      200,
      { token: expect.any(String), user: { email, emailVerified: true, name: '' }, session: { userId: expect.any(String) } },
    ])
    expect(body.session).not.toHaveProperty('tokenHash')
  })
})

describe('GET /magic-link/verify by a script or program', () => {
  const json = { accept: 'application/json' }
  const trusted = 'https://app.example'
  const refuse = () => Promise.reject(refusal({ status: 403, message: 'No more users', code: 'NO_MORE' }))

  test.each([
    ['a script of our origin', { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' }],
    ['a script of a trusted origin', { origin: trusted, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }],
    ['a script of a trusted origin without Fetch Metadata', { ...json, origin: trusted }],
    ['a program that accepts JSON', json],
    ["a program that uses Node's fetch", { ...json, 'sec-fetch-mode': 'cors' }],
  ])('%s is signed in', async (_, headers) => {
    const { browser, ask, open } = await arrive({}, { trustedOrigins: [trusted] })
    const { token } = await ask(browser())
    expect((await open(browser(), { token }, headers)).status).toBe(200)
  })

  test('redirects failures with a code, behind a parameter that is there', async () => {
    const { app, browser, ask, clock, open } = await arrive()
    const at = async (query: object) => (await open(browser(), query, json)).location
    expect(await at({ token: 'zzz', callbackURL: '/dash?x=1' })).toBe(`${origin}/dash?x=1&error=INVALID_TOKEN`)
    expect(await at({ token: 'zzz' })).toBe(`${origin}/?error=INVALID_TOKEN`)
    expect(await at({ token: 'zzz', callbackURL: '/dash', errorCallbackURL: '/err' })).toBe(`${origin}/err?error=INVALID_TOKEN`)
    const { token } = await ask(browser())
    clock.advance(600)
    expect(await at({ token, callbackURL: '/dash' })).toBe(`${origin}/dash?error=EXPIRED_TOKEN`)
    clock.advance(86_400 - 1)
    await sweepVerifications(app, new AbortController().signal)
    expect(await at({ token, callbackURL: '/dash' })).toBe(`${origin}/dash?error=EXPIRED_TOKEN`)
  })

  test('rejects a missing token and untrusted targets', async () => {
    const { browser, open } = await arrive()
    expect(outcome(await open(browser(), {}, json))).toBe('400 VALIDATION_ERROR')
    const evil = 'http://evil.example'
    expect(outcome(await open(browser(), { token: 'zzz', callbackURL: evil }, json))).toBe('403 INVALID_CALLBACKURL')
    expect(outcome(await open(browser(), { token: 'zzz', errorCallbackURL: evil }, json))).toBe('403 INVALID_ERRORCALLBACKURL')
    expect(outcome(await open(browser(), { token: 'zzz', newUserCallbackURL: evil }, json))).toBe(
      '403 INVALID_NEWUSERCALLBACKURL',
    )
  })

  test.each<[string, Options, ConfigFile, string]>([
    ['sign-up is disabled', { disableSignUp: true }, {}, 'new_user_signup_disabled'],
    ['a hook rejects the user', {}, { databaseHooks: { user: { create: { before: () => false } } } }, 'failed_to_create_user'],
    [
      'a hook rejects the user with a code of its own',
      {},
      { databaseHooks: { user: { create: { before: refuse } } } },
      'NO_MORE',
    ],
  ])('redirects when %s', async (_, magicLink, config, code) => {
    const { app, browser, ask, open, signUp } = await arrive(magicLink, config)
    if (magicLink.disableSignUp) await signUp()
    const { token } = await ask(browser())
    await app.db.deleteFrom('user').execute()
    expect((await open(browser(), { token, callbackURL: '/dash' }, json)).location).toBe(`${origin}/dash?error=${code}`)
  })
})

test('a banned user gets no session, and the page says so', async () => {
  const { app, browser, ask, open, signUp, use } = await arrive({}, { admin: true })
  await signUp()
  await app.db.updateTable('user').set({ banned: true, emailVerified: true }).execute()
  expect(outcome(await use((await ask(browser())).token))).toBe('403 BANNED_USER')
  const { token } = await ask(browser())
  const opened = await open(browser(), { token, callbackURL: '/dash' }, { accept: 'application/json' })
  expect(opened.location).toBe(`${origin}/dash?error=banned`)
})

test('a required field makes a new user impossible, and leaves the link usable', async () => {
  const company = { type: 'string', required: true } as const
  const { browser, ask, open, signUp, use } = await arrive({}, { user: { additionalFields: { company } } })
  const { token } = await ask(browser())
  expect(outcome(await use(token))).toBe('400 COMPANY_IS_REQUIRED')
  const opened = await open(browser(), { token, callbackURL: '/dash' }, { accept: 'application/json' })
  expect(opened.location).toBe(`${origin}/dash?error=failed_to_create_user`)
  await signUp({ company: 'Acme' })
  expect((await use(token)).status).toBe(200)
})

describe('a mail scanner', () => {
  test.each([
    ['a GET without headers', {}],
    ['a navigation', navigation],
    ['a navigation from another site', { ...navigation, 'sec-fetch-site': 'cross-site' }],
    [
      'a script of another site',
      { accept: '*/*', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    ],
    [
      'a script of another site that asks for JSON',
      { accept: 'application/json', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    ],
    [
      'a script of another site that reads responses',
      {
        ...{ accept: 'application/json', origin: 'http://evil.example' },
        ...{ 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' },
      },
    ],
    ['a script of a browser without Fetch Metadata', { accept: 'application/json', origin: 'http://evil.example' }],
    ['a navigation that accepts JSON', { ...navigation, accept: 'application/json' }],
  ])('by %s, is led to the page and uses nothing', async (_, headers) => {
    const { app, browser, ask, open } = await arrive()
    const visitor = browser()
    const { token } = await ask(visitor, { callbackURL: '/dash' })
    for (let time = 0; time < 2; time += 1) {
      const opened = await open(browser(), { token, callbackURL: '/dash' }, headers)
      expect([opened.status, opened.location, opened.setCookie]).toEqual([
        302,
        `/magic-link?token=${token}&callbackURL=%2Fdash`,
        [],
      ])
      expect(opened.headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
    expect((await open(visitor, { token })).status).toBe(200)
  })

  test('with the token in a rewritten URL, uses nothing', async () => {
    const { app, browser, ask, open } = await arrive()
    const visitor = browser()
    const { token } = await ask(visitor)
    const rewritten = [
      `token=${token}&utm_source=mail`,
      `token=${token.toLowerCase()}`,
      `token=${token}%3D`,
      `token=%${token.charCodeAt(0).toString(16)}${token.slice(1)}`,
      `url=${encodeURIComponent(`${origin}/magic-link?token=${token}`)}&token=${token}`,
    ]
    for (const query of rewritten) {
      const opened = await browser().request(`/magic-link/verify?${query}`, { headers: navigation })
      expect([opened.status, opened.headers.get('location')?.split('?')[0]], query).toEqual([302, '/magic-link'])
    }
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
    expect((await open(visitor, { token })).status).toBe(200)
  })

  test.each([
    ['a navigation', navigation],
    ['a program', { accept: 'application/json' }],
  ])('by %s after the click, neither signs in nor ends the session', async (_, headers) => {
    const { app, browser, ask, open } = await arrive()
    const visitor = browser()
    const { token } = await ask(visitor)
    expect((await open(visitor, { token })).status).toBe(200)
    const scanner = browser()
    expect([(await open(scanner, { token }, headers)).status, await nameOf(scanner)]).toEqual([302, null])
    expect(await app.db.selectFrom('session').selectAll().execute()).toHaveLength(1)
    expect((await visitor.call('GET /get-session', {})).body.user.email).toBe(email)
  })

  test('uses nothing of a link that a program asked for either', async () => {
    const { app, browser, ask, open, use } = await arrive()
    const { token } = await ask(browser(), {}, {})
    for (const headers of [{}, navigation])
      expect((await open(browser(), { token }, headers)).location).toBe(`/magic-link?token=${token}`)
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
    expect((await use(token)).status).toBe(200)
  })

  test('a prefetch of the browser that asked uses nothing either, and HEAD is not found', async () => {
    const { browser, ask, open } = await arrive()
    const visitor = browser()
    const { token } = await ask(visitor)
    expect((await open(visitor, { token }, { ...navigation, 'sec-purpose': 'prefetch;prerender' })).status).toBe(302)
    expect((await visitor.request(`/magic-link/verify?token=${token}`, { method: 'HEAD' })).status).toBe(404)
    expect((await open(visitor, { token })).status).toBe(200)
  })

  test('without hosted pages, a prefetch is a request as any other', async () => {
    const { browser, ask, open } = await arrive({}, { dashboard: { enabled: false } })
    const { token } = await ask(browser())
    const prefetch = { ...navigation, 'sec-purpose': 'prefetch' }
    expect((await open(browser(), { token, callbackURL: '/dash' }, prefetch)).location).toBe('/dash')
  })
})

describe('POST /magic-link/preview and /magic-link/verify', () => {
  test('the preview says who asked, from where, and uses nothing', async () => {
    const { browser, ask, post } = await arrive()
    const visitor = browser()
    const { token, code } = await ask(visitor, {}, { ...page, 'user-agent': 'curl/8.5.0' })
    const preview = async (from: Browser) => (await post('/magic-link/preview', { token }, from)).body
    const common = {
      email,
      device: 'curl 8.5.0',
      requestedAt: '2026-01-31T12:00:00.000Z',
      isNewUser: true,
      needsProof: false,
      hasPassword: false,
    }
    for (let time = 0; time < 2; time += 1) {
      expect(await preview(visitor)).toEqual({ ...common, sameBrowser: true, otherBrowser: 'confirm', current: null, code: null })
      expect(await preview(browser())).toEqual({ ...common, sameBrowser: false, otherBrowser: 'confirm', current: null, code })
    }
    expect((await post('/magic-link/verify', { token }, visitor)).status).toBe(200)
    expect(outcome(await post('/magic-link/preview', { token }, visitor))).toBe('400 INVALID_TOKEN')
  })

  test('a link works once, with its target in the response', async () => {
    const { browser, ask, use } = await arrive()
    const { token } = await ask(browser(), { callbackURL: '/dash', newUserCallbackURL: '/welcome' })
    const visitor = browser()
    const { status, body } = await use(token, visitor, { rememberMe: false })
    expect([status, body]).toMatchObject([200, { token: expect.any(String), user: { email }, redirect: true, url: '/welcome' }])
    expect(outcome(await use(token))).toBe('400 INVALID_TOKEN')
    expect((await visitor.call('GET /get-session', {})).body.user.email).toBe(email)
  })

  test('the code works in the browser that asked only, and ends with the link', async () => {
    const { browser, ask, post, use } = await arrive()
    const visitor = browser()
    const { token, code } = await ask(visitor)
    const wrong = code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`
    expect(outcome(await post('/magic-link/verify', { code }))).toBe('400 INVALID_TOKEN')
    expect(outcome(await post('/magic-link/verify', { code: wrong }, visitor))).toBe('400 INVALID_TOKEN')
    expect(outcome(await post('/magic-link/verify', { code: ` ${code.slice(0, 3)} ${code.slice(3)}` }, visitor))).toBe('200')
    expect(outcome(await use(token))).toBe('400 INVALID_TOKEN')
    const second = await ask(visitor)
    expect((await use(second.token, visitor)).status).toBe(200)
    expect(outcome(await post('/magic-link/verify', { code: second.code }, visitor))).toBe('400 INVALID_TOKEN')
  })

  test.each(['code', 'refuse'] as const)('with otherBrowser %s, signs in no other browser', async (otherBrowser) => {
    const { browser, ask, open, post, use } = await arrive({ otherBrowser })
    const visitor = browser()
    const { token, code } = await ask(visitor)
    expect(outcome(await use(token))).toBe('403 LINK_OPENED_ELSEWHERE')
    expect((await open(browser(), { token, callbackURL: '/dash' }, { accept: 'application/json' })).location).toBe(
      `${origin}/dash?error=link_opened_elsewhere`,
    )
    expect((await post('/magic-link/preview', { token })).body.code).toBe(otherBrowser === 'code' ? code : null)
    expect((await use(token, visitor)).status).toBe(200)
  })

  test('a link that was opened elsewhere is recorded when the sign-in is challenged too', async () => {
    const kit = await arrive({}, { twoFactor: true })
    const owner = await kit.signUp()
    await enrol(kit, owner)
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    const { token } = await kit.ask(kit.browser())
    expect((await kit.use(token)).body.twoFactorRedirect).toBe(true)
    const events = kit.app.db.selectFrom('auditEvent').select('id').where('action', '=', 'magic-link.opened-elsewhere')
    expect(await events.execute()).toHaveLength(1)
  })

  test('a click in another browser does not sign in the one that asked', async () => {
    const { app, browser, ask, use } = await arrive()
    const attacker = browser()
    const { token } = await ask(attacker)
    const victim = browser()
    expect((await use(token, victim)).status).toBe(200)
    expect(await nameOf(attacker)).toBeNull()
    const events = app.db.selectFrom('auditEvent').select('id').where('action', '=', 'magic-link.opened-elsewhere')
    expect(await events.execute()).toHaveLength(1)
    const signIns = app.db.selectFrom('auditEvent').select('details').where('action', '=', 'user.signed-in')
    expect(await signIns.execute()).toEqual([{ details: { method: 'magic-link', sameBrowser: false, mailSeconds: 0 } }])
  })

  test('a link ends with a reset of the password and a change of the address', async () => {
    const { app, browser, ask, signUp, use } = await arrive()
    await signUp()
    const { token } = await ask(browser())
    await app.db.updateTable('verification').set({ createdAt: app.now() }).execute()
    const { changePassword } = await import('../accounts/index.ts')
    const { id } = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    await changePassword(app, id, { passwordHash: 'x', by: 'code' })
    expect(outcome(await use(token))).toBe('400 INVALID_TOKEN')
  })
})

describe('a person who signed up with the address of another', () => {
  test('loses their access when the owner uses a link; the page asks before', async () => {
    const { browser, ask, post, signUp, use } = await arrive()
    const squatter = await signUp()
    const owner = browser()
    const { token } = await ask(owner)
    expect((await post('/magic-link/preview', { token }, owner)).body).toMatchObject({ needsProof: true, hasPassword: true })
    expect((await post('/magic-link/preview', { token }, squatter)).body).toMatchObject({ needsProof: false, hasPassword: false })
    expect((await use(token, owner)).status).toBe(200)
    expect([await nameOf(squatter), await nameOf(owner)]).toEqual([null, 'Ann'])
    expect(outcome(await post('/sign-in/email', ann))).toBe('401 INVALID_EMAIL_OR_PASSWORD')
  })

  test('a user who gives the password that they chose keeps everything', async () => {
    const { browser, ask, post, signUp, use } = await arrive()
    const first = await signUp()
    const phone = browser()
    const { token } = await ask(phone)
    expect(outcome(await use(token, phone, { password: 'a wrong password' }))).toBe('400 INVALID_PASSWORD')
    expect((await use(token, phone, { password: ann.password })).status).toBe(200)
    expect([await nameOf(first), await nameOf(phone)]).toEqual(['Ann', 'Ann'])
    expect(outcome(await post('/sign-in/email', ann))).toBe('200')
  })
})

describe.each(places)('at %s', (place) => {
  test('64 uses of one link have one winner', async () => {
    const mails = captureMails<LinkMail>()
    const kit = await openRacers(place, { magicLink: { sendMagicLink: mails.send } })
    await kit.browser().call('POST /sign-in/magic-link', { body: { email } })
    const { token } = await mails.next()
    const answers = await race(kit.browsers(), (browser) => browser.call('POST /magic-link/verify', { body: { token } }))
    expect(tally(answers)).toEqual({ 200: 1, '400 INVALID_TOKEN': many - 1 })
    expect(await kit.app.db.selectFrom('user').selectAll().execute()).toHaveLength(1)
  })

  test('of a link and the code in the same email one wins', async () => {
    const mails = captureMails<{ subject: string; text: string }>()
    const config = { magicLink: true, emailOTP: true, mail: { from: 'a@example.com', send: mails.send as never } }
    const kit = await openRacers(place, config)
    const owner = kit.browser()
    await owner.call('POST /email-otp/send-verification-otp', { body: { email, type: 'sign-in' } }, page)
    const { subject, text } = await mails.next()
    const otp = /\d{6}/.exec(subject)?.[0] ?? ''
    const opened = await owner.request(/\/link\/\w+/.exec(text)?.[0] ?? '')
    const token = new URL(opened.headers.get('location') ?? '').searchParams.get('token') ?? ''
    const answers = await race(kit.browsers(owner), (browser, at) =>
      at % 2
        ? browser.call('POST /magic-link/verify', { body: { token } })
        : browser.call('POST /sign-in/email-otp', { body: { email, otp } }),
    )
    const codes = tally(answers)
    expect(codes['200']).toBe(1)
    expect((codes['400 INVALID_TOKEN'] ?? 0) + (codes['400 INVALID_OTP'] ?? 0)).toBe(many - 1)
  })

  test('of a link, its code there and the same code as an email code one wins', async () => {
    const mails = captureMails<LinkMail>()
    const kit = await openRacers(place, { magicLink: { sendMagicLink: mails.send }, emailOTP: { sendVerificationOTP: () => {} } })
    const owner = kit.browser()
    await owner.call('POST /sign-in/magic-link', { body: { email } }, page)
    const { token, code } = await mails.next()
    const answers = await race(kit.browsers(owner), (browser, at) =>
      at % 3 === 2
        ? browser.call('POST /sign-in/email-otp', { body: { email, otp: code } })
        : browser.call('POST /magic-link/verify', { body: at % 3 ? { token } : { code } }),
    )
    const codes = tally(answers)
    expect(codes['200']).toBe(1)
    expect((codes['400 INVALID_TOKEN'] ?? 0) + (codes['400 INVALID_OTP'] ?? 0)).toBe(many - 1)
    expect(await kit.app.db.selectFrom('user').selectAll().execute()).toHaveLength(1)
  })

  test('of a link and its code one wins', async () => {
    const mails = captureMails<LinkMail>()
    const kit = await openRacers(place, { magicLink: { sendMagicLink: mails.send } })
    const owner = kit.browser()
    await owner.call('POST /sign-in/magic-link', { body: { email } }, page)
    const { token, code } = await mails.next()
    const answers = await race(kit.browsers(owner), (browser, at) =>
      browser.call('POST /magic-link/verify', { body: at % 2 ? { token } : { code } }),
    )
    expect(tally(answers)).toEqual({ 200: 1, '400 INVALID_TOKEN': many - 1 })
  })
})

describe('past the limit of emails', () => {
  test('a second request changes nothing: the link and the code that were sent stay valid', async () => {
    const { app, browser, ask, mails, post, settled } = await arrive({}, { mailLimit: { enabled: true } })
    const visitor = browser()
    const { code } = await ask(visitor)
    const rows = async () => [
      await app.db.selectFrom('verification').selectAll().execute(),
      await app.db.selectFrom('oneTimeCode').selectAll().execute(),
    ]
    const before = await rows()
    const again = await post('/sign-in/magic-link', { email }, visitor)
    expect([again.status, again.body, again.setCookie.length]).toEqual([200, { status: true }, 1])
    await settled()
    expect([mails.sent.length, await rows()]).toEqual([1, before])
    expect(outcome(await post('/magic-link/verify', { code }, visitor))).toBe('200')
  })
})

describe('with both features, one email has the code and a link', () => {
  async function both(config: ConfigFile = {}) {
    const sent = captureMails<{ subject: string; text: string }>()
    const kit = await arrive(
      { sendMagicLink: undefined },
      { mail: { from: 'a@example.com', send: sent.send as never }, emailOTP: true, ...config },
    )
    /** @returns the code, and the search of the page of the link */
    const askBy = async (call: string, visitor: Browser, more: object) => {
      await kit.post(call, { email, ...more }, visitor)
      const { subject, text } = await sent.next()
      const [otp = ''] = /\d{6}/.exec(subject) ?? []
      const [, path = ''] = /(\/link\/\w+)/.exec(text) ?? []
      const location = new URL((await visitor.request(path)).headers.get('location') ?? '')
      return { otp, token: location.searchParams.get('token') ?? '', search: location.searchParams }
    }
    const askForBoth = (visitor: Browser, more: object = {}) =>
      askBy('/email-otp/send-verification-otp', visitor, { type: 'sign-in', ...more })
    const askForLink = (visitor: Browser, more: object = {}) => askBy('/sign-in/magic-link', visitor, more)
    const enter = (otp: string, visitor: Browser) => kit.post('/sign-in/email-otp', { email, otp }, visitor)
    return { ...kit, sent, askForBoth, askForLink, enter }
  }

  test('which use each other up', async () => {
    const { app, askForBoth, browser, clock, enter, use } = await both()
    const visitor = browser()
    const first = await askForBoth(visitor)
    expect(outcome(await use(first.token, visitor))).toBe('200')
    expect(outcome(await enter(first.otp, visitor))).toBe('400 INVALID_OTP')
    clock.advance(30)
    const second = await askForBoth(visitor)
    expect(outcome(await enter(second.otp, visitor))).toBe('200')
    expect(outcome(await use(second.token, visitor))).toBe('400 INVALID_TOKEN')
    const left = [app.db.selectFrom('verification').select('id'), app.db.selectFrom('oneTimeCode').select('id')] as const
    expect([await left[0].where('subject', 'is not', null).execute(), await left[1].execute()]).toEqual([[], []])
  })

  test('the code of an email that was asked for as a link signs in as an email code too, in the browser that asked', async () => {
    const { browser, clock, enter, post, use, app, askForBoth, askForLink } = await both({
      rateLimit: { enabled: false },
    })
    const [visitor, stranger] = [browser(), browser()]
    const first = await askForLink(visitor)
    await askForLink(stranger, { email: 'eve@example.com' })
    expect(outcome(await enter(first.otp, stranger))).toBe('400 INVALID_OTP')
    expect(outcome(await post('/sign-in/email-otp', { email: 'bob@example.com', otp: first.otp }, visitor))).toBe(
      '400 INVALID_OTP',
    )
    const reset = { email, otp: first.otp, password: 'another horse battery' }
    expect(outcome(await post('/email-otp/reset-password', reset, visitor))).toBe('400 INVALID_OTP')
    clock.advance(100)
    expect(outcome(await enter(first.otp, visitor))).toBe('200')
    expect(outcome(await enter(first.otp, visitor))).toBe('400 INVALID_OTP')
    expect(outcome(await use(first.token, visitor))).toBe('400 INVALID_TOKEN')
    expect(outcome(await post('/magic-link/verify', { code: first.otp }, visitor))).toBe('400 INVALID_TOKEN')
    const signedIn = app.db.selectFrom('auditEvent').select('details').where('action', '=', 'user.signed-in')
    expect((await signedIn.execute()).map(({ details }) => details)).toContainEqual(
      expect.objectContaining({ method: 'email-code', sameBrowser: true, mailSeconds: 100 }),
    )
    // A code of each call: both work, and a wrong one ends both after three.
    const [own, ofLink] = [await askForBoth(visitor), await askForLink(visitor)]
    expect(outcome(await enter(ofLink.otp, visitor))).toBe('200')
    expect(outcome(await enter(own.otp, visitor))).toBe('200')
    clock.advance(100)
    const last = await askForLink(visitor)
    const wrong = last.otp === '000000' ? '111111' : '000000'
    for (let guess = 0; guess < 3; guess++) expect(outcome(await enter(wrong, visitor))).toBe('400 INVALID_OTP')
    expect(outcome(await enter(last.otp, visitor))).toBe('403 TOO_MANY_ATTEMPTS')
    expect(outcome(await post('/magic-link/verify', { code: last.otp }, visitor))).toBe('400 INVALID_TOKEN')
    expect(outcome(await use(last.token, visitor))).toBe('200')
  })

  test('the page of the link in another browser shows the code, which signs in the one that asked', async () => {
    const { askForBoth, browser, clock, enter, post, use } = await both()
    const visitor = browser()
    const { otp, token } = await askForBoth(visitor)
    const preview = async (of: string, from: Browser) => (await post('/magic-link/preview', { token: of }, from)).body
    expect(await preview(token, visitor)).toMatchObject({ sameBrowser: true, code: null })
    expect(await preview(token, browser())).toMatchObject({ sameBrowser: false, code: otp })
    clock.advance(30)
    const newer = await askForBoth(visitor)
    expect((await preview(token, browser())).code).toBeNull()
    expect((await preview(newer.token, browser())).code).toBe(newer.otp)
    expect(outcome(await enter(newer.otp, visitor))).toBe('200')
    expect(outcome(await use(token, visitor))).toBe('200')
  })

  test('the link has the targets of the request', async () => {
    const { askForBoth, browser, open, post, use } = await both()
    const visitor = browser()
    const targets = { callbackURL: '/dash', newUserCallbackURL: '/welcome', errorCallbackURL: '/oops' }
    const { search, token } = await askForBoth(visitor, targets)
    expect(Object.fromEntries(search)).toEqual({ token, ...targets })
    expect((await open(visitor, Object.fromEntries(search))).location).toBe('/welcome')
    expect((await use(token)).body.code).toBe('INVALID_TOKEN')
    const evil = { email, type: 'sign-in', callbackURL: 'http://evil.example/x' }
    expect(outcome(await post('/email-otp/send-verification-otp', evil))).toBe('403 INVALID_CALLBACKURL')
  })

  test('past the limit of emails, the link and the code that were sent stay valid', async () => {
    const { app, askForBoth, browser, enter, post, sent, settled } = await both({ mailLimit: { enabled: true } })
    const visitor = browser()
    const { otp } = await askForBoth(visitor)
    const rows = () => app.db.selectFrom('verification').selectAll().execute()
    const before = await rows()
    await post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, visitor)
    await settled()
    expect([sent.sent.length, await rows()]).toEqual([1, before])
    expect(outcome(await enter(otp, visitor))).toBe('200')
  })

  test('a hook that rejects the link leaves the code', async () => {
    const { browser, enter, post, sent } = await both({ databaseHooks: { verification: { create: { before: () => false } } } })
    const visitor = browser()
    await post('/email-otp/send-verification-otp', { email, type: 'sign-in' }, visitor)
    const { subject, text } = await sent.next()
    expect(text).not.toContain('/link/')
    expect(outcome(await enter(/\d{6}/.exec(subject)?.[0] ?? '', visitor))).toBe('200')
  })
})
