/** Everything that creates a user asks the sign-up policy. A call, method or file that is not here fails the first tests. */
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { type SocialApp, socialApp } from '../../../tests/kit/social.ts'
import { ApiError } from '../../core/errors.ts'
import type { SignUpRejection } from '../../core/sign-up.ts'
import { type ConfigFile, featureList } from '../index.ts'
import { createUser, seed } from '../setup/index.ts'
import { importUsers } from '../transfer/index.ts'

const email = 'bob@example.com'
const bob = { name: 'Bob', email, password: 'correct horse battery' }
const atProvider = { sub: 'bob-at-provider', name: 'Bob', email, email_verified: true }
const phoneNumber = '+491701234567'
const page = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const configOf = (texts: string[]): ConfigFile => ({
  username: true,
  passkey: { enabled: true, signUp: true },
  anonymous: true,
  admin: true,
  openAPI: true,
  phoneNumber: { signUpOnVerification: { getTempEmail: () => 'phone-1@phone.example' } },
  sms: { send: ({ text }) => void texts.push(text) },
  mail: { send: ({ text }) => void texts.push(text), from: 'acme@example.com' },
  emailOTP: { sendVerificationOTP: ({ otp }) => void texts.push(otp) },
  magicLink: { sendMagicLink: ({ token }) => void texts.push(token) },
  seed: { admins: [{ email, name: 'Bob' }] },
})

/** With a planted rule that rejects everyone while `gate.isShut`. */
async function open() {
  const texts: string[] = []
  const gate = { isShut: false }
  const rejection: SignUpRejection = { rejected: 'planted', setting: 'planted.gate' }
  const planted = { admitsSignUp: { rejects: () => (gate.isShut ? rejection : null) } }
  const kit = await socialApp(configOf(texts), { features: { ...featureList, planted } })
  const events = async (...actions: string[]) => {
    await kit.settled()
    const rows = kit.app.db.selectFrom('auditEvent').select(['action', 'details', 'targetId', 'outcome'])
    return (await rows.where('action', 'in', actions).orderBy('createdAt').orderBy('id').execute()).map((row) => ({
      ...row,
      details: typeof row.details === 'string' ? JSON.parse(row.details) : row.details,
    }))
  }
  const users = async () => (await kit.app.db.selectFrom('user').select('id').execute()).length
  return { ...kit, texts, gate, events, users }
}
type Kit = Awaited<ReturnType<typeof open>>

interface Way {
  /** As the audit log names it. */
  readonly way: string
  /** How a rejection ends the call. */
  readonly ends: string
  readonly prepare?: (browser: Browser, kit: Kit) => Promise<unknown>
  /** @param prepared what `prepare` returned @returns what `ends` is compared with */
  readonly run: (browser: Browser, kit: Kit, prepared: unknown) => Promise<Answer | string>
}

async function nextText({ texts }: Kit, ask: () => Promise<Answer>): Promise<string> {
  const before = texts.length
  expect((await ask()).status).toBe(200)
  await expect.poll(() => texts.length).toBe(before + 1)
  return /\b\d{6}\b/.exec(texts[before] ?? '')?.[0] ?? texts[before] ?? ''
}

const stateOf = async (browser: Browser, path: 'POST /sign-in/social' | 'POST /sign-in/oauth2', named: object) => {
  const { body } = await browser.call(path, { body: { callbackURL: '/in', errorCallbackURL: '/oops', ...named } as never })
  return new URL(body.url).searchParams.get('state') ?? ''
}
const bySocial = (id: string, method: 'GET' | 'POST', path: string, provider: string): Way => ({
  way: `social:${provider}`,
  ends: '/oops?error=signup_not_allowed',
  prepare: (browser) =>
    path.startsWith('/oauth2')
      ? stateOf(browser, 'POST /sign-in/oauth2', { providerId: id })
      : stateOf(browser, 'POST /sign-in/social', { provider: id }),
  run: async (browser, { codeFor }, state) => {
    const parameters = new URLSearchParams({ code: codeFor(atProvider), state: String(state) }).toString()
    const { headers } = await (method === 'GET'
      ? browser.request(`${path}?${parameters}`)
      : browser.request(path, { method, headers: form, body: parameters }))
    return headers.get('location') ?? ''
  },
})

const magicLink = (browser: Browser, kit: Kit) =>
  nextText(kit, () => browser.call('POST /sign-in/magic-link', { body: { email } }, page))
const notAllowed = '403 SIGN_UP_NOT_ALLOWED'
const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'created',
    (error: unknown) => (error instanceof ApiError ? error.entry.code : String(error)),
  )

const calls: Readonly<Record<string, Way>> = {
  'POST /sign-up/email': {
    ...{ way: 'password', ends: notAllowed },
    run: (browser) => browser.call('POST /sign-up/email', { body: { ...bob, username: 'bob_smith' } as never }),
  },
  'POST /sign-in/email-otp': {
    ...{ way: 'email-code', ends: notAllowed },
    prepare: (browser, kit) =>
      nextText(kit, () => browser.call('POST /email-otp/send-verification-otp', { body: { email, type: 'sign-in' } })),
    run: (browser, _, otp) => browser.call('POST /sign-in/email-otp', { body: { email, otp: String(otp) } }),
  },
  'GET /magic-link/verify': {
    ...{ way: 'magic-link', ends: '/oops?error=signup_not_allowed', prepare: magicLink },
    run: async (browser, _, token) => {
      const query = { token: String(token), callbackURL: '/in', errorCallbackURL: '/oops' }
      const headers = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }
      return (await browser.call('GET /magic-link/verify', { query }, headers)).headers.get('location') ?? ''
    },
  },
  'POST /magic-link/verify': {
    ...{ way: 'magic-link', ends: notAllowed, prepare: magicLink },
    run: (browser, _, token) => browser.call('POST /magic-link/verify', { body: { token: String(token) } }, page),
  },
  'POST /passkey/verify-registration': {
    ...{ way: 'passkey', ends: notAllowed },
    prepare: async (browser, kit) => {
      const body = { email, name: 'Bob' }
      const otp = await nextText(kit, () => browser.call('POST /passkey/sign-up', { body }, page))
      const { context } = (await browser.call('POST /passkey/verify-sign-up', { body: { email, otp } }, page)).body
      return (await browser.call('GET /passkey/generate-register-options', { query: { context } })).body
    },
    run: (browser, _, options) =>
      browser.call('POST /passkey/verify-registration', {
        body: { response: { ...createAuthenticator().create(options as never) } },
      }),
  },
  'POST /phone-number/verify': {
    ...{ way: 'phone-number', ends: notAllowed },
    prepare: (browser, kit) => nextText(kit, () => browser.call('POST /phone-number/send-otp', { body: { phoneNumber } })),
    run: (browser, _, code) => browser.call('POST /phone-number/verify', { body: { phoneNumber, code: String(code) } }),
  },
  'POST /sign-in/anonymous': {
    ...{ way: 'anonymous', ends: notAllowed },
    run: (browser) => browser.call('POST /sign-in/anonymous', {}),
  },
  'POST /sign-in/social': {
    ...{ way: 'social:google', ends: notAllowed },
    run: async (browser, { idToken }) =>
      browser.call('POST /sign-in/social', { body: { provider: 'google', idToken: { token: await idToken(atProvider) } } }),
  },
  'GET /callback/:id': bySocial('google', 'GET', '/callback/google', 'google'),
  'POST /callback/:id': bySocial('google', 'POST', '/callback/google', 'google'),
  'GET /oauth2/callback/:providerId': bySocial('acme', 'GET', '/oauth2/callback/acme', 'acme'),
  'POST /oauth2/callback/:providerId': bySocial('acme', 'POST', '/oauth2/callback/acme', 'acme'),
  'POST /admin/create-user': {
    ...{ way: 'administrator', ends: notAllowed },
    prepare: async (browser, { app }) => {
      await browser.call('POST /sign-up/email', { body: { ...bob, email: 'ada@example.com' } })
      await app.db.updateTable('user').set({ role: 'admin' }).execute()
    },
    run: (browser) => browser.call('POST /admin/create-user', { body: { name: 'Bob', email } }),
  },
}

const line = { number: 1, text: JSON.stringify({ user: { email, name: 'Bob' } }) }
const commands: Readonly<Record<string, Way>> = {
  'latchkey users create, with a setup link': {
    ...{ way: 'setup-link', ends: 'SIGN_UP_NOT_ALLOWED' },
    run: (_, { app }) => codeOf(createUser(app, { email, name: 'Bob' })),
  },
  'latchkey users create, with a password': {
    ...{ way: 'password', ends: 'SIGN_UP_NOT_ALLOWED' },
    run: (_, { app }) => codeOf(createUser(app, bob)),
  },
}

const textOf = (ended: Answer | string): string =>
  typeof ended === 'string' ? ended : [ended.status, ended.body?.code].filter(Boolean).join(' ')

test('every call that creates users has a way here', () => {
  const declared = Object.values(featureList).flatMap(({ routes = {} }) => Object.entries(routes))
  const creating = declared.filter(
    // With a sign-in that waits, the user exists already.
    ([, { declaration }]) =>
      declaration.createsUsers || (declaration.signsIn?.includes('new-user') && !declaration.acceptsPending),
  )
  expect(Object.keys(calls).toSorted()).toEqual(creating.map(([key]) => key).toSorted())
  // So that the error is documented, and clients meet a code of the catalogue.
  expect(creating.filter(([, { declaration }]) => !declaration.createsUsers)).toEqual([])
})

test('every sign-in method by which a user can sign up has a way here', () => {
  const methods = Object.values(featureList).flatMap(({ signInMethod }) => signInMethod?.name ?? [])
  const ways = new Set(Object.values(calls).map(({ way }) => way.replace(/:.*/, '')))
  expect(methods.filter((name) => !ways.has(name))).toEqual([])
})

test('no other code inserts users', () => {
  const folder = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
  const inserting = files.filter((file) =>
    /\binsertUsers?\(|insertInto\('user'\)/.test(readFileSync(`${folder}/${file}`, 'utf8')),
  )
  expect(inserting.toSorted()).toEqual([
    'features/admin/change-routes.ts',
    'features/anonymous/index.ts',
    'features/email-password/credentials.ts',
    'features/email-verification/mailbox-proof.ts',
    'features/export-all/insert.ts',
    // They have signed up in the application that is moved.
    'features/move/better-auth/users.ts',
    'features/passkeys/sign-up.ts',
    'features/phone-number/verification.ts',
    'features/setup/setup-link.ts',
    'features/social-sign-in/identity.ts',
    'features/transfer/index.ts',
    'features/users/index.ts',
  ])
})

describe('a rejected user is not created, and an admitted one is', () => {
  test.each(Object.entries({ ...calls, ...commands }))('%s', async (_, { way, ends, prepare, run }) => {
    const kit = await open()
    const browser = kit.browser()
    const prepared = await prepare?.(browser, kit)
    const before = await kit.users()
    kit.gate.isShut = true
    expect(textOf(await run(browser, kit, prepared))).toContain(ends)
    expect(await kit.users()).toBe(before)
    const [event, ...more] = await kit.events('sign-up.rejected')
    expect(more).toEqual([])
    expect(event).toMatchObject({ outcome: 'denied', details: { reason: 'planted', setting: 'planted.gate', way } })
    expect(JSON.stringify(event)).not.toContain('bob@')
    kit.gate.isShut = false
    const other = kit.browser()
    for (const [name, value] of way === 'administrator' ? browser.cookies : []) other.cookies.set(name, value)
    const again = way === 'administrator' ? null : await prepare?.(other, kit)
    await run(other, kit, again)
    expect(await kit.users()).toBe(before + 1)
  })
})

test('an import reports the lines of rejected users, unless it ignores the policy', async () => {
  const { app, gate, users } = await open()
  gate.isShut = true
  const message = 'the sign-up policy rejects the email address: planted (planted.gate)'
  expect(await importUsers(app, { dryRun: false })([line])).toMatchObject([{ outcome: 'invalid', message }])
  expect(await importUsers(app, { dryRun: true })([line])).toMatchObject([{ outcome: 'invalid', message }])
  expect(await users()).toBe(0)
  expect(await importUsers(app, { dryRun: false, ignoreSignUpPolicy: true })([line])).toMatchObject([{ outcome: 'created' }])
  // Users who exist are not its concern.
  expect(await importUsers(app, { dryRun: false })([line])).toMatchObject([{ outcome: 'unchanged' }])
})

test('the administrators of the configuration are created whatever the policy, and the audit log says so', async () => {
  const { app, gate, users, events } = await open()
  gate.isShut = true
  await seed(app, { dryRun: false, prune: false, readSecret: () => undefined })
  expect(await users()).toBe(1)
  expect(await events('sign-up.waived')).toMatchObject([{ details: { reason: 'planted', by: 'seed' } }])
})

test('an administrator gets the reason, and may override it, which is recorded', async () => {
  const kit = await open()
  const browser = kit.browser()
  await calls['POST /admin/create-user']?.prepare?.(browser, kit)
  kit.gate.isShut = true
  const create = (more: object = {}) => browser.call('POST /admin/create-user', { body: { name: 'Bob', email, ...more } })
  const { body } = await create()
  expect(body).toMatchObject({ code: 'SIGN_UP_NOT_ALLOWED', details: { reason: 'planted', setting: 'planted.gate' } })
  expect(textOf(await create({ overrideSignUpPolicy: true }))).toBe('200')
  expect(await kit.events('sign-up.overridden')).toMatchObject([{ details: { reason: 'planted', setting: 'planted.gate' } }])
})

test('a stranger does not get the reason', async () => {
  const { browser, gate } = await open()
  gate.isShut = true
  const { body } = await browser().call('POST /sign-up/email', { body: bob })
  expect(body).toEqual({ code: 'SIGN_UP_NOT_ALLOWED', message: 'Sign-up is not allowed' })
})

test('a user who exists signs in by every method while no one may sign up', async () => {
  const kit: SocialApp & Kit = await open()
  await kit.browser().call('POST /sign-up/email', { body: bob })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  kit.gate.isShut = true
  const byPassword = await kit.browser().call('POST /sign-in/email', { body: { email, password: bob.password } })
  expect(byPassword.status).toBe(200)
  for (const key of ['POST /sign-in/email-otp', 'POST /magic-link/verify', 'GET /callback/:id']) {
    const browser = kit.browser()
    const way = calls[key]
    const prepared = await way?.prepare?.(browser, kit)
    await way?.run(browser, kit, prepared)
    expect((await browser.call('GET /get-session', {})).body.user.email).toBe(email)
  }
  await kit.settled()
  expect(await kit.events('sign-up.rejected')).toEqual([])
})
