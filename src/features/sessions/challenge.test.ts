/** A planted feature challenges each way to a session: nothing of the sign-in happens before the answer, and all of it after. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Authenticator, createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import type { JSONSchema } from '../../../tests/kit/documented.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { plantedChallenge } from '../../../tests/kit/planted/challenge.ts'
import { openCallback } from '../../../tests/kit/provider-stand-in.ts'
import { expectOneWinner, many, openRacers, places, race } from '../../../tests/kit/race.ts'
import { notSignIns } from '../../../tests/kit/session-changes.ts'
import { type SocialApp, socialApp } from '../../../tests/kit/social.ts'
import type { Proof, ProofKind } from '../../core/sign-in.ts'
import { transaction } from '../../core/transaction.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { lockUser } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { name: 'Bob', email: 'bob@example.com', password: 'correct horse battery' }
const phoneNumber = '+491701234567'
const wrong = 'a wrong password'
const post = (body: object, headers = {}) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

type SendLink = NonNullable<NonNullable<ConfigFile['emailVerification']>['sendVerificationEmail']>

const configOf = (texts: { text: string }[], sendVerificationEmail: SendLink, seen: string[]): ConfigFile => ({
  appName: 'Acme',
  username: true,
  phoneNumber: true,
  passkey: true,
  anonymous: true,
  admin: true,
  openAPI: true,
  oneTimeToken: true,
  multiSession: true,
  mail: { catch: true },
  attempts: { enabled: true, deviceCookie: true },
  sms: { send: (message) => void texts.push(message) },
  emailOTP: { sendVerificationOTP: ({ otp }) => void texts.push({ text: otp }) },
  magicLink: { sendMagicLink: ({ token }) => void texts.push({ text: token }) },
  emailVerification: { sendVerificationEmail, autoSignInAfterVerification: true },
  databaseHooks: {
    session: { create: { before: () => void seen.push('hook before'), after: () => void seen.push('hook after') } },
  },
})

/** Ann with everything that she can sign in with, signed in in another browser. `demand.isOn`: sign-ins are challenged. */
async function withAnn(more: ConfigFile = {}) {
  const texts: { text: string }[] = []
  const seen: string[] = []
  const proofs: Proof[] = []
  const links = captureMails()
  const demand = { isOn: false }
  const planted = plantedChallenge((_, proof) => {
    if (demand.isOn) proofs.push(proof)
    return demand.isOn
  })
  const observer = {
    on: {
      'session.creating': () => void seen.push('session.creating'),
      'client.signed-in': () => void seen.push('client.signed-in'),
    },
  }
  const kit = await socialApp(
    { ...configOf(texts, links.send, seen), ...more },
    { features: { ...featureList, planted, observer } },
  )
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: { ...ann, username: 'ann_smith' } as never })
  await kit.app.db.updateTable('user').set({ emailVerified: true, phoneNumber, phoneNumberVerified: true }).execute()
  for (const provider of ['google', 'acme'] as const)
    await kit.signIn(visitor, provider, undefined, { start: 'POST /link-social' })
  // Her device is noted after the response; a sign-in before that would be of a first device, without a notice.
  await kit.settled()
  seen.length = 0
  return { ...kit, texts, links, seen, proofs, demand, visitor }
}
type Kit = Awaited<ReturnType<typeof withAnn>>

interface Way {
  readonly kind?: ProofKind
  readonly method: string
  readonly reply?: 'redirect'
  /** A wrong secret, whose failure stays counted until the answer. */
  readonly fail?: (browser: Browser, kit: Kit) => Promise<Answer>
  readonly prepare?: (browser: Browser, kit: Kit) => Promise<unknown>
  /** @param prepared what `prepare` returned */
  readonly run: (browser: Browser, kit: Kit, prepared: unknown) => Promise<Answer>
}

const byPassword = (path: string, named: object): Way => ({
  method: 'password',
  fail: (browser) => browser.request(path, post({ ...named, password: wrong })),
  run: (browser) => browser.request(path, post({ ...named, password: ann.password, rememberMe: false })),
})

async function code({ texts }: Kit, browser: Browser): Promise<string> {
  await browser.call('POST /phone-number/send-otp', { body: { phoneNumber } })
  await expect.poll(() => texts.length).toBe(1)
  return /^\d+/.exec(texts[0]?.text ?? '')?.[0] ?? ''
}

/** What an email has: a code, or the token of a link. */
async function mailed({ texts }: Kit, browser: Browser, path: string, more: object): Promise<string> {
  await browser.request(path, post({ email: ann.email, ...more }))
  await expect.poll(() => texts.length).toBe(1)
  return texts[0]?.text ?? ''
}

const byLink = (run: (browser: Browser, token: string) => Promise<Answer>): Way => ({
  method: 'verification-link',
  prepare: async (browser, { app, links }) => {
    await app.db.updateTable('user').set({ emailVerified: false }).execute()
    await browser.call('POST /send-verification-email', { body: { email: ann.email } })
    return (await links.next()).token
  },
  run: (browser, _, token) => run(browser, String(token)),
})

const providerPage = async (browser: Browser) => {
  const { body } = await browser.call('POST /sign-in/social', { body: { provider: 'google', callbackURL: '/dashboard' } })
  return new URL(body.url)
}

/** A second session in the same browser: that of Bob is the current one. */
async function switchable(browser: Browser) {
  const { body } = await browser.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
  await browser.call('POST /sign-up/email', { body: bob })
  const current = await browser.call('GET /get-session', {})
  return { ann: body.token, bob: current.body.session.token }
}

const ways: Readonly<Record<string, Way>> = {
  'POST /sign-in/email': byPassword('/sign-in/email', { email: ann.email, callbackURL: '/dashboard' }),
  'POST /sign-in/username': byPassword('/sign-in/username', { username: 'ann_smith' }),
  'POST /sign-in/phone-number': byPassword('/sign-in/phone-number', { phoneNumber }),
  'POST /phone-number/verify': {
    method: 'phone-number',
    prepare: (browser, kit) => code(kit, browser),
    fail: (browser) => browser.call('POST /phone-number/verify', { body: { phoneNumber, code: '000000' } }),
    run: (browser, _, sent) => browser.call('POST /phone-number/verify', { body: { phoneNumber, code: String(sent) } }),
  },
  'POST /passkey/verify-authentication': {
    method: 'passkey',
    prepare: async (_, { visitor }) => {
      const device = createAuthenticator()
      const { body } = await visitor.call('GET /passkey/generate-register-options', { query: {} })
      await visitor.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
      return device
    },
    run: async (browser, _, device) => {
      const { body } = await browser.call('GET /passkey/generate-authenticate-options', {})
      const response = { ...(device as Authenticator).get(body) }
      return browser.call('POST /passkey/verify-authentication', { body: { response, rememberMe: false } })
    },
  },
  'POST /sign-in/email-otp': {
    method: 'email-code',
    prepare: (browser, kit) => mailed(kit, browser, '/email-otp/send-verification-otp', { type: 'sign-in' }),
    fail: (browser) => browser.call('POST /sign-in/email-otp', { body: { email: ann.email, otp: 'wrong' } }),
    run: (browser, _, otp) => browser.call('POST /sign-in/email-otp', { body: { email: ann.email, otp: String(otp) } }),
  },
  'POST /email-otp/verify-email': {
    method: 'email-code',
    prepare: async (browser, kit) => {
      await kit.app.db.updateTable('user').set({ emailVerified: false }).execute()
      return mailed(kit, browser, '/email-otp/send-verification-otp', { type: 'email-verification' })
    },
    run: (browser, _, otp) => browser.call('POST /email-otp/verify-email', { body: { email: ann.email, otp: String(otp) } }),
  },
  'GET /magic-link/verify': {
    method: 'magic-link',
    reply: 'redirect',
    prepare: (browser, kit) => mailed(kit, browser, '/sign-in/magic-link', {}),
    run: (browser, _, token) =>
      browser.request(`/magic-link/verify?token=${token}&callbackURL=/dashboard`, {
        headers: { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' },
      }),
  },
  'POST /magic-link/verify': {
    method: 'magic-link',
    prepare: (browser, kit) => mailed(kit, browser, '/sign-in/magic-link', {}),
    run: (browser, _, token) => browser.call('POST /magic-link/verify', { body: { token: String(token) } }),
  },
  'GET /callback/:id': { method: 'social:google', reply: 'redirect', run: (browser, kit) => kit.signIn(browser, 'google') },
  'POST /callback/:id': {
    method: 'social:google',
    reply: 'redirect',
    prepare: providerPage,
    run: (browser, { codeFor }, url) => {
      const state = (url as URL).searchParams.get('state') ?? ''
      const form = { code: codeFor({ sub: 'ann-at-provider', email: ann.email, email_verified: true }), state }
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      return browser.request('/callback/google', { method: 'POST', headers, body: String(new URLSearchParams(form)) })
    },
  },
  'POST /sign-in/social': {
    method: 'social:google',
    run: async (browser, { idToken }) =>
      browser.call('POST /sign-in/social', { body: { provider: 'google', idToken: { token: await idToken() } } }),
  },
  'GET /oauth2/callback/:providerId': {
    method: 'social:acme',
    reply: 'redirect',
    prepare: async (browser) => {
      const { body } = await browser.call('POST /sign-in/oauth2', { body: { providerId: 'acme', callbackURL: '/dashboard' } })
      return new URL(body.url).searchParams.get('state')
    },
    run: (browser, _, state) =>
      browser.request(`/oauth2/callback/acme?${new URLSearchParams({ code: 'a-code', state: String(state) })}`),
  },
  'GET /verify-email': {
    ...byLink((browser, token) => browser.call('GET /verify-email', { query: { token, callbackURL: '/dashboard' } })),
    reply: 'redirect',
  },
  'POST /verify-email': byLink((browser, token) => browser.call('POST /verify-email', { body: { token } })),
  'POST /verify-email/with-password': byLink((browser, token) =>
    browser.call('POST /verify-email/with-password', { body: { token, password: ann.password } }),
  ),
  'POST /verify-email/with-new-password': byLink((browser, token) =>
    browser.call('POST /verify-email/with-new-password', { body: { token, newPassword: 'another horse entirely' } }),
  ),
  'POST /sign-up/email': {
    kind: 'new-user',
    method: 'password',
    run: (browser) => browser.call('POST /sign-up/email', { body: bob }),
  },
  'POST /sign-in/anonymous': {
    kind: 'new-user',
    method: 'anonymous',
    run: (browser) => browser.call('POST /sign-in/anonymous', {}),
  },
  'POST /one-time-token/verify': {
    kind: 'existing-session',
    method: 'one-time-token',
    prepare: async (_, { visitor }) => (await visitor.call('GET /one-time-token/generate', {})).body.token,
    run: (browser, _, token) => browser.call('POST /one-time-token/verify', { body: { token: String(token) } }),
  },
  'POST /multi-session/set-active': {
    kind: 'existing-session',
    method: 'multi-session',
    prepare: switchable,
    run: (browser, _, tokens) => browser.call('POST /multi-session/set-active', { body: { sessionToken: Object(tokens).ann } }),
  },
  'POST /multi-session/revoke': {
    kind: 'existing-session',
    method: 'multi-session',
    prepare: switchable,
    run: (browser, _, tokens) => browser.call('POST /multi-session/revoke', { body: { sessionToken: Object(tokens).bob } }),
  },
}
const entries = Object.entries(ways).map(([key, way]): [string, Way] => [key, way])
const firstFactors = entries.filter(([, { kind = 'first-factor' }]) => kind === 'first-factor' || kind === 'new-user')

/** Everything that follows a sign-in. */
async function traces({ app, seen }: Kit) {
  const rows = async (table: 'session' | 'knownDevice') =>
    (await app.db.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id)
  const events = await app.db.selectFrom('auditEvent').select('details').where('action', '=', 'user.signed-in').execute()
  const failures = await app.db.selectFrom('attempt').select('failures').execute()
  const notices = await app.db.selectFrom('outbox').select('id').where('kind', '=', 'new-sign-in').execute()
  return {
    sessions: await rows('session'),
    devices: await rows('knownDevice'),
    signedIn: events.length,
    notices: notices.length,
    failures: Math.max(0, ...failures.map((row) => row.failures)),
    seen: [...seen],
  }
}

/** From another device than the one on which Ann has signed up. */
const device = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' }
const answerTo = (browser: Browser, name = 'code', given = 'right') =>
  browser.request(`/planted/${name}`, post({ code: given }, device))

const hasSession = ({ setCookie }: Answer) => setCookie.some((header) => /session_(token|data)=[^;]/.test(header))

/** Runs a way with the challenge. @returns the browser, and what there was before */
async function challenged(kit: Kit, { prepare, fail, run, reply, method, kind = 'first-factor' }: Way) {
  const browser = kit.browser()
  const prepared = await prepare?.(browser, kit)
  if (fail) expect((await fail(browser, kit)).status).toBeGreaterThanOrEqual(400)
  kit.seen.length = 0
  const before = await traces(kit)
  kit.demand.isOn = true
  const response = await run(browser, kit, prepared)
  kit.demand.isOn = false
  if (reply) expect([response.status, response.headers.get('location')]).toEqual([302, '/code?callbackURL=/dashboard'])
  else expect([response.status, response.body]).toEqual([200, { codeRequired: '/code' }])
  expect(kit.proofs).toMatchObject([{ kind, method, reply: reply ?? 'json' }])
  expect(JSON.parse(JSON.stringify(kit.proofs[0]))).toEqual(kit.proofs[0])
  return { browser, before, response }
}

test('every call that signs in has a way here, but for that of a replaced session; exceptions are calls that exist', () => {
  const declared = Object.values(featureList).flatMap(({ routes = {} }) => Object.entries(routes))
  const keys = declared.flatMap(([key, { declaration }]) => (declaration.signsIn ? [key] : []))
  expect(declared.map(([key]) => key)).toEqual(expect.arrayContaining(Object.keys(notSignIns)))
  // Both methods of a callback are one handler.
  // A passkey is added before it signs in (passkeys.test.ts).
  expect(keys.filter((key) => !(key in ways)).sort()).toEqual([
    ...['POST /change-password', 'POST /oauth2/callback/:providerId', 'POST /passkey/verify-registration'],
    // They answer a challenge, or replace the session (`second-factor`, `terms`).
    ...['accept', 'postpone'].map((name) => `POST /terms/${name}`),
    ...['disable', 'enable', 'verify-backup-code', 'verify-otp', 'verify-totp'].map((name) => `POST /two-factor/${name}`),
  ])
})

describe('before the answer to a challenge nothing of the sign-in happens, and after it everything', () => {
  test.each(firstFactors)('%s', async (_, way) => {
    const kit = await withAnn()
    const { browser, before, response } = await challenged(kit, way)
    expect(hasSession(response)).toBe(false)
    expect(response.setCookie.join()).not.toContain('known_device')
    const between = await traces(kit)
    // A verification that replaces all access ends the sessions from before.
    expect(before.sessions).toEqual(expect.arrayContaining(between.sessions))
    expect({ ...between, sessions: before.sessions }).toEqual(before)
    expect((await answerTo(browser, 'code', 'left')).body.code).toBe('WRONG_CODE')
    const done = await answerTo(browser)
    expect([done.status, hasSession(done)]).toEqual([200, true])
    expect(await nameOf(browser)).not.toBeNull()
    const after = await traces(kit)
    expect(after.seen).toEqual(['hook before', 'session.creating', 'hook after', 'client.signed-in'])
    expect([after.sessions.length - between.sessions.length, after.signedIn - before.signedIn]).toEqual([1, 1])
    await expect.poll(async () => (await traces(kit)).devices.length).toBeGreaterThan(before.devices.length)
    if (way.kind !== 'new-user') await expect.poll(async () => (await traces(kit)).notices).toBe(before.notices + 1)
    if (way.fail) {
      expect([between.failures, after.failures]).toEqual([1, 0])
      expect(done.setCookie.join()).toContain('known_device=')
    }
    expect((await answerTo(browser)).body.code).toBe('NO_CHALLENGE')
  })

  test.each(entries.filter(([, { kind }]) => kind === 'existing-session'))('%s', async (key, way) => {
    const kit = await withAnn()
    const { browser, before, response } = await challenged(kit, way)
    expect(hasSession(response)).toBe(false)
    expect((await traces(kit)).seen).toEqual([])
    if (key !== 'POST /multi-session/revoke') expect((await traces(kit)).sessions).toEqual(before.sessions)
    expect(await nameOf(browser)).toBe(key === 'POST /multi-session/set-active' ? 'Bob' : null)
    const done = await answerTo(browser)
    expect([done.status, hasSession(done), await nameOf(browser)]).toEqual([200, true, 'Ann'])
    expect((await traces(kit)).seen).toEqual(['client.signed-in'])
  })

  test('POST /change-password: the password and all sessions stay, and the same call works after the answer', async () => {
    const kit = await withAnn()
    const before = await traces(kit)
    const body = { currentPassword: ann.password, newPassword: 'another horse entirely', revokeOtherSessions: true }
    kit.demand.isOn = true
    const response = await kit.visitor.call('POST /change-password', { body })
    expect([response.status, response.body, hasSession(response)]).toEqual([200, { codeRequired: '/code' }, false])
    expect([await traces(kit), await nameOf(kit.visitor)]).toEqual([before, 'Ann'])
    expect((await answerTo(kit.visitor)).status).toBe(200)
    expect((await kit.visitor.call('POST /change-password', { body })).body.token).toHaveLength(32)
    expect(kit.seen).toContain('client.signed-in')
  })
})

describe('terms that take effect are demanded by each sign-in method, and their acceptance gives the session', () => {
  test.each(firstFactors)('%s', async (_, { prepare, run, reply }) => {
    const requiredFrom = new Date((await testApp()).app.now().getTime() + 1000).toISOString()
    const documents = [{ id: 'privacy', version: '1', url: 'https://example.com/privacy', requiredFrom }]
    const kit = await withAnn({ terms: { documents } })
    const browser = kit.browser()
    const prepared = await prepare?.(browser, kit)
    kit.clock.advance(1)
    const response = await run(browser, kit, prepared)
    expect(hasSession(response)).toBe(false)
    if (reply) expect(response.headers.get('location')).toBe('/terms?callbackURL=%2Fdashboard')
    else expect(response.body).toMatchObject({ redirect: true, challenge: { kind: 'terms' } })
    const done = await browser.call('POST /terms/accept', { body: { terms: { privacy: '1' } } })
    expect([done.status, hasSession(done)]).toEqual([200, true])
    expect(await nameOf(browser)).not.toBeNull()
  })
})

describe('a challenge', () => {
  const signIn = (browser: Browser, more = {}) =>
    browser.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password, ...more } })

  test('leaves the session of the client as it is, until it is answered', async () => {
    const kit = await withAnn()
    kit.demand.isOn = true
    const response = await signIn(kit.visitor)
    expect(response.setCookie).toEqual([expect.stringMatching(/^code=/)])
    expect(await nameOf(kit.visitor)).toBe('Ann')
    const former = kit.browser()
    for (const [name, value] of kit.visitor.cookies) former.cookies.set(name, value)
    await answerTo(kit.visitor)
    expect([await nameOf(former), await nameOf(kit.visitor)]).toEqual([null, 'Ann'])
  })

  test('keeps what the sign-in has asked for, and adds columns to its session', async () => {
    const kit = await withAnn()
    kit.demand.isOn = true
    const browser = kit.browser()
    await signIn(browser, { rememberMe: false })
    const done = await answerTo(browser)
    expect(done.setCookie.join()).not.toMatch(/session_token=[^,]*Max-Age/)
    const rows = await kit.app.db.selectFrom('session').selectAll().where('remembered', '=', false).execute()
    expect(rows).toEqual([expect.objectContaining({ secondFactor: 'code' })])
  })

  test('is not a failure: a right password before it never delays, and a wrong answer never delays a password', async () => {
    const kit = await withAnn()
    kit.demand.isOn = true
    const browser = kit.browser()
    for (let time = 0; time < 12; time += 1) expect((await signIn(browser)).status).toBe(200)
    for (let time = 0; time < 12; time += 1) expect((await answerTo(browser, 'code', 'left')).status).toBe(401)
    expect((await traces(kit)).failures).toBe(0)
    expect((await signIn(browser)).body).toEqual({ codeRequired: '/code' })
  })

  test('does not reset failures: nine wrong passwords stay counted', async () => {
    const kit = await withAnn()
    const browser = kit.browser()
    for (let time = 0; time < 9; time += 1) await signIn(browser, { password: wrong })
    kit.demand.isOn = true
    expect((await signIn(browser)).status).toBe(200)
    expect((await signIn(browser, { password: wrong })).status).toBe(401)
    expect((await signIn(browser)).status).toBe(429)
  })

  test('comes after the rejection of a banned user, who is also rejected when they are banned before the answer', async () => {
    const kit = await withAnn()
    const ban = (banned: boolean) => kit.app.db.updateTable('user').set({ banned }).execute()
    kit.demand.isOn = true
    const browser = kit.browser()
    await signIn(browser)
    await ban(true)
    expect((await signIn(kit.browser())).body.code).toBe('BANNED_USER')
    expect(kit.proofs).toHaveLength(1)
    const before = await traces(kit)
    expect((await answerTo(browser)).body.code).toBe('BANNED_USER')
    expect(await traces(kit)).toMatchObject({ sessions: before.sessions, signedIn: before.signedIn })
  })

  test('ends when the sign-in methods of the user change before the answer', async () => {
    const kit = await withAnn()
    kit.demand.isOn = true
    const browser = kit.browser()
    await signIn(browser)
    const { id } = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    await transaction(kit.app, (tx) => lockUser(tx, id))
    expect((await answerTo(browser)).body.code).toBe('NO_CHALLENGE')
  })

  test('of a new user leaves the user, who can sign in', async () => {
    const kit = await withAnn()
    kit.demand.isOn = true
    const browser = kit.browser()
    expect((await browser.call('POST /sign-up/email', { body: bob })).body).toEqual({ codeRequired: '/code' })
    kit.demand.isOn = false
    const { status } = await kit.browser().call('POST /sign-in/email', { body: { email: bob.email, password: bob.password } })
    expect(status).toBe(200)
  })

  test('of a native app is handed to the app, and not to the system browser', async () => {
    const planted = plantedChallenge(() => true)
    const kit: SocialApp = await socialApp({ trustedOrigins: ['myapp://'] }, { features: { ...featureList, planted } })
    const body = { provider: 'google', callbackURL: 'myapp://dashboard' } as const
    const started = await kit.browser().call('POST /sign-in/social', { body }, { 'expo-origin': 'myapp://', cookie: '' })
    const browser = kit.browser()
    const opened = await browser.request(`/expo-authorization-proxy${new URL(started.body.url).search}`)
    const callback = await openCallback(browser, 'google', new URL(opened.headers.get('location') ?? ''))
    expect(callback.headers.get('location')).toMatch(/^myapp:\/\/dashboard\?cookie=code%3D/)
    expect([...browser.cookies.keys()]).toEqual([])
  })

  test('of several features: each is answered in list order, and each once', async () => {
    const kit = await socialApp(
      {},
      {
        features: {
          ...featureList,
          first: plantedChallenge(() => true, 'first', ['first-factor']),
          second: { ...plantedChallenge(() => true, 'second', ['first-factor']), tables: {} },
        },
      },
    )
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const browser = kit.browser()
    expect((await signIn(browser)).body).toEqual({ codeRequired: '/first' })
    expect((await answerTo(browser, 'second')).status).toBe(401)
    const token = browser.cookies.get('first') ?? ''
    expect((await answerTo(browser, 'first')).body).toEqual({ codeRequired: '/second' })
    browser.cookies.set('first', token)
    expect((await answerTo(browser, 'first')).body.code).toBe('NO_CHALLENGE')
    expect(await nameOf(browser)).toBeNull()
    expect((await answerTo(browser, 'second')).status).toBe(200)
    expect(await nameOf(browser)).toBe('Ann')
  })

  test.each(places)('is answered once when 64 answer it concurrently, at %s', async (place) => {
    const planted = plantedChallenge((_, { kind }) => kind === 'first-factor')
    const kit = await openRacers(place, {}, { features: { ...featureList, planted } })
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const owner = kit.browser()
    await signIn(owner)
    const before = await kit.app.db.selectFrom('session').select('id').execute()
    const answers = await race(kit.browsers(owner), (browser) => answerTo(browser))
    expectOneWinner(answers, '401 NO_CHALLENGE')
    expect(answers).toHaveLength(many)
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(before.length + 1)
  })

  test('is announced to pages, and documented for each call that it may end', async () => {
    const { browser } = await withAnn()
    const { body } = await browser().call('GET /public-settings', {})
    expect(body.signIn).toEqual({
      ...{ page: 'all', order: [], rememberAccount: false },
      methods: ['password', 'social', 'phone-number', 'email-code', 'magic-link', 'passkey', 'anonymous'],
      challenges: [{ name: 'code', page: '/code' }],
    })
    const { body: document } = await browser().call('GET /open-api/generate-schema', {})
    const isDocumented = Object.fromEntries(
      Object.entries<Record<string, JSONSchema>>(document.paths).flatMap(([path, methods]) =>
        Object.entries(methods).map(([method, { responses }]) => [
          `${method.toUpperCase()} ${path}`,
          JSON.stringify(responses).includes('codeRequired'),
        ]),
      ),
    )
    for (const [key, { reply }] of entries) if (!reply) expect([key, isDocumented[key]]).toEqual([key, true])
    expect([isDocumented['POST /change-password'], isDocumented['POST /sign-out']]).toEqual([true, false])
  })
})
