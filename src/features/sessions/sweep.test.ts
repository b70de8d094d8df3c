// Also on servers: rows are deleted in batches.
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { sweepOutbox } from '../outbox/index.ts'
import { sweepRateLimits } from '../rate-limits/index.ts'
import { sweepVerifications } from '../verifications/index.ts'
import { sweepSessions } from './revocation.ts'

/** Rows are kept for an hour after their end. */
const sweepSlackMs = 3_600_000

const never = new AbortController().signal
const ended = 2345

/** A user, sessions that have ended for long, for a moment, and one that goes on. */
async function withSessions() {
  const kit = await testApp()
  const browser = kit.browser()
  const body = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
  await browser.call('POST /sign-up/email', { body })
  const { app } = kit
  const [session] = await app.db.selectFrom('session').selectAll().execute()
  if (!session) throw new Error('There is no session')
  const ago = (milliseconds: number) => new Date(app.now().getTime() - milliseconds)
  const more = Array.from({ length: ended + 1 }, (_, number) => ({
    ...session,
    id: app.random.id(),
    tokenHash: app.random.token(32),
    // Some end together, more than one batch holds.
    expiresAt: number === 0 ? ago(1000) : ago(sweepSlackMs + (number > 1500 ? 1000 : number)),
  }))
  for (let at = 0; at < more.length; at += 500)
    await app.db
      .insertInto('session')
      .values(more.slice(at, at + 500))
      .execute()
  const count = async () => (await app.db.selectFrom('session').select('id').execute()).length
  return { ...kit, browser, count }
}

test('deletes sessions that expired a while ago, and keeps live and just expired ones', async () => {
  const { app, browser, count } = await withSessions()
  await sweepSessions(app, never)
  expect(await count()).toBe(2)
  expect((await browser.call('GET /get-session', {})).body).not.toBeNull()
  await sweepSessions(app, never)
  expect(await count()).toBe(2)
})

test('stops between two batches when it is aborted', async () => {
  const { app, count } = await withSessions()
  await sweepSessions(app, AbortSignal.abort())
  expect(await count()).toBe(ended + 2)
  const ending = new AbortController()
  const run = sweepSessions(app, ending.signal)
  ending.abort()
  await run
  expect(await count()).toBe(ended + 2 - 1000)
})

test('stops after its time, and the next run does the rest', async () => {
  const { app, clock, count } = await withSessions()
  const now = () => {
    clock.advance(100)
    return clock.now()
  }
  await sweepSessions(Object.assign(Object.create(app), { now }), never)
  expect(await count()).toBeGreaterThan(2)
  await sweepSessions(app, never)
  expect(await count()).toBeLessThanOrEqual(2)
})

test('deletes verifications a day after they expired, and keeps usable ones', async () => {
  const { app } = await testApp()
  const dayMs = 86_400_000
  const row = (number: number, expiresAt: Date) => ({ id: `${number}`, identifier: `${number}`, value: '', expiresAt })
  const now = app.now().getTime()
  const old = Array.from({ length: 1200 }, (_, number) => row(number, new Date(now - dayMs - 1)))
  await app.db.insertInto('verification').values(old).execute()
  const kept = [row(2000, new Date(now - dayMs)), row(2001, new Date(now + 1000))]
  await app.db.insertInto('verification').values(kept).execute()
  await sweepVerifications(app, never)
  const rows = await app.db.selectFrom('verification').select('id').orderBy('id').execute()
  expect(rows.map(({ id }) => id)).toEqual(['2000', '2001'])
})

test('deletes rate-limit counts after their longest window', async () => {
  const week = 604_800_000
  const { app } = await testApp({ rateLimit: { storage: 'database', customRules: { '/ok': { window: 604_800, max: 1 } } } })
  const row = (number: number, age: number) => ({
    id: `${number}`,
    key: `${number}`,
    count: 1,
    lastRequest: app.now().getTime() - age,
  })
  await app.db
    .insertInto('rateLimit')
    .values(Array.from({ length: 1200 }, (_, number) => row(number, week + sweepSlackMs + 1)))
    .execute()
  await app.db
    .insertInto('rateLimit')
    .values([row(2000, week), row(2001, 0)])
    .execute()
  await sweepRateLimits(app, never)
  const rows = await app.db.selectFrom('rateLimit').select('id').orderBy('id').execute()
  expect(rows.map(({ id }) => id)).toEqual(['2000', '2001'])
})

test('keeps expired verifications if configured, and they stay unusable', async () => {
  const urls: string[] = []
  const { app, browser, clock } = await testApp({
    verification: { disableCleanup: true },
    emailAndPassword: { enabled: true, sendResetPassword: ({ url }: { url: string }) => void urls.push(url) },
  })
  const [email, password] = ['ann@example.com', 'correct horse battery']
  await browser().call('POST /sign-up/email', { body: { name: 'Ann', email, password } })
  await browser().call('POST /request-password-reset', { body: { email } })
  await expect.poll(() => urls).toHaveLength(1)
  clock.advance(90 * 86_400)
  await sweepVerifications(app, never)
  expect(await app.db.selectFrom('verification').select('id').execute()).toHaveLength(1)
  const token = urls[0]?.split('?')[0]?.split('/').at(-1) ?? ''
  const response = await browser().call('POST /reset-password', { body: { token, newPassword: password } })
  expect([token.length, response.body.code]).toEqual([24, 'INVALID_TOKEN'])
  expect(await app.db.selectFrom('verification').select('id').execute()).toHaveLength(1)
})

test('deletes mails sent long ago, and keeps pending and dead ones', async () => {
  const { app } = await testApp()
  const long = new Date(app.now().getTime() - 8 * 86_400_000)
  const row = (number: number, more: object) => ({ id: `${number}`, kind: 'x', recipient: 'a@b.test', createdAt: long, ...more })
  const sent = Array.from({ length: 1100 }, (_, number) => row(number, { sentAt: long }))
  await app.db.insertInto('outbox').values(sent).execute()
  await app.db
    .insertInto('outbox')
    .values(row(2000, { sentAt: app.now() }))
    .execute()
  await app.db
    .insertInto('outbox')
    .values(row(2001, { failedAt: long }))
    .execute()
  await app.db
    .insertInto('outbox')
    .values(row(2002, { nextAttemptAt: long }))
    .execute()
  await sweepOutbox(app, never)
  const rows = await app.db.selectFrom('outbox').select('id').orderBy('id').execute()
  expect(rows.map(({ id }) => id)).toEqual(['2000', '2001', '2002'])
})

test('declares the jobs', async () => {
  const { app } = await testApp({ rateLimit: { storage: 'database' } })
  const jobs = app.features.flatMap((feature) => Object.keys(feature.jobs ?? {}))
  expect(jobs).toEqual(expect.arrayContaining(['sessions', 'verifications', 'rateLimits', 'attempts', 'sentMails']))
})
