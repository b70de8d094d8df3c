import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import type { App } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import { transaction } from '../../core/transaction.ts'
import { flushDenials } from '../audit/index.ts'
import type { ConfigFile } from '../index.ts'
import { seed, setUserRole } from '../roles/index.ts'
import { addCounts, inBothUnits, type Series } from './counts.ts'
import { close, flushStatistics, jobs } from './index.ts'

const password = 'correct horse battery'
const hour = 3_600
const day = 86_400

/** What the job of the chain does: each event is emitted once. */
async function chain(app: App): Promise<void> {
  await flushDenials(app)
  await transaction(app, async (tx) => {
    const events = await tx.db.selectFrom('auditEvent').selectAll().where('sequence', 'is', null).execute()
    const last = await tx.db
      .selectFrom('auditEvent')
      .select((eb) => eb.fn.max('sequence').as('last'))
      .executeTakeFirst()
    const first = Number(last?.last ?? 0) + 1
    for (const [position, { id }] of events.entries())
      await tx.db
        .updateTable('auditEvent')
        .set({ sequence: first + position })
        .where('id', '=', id)
        .execute()
    await emit(tx, 'events.chained', { events })
  })
}

/** The daemon, and an operator who may read everything. The operator signed up before what is counted. */
async function open(config: ConfigFile = {}) {
  const seeded: ConfigFile['seed'] = { roles: { operator: { statistics: ['read'], event: ['list'] } } }
  const kit = await testApp({ seed: seeded, ...config })
  await seed(kit.app, { dryRun: false, prune: false, readSecret: () => undefined })
  const operator = kit.browser()
  await signUp(kit, 'op', operator)
  const { id } = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
  await setUserRole(kit.app, id, 'operator')
  // Not counted, so that the numbers count only the test.
  await kit.app.db.deleteFrom('auditEvent').execute()
  return { ...kit, operator, operatorId: id }
}

const bodyOf = (name: string) => ({ name, email: `${name}@example.com`, password })
const signUp = (kit: Pick<TestApp, 'browser'>, name: string, visitor = kit.browser()) =>
  visitor.call('POST /sign-up/email', { body: bodyOf(name) })
const values = (points: readonly { value: number }[]) => points.map(({ value }) => value)
const sum = (points: readonly { value: number }[]) => values(points).reduce((total, value) => total + value, 0)

describe('GET /admin/overview', () => {
  test('counts sign-ups and sign-ins by hour, with zeros in between', async () => {
    const kit = await open({ emailAndPassword: { enabled: true, autoSignIn: false } })
    await signUp(kit, 'ann')
    kit.clock.advance(2 * hour)
    const ann = kit.browser()
    await ann.call('POST /sign-in/email', { body: bodyOf('ann') })
    for (let time = 0; time < 3; time += 1)
      await kit.browser().call('POST /sign-in/email', { body: { ...bodyOf('ann'), password: 'a wrong password' } })
    await chain(kit.app)
    const operator = kit.browser()
    await operator.call('POST /sign-in/email', { body: bodyOf('op') })
    const { status, body } = await operator.call('GET /admin/overview', { query: { range: '24h' } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ range: '24h', bucket: 'hour', users: { total: 2, isEstimate: false } })
    expect(values(body.signUps).slice(-4)).toEqual([0, 1, 0, 0])
    expect(body.signUps).toHaveLength(24)
    expect(values(body.signIns.succeeded).slice(-2)).toEqual([0, 1])
    expect(values(body.signIns.failed).slice(-2)).toEqual([0, 3])
    expect(body.verification).toMatchObject({ signedUp: 1, signedIn: 1 })
  })

  test('counts each active user once in a day, a week and a month, also when they only renew a session', async () => {
    const kit = await open()
    const ann = kit.browser()
    await signUp(kit, 'ann', ann)
    await chain(kit.app)
    for (let time = 0; time < 3; time += 1) {
      kit.clock.advance(2 * day)
      expect((await ann.call('GET /get-session', {})).body?.user.name).toBe('ann')
      await flushStatistics(kit.app)
    }
    const { body } = await kit.operator.call('GET /admin/overview', { query: { range: '7d' } })
    // The operator renews their session with this very call, on the last day.
    await flushStatistics(kit.app)
    const after = (await kit.operator.call('GET /admin/overview', { query: { range: '7d' } })).body
    expect(body.activeUsers.day).toHaveLength(7)
    expect(values(after.activeUsers.day)).toEqual([1, 0, 1, 0, 1, 0, 2])
    expect(values(after.activeUsers.week)).toEqual([1, 1, 1, 1, 1, 1, 2])
    expect(values(after.activeUsers.month).at(-1)).toBe(2)
  })

  test('compares with the period before', async () => {
    const kit = await open()
    await signUp(kit, 'ann')
    await chain(kit.app)
    kit.clock.advance(7 * day)
    await signUp(kit, 'bob')
    await signUp(kit, 'eve')
    await chain(kit.app)
    await kit.operator.call('POST /sign-in/email', { body: bodyOf('op') })
    const { body } = await kit.operator.call('GET /admin/overview', { query: { range: '7d' } })
    expect([sum(body.signUps), body.previous.signUps, body.previous.signIns]).toEqual([2, 1, 1])
  })

  test('counts what became of invitations, and as expired those that nothing ended before their time', async () => {
    const kit = await open({ organization: { invitationExpiresIn: 2 * day }, rateLimit: { enabled: false } })
    const owner = kit.browser()
    await signUp(kit, 'ann', owner)
    const { body: acme } = await owner.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
    const invite = (name: string, resend = false) =>
      owner.call('POST /organization/invite-member', {
        body: { email: `${name}@example.com`, role: 'member', organizationId: acme.id, resend },
      })
    const [bob, eve, ida] = [kit.browser(), kit.browser(), kit.browser()]
    for (const [name, visitor] of Object.entries({ bob, eve, ida })) await signUp(kit, name, visitor)
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    const answers = []
    for (const name of ['bob', 'eve', 'max', 'ida', 'uma']) answers.push(await invite(name))
    const [first, second, third] = answers.map(({ body }) => ({ invitationId: body.id }))
    if (!first || !second || !third) throw new Error('There are five invitations')
    expect((await bob.call('POST /organization/accept-invitation', { body: first })).status).toBe(200)
    expect((await eve.call('POST /organization/reject-invitation', { body: second })).status).toBe(200)
    expect((await owner.call('POST /organization/cancel-invitation', { body: third })).status).toBe(200)
    kit.clock.advance(day)
    // It lives for two days from now on.
    expect((await invite('ida', true)).status).toBe(200)
    await chain(kit.app)
    kit.clock.advance(day + hour)
    const read = async () => (await kit.operator.call('GET /admin/overview', { query: { range: '7d' } })).body.invitations
    expect(await read()).toEqual({ sent: 5, accepted: 1, rejected: 1, canceled: 1, expired: 1 })
    kit.clock.advance(day)
    expect((await read()).expired).toBe(2)
  })

  test('counts emails by kind, and the steps of a verification', async () => {
    const kit = await open({ mail: { catch: true }, emailVerification: { sendOnSignUp: true } })
    await signUp(kit, 'ann')
    await chain(kit.app)
    await expect.poll(async () => (await kit.operator.call('GET /admin/overview', {})).body.verification.emailSent).toBe(2)
    const { body } = await kit.operator.call('GET /admin/overview', {})
    expect(body.mails.byKind).toEqual([{ kind: 'verification', sent: 2, failed: 0 }])
    expect(sum(body.mails.sent)).toBe(2)
  })

  test('loses no sent email and no active user while the database is unavailable: they are counted afterwards', async () => {
    const kit = await open()
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(kit.app.db)
    kit.clock.advance(2 * day)
    await rename('statistic', 'away')
    await kit.operator.call('GET /get-session', {})
    for (let sent = 0; sent < 2; sent += 1) {
      await emit(kit.app, 'mail.sent', { kind: 'verification' })
      await expect(flushStatistics(kit.app)).rejects.toThrow('statistic')
    }
    await rename('away', 'statistic')
    await close(kit.app)
    const { body } = await kit.operator.call('GET /admin/overview', { query: { range: '7d' } })
    expect(body.mails.byKind).toEqual([{ kind: 'verification', sent: 2, failed: 0 }])
    expect(values(body.activeUsers.day).at(-1)).toBe(1)
  })

  test('counts rejected calls by route', async () => {
    const kit = await open({ rateLimit: { enabled: true } })
    const calls = Array.from({ length: 8 }, () => kit.browser().call('POST /sign-in/email', { body: bodyOf('eve') }))
    const limited = (await Promise.all(calls)).filter(({ status }) => status === 429).length
    await chain(kit.app)
    const { body } = await kit.operator.call('GET /admin/overview', {})
    expect(limited).toBeGreaterThan(0)
    expect(body.rateLimits.byRoute).toEqual([{ route: 'POST /sign-in/email', count: limited }])
    expect(sum(body.rateLimits.points)).toBe(limited)
  })

  test('counts an account that an administrator creates as no sign-up', async () => {
    const kit = await open()
    const { createUser } = await import('../setup/setup-link.ts')
    await createUser(kit.app, { name: 'Bob', email: 'bob@example.com', password })
    await chain(kit.app)
    expect(sum((await kit.operator.call('GET /admin/overview', {})).body.signUps)).toBe(0)
  })
})

describe('GET /admin/count-events', () => {
  test('counts by facet: each ignores its own filter', async () => {
    const kit = await open()
    const ann = kit.browser()
    await signUp(kit, 'ann', ann)
    await ann.call('POST /sign-out', {})
    await kit.browser().call('POST /sign-in/email', { body: { ...bodyOf('ann'), password: 'a wrong password' } })
    await chain(kit.app)
    const { body } = await kit.operator.call('GET /admin/count-events', { query: { outcome: 'failed' } })
    expect(body).toEqual({
      byOutcome: { succeeded: 3, failed: 1 },
      byAction: { 'sign-in.failed': 1 },
      byActorKind: { anonymous: 1 },
      isEstimate: false,
    })
  })

  test('counts the newest events of a user, and finds them by email address', async () => {
    const kit = await open()
    const { user } = (await signUp(kit, 'ann')).body
    await signUp(kit, 'bob')
    await chain(kit.app)
    const byId = await kit.operator.call('GET /admin/count-events', { query: { userId: user.id } })
    const byEmail = await kit.operator.call('GET /admin/count-events', { query: { search: 'Ann@example.com' } })
    expect(byId.body.byAction).toEqual({ 'user.created': 1, 'user.signed-in': 1 })
    expect(byEmail.body).toEqual(byId.body)
    expect((await kit.operator.call('GET /admin/count-events', { query: { search: 'no@example.com' } })).body.byAction).toEqual(
      {},
    )
  })

  test('ends at its time limit when no index has the filter', async () => {
    const kit = await open()
    if (inject('servers') !== null) return
    const { app, operator } = kit
    await signUp(kit, 'ann')
    const { limitTime } = app.database
    const limit = vi.spyOn(app.database, 'limitTime').mockImplementation(() => limitTime(-1))
    onTestFinished(() => limit.mockRestore())
    const response = await operator.call('GET /admin/count-events', { query: { targetType: 'user' } })
    expect(response).toMatchObject({ status: 503, body: { code: 'SEARCH_TOO_SLOW' } })
  })

  test('rejects a time that databases cannot compare', async () => {
    const { operator } = await open()
    const query = { createdAfter: '0000-01-01T00:00:00Z' }
    expect(await operator.call('GET /admin/count-events', { query })).toMatchObject({ status: 400 })
  })

  test('counts whole days and the hours around them once', async () => {
    const kit = await open()
    for (let count = 0; count < 5; count += 1) {
      await signUp(kit, `user-${count}`)
      await chain(kit.app)
      kit.clock.advance(13 * hour)
    }
    const createdAfter = new Date(kit.clock.now().getTime() - 53 * hour * 1000).toISOString()
    const { body } = await kit.operator.call('GET /admin/count-events', { query: { createdAfter } })
    expect(body.byAction['user.created']).toBe(4)
  })
})

describe('counts', () => {
  test('are not lost when processes add to the same one at the same time', async () => {
    const { app, clock } = await testApp()
    const add = () => transaction(app, (tx) => addCounts(tx, inBothUnits({ series: 'sign-up', at: clock.now(), value: 1 })))
    await Promise.all(Array.from({ length: 20 }, add))
    const rows = await app.db.selectFrom('statistic').select(['unit', 'value']).orderBy('unit').execute()
    expect(rows).toEqual([
      { unit: 'day', value: 20 },
      { unit: 'hour', value: 20 },
    ])
  })

  test('are deleted after 100 days by hour and 800 days by day', async () => {
    const { app, clock } = await testApp()
    await addCounts(app, inBothUnits({ series: 'sign-up', at: clock.now(), value: 1 }))
    const units = async () => (await app.db.selectFrom('statistic').select('unit').execute()).map(({ unit }) => unit)
    const sweep = () => jobs.statistics.run(app, AbortSignal.timeout(60_000))
    clock.advance(101 * day)
    await sweep()
    expect(await units()).toEqual(['day'])
    clock.advance(701 * day)
    await sweep()
    expect(await units()).toEqual([])
  })
})

test('three years of counts are read by few index reads', async () => {
  const kit = await open()
  const now = kit.clock.now().getTime()
  const series: Series[] = ['sign-up', 'sign-in', 'sign-in-failed', 'active-day', 'active-week', 'active-month', 'first-sign-in']
  const counts = Array.from({ length: 3 * 365 }, (_, back) => new Date(now - back * day * 1000)).flatMap((at) =>
    series.map((name) => ({ series: name, unit: 'day' as const, at, value: 1 })),
  )
  await transaction(kit.app, (tx) => addCounts(tx, counts))
  const { body } = await kit.operator.call('GET /admin/overview', { query: { range: '90d' } })
  expect([sum(body.signUps), body.previous.signUps]).toEqual([90, 90])
})

test('the last sign-in of a user has the time of the newest event, however late it is counted', async () => {
  const kit = await open()
  const ann = kit.browser()
  const { user } = (await signUp(kit, 'ann', ann)).body
  kit.clock.advance(hour)
  await kit.browser().call('POST /sign-in/email', { body: bodyOf('ann') })
  const newest = kit.clock.now()
  await chain(kit.app)
  const row = () => kit.app.db.selectFrom('user').select('lastSignInAt').where('id', '=', user.id).executeTakeFirstOrThrow()
  expect((await row()).lastSignInAt).toEqual(newest)
  await kit.app.db.updateTable('auditEvent').set({ sequence: null }).where('createdAt', '<', newest).execute()
  await chain(kit.app)
  expect((await row()).lastSignInAt).toEqual(newest)
  expect(JSON.stringify((await ann.call('GET /get-session', {})).body)).not.toContain('lastSignInAt')
})

describe('GET /admin/pending-counts', () => {
  const counts = async (browser: Awaited<ReturnType<typeof open>>['operator']) =>
    (await browser.call('GET /admin/pending-counts', {})).body

  test('counts what the role of the user permits to list, and nothing else', async () => {
    const { app, browser } = await testApp({
      seed: { roles: { support: { user: ['list'] }, operator: { limit: ['list'], mail: ['list'] } } },
      admin: { enabled: true },
    })
    await seed(app, { dryRun: false, prune: false, readSecret: () => undefined })
    const join = async (name: string, role?: string) => {
      const visitor = browser()
      await visitor.call('POST /sign-up/email', { body: { name, email: `${name}@example.com`, password } })
      if (role) await app.db.updateTable('user').set({ role }).where('name', '=', name).execute()
      return visitor
    }
    const [support, operator, user] = [await join('sue', 'support'), await join('otto', 'operator'), await join('uma')]
    await app.db.updateTable('user').set({ emailVerified: true }).where('name', '=', 'sue').execute()
    await app.db
      .updateTable('user')
      .set({ banned: true, banExpires: new Date(0) })
      .where('name', '=', 'otto')
      .execute()
    expect(await counts(support)).toEqual({ unverified: 2, banned: 0 })
    expect(await counts(operator)).toEqual({ rateLimits: 0, mails: 0 })
    expect(await counts(user)).toEqual({})
  })

  test('uses its counts again for 15 seconds', async () => {
    const { clock, browser, operator } = await open({
      admin: { enabled: true },
      seed: { roles: { operator: { user: ['list'] } } },
    })
    const { unverified } = await counts(operator)
    await browser().call('POST /sign-up/email', { body: { name: 'New', email: 'new@example.com', password } })
    expect((await counts(operator)).unverified).toBe(unverified)
    clock.advance(15)
    expect((await counts(operator)).unverified).toBe(unverified + 1)
  })
})
