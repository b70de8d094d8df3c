/** No value in the database or Redis can be used as a secret (ASVS 13.3.1): each is tried wherever a secret is accepted. */
import { Redis } from 'ioredis'
import { expect, inject, test } from 'vitest'
import { mergeTables } from '../../src/core/table.ts'
import { resetFactors } from '../../src/features/second-factor/index.ts'
import { seed } from '../../src/features/setup/index.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import type { Browser } from '../kit/browser.ts'
import { signUp } from '../kit/members.ts'
import { flow, standIn, startFlow } from '../kit/provider-stand-in.ts'
import { enable, enrol, signInAs, verify } from '../kit/second-factor.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { name: 'Bob', email: 'bob@example.com', password: 'another horse battery' }

/** Carl signs in with this provider, and has started another sign-in. */
const providerTokens = {
  access_token: 'access-token-of-carl',
  refresh_token: 'refresh-token-of-carl',
  id_token: 'id-token-of-carl',
  token_type: 'Bearer',
}

async function startProvider() {
  const carl = { sub: '42', name: 'Carl', email: 'carl@example.com', email_verified: true }
  const { origin } = await standIn({ 'POST /token': providerTokens, 'GET /userinfo': carl })
  const urls = { authorizationUrl: `${origin}/authorize`, tokenUrl: `${origin}/token`, userInfoUrl: `${origin}/userinfo` }
  return { providerId: 'acme', clientId: 'id', clientSecret: 'client-secret-of-acme', ...urls }
}

async function scenario() {
  const kit = await testApp({
    jwt: true,
    bearer: true,
    multiSession: true,
    oneTimeToken: true,
    apiKey: true,
    twoFactor: { enabled: true, otpOptions: { channels: ['sms', 'email'] } },
    ...{ phoneNumber: true, sms: { send: () => Promise.reject(new Error('away')) }, smsLimit: { enabled: true } },
    ...{ emailOTP: true, magicLink: true },
    attempts: { enabled: true },
    genericOAuth: { config: [await startProvider()] },
    // So that the state alone decides.
    account: { skipStateCookieCheck: true },
    emailVerification: { sendOnSignUp: true },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true, sendDeleteAccountVerification: true } },
    session: { cookieCache: { enabled: true } },
    // Mails wait in the outbox: no server accepts them.
    mail: { from: 'a@b.co', send: () => Promise.reject(new Error('away')) },
    seed: { roles: { admin: {} }, admins: [{ email: 'root@example.com', name: 'Root' }] },
  })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  await visitor.call('GET /token', {})
  await visitor.call('POST /request-password-reset', { body: { email: ann.email } })
  await visitor.call('POST /delete-user', { body: {} })
  await visitor.call('GET /one-time-token/generate', {})
  await visitor.call('POST /api-key/create', { body: {} })
  await visitor.call('POST /phone-number/send-otp', { body: { phoneNumber: '+491701234567' } })
  const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
  for (const type of ['sign-in', 'forget-password'] as const)
    await kit.browser().call('POST /email-otp/send-verification-otp', { body: { email: ann.email, type } }, page)
  await kit.browser().call('POST /sign-in/magic-link', { body: { email: ann.email } }, page)
  await kit.browser().call('POST /sign-up/email', { body: bob })
  await kit.browser().call('POST /sign-in/email', { body: { email: bob.email, password: 'a wrong guess of a password' } })
  await seed(kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
  const carl = kit.browser()
  await flow(carl, 'acme')
  const state = (await startFlow(carl, 'acme')).searchParams.get('state') ?? ''
  await startSecondFactors(kit)
  return { ...kit, visitor, carl, state }
}

/** Dora has an authenticator app, codes by email and a trusted browser, sets up another app, and waits for her second factor. */
async function startSecondFactors(kit: TestApp): Promise<void> {
  const { browser: dora, userId } = await signUp(kit, 'Dora')
  await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
  const { code } = await enrol(kit, dora)
  await enable(dora, { method: 'otp', channel: 'email' })
  await verify(dora, code(), { trustDevice: true })
  await enable(dora)
  // The cookie of the trusted browser is replaced.
  await dora.call('POST /sign-out', {})
  await signInAs(dora, 'Dora')
  const pending = kit.browser()
  await signInAs(pending, 'Dora')
  await pending.call('POST /two-factor/send-otp', {})
  const order = { requestedBy: 'operator', administratorId: null, reason: 'Lost phone' } as const
  await resetFactors(kit.app, userId, { ...order, hours: 720 })
}

/** Every text in every table, also those inside JSON, and their parts between dots and colons. */
async function textsOfDatabase({ app }: Awaited<ReturnType<typeof scenario>>, isTried = (_: number) => true): Promise<string[]> {
  const tables = Object.keys(mergeTables(app.features)).filter((_, index) => isTried(index)) as 'user'[]
  const rows = await Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().execute()))
  return rows.flat().flatMap((row) => Object.values(row).filter((value): value is string => typeof value === 'string'))
}

async function textsOfRedis({ app }: Awaited<ReturnType<typeof scenario>>): Promise<string[]> {
  const { enabled, url = '', keyPrefix } = app.config.redis
  if (inject('servers') === null || !enabled) return []
  const redis = new Redis(url)
  try {
    const keys = await redis.keys(`${keyPrefix}*`)
    const dumped = await Promise.all(keys.map((key) => redis.dump(key)))
    const printable = dumped.flatMap((value) => (value ?? '').match(/[\x21-\x7e]{8,}/g) ?? [])
    return [...keys, ...printable]
  } finally {
    redis.disconnect()
  }
}

const parts = (text: string) => [text, ...text.split(/[.:$,]/)].filter((part) => part.length >= 8 && part.length <= 4000)

/** What each door says to a value; each must stay shut. */
async function tryEverywhere(fresh: () => Browser, victim: Browser, value: string): Promise<string[]> {
  const opened: string[] = []
  const cookie = fresh()
  for (const name of ['latchkey.session_token', 'latchkey.session_data', 'latchkey.dont_remember'])
    cookie.cookies.set(name, encodeURIComponent(value))
  if ((await cookie.call('GET /get-session', {})).body !== null) opened.push('session cookie')
  const bearer = await fresh().call('GET /get-session', {}, { authorization: `Bearer ${value}` })
  if (bearer.body !== null) opened.push('bearer')
  const keyed = await fresh().call('GET /get-session', {}, { 'x-api-key': value })
  if (keyed.status < 400 && keyed.body !== null) opened.push('API key')
  const transferred = await fresh().call('POST /one-time-token/verify', { body: { token: value.slice(0, 200) } })
  if (transferred.status === 200) opened.push('one-time token')
  const pending = fresh()
  pending.cookies.set('latchkey.two_factor', encodeURIComponent(value))
  if ((await pending.call('GET /two-factor/challenge', {})).status === 200) opened.push('challenge')
  const answered = await fresh().call('POST /two-factor/verify-totp', {
    body: { code: '000000', challengeToken: value.slice(0, 100) },
  })
  // Without second factors there is no such call.
  if (answered.status !== 404 && answered.body.code !== 'INVALID_TWO_FACTOR_COOKIE') opened.push('challenge token')
  const cancelled = await fresh().call('POST /two-factor/cancel-reset', { body: { token: value.slice(0, 100) } })
  if (cancelled.status === 200) opened.push('reset of second factors')
  const locked = await fresh().call('POST /lock-account/check', { body: { token: value.slice(0, 100) } })
  if (locked.status === 200) opened.push('lock link')
  const trusted = fresh()
  trusted.cookies.set('latchkey.trust_device', encodeURIComponent(value))
  if ((await signInAs(trusted, 'Dora')).body.token !== undefined) opened.push('trusted browser')
  const device = fresh()
  device.cookies.set(`latchkey.session_token_multi-${value.toLowerCase()}`, encodeURIComponent(value))
  if ((await device.call('GET /multi-session/list-device-sessions', {})).body.length > 0) opened.push('session of the browser')
  const reset = await fresh().call('POST /reset-password', { body: { token: value, newPassword: 'a password of a thief' } })
  if (reset.status < 400) opened.push('reset')
  const setUp = await fresh().call('POST /set-up', { body: { token: value, newPassword: 'a password of a thief' } })
  if (setUp.status < 400) opened.push('set-up')
  const link = await fresh().call('POST /magic-link/verify', { body: { token: value.slice(0, 200) } })
  if (link.status < 400) opened.push('magic link')
  const asker = fresh()
  for (const name of ['latchkey.magic_link', 'latchkey.email_otp']) asker.cookies.set(name, encodeURIComponent(value))
  const code = await asker.call('POST /sign-in/email-otp', { body: { email: ann.email, otp: value.slice(0, 64) } })
  const linkCode = await asker.call('POST /magic-link/verify', { body: { code: value.slice(0, 64) } })
  if (code.status < 400 || linkCode.status < 400) opened.push('code by email')
  const verify = await fresh().call('GET /verify-email', { query: { token: value } })
  if (verify.status < 400) opened.push('verify')
  const deletion = await victim.call('GET /delete-user/callback', { query: { token: value } })
  if (deletion.status < 400) opened.push('delete')
  const returned = await fresh().request(`/callback/acme?${new URLSearchParams({ code: 'a-code', state: value })}`)
  if (!returned.headers.get('location')?.endsWith('please_restart_the_process')) opened.push('callback')
  for (const email of [ann.email, bob.email, 'root@example.com']) {
    const signIn = await fresh().call('POST /sign-in/email', { body: { email, password: value } })
    if (signIn.status < 400) opened.push(`password of ${email}`)
  }
  return opened
}

/** Hundreds of values at twenty calls take longer on a busy machine than one test may: each share tries every third table. */
const shares = [0, 1, 2]

test.for(shares)('no value of the database or of Redis works as a credential (share %i)', async (share) => {
  const kit = await scenario()
  const texts = await textsOfDatabase(kit, (table) => table % shares.length === share)
  if (share === 0) texts.push(...(await textsOfRedis(kit)))
  const values = [...new Set(texts.flatMap(parts))]
  expect(values.length).toBeGreaterThan(30)
  const opened: string[] = []
  for (const value of values) {
    for (const door of await tryEverywhere(kit.browser, kit.visitor, value)) opened.push(`${door}: ${value}`)
  }
  expect(opened).toEqual([])
})

/** Columns with values that a secret made, which `latchkey keys list` does not count, because no user misses them. */
const uncounted = [
  // Of a row that is counted by another column.
  ...['oneTimeCode.codeHash', 'verification.value', 'attempt.account', 'outbox.linkURL'],
  ...['signInChallenge.networkKey', 'trustedDevice.formerKey', 'trustedDevice.browserKey'],
  // They end with the secret that made them: a limit starts again, and a device is new.
  ...['mailCount.key', 'knownDevice.key'],
  // The audit log says what becomes of its own (docs/audit-log.md).
  ...['auditEvent.code', 'auditEvent.ipHash', 'auditEvent.hash', 'auditState.code'],
]

test('every column with values that a secret made is in the inventory of secrets', async () => {
  const { app } = await scenario()
  const [id = ''] = app.keyring.ids()
  const made = new RegExp(`^(?:[a-z]+:)?${id}\\.`)
  const found = new Set<string>()
  for (const table of Object.keys(mergeTables(app.features)) as 'user'[])
    for (const row of await app.db.selectFrom(table).selectAll().execute())
      for (const [column, value] of Object.entries(row)) if (made.test(String(value))) found.add(`${table}.${column}`)
  const uses = app.features.flatMap(({ secretUses = {} }) => Object.values(secretUses))
  const counted = uses.map(({ table, column }) => `${table}.${column}`)
  expect([...found].filter((column) => !uncounted.includes(column)).sort()).toEqual(counted.sort())
})

test('provider tokens, client secrets and states are stored nowhere as they are', async () => {
  const kit = await scenario()
  const stored = [...(await textsOfDatabase(kit)), ...(await textsOfRedis(kit))].join(' ')
  const { access_token, refresh_token } = providerTokens
  for (const secret of [access_token, refresh_token, 'client-secret-of-acme', kit.state]) expect(stored).not.toContain(secret)
  const account = await kit.app.db.selectFrom('account').selectAll().where('providerId', '=', 'acme').executeTakeFirstOrThrow()
  for (const sealed of [account.accessToken, account.refreshToken]) expect(sealed).toMatch(/^encrypted:[\w-]{8}\.[\w-]{40,}$/)
  const { body } = await kit.carl.call('POST /get-access-token', { body: { providerId: 'acme' } })
  expect(body.accessToken).toBe(access_token)
})

test('every call that was tried accepts the real secrets', async () => {
  const mails: { url: string; token: string }[] = []
  const keep = (mail: { url: string; token: string }) => void mails.push(mail)
  const { browser } = await testApp({
    account: { skipStateCookieCheck: true },
    genericOAuth: { config: [await startProvider()] },
    emailAndPassword: { enabled: true, sendResetPassword: keep },
  })
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  await browser().call('POST /request-password-reset', { body: { email: ann.email } })
  await expect.poll(() => mails.length).toBe(1)
  expect(await tryEverywhere(browser, visitor, mails[0]?.token ?? '')).toEqual(['reset'])
  expect(await tryEverywhere(browser, visitor, (await startFlow(browser(), 'acme')).searchParams.get('state') ?? '')).toEqual([
    'callback',
  ])
  expect(await tryEverywhere(browser, visitor, 'a password of a thief')).toEqual([`password of ${ann.email}`])
})
