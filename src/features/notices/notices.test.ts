import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { insertMany } from '../../../tests/kit/many-rows.ts'
import { many } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'
import { mails } from './index.ts'

const [email, password] = ['ann@example.com', 'a long password of ann']
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const newerChrome = chrome.replace('142', '143')
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

type Notice = { user: { email: string }; device?: string | null; providerId?: string }

async function withAnn(notices: ConfigFile['notices'], more: ConfigFile = {}) {
  const kit = await testApp({ ...more, notices, attempts: { enabled: false } })
  const own = kit.browser()
  await own.call('POST /sign-up/email', { body: { email, password, name: 'Ann' } }, { 'user-agent': chrome })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const signIn = (userAgent: string) =>
    kit.browser().call('POST /sign-in/email', { body: { email, password } }, { 'user-agent': userAgent })
  const devices = () => kit.app.db.selectFrom('knownDevice').select('id').execute()
  // The device of the sign-up is remembered after its response.
  const remembered = typeof notices?.sendNewSignIn === 'function' ? 1 : 0
  await expect.poll(async () => (await devices()).length, { timeout: 15_000 }).toBe(remembered)
  return { ...kit, own, signIn, devices }
}

test('a sign-in from a new device is notified once, and neither sign-up nor a newer version of a known browser is', async () => {
  const mails = captureMails<Notice>()
  const { signIn } = await withAnn({ sendNewSignIn: mails.send })
  await signIn(chrome)
  await signIn(newerChrome)
  await signIn(firefox)
  expect(await mails.next()).toMatchObject({ user: { email }, device: 'Firefox 145 on Linux' })
  await signIn(firefox)
  await signIn('curl/8.5.0')
  expect(await mails.next()).toMatchObject({ device: 'curl 8.5.0' })
  expect(mails.sent).toHaveLength(2)
})

test('concurrent sign-ins from one new device send one notice', async () => {
  const mails = captureMails<Notice>()
  const { signIn, devices } = await withAnn({ sendNewSignIn: mails.send })
  await Promise.all(Array.from({ length: many }, () => signIn(firefox)))
  await mails.next()
  await signIn('curl/8.5.0')
  expect(await mails.next()).toMatchObject({ device: 'curl 8.5.0' })
  expect(mails.sent).toHaveLength(2)
  expect(await devices()).toHaveLength(3)
})

test('remembers the newest 1,000 devices of a user', async () => {
  const mails = captureMails<Notice>()
  const { app, clock, own, signIn, devices } = await withAnn({ sendNewSignIn: mails.send })
  const { body } = await own.call('GET /get-session', {})
  const before = new Date(clock.now().getTime() - 60_000)
  await insertMany(app, 'knownDevice', 1200, (number) => ({ key: `${number}`, userId: body.user.id, lastSignInAt: before }))
  await signIn(firefox)
  await mails.next()
  await expect.poll(async () => (await devices()).length, { timeout: 15_000 }).toBe(1000)
  const [newest] = await app.db
    .selectFrom('knownDevice')
    .select('lastSignInAt')
    .orderBy('lastSignInAt', 'desc')
    .limit(1)
    .execute()
  expect(newest?.lastSignInAt).toEqual(clock.now())
})

test('a sign-in whose email address is not verified is not notified', async () => {
  const mails = captureMails<Notice>()
  const { app, signIn, devices } = await withAnn({ sendNewSignIn: mails.send })
  await app.db.updateTable('user').set({ emailVerified: false }).execute()
  await signIn(firefox)
  await expect.poll(async () => (await devices()).length, { timeout: 15_000 }).toBe(2)
  await app.db.updateTable('user').set({ emailVerified: true }).execute()
  await signIn('curl/8.5.0')
  await mails.next()
  expect(mails.sent).toHaveLength(1)
})

test('a device that was not used for the retention time is new again', async () => {
  const mails = captureMails<Notice>()
  const { app, clock, signIn, devices } = await withAnn({ sendNewSignIn: mails.send, deviceRetention: 86_400 })
  const { sweepDevices } = await import('./known-devices.ts')
  clock.advance(86_400 - 60)
  await signIn(firefox)
  await mails.next()
  clock.advance(120)
  await sweepDevices(app, new AbortController().signal)
  expect(await devices()).toHaveLength(1)
})

test('a sign-in to an account that was not used for the retention time is notified, though no device is known', async () => {
  const mails = captureMails<Notice>()
  const { app, clock, signIn, devices } = await withAnn({ sendNewSignIn: mails.send, deviceRetention: 86_400 })
  const [{ chainJob }, { sweepDevices }] = await Promise.all([import('../audit/chain.ts'), import('./known-devices.ts')])
  const { signal } = new AbortController()
  await chainJob.run(app, signal)
  clock.advance(86_400 + 60)
  await sweepDevices(app, signal)
  expect(await devices()).toHaveLength(0)
  await signIn(firefox)
  expect(await mails.next()).toMatchObject({ device: 'Firefox 145 on Linux' })
})

test('the owner of the account is notified of a removed sign-in method', async () => {
  const mails = captureMails<Notice>()
  const { app, own } = await withAnn({ sendSignInMethodRemoved: mails.send })
  const user = await app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  const row = { id: 'google', accountId: 'g1', providerId: 'google', userId: user.id, createdAt: app.now(), updatedAt: app.now() }
  await app.db.insertInto('account').values(row).execute()
  expect(await own.call('POST /unlink-account', { body: { providerId: 'google' } })).toMatchObject({ status: 200 })
  expect(await mails.next()).toMatchObject({ user: { email }, providerId: 'google' })
})

test('the owner of the account is notified of its deletion, by the built-in email', async () => {
  const sent: { to: string; subject: string }[] = []
  const mail = { from: 'a@example.com', send: (one: { to: string; subject: string }) => void sent.push(one) }
  const { own } = await withAnn(
    { sendNewSignIn: false },
    { mail, user: { deleteUser: { enabled: true, sendDeleteAccountVerification: false } } },
  )
  expect(await own.call('POST /delete-user', { body: { password } })).toMatchObject({ status: 200 })
  await expect
    .poll(() => sent.map(({ to, subject }) => [to, subject]), { timeout: 15_000 })
    .toContainEqual([email, 'Your Latchkey account was deleted'])
})

test('a client cannot put a link or another line into the notice', () => {
  const data = { user: {} as never, time: '2026-01-31T12:00:00.000Z', ipAddress: null, hasReplaced: false }
  const config = { appName: 'Acme', baseURL: 'https://acme.test', dashboard: { enabled: false } } as never
  const context = { config, appName: 'Acme', locale: 'en', timeZone: 'UTC', time: String, duration: String, say: String } as const
  const device = 'Secure your account at https://evil.test/now\n\u202e(support)'
  for (const content of Object.values(mails['new-sign-in'].content)) {
    const { preheader, facts } = content({ ...data, device }, context)
    for (const text of [preheader, ...(facts ?? []).flat()]) expect(text).not.toMatch(/evil\.test|https:\/\/|\n|\u202e/)
  }
})
