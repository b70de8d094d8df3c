import { describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'
import type { ConfigFile } from '../index.ts'
import { featureList } from '../index.ts'
import { clearMailCounts, jobs, sendMail } from './index.ts'

const email = 'ann@example.com'
const ann = { name: 'Ann', email, password: 'correct horse battery' }
const caught: ConfigFile = { mail: { from: 'Acme <a@example.com>', catch: true }, mailLimit: { enabled: true } }

const outbox = ({ app }: Pick<TestApp, 'app'>, kind: string) =>
  app.db.selectFrom('outbox').selectAll().where('kind', '=', kind).where('recipient', '!=', '').execute()
const limited = (log: readonly string[]) => log.filter((line) => line.includes('its recipient has reached the limit'))

async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp({ ...caught, ...config })
  await kit.browser().call('POST /sign-up/email', { body: ann })
  const request = (to = email) => kit.browser().call('POST /request-password-reset', { body: { email: to } })
  const requestMany = async (count: number, to = email) => {
    for (let call = 0; call < count; call += 1) expect((await request(to)).status).toBe(200)
  }
  return { ...kit, request, requestMany }
}

describe('the emails of one kind to one recipient', () => {
  test('end at the limit: the response stays the same, and one line without the email address is logged', async () => {
    const kit = await withAnn()
    const first = await kit.request()
    await kit.requestMany(4, 'Ann@Example.com')
    expect(await outbox(kit, 'reset-password')).toHaveLength(5)
    expect(limited(kit.log)).toEqual([])
    const sixth = await kit.request()
    expect([sixth.status, sixth.body]).toEqual([first.status, first.body])
    expect(await outbox(kit, 'reset-password')).toHaveLength(5)
    // It is logged after the response.
    await expect.poll(() => limited(kit.log)).toEqual([expect.stringContaining('"kind":"reset-password"')])
    expect(limited(kit.log).join()).not.toContain('example.com')
  })

  test('start again when the window is over', async () => {
    const kit = await withAnn({ mailLimit: { enabled: true, max: 2, window: 600 } })
    await kit.requestMany(1)
    kit.clock.advance(599)
    await kit.requestMany(3)
    expect(await outbox(kit, 'reset-password')).toHaveLength(2)
    kit.clock.advance(1)
    await kit.requestMany(3)
    expect(await outbox(kit, 'reset-password')).toHaveLength(4)
  })

  test('start again when a clock was set back', async () => {
    const kit = await withAnn({ mailLimit: { enabled: true, max: 1, window: 600 } })
    kit.clock.advance(86_400)
    await kit.requestMany(2)
    kit.clock.advance(-86_400)
    await kit.requestMany(2)
    expect(await outbox(kit, 'reset-password')).toHaveLength(2)
  })

  test('are limited for every kind, each by itself', async () => {
    const kit = await testApp({
      ...caught,
      mailLimit: { enabled: true, max: 2 },
      user: { deleteUser: { enabled: true, sendDeleteAccountVerification: true } },
      admin: { enabled: true, notifyOfImpersonation: true },
    })
    const kinds = kit.app.features.flatMap(({ mails = {} }) => Object.values(mails))
    expect(kinds.length).toBeGreaterThan(4)
    for (const mail of kinds) {
      for (let call = 0; call < 3; call += 1) await sendMail(kit.app, mail, ann, {} as never)
      expect(await outbox(kit, mail.kind), mail.kind).toHaveLength(2)
    }
    await sendMail(kit.app, kinds[0] as never, { email: 'bob@example.com' }, {} as never)
    expect(await outbox(kit, kinds[0]?.kind ?? '')).toHaveLength(3)
  })

  test('are counted for unknown email addresses too, and none of them is stored', async () => {
    const kit = await withAnn()
    await kit.requestMany(6, 'una@example.com')
    await expect.poll(() => limited(kit.log)).toHaveLength(1)
    const counts = await kit.app.db.selectFrom('mailCount').selectAll().where('count', '>', 0).execute()
    // Of the recipient, of the network and of all.
    expect(counts.map(({ count }) => count).toSorted()).toEqual([5, 6, 6])
    expect(JSON.stringify(counts)).not.toContain('example.com')
  })

  test.each(['/send-verification-email', '/request-password-reset'] as const)(
    'are not used up by POST %s before the email address has an account',
    async (path) => {
      const { browser, app } = await testApp({ ...caught, emailVerification: { sendOnSignUp: true } })
      for (let call = 0; call < 7; call += 1) await browser().call(`POST ${path}`, { body: { email } })
      expect(await outbox({ app }, 'verification')).toHaveLength(0)
      await browser().call('POST /sign-up/email', { body: ann })
      await browser().call('POST /request-password-reset', { body: { email } })
      expect(await outbox({ app }, 'verification')).toHaveLength(1)
      expect(await outbox({ app }, 'reset-password')).toHaveLength(1)
    },
  )

  test('are not used up by requests without the password when a sign-in requires a new password', async () => {
    const kit = await withAnn()
    await kit.requestMany(6)
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    const user = await kit.app.db.selectFrom('user').selectAll().executeTakeFirstOrThrow()
    for (let call = 0; call < 6; call += 1) await emit(kit.app, 'password.replacement-required', { user })
    expect(await outbox(kit, 'reset-password')).toHaveLength(10)
    expect(await clearMailCounts(kit.app, email)).toBe(2)
  })

  test('take the same statements before and at the limit, so that the response time does not reveal the count', async () => {
    // The device of the sign-up would be remembered at the same time.
    const kit = await withAnn({ mailLimit: { enabled: true, max: 2 }, notices: { sendNewSignIn: false } })
    const { record } = recordStatements(kit)
    const taken: (readonly string[])[] = []
    for (let call = 0; call < 4; call += 1) taken.push((await record(() => kit.request())).statements)
    expect(taken[0]).toContain('insert outbox')
    expect(taken).toEqual(Array(4).fill(taken[0]))
  })

  test('are not counted when the transaction is rolled back', async () => {
    const kit = await testApp({ ...caught, mailLimit: { enabled: true, max: 1 } })
    const [mail] = kit.app.features.flatMap(({ mails = {} }) => Object.values(mails))
    const undone = transaction(kit.app, async (tx) => {
      await sendMail(tx, mail as never, ann, {} as never)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await sendMail(kit.app, mail as never, ann, {} as never)
    expect(await outbox(kit, mail?.kind ?? '')).toHaveLength(1)
  })

  test.each([
    ['production', 1],
    ['development', 0],
  ] as const)('are limited by default in %s: %s', async (environment, refused) => {
    const kit = await testApp({ mail: { from: 'a@example.com', send: () => {} }, environment })
    const [mail] = kit.app.features.flatMap(({ mails = {} }) => Object.values(mails))
    for (let call = 0; call < 6; call += 1) await sendMail(kit.app, mail as never, ann, {} as never)
    expect(limited(kit.log)).toHaveLength(refused)
  })

  test('have counts that are deleted when their window is over', async () => {
    const kit = await withAnn()
    await kit.requestMany(1)
    const count = async () => (await kit.app.db.selectFrom('mailCount').select('id').execute()).length
    kit.clock.advance(3599)
    await jobs.mailCounts.run(kit.app, new AbortController().signal)
    expect(await count()).toBe(3)
    kit.clock.advance(2)
    await jobs.mailCounts.run(kit.app, new AbortController().signal)
    expect(await count()).toBe(0)
  })
})

describe.each(places)('with %s', (place) => {
  test(`${many} concurrent calls cannot exceed the limit`, async () => {
    const kit = await openRacers(place, caught)
    await kit.browser().call('POST /sign-up/email', { body: ann })
    const answers = await race(kit.browsers(), (browser) => browser.call('POST /request-password-reset', { body: { email } }))
    expect(tally(answers)).toEqual({ 200: many })
    expect(await outbox(kit, 'reset-password')).toHaveLength(5)
  })
})

/** Emails to the address of an account: five of each kind an hour, whatever causes them. Of an unverified address, also per network. */
const toAccounts = [
  'earlier-access-ended',
  ...['account-impersonated', 'account-locked', 'account-unlocked'],
  ...[
    'account-banned',
    'account-deleted',
    'account-linked',
    'api-key-created',
    'change-email',
    'new-sign-in',
    'waiting-list-approved',
  ],
  ...['passkey-added', 'passkey-cloned', 'passkey-removed'],
  ...['password-changed', 'phone-number-changed', 'session-limit', 'sign-in-method-removed'],
  ...['two-factor-code', 'two-factor-enabled', 'two-factor-disabled', 'two-factor-suspended', 'password-may-be-known'],
  ...['backup-code-used', 'backup-codes-created', 'backup-codes-low', 'trusted-browser-copied'],
  ...['two-factor-reset', 'two-factor-due'],
  'two-factor-reset-code',
  'organization-two-factor',
  'set-up-link',
]
/** The calls count them, with an error: a thief must not use up the limit, so that a notice is left out. */
const byUsers = ['organization-invitation', 'email-changed']

test('every email that goes to an address of choice is limited per recipient, per network and in all', () => {
  const kinds = Object.values(featureList).flatMap((feature) =>
    'mails' in feature ? Object.values(feature.mails as object) : [],
  )
  const others = kinds.filter(({ toStrangers }) => !toStrangers).map(({ kind }) => kind)
  expect(others.toSorted()).toEqual([...toAccounts, ...byUsers].toSorted())
})

test.each<[name: string, limit: object]>([
  ['of the network', { perNetwork: { max: 3 } }],
  ['of all', { total: { max: 3 } }],
])('emails to many recipients end at the limit %s: the responses stay the same', async (_, limit) => {
  const kit = await testApp({ ...caught, mailLimit: { enabled: true, ...limit } })
  const answers = []
  for (let at = 0; at < 5; at++) {
    const body = { ...ann, email: `ann${at}@example.com` }
    answers.push((await kit.browser().call('POST /sign-up/email', { body })).status)
    answers.push((await kit.browser().call('POST /request-password-reset', { body: { email: body.email } })).status)
  }
  expect(new Set(answers)).toEqual(new Set([200]))
  const sent = await kit.app.db.selectFrom('outbox').select('kind').where('recipient', '!=', '').execute()
  expect(sent.filter(({ kind }) => kind === 'reset-password' || kind === 'verification')).toHaveLength(3)
})

const behindProxy: ConfigFile = { ...caught, server: { trustedProxies: ['127.0.0.1'] } }
const resets = ({ app }: TestApp) =>
  app.db.selectFrom('outbox').select('id').where('kind', '=', 'reset-password').where('recipient', '!=', '').execute()

test.each<[name: string, advanced: ConfigFile['advanced'], sent: number]>([
  ['a network, also without IP addresses in the log', { ipAddress: { disableIpTracking: true } }, 2],
  ['a site of IPv6 networks, twice as many', {}, 4],
])('the limit counts %s', async (_, advanced, sent) => {
  const kit = await testApp({ ...behindProxy, advanced, mailLimit: { enabled: true, perNetwork: { max: 2 } } })
  const isNetwork = advanced?.ipAddress !== undefined
  for (let at = 0; at < 6; at++) {
    const { body } = await kit.browser().call('POST /sign-up/email', { body: { ...ann, email: `ann${at}@example.com` } })
    await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', body.user.id).execute()
    const headers = { 'x-forwarded-for': `2001:db8:1:${isNetwork ? 1 : at}::${at + 1}` }
    const { email } = body.user
    expect((await kit.browser().call('POST /request-password-reset', { body: { email } }, headers)).status).toBe(200)
  }
  expect(await resets(kit)).toHaveLength(sent)
})

test('notices to addresses that are not verified end at the limit of the network', async () => {
  const kit = await testApp({ ...caught, mailLimit: { enabled: true, perNetwork: { max: 3 } } })
  const newPassword = 'another horse entirely'
  const change = async (at: number, emailVerified: boolean) => {
    const eve = kit.browser()
    const { body } = await eve.call('POST /sign-up/email', { body: { ...ann, email: `victim${at}@example.com` } })
    await kit.app.db.updateTable('user').set({ emailVerified }).where('id', '=', body.user.id).execute()
    await eve.call('POST /change-password', { body: { currentPassword: ann.password, newPassword } })
  }
  for (let at = 0; at < 5; at++) await change(at, false)
  expect(await outbox(kit, 'password-changed')).toHaveLength(3)
  await change(7, true)
  expect(await outbox(kit, 'password-changed')).toHaveLength(4)
})

test('changes of unverified addresses end at the limit of the network with an error, and no notice is left out', async () => {
  const kit = await testApp({
    ...caught,
    user: { changeEmail: { enabled: true } },
    mailLimit: { enabled: true, perNetwork: { max: 4 } },
  })
  const eve = kit.browser()
  await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
  const statuses = []
  for (let at = 0; at < 5; at++)
    statuses.push((await eve.call('POST /change-email', { body: { newEmail: `victim${at}@example.com` } })).status)
  expect(statuses).toEqual([200, 200, 429, 429, 429])
  expect(await outbox(kit, 'email-changed')).toHaveLength(2)
})
