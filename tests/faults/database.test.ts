/** The database disconnects or stops responding during a write: the response is 503, no write is incomplete, and it recovers. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Feature } from '../../src/core/feature.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { flushStatistics } from '../../src/features/statistics/index.ts'
import { startProxy } from '../conformance/proxy.ts'
import { testApp } from '../kit/app.ts'
import type { Answer } from '../kit/browser.ts'
import { captureMails } from '../kit/mails.ts'
import { freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const away = { code: 'SERVICE_UNAVAILABLE', message: 'Service unavailable. Please try again later.' }

let server: Server
beforeAll(async () => {
  server = await startDatabase()
})
afterAll(() => server?.stop())

type Event = keyof NonNullable<Feature['on']>

/** A daemon with Ann, behind a relay that fails once when `event` is emitted, inside the transaction that emits it. */
async function withAnn(event: Event | null, fail: 'cut' | 'freeze', more: ConfigFile = {}) {
  const database = await freshDatabase(server.url)
  const proxy = await startProxy(server.port)
  onTestFinished(proxy.close)
  const url = new URL(database.url)
  url.port = String(proxy.port)
  const state = { isArmed: false }
  const failing: Feature = {
    on: {
      ...(event && {
        [event]: () => {
          if (state.isArmed) proxy[fail]()
        },
      }),
    },
  }
  const mails = captureMails()
  // A cut is noticed immediately, so that only a frozen connection needs a deadline that a test can wait for.
  const deadline = fail === 'cut' ? 20_000 : 2000
  const config = {
    database: { url: url.href, poolSize: 3, connectTimeout: deadline, queryTimeout: deadline },
    redis: false,
    emailAndPassword: { enabled: true, sendResetPassword: mails.send },
    emailVerification: { sendVerificationEmail: mails.send },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    // Work after the response of the setup would count among the calls that fail.
    notices: { sendNewSignIn: false },
    ...more,
  } as const
  const kit = await testApp(config, { features: { ...featureList, failing } })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  await kit.browser().call('POST /request-password-reset', { body: { email: ann.email } })
  const { token } = await mails.next()
  await settled(kit.app)
  return { ...kit, proxy, visitor, token, state }
}
type Kit = Awaited<ReturnType<typeof withAnn>>

const tables = ['user', 'account', 'session', 'verification', 'outbox'] as const
const rowsOf = (db: Kit['app']['db']) =>
  Promise.all(tables.map((table) => db.selectFrom(table).selectAll().orderBy('id').execute()))
/** Mails that are sent after the answer are noted and counted: work that fails later would be one more call that failed. */
const settled = (app: Kit['app']) =>
  expect
    .poll(async () => {
      await flushStatistics(app)
      const mails = await app.db.selectFrom('outbox').select('sentAt').execute()
      const counts = app.db.selectFrom('statistic').select('value').where('series', '=', 'mail-sent').where('unit', '=', 'hour')
      const counted = (await counts.execute()).reduce((sum, { value }) => sum + Number(value), 0)
      return mails.every(({ sentAt }) => sentAt) && counted === mails.length
    })
    .toBe(true)

async function rowsWhenBack({ app, proxy }: Kit) {
  proxy.thaw()
  await expect.poll(() => rowsOf(app.db).catch(() => null), { timeout: 20_000 }).not.toBeNull()
  return rowsOf(app.db)
}

const calls: Readonly<Record<string, readonly [event: Event, call: (kit: Kit) => Promise<Answer>]>> = {
  'sign-up': [
    'user.created',
    ({ browser }) => browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }),
  ],
  'sign-up, when its session is created': [
    'session.created',
    ({ browser }) => browser().call('POST /sign-up/email', { body: { ...ann, email: 'bob@example.com' } }),
  ],
  'sign-in': ['session.created', ({ browser }) => browser().call('POST /sign-in/email', { body: ann })],
  'change-password': [
    'password.changed',
    ({ visitor }) =>
      visitor.call('POST /change-password', {
        body: { currentPassword: ann.password, newPassword, revokeOtherSessions: true },
      }),
  ],
  'change-password, when its session is created': [
    'session.created',
    ({ visitor }) =>
      visitor.call('POST /change-password', {
        body: { currentPassword: ann.password, newPassword, revokeOtherSessions: true },
      }),
  ],
  'reset-password': [
    'password.changed',
    ({ browser, token }) => browser().call('POST /reset-password', { body: { token, newPassword } }),
  ],
  'update-user': ['user.updated', ({ visitor }) => visitor.call('POST /update-user', { body: { name: 'Anna' } })],
  'change-email': [
    'user.updated',
    ({ visitor }) => visitor.call('POST /change-email', { body: { newEmail: 'anna@example.com' } }),
  ],
  'revoke-sessions': ['sessions.revoked', ({ visitor }) => visitor.call('POST /revoke-sessions', {})],
  'delete-user': ['user.deleted', ({ visitor }) => visitor.call('POST /delete-user', { body: {} })],
}

describe.each(['cut', 'freeze'] as const)('when the connection is lost during a call (%s)', (fail) => {
  test.each(Object.keys(calls))('%s responds with 503, writes nothing, and works when it is repeated', async (name) => {
    const [event, call] = calls[name] ?? []
    const kit = await withAnn(event ?? null, fail)
    const before = await rowsOf(kit.app.db)
    kit.state.isArmed = true
    const answer = await call?.(kit)
    kit.state.isArmed = false
    expect([answer?.status, answer?.body, answer?.headers.get('retry-after')]).toEqual([503, away, '1'])
    expect(answer?.setCookie).toEqual([])
    expect(await rowsWhenBack(kit)).toEqual(before)
    expect((await call?.(kit))?.status).toBe(200)
    expect(await rowsOf(kit.app.db)).not.toEqual(before)
  })
})

test.each(['cut', 'freeze'] as const)(
  'a sign-up whose user is written before its session succeeds without one when the connection is lost in between (%s)',
  async (fail) => {
    const lose = { isArmed: false, now: () => {} }
    const before = async () => {
      if (lose.isArmed) lose.now()
      return undefined
    }
    const kit = await withAnn(null, fail, { databaseHooks: { session: { create: { before } } } })
    lose.now = () => kit.proxy[fail]()
    lose.isArmed = true
    const bob = { ...ann, email: 'bob@example.com' }
    const answer = await kit.browser().call('POST /sign-up/email', { body: bob })
    lose.isArmed = false
    expect([answer.status, answer.body.token, answer.body.user.email, answer.setCookie]).toEqual([200, null, bob.email, []])
    await rowsWhenBack(kit)
    expect((await kit.browser().call('POST /sign-in/email', { body: bob })).status).toBe(200)
  },
)

describe.each(['cut', 'freeze'] as const)('while the database is unreachable (%s)', (fail) => {
  test('no user is signed out or signed in, and everything works again afterwards', { timeout: 90_000 }, async () => {
    const kit = await withAnn(null, fail)
    const { browser, proxy, visitor } = kit
    const cookies = new Map(visitor.cookies)
    proxy[fail]()
    const shown = await visitor.call('GET /get-session', {})
    expect([shown.status, shown.body.code, shown.setCookie]).toEqual([500, 'FAILED_TO_GET_SESSION', []])
    for (const answer of [
      await visitor.call('GET /list-sessions', {}),
      await browser().call('POST /sign-in/email', { body: ann }),
      await browser().call('POST /reset-password', { body: { token: kit.token, newPassword } }),
    ])
      expect([answer.status, answer.body, answer.headers.get('retry-after'), answer.setCookie]).toEqual([503, away, '1', []])
    expect(visitor.cookies).toEqual(cookies)
    await rowsWhenBack(kit)
    expect((await visitor.call('GET /get-session', {})).body.user.email).toBe(ann.email)
    expect((await browser().call('POST /sign-in/email', { body: ann })).status).toBe(200)
    await expectOneOutage(kit, 4)
  })
})

/** One line at the start and one at the end, whatever number of calls failed; none of them is unexpected. */
async function expectOneOutage({ log, counted }: Kit, failedCalls: number): Promise<void> {
  const back = 'The database is available again'
  await expect.poll(() => log.some((line) => line.includes(back))).toBe(true)
  expect(log.filter((line) => line.includes('The database is unavailable') || line.includes(back))).toEqual([
    expect.stringContaining('"level":"error"'),
    expect.stringContaining(`"failedCalls":${failedCalls}`),
  ])
  expect(log.filter((line) => /Call failed|failed unexpectedly/.test(line))).toEqual([])
  expect(counted.filter((name) => name === 'database_unavailable')).toHaveLength(failedCalls)
  expect(counted).not.toContain('unexpected_error')
}
