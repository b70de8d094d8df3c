/** What administrators read of the sign-in policy, and how users are counted for it (contract 11 §10; 12 §12). */
import { expect, inject, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, signUp } from '../../../tests/kit/members.ts'
import { enrol, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { seed, setUserRole } from '../roles/index.ts'
import { jobs as factorJobs, requirementOf } from '../second-factor/index.ts'
import { findUserById } from '../users/index.ts'
import { jobs, readPolicy } from './index.ts'

const day = 86_400
const signal = new AbortController().signal
const run = (app: App) => jobs.users?.run(app, signal)

const providers = { github: { clientId: 'client', clientSecret: 'a secret of github' } }

/** An instance whose operator may read statistics, and nothing else. */
async function open(config: ConfigFile = {}) {
  const mails = captureMails<{ text: string }>()
  const kit = await testApp({
    ...{ admin: true, passkey: true, twoFactor: true, socialProviders: providers },
    mail: { send: mails.send as never, from: 'acme@example.com' },
    seed: { roles: { operator: { statistics: ['read'] }, staff: {} } },
    ...config,
  })
  await seed(kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
  const { browser: operator, userId } = await signUp(kit, 'Op')
  await setUserRole(kit.app, userId, 'operator')
  const read = async (): Promise<Awaited<ReturnType<typeof readPolicy>>> => {
    const { status, body } = await operator.call('GET /admin/sign-in-policy', {})
    expect(status).toBe(200)
    return body
  }
  return { ...kit, operator, mails, read }
}

async function addPasskey(browser: Browser) {
  const device = createAuthenticator()
  const { body: options } = await browser.call('GET /passkey/generate-register-options', { query: {} })
  const response = { ...device.create(options) }
  expect(outcome(await browser.call('POST /passkey/verify-registration', { body: { response } }))).toBe('200')
  return device
}

/** What the job of the chain does: each event is emitted once. */
const chain = ({ app }: Pick<TestApp, 'app'>) =>
  transaction(app, async (tx) => {
    const events = await tx.db.selectFrom('auditEvent').selectAll().where('sequence', 'is', null).execute()
    await emit(tx, 'events.chained', { events })
  })

/** Ann and Bob are staff; Ann has an app, Cid a passkey, and Dan nothing but a password. */
async function withUsers(config: ConfigFile = {}) {
  const kit = await open(config)
  const ann = await signUp(kit, 'Ann')
  const bob = await signUp(kit, 'Bob')
  const cid = await signUp(kit, 'Cid')
  await signUp(kit, 'Dan')
  await enrol(kit, ann.browser)
  await addPasskey(cid.browser)
  for (const { userId } of [ann, bob]) await setUserRole(kit.app, userId, 'staff')
  return { ...kit, ann, bob, cid }
}

const rules = [
  { roles: ['staff'], graceDays: 0 },
  { everyone: true as const, graceDays: 14, methods: ['passkey' as const] },
]

test('a rule has how many users it is for, have a second factor, have time left, and must set one up', async () => {
  const kit = await withUsers({ twoFactor: { required: rules } })
  await run(kit.app)
  const { twoFactor, users } = await kit.read()
  expect(twoFactor?.rules.map(({ name, counts }) => [name, counts])).toEqual([
    ['role:staff', { users: 2, satisfied: 1, grace: 0, due: 1 }],
    ['everyone', { users: 5, satisfied: 1, grace: 4, due: 0 }],
  ])
  expect(users).toMatchObject({ total: 5, adoption: [{ users: 5, secondFactor: 1, passkey: 1 }] })
})

test.each(rules)('the counts of a rule are those that each single user gets: %o', async (rule) => {
  const kit = await withUsers({ twoFactor: { required: [rule] } })
  // The grace of all of them ends before the count.
  await signInAs(kit.browser(), 'Dan')
  kit.clock.advance(15 * day)
  await run(kit.app)
  const results: string[] = []
  for (const { id } of await kit.app.db.selectFrom('user').select('id').execute()) {
    const user = await findUserById(kit.app, id)
    if (user) results.push((await requirementOf(kit.app, user)).result)
  }
  const countOf = (result: string) => results.filter((one) => one === result).length
  expect((await readPolicy(kit.app)).twoFactor?.rules[0]?.counts).toEqual({
    users: 5 - countOf('none'),
    ...{ satisfied: countOf('satisfied'), grace: countOf('grace'), due: countOf('setup') },
  })
  expect(countOf('setup')).toBeGreaterThan(0)
})

test('users with exactly one sign-in method are counted by method, as the explanation of their sign-in lists it', async () => {
  const kit = await withUsers()
  const dan = await kit.app.db.selectFrom('user').select('id').where('email', '=', 'dan@example.com').executeTakeFirstOrThrow()
  const columns = { providerId: 'github', createdAt: kit.clock.now(), updatedAt: kit.clock.now() }
  const link = (userId: string) =>
    kit.app.db
      .insertInto('account')
      .values({ ...columns, id: kit.app.random.id(), accountId: userId, userId } as never)
      .execute()
  await link(dan.id)
  await link(kit.bob.userId)
  await kit.app.db.deleteFrom('account').where('userId', '=', dan.id).where('providerId', '=', 'credential').execute()
  await run(kit.app)
  // Bob has a password and an account, Cid a password and a passkey; the others have one method each.
  expect((await kit.read()).users?.oneMethod).toEqual([
    { method: 'password', users: 2 },
    { method: 'social:github', users: 1 },
  ])
  for (const user of await kit.app.db.selectFrom('user').selectAll().execute()) {
    const listed: string[] = []
    const counted: string[] = []
    for (const { signInMethod: method } of kit.app.features) {
      if (!method?.expects || !(method.exists?.(kit.app.config) ?? true)) continue
      listed.push(...new Set((await method.expects(kit.app, user)).proofs.map((proof) => proof.method)))
      if (method.findWays) counted.push(...new Set((await method.findWays(kit.app, [user])).get(user.id)))
    }
    expect(counted).toEqual(listed)
  }
})

test('a code and a link by email are one sign-in method', async () => {
  const kit = await open({ magicLink: true, emailOTP: true })
  await run(kit.app)
  // The operator has a password and the mailbox.
  expect((await kit.read()).users?.oneMethod).toEqual([])
  await kit.app.db.deleteFrom('statistic').execute()
  await kit.app.db.deleteFrom('account').execute()
  await run(kit.app)
  expect((await kit.read()).users?.oneMethod).toEqual([{ method: 'email', users: 1 }])
})

test('two passkeys are two sign-in methods', async () => {
  const kit = await open()
  const ann = await signUp(kit, 'Ann')
  const bob = await signUp(kit, 'Bob')
  for (const { browser } of [ann, ann, bob]) await addPasskey(browser)
  await kit.app.db.deleteFrom('account').execute()
  await run(kit.app)
  expect((await kit.read()).users?.oneMethod).toEqual([{ method: 'passkey', users: 1 }])
})

test('daemons that count together count each user once, and once a day', async () => {
  const kit = await withUsers({ twoFactor: { required: rules } })
  // On servers: of another process.
  const other = inject('servers') === null ? kit : await kit.another()
  await Promise.all([run(kit.app), run(other.app), run(kit.app)])
  await run(kit.app)
  const first = await kit.read()
  await signUp(kit, 'Eve')
  await run(kit.app)
  expect((await kit.read()).users).toEqual(first.users)
  expect(first.users?.total).toBe(5)
  kit.clock.advance(day)
  await run(kit.app)
  const { users } = await kit.read()
  expect([users?.total, users?.adoption.map((one) => one.users)]).toEqual([6, [5, 6]])
})

test('users are counted again when the rules have changed, and a rule without a count says so', async () => {
  const kit = await withUsers({ twoFactor: { required: rules } })
  await run(kit.app)
  // As a daemon with other rules has left them.
  const former = kit.app.db.updateTable('statistic').where('series', '=', 'user-count').where('label', 'like', 'counted-at %')
  await former.set({ label: 'counted-at by-other-rules', id: 'other' }).execute()
  expect((await kit.read()).twoFactor?.rules.map(({ counts }) => counts)).toEqual([null, null])
  await run(kit.app)
  expect((await kit.read()).twoFactor?.rules[0]?.counts).toMatchObject({ users: 2 })
  const times = kit.app.db.selectFrom('statistic').select('label').where('label', 'like', 'counted-at %')
  expect(await times.execute()).toHaveLength(1)
})

test('a run that is stopped writes nothing, and the next one counts from the start', async () => {
  const kit = await withUsers()
  await jobs.users?.run(kit.app, AbortSignal.abort())
  expect((await kit.read()).users).toBeNull()
  await run(kit.app)
  expect((await kit.read()).users?.total).toBe(5)
})

test('anonymous users are not counted', async () => {
  const kit = await open({ anonymous: true, twoFactor: { required: rules } })
  await kit.browser().call('POST /sign-in/anonymous', { body: {} })
  await run(kit.app)
  expect((await kit.read()).users).toMatchObject({ total: 1, oneMethod: [{ method: 'password', users: 1 }] })
})

test('organizations that require a second factor are counted, without deleted ones', async () => {
  const kit = await open({ organization: true, twoFactor: { required: [{ organizations: true }] } })
  for (const slug of ['acme', 'globex', 'initech'])
    await kit.operator.call('POST /organization/create', { body: { name: slug, slug } })
  expect((await kit.read()).twoFactor?.organizations).toEqual({ required: null })
  const organizations = kit.app.db.updateTable('organization')
  await organizations.set({ twoFactorRequired: true }).where('slug', '!=', 'acme').execute()
  await organizations.set({ deletedAt: kit.clock.now() }).where('slug', '=', 'globex').execute()
  await run(kit.app)
  expect((await kit.read()).twoFactor).toMatchObject({ rules: [], organizations: { required: 1 } })
})

test('the configuration decides the policy, and nothing of it is secret or about one user', async () => {
  const kit = await withUsers({
    twoFactor: {
      required: [{ ...rules[0], roles: ['staff'], latest: '2027-01-31', apiKeys: false }],
      trustProviders: ['github', { id: 'github', when: { amr: 'mfa' } }],
      stepUp: { maxAge: 300 },
      trustDeviceMaxAge: 0,
    },
  })
  await run(kit.app)
  const body = await kit.read()
  expect(body).toMatchObject({
    methods: ['password', 'social', 'passkey'],
    passkeys: true,
    twoFactor: {
      methods: ['passkey', 'totp'],
      rules: [
        {
          ...{ roles: ['staff'], methods: ['passkey', 'totp'], graceDays: 0, latest: '2027-01-31T00:00:00.000Z' },
          ...{ trustedDevices: false, apiKeys: false },
        },
      ],
      ...{ organizations: null, trustDeviceMaxAge: 0, stepUpMaxAge: 300 },
      trustProviders: [
        { id: 'github', amr: null },
        { id: 'github', amr: 'mfa' },
      ],
    },
  })
  const text = JSON.stringify(body)
  for (const secret of ['a secret of github', 'client', 'ann@example.com', kit.ann.userId]) expect(text).not.toContain(secret)
})

test('without second factors and passkeys, the policy has the sign-in methods only', async () => {
  const kit = await open({ twoFactor: false, passkey: false })
  await run(kit.app)
  const { twoFactor, passkeys, methods, users } = await kit.read()
  expect([twoFactor, passkeys, methods]).toEqual([null, false, ['password', 'social']])
  expect(users).toMatchObject({ total: 1, adoption: [{ users: 1, secondFactor: 0, passkey: 0 }] })
})

test('users whose role does not permit to read statistics get 403', async () => {
  const kit = await open()
  const { browser } = await signUp(kit, 'Ann')
  expect((await browser.call('GET /admin/sign-in-policy', {})).status).toBe(403)
  expect((await kit.browser().call('GET /admin/sign-in-policy', {})).status).toBe(401)
})

test('sign-ins are counted by method, and passkeys from the options to the registration', async () => {
  const kit = await open()
  const ann = await signUp(kit, 'Ann')
  await ann.browser.call('GET /passkey/generate-register-options', { query: {} })
  const device = await addPasskey(ann.browser)
  for (const visitor of [kit.browser(), kit.browser()]) {
    const { body: options } = await visitor.call('POST /passkey/generate-authenticate-options', {})
    const response = { ...device.get(options) }
    expect(outcome(await visitor.call('POST /passkey/verify-authentication', { body: { response } }))).toBe('200')
  }
  await chain(kit)
  const { recent } = await kit.read()
  expect(recent.signIns).toEqual([
    { method: 'passkey', count: 2 },
    { method: 'password', count: 2 },
  ])
  expect(recent.passkeyRegistrations).toEqual({ opened: 2, passed: 1 })
})

test('challenges are counted by how they end, each once', async () => {
  const kit = await open()
  const ann = await signUp(kit, 'Ann')
  const { code } = await enrol(kit, ann.browser)
  const challenged = async () => {
    const browser = kit.browser()
    await signInAs(browser, 'Ann')
    return browser
  }
  const [passing, failing, cancelling] = [await challenged(), await challenged(), await challenged()]
  expect((await verify(passing, code())).status).toBe(200)
  for (let attempt = 0; attempt < 7; attempt += 1) await verify(failing, '000000')
  await cancelling.call('POST /two-factor/cancel', { body: {} })
  await challenged()
  kit.clock.advance(3600)
  await factorJobs.signInChallenges.run(kit.app, signal)
  expect((await kit.read()).recent.challenges).toEqual({
    verify: { opened: 4, passed: 1, failed: 1, cancelled: 1, expired: 1 },
    setup: { opened: 0, passed: 0, failed: 0, cancelled: 0, expired: 0 },
  })
})
