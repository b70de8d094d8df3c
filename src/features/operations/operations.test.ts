import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/kit/app.ts'
import { many } from '../../../tests/kit/race.ts'
import type { App } from '../../core/app.ts'
import { extend } from '../../core/app.ts'
import { createServer } from '../../http/server.ts'
import type { ConfigFile } from '../index.ts'
import { checkInstallation, recordJobEnd, recordJobStart } from './index.ts'

const password = 'correct horse battery'
const olga = { name: 'Olga', email: 'olga@example.com', password }

/** Olga with these permissions. */
async function withOperator(
  permissions: Record<string, string[]> = { mail: ['list', 'retry'], limit: ['list', 'reset'], system: ['read'] },
  config: ConfigFile = {},
) {
  const kit = await testApp({ admin: { roles: { operator: permissions, user: {} } }, ...config })
  const operator = kit.browser()
  await operator.call('POST /sign-up/email', { body: olga })
  await kit.app.db.updateTable('user').set({ role: 'operator' }).execute()
  return { ...kit, operator }
}

interface MailDraft {
  readonly id: string
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly recipient?: string
  readonly kind?: string
  readonly at: Date
}

const insertMails = (app: App, drafts: readonly MailDraft[]) =>
  app.db
    .insertInto('outbox')
    .values(
      drafts.map(({ id, state, at, recipient = 'ann@example.com', kind = 'reset-password' }) => ({
        id,
        kind,
        recipient,
        content:
          state === 'sent' ? null : app.keyring.encrypt('outbox', JSON.stringify({ url: 'https://a.example/secret-link' })),
        attempts: state === 'failed' ? 8 : 1,
        lastError: state === 'failed' ? 'ECONNREFUSED' : null,
        createdAt: at,
        nextAttemptAt: state === 'waiting' ? new Date(at.getTime() + 60_000) : null,
        sentAt: state === 'sent' ? at : null,
        failedAt: state === 'failed' ? at : null,
      })),
    )
    .execute()

const minutes = (clock: TestApp['clock'], count: number) => new Date(clock.now().getTime() + count * 60_000)

test('lists emails by state, kind and recipient, page by page, never with their content', async () => {
  const { app, operator, clock } = await withOperator()
  const drafts = Array.from({ length: 7 }, (_, position): MailDraft => {
    const state = (['sent', 'sent', 'failed', 'waiting'] as const)[position % 4] ?? 'sent'
    return { id: `mail-${position}`, state, at: minutes(clock, position), kind: position < 4 ? 'reset-password' : 'verify-email' }
  })
  await insertMails(app, drafts)
  const list = async (query: NonNullable<Parameters<typeof operator.call<'GET /admin/list-mails'>>[1]['query']>) =>
    (await operator.call('GET /admin/list-mails', { query })).body
  const first = await list({ limit: 3 })
  expect(first).toMatchObject({ waiting: 1, failed: 2, nextCursor: expect.any(String) })
  const second = await list({ limit: 10, cursor: first.nextCursor })
  expect([...first.mails, ...second.mails].map(({ id }) => id)).toEqual(drafts.map(({ id }) => id).reverse())
  expect(second.nextCursor).toBeNull()
  expect((await list({ state: 'failed' })).mails.map(({ id }: { id: string }) => id)).toEqual(['mail-6', 'mail-2'])
  expect((await list({ kind: 'verify-email', state: 'sent' })).mails.map(({ id }: { id: string }) => id)).toEqual([
    'mail-5',
    'mail-4',
  ])
  expect((await list({ recipient: 'bob@example.com' })).mails).toEqual([])
  expect(JSON.stringify(first)).not.toContain('secret-link')
  expect(first.mails[0]).not.toHaveProperty('content')
  const wrong = await operator.call('GET /admin/list-mails', { query: { cursor: 'not a cursor' } })
  expect(wrong).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test('sends a failed email once when 64 retries run at the same time, and records it', async () => {
  const sent: string[] = []
  const { app, operator, clock } = await withOperator(undefined, {
    mail: { from: 'Acme <no-reply@acme.example>', send: ({ to }) => void sent.push(to) },
  })
  await insertMails(app, [{ id: 'mail-1', state: 'failed', at: clock.now() }])
  const answers = await Promise.all(
    Array.from({ length: many }, () => operator.call('POST /admin/retry-mail', { body: { id: 'mail-1' } })),
  )
  expect(sent).toEqual(['ann@example.com'])
  expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([])
  expect(answers.some(({ body }) => body.sent === 1)).toBe(true)
  const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'mail.retried').execute()
  expect(events).toMatchObject([{ targetType: 'mail', targetId: 'mail-1', actorKind: 'user', details: { count: 1 } }])
})

test('puts all failed emails into the outbox again, and sends them after the response', async () => {
  const sent: string[] = []
  const { app, operator, clock } = await withOperator(undefined, {
    mail: { from: 'Acme <no-reply@acme.example>', send: ({ to }) => void sent.push(to) },
  })
  const drafts = Array.from({ length: 12 }, (_, position): MailDraft => {
    return { id: `mail-${position}`, state: 'failed', at: clock.now(), recipient: `user${position}@example.com` }
  })
  await insertMails(app, drafts)
  const answer = await operator.call('POST /admin/retry-mail', { body: {} })
  expect(answer).toMatchObject({ status: 200, body: { found: 12, sent: 0 } })
  await expect.poll(() => sent.length).toBe(12)
  expect(new Set(sent).size).toBe(12)
  const unknown = await operator.call('POST /admin/retry-mail', { body: { id: 'mail-1' } })
  expect(unknown).toMatchObject({ status: 404, body: { code: 'FAILED_EMAIL_NOT_FOUND' } })
})

const limited: ConfigFile = {
  attempts: { enabled: true, perNetwork: { failures: 2, firstDelay: 60 } },
  rateLimit: { enabled: true, max: 100 },
}

async function lockAnn({ browser }: TestApp) {
  const visitor = browser()
  for (let attempt = 0; attempt < 3; attempt += 1)
    await visitor.call('POST /sign-in/email', { body: { email: 'ann@example.com', password: 'a wrong password' } })
}

test('explains the lockout of an account, lists it, and resets it', async () => {
  const kit = await withOperator(undefined, limited)
  const { app, operator } = kit
  await kit.browser().call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
  await lockAnn(kit)
  const explain = async () =>
    (await operator.call('GET /admin/explain-limits', { query: { account: 'Ann@example.com', address: '127.0.0.1' } })).body
  expect(await explain()).toMatchObject({
    enabled: true,
    account: { failures: 2, wait: 0 },
    places: 1,
    rateLimits: { enabled: true, storage: app.config.redis.enabled ? 'redis' : 'memory', seen: true },
  })
  const { lockouts } = (await operator.call('GET /admin/list-lockouts', {})).body
  expect(lockouts).toMatchObject([{ scope: 'place', failures: 2, account: expect.stringMatching(/^[\w.-]{20,64}$/) }])
  expect(JSON.stringify(lockouts)).not.toContain('example.com')
  const reset = await operator.call('POST /admin/reset-limits', { body: { account: 'ann@example.com' } })
  expect(reset).toMatchObject({ status: 200, body: { failures: 2, mails: 0, requests: 0 } })
  expect((await operator.call('GET /admin/list-lockouts', {})).body.lockouts).toEqual([])
  expect(await explain()).toMatchObject({ account: { failures: 0 }, places: 0 })
  const { id } = await app.db.selectFrom('user').select('id').where('email', '=', 'ann@example.com').executeTakeFirstOrThrow()
  const event = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'limits.reset').executeTakeFirstOrThrow()
  expect(event).toMatchObject({ userId: id, details: { failures: 2, mails: 0, requests: 0 } })
  expect(JSON.stringify(event.details)).not.toContain('example')
})

test('explains and resets the request counts of an IP address', async () => {
  const kit = await withOperator(undefined, limited)
  const { operator } = kit
  const query = { address: '127.0.0.1', path: '/admin/list-lockouts' }
  await operator.call('GET /admin/list-lockouts', {})
  const { rateLimits } = (await operator.call('GET /admin/explain-limits', { query })).body
  expect(rateLimits.calls).toMatchObject([
    { method: 'GET', pattern: '/admin/list-lockouts', source: 'default', rule: { window: 10, max: 100 }, wait: 0 },
  ])
  const reset = await operator.call('POST /admin/reset-limits', { body: { address: '127.0.0.1' } })
  expect(reset.body.requests).toBeGreaterThan(0)
})

test('explains and resets nothing without an IP address or account', async () => {
  const { operator } = await withOperator()
  const answers = [
    await operator.call('GET /admin/explain-limits', { query: {} }),
    await operator.call('POST /admin/reset-limits', { body: {} }),
    await operator.call('GET /admin/explain-limits', { query: { account: 'ann@example.com', path: '/sign-in/email' } }),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ status: 400, body: { code: 'IP_ADDRESS_OR_ACCOUNT_REQUIRED' } })
  const invalid = await operator.call('GET /admin/explain-limits', { query: { address: 'not an address' } })
  expect(invalid).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test('lists the last run of each job, and whether it is late', async () => {
  const { app, operator, clock } = await withOperator()
  await recordJobStart(app, 'outbox.outbox')
  const list = async () => {
    const { jobs } = (await operator.call('GET /admin/list-jobs', {})).body
    return jobs.find(({ name }: { name: string }) => name === 'outbox.outbox')
  }
  const startedAt = clock.now().toISOString()
  expect(await list()).toMatchObject({ every: 15, runningSince: startedAt, lastFinishedAt: null, runs: 0, isLate: false })
  clock.advance(1)
  await recordJobEnd(app, 'outbox.outbox', { error: Object.assign(new Error('ann@example.com'), { code: 'ECONNREFUSED' }) })
  expect(await list()).toMatchObject({
    lastStartedAt: startedAt,
    lastOutcome: 'failed',
    lastError: 'ECONNREFUSED',
    runningSince: null,
    runs: 1,
    failures: 1,
  })
  clock.advance(600)
  expect(await list()).toMatchObject({ isLate: true })
  await recordJobStart(app, 'outbox.outbox')
  clock.advance(1)
  await recordJobEnd(app, 'outbox.outbox', null)
  expect(await list()).toMatchObject({ lastOutcome: 'succeeded', lastError: null, isLate: false, runs: 2, failures: 1 })
})

test('shows the configuration without secrets', async () => {
  const { operator } = await withOperator(undefined, {
    mail: { from: 'Acme <no-reply@acme.example>', smtp: 'smtp://user:hunter2-hunter2@mail.example:587' },
    socialProviders: { github: { clientId: 'id', clientSecret: 'hunter2-hunter2' } },
    session: { expiresIn: 31_536_000 },
  })
  const { body } = await operator.call('GET /admin/configuration', {})
  expect(JSON.stringify(body)).not.toContain('hunter2')
  expect(JSON.stringify(body)).not.toContain('a secret of the tests')
  const optionAt = (path: string) => body.options.find((option: { path: string }) => option.path === path)
  expect(optionAt('secret')).toMatchObject({ value: '[redacted]', origin: 'default' })
  expect(optionAt('attempts.perAccount.failures')).toMatchObject({ value: 50, default: 50, origin: 'default' })
  expect(optionAt('mail.from')).toMatchObject({ value: 'Acme <no-reply@acme.example>', origin: 'file', default: null })
  const weaker = { id: 'session-longer', path: 'session.expiresIn', message: expect.any(String), fix: expect.any(String) }
  expect(body.weaker).toContainEqual(weaker)
  expect(body).toMatchObject({ drift: null, environment: 'development', version: expect.any(String) })
})

test('reports the migrations as current, and as drifted after a column was added by hand', async () => {
  const { app, operator } = await withOperator()
  const state = async () => (await operator.call('GET /admin/migrations', {})).body
  if ((await state()).keepsFiles) return
  expect(await state()).toMatchObject({ state: 'current', pending: [], drift: [] })
  await sql`alter table user add column nickname text`.execute(app.db)
  expect(await state()).toMatchObject({ state: 'drifted', drift: [{ path: 'user.nickname', message: expect.any(String) }] })
})

// A busy machine may take longer than a part has to respond.
test('reports what is healthy and what is not', async () => {
  const { app, operator, clock } = await withOperator(undefined, { mail: { catch: true } })
  const health = async () => (await operator.call('GET /admin/health', {})).body
  const has = (...checks: object[]) => expect.arrayContaining(checks.map((check) => expect.objectContaining(check)))
  await expect.poll(health).toMatchObject({
    node: process.versions.node,
    uptime: 0,
    jobs: { late: 0, failed: 0 },
    checks: has({ id: 'database', state: 'ok', message: 'responds' }, { id: 'mail', state: 'ok', message: 'caught' }),
  })
  await insertMails(app, [{ id: 'mail-1', state: 'waiting', at: clock.now() }])
  clock.advance(3600)
  await expect.poll(health).toMatchObject({
    checks: has(
      { id: 'mail', state: 'failed', message: 'delayed', values: { waiting: 1 } },
      { id: 'jobs', state: 'failed', message: 'late' },
    ),
  })
})

test('reports deletions that go on after their call', async () => {
  const { app, operator, clock } = await withOperator(undefined, { organization: true })
  const found = async () => {
    const { body } = await operator.call('GET /admin/health', {})
    return (body.checks as { id: string }[]).filter(({ id }) => id === 'deletions')
  }
  expect(await found()).toEqual([])
  const organization = {
    id: 'acme',
    name: 'Acme',
    slug: 'deleted acme',
    createdAt: clock.now(),
    deletedAt: clock.now(),
    memberCount: 700,
  }
  await app.db.insertInto('organization').values(organization).execute()
  await app.db.insertInto('erasure').values({ id: 'gone', createdAt: clock.now() }).execute()
  const values = { organizations: 1, members: 700, users: 1, events: 0 }
  await expect.poll(found).toEqual([{ id: 'deletions', state: 'ok', message: 'deleting', values }])
  expect((await checkInstallation(app)).at(-1)).toMatchObject({ id: 'deletions', values })
})

test('responds within two seconds when a part hangs', async () => {
  const kit = await withOperator()
  const installation = kit.app.installation
  if (!installation) throw new Error('The app of a test has an installation')
  const hanging = {
    ...installation,
    migrations: () => new Promise<never>(() => {}),
    findChange: async () => {
      throw new Error('EACCES')
    },
  }
  const server = createServer(extend(kit.app, { installation: hanging }), { reasons: async () => [] })
  const cookie = [...kit.operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const findSilent = async () => {
    const response = await server.request('http://localhost:3000/api/auth/admin/health', { headers: { cookie } })
    const { checks } = (await response.json()) as { checks: { id: string; message: string }[] }
    return checks.filter(({ message }) => message === 'no-response').map(({ id }) => id)
  }
  await expect.poll(findSilent).toEqual(['migrations', 'configuration'])
})

test('commands and other programs without a daemon get a clear error', async () => {
  const kit = await withOperator()
  const server = createServer(extend(kit.app, { installation: null }), { reasons: async () => [] })
  const cookie = [...kit.operator.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await server.request('http://localhost:3000/api/auth/admin/configuration', { headers: { cookie } })
  expect(response.status).toBe(501)
  expect(await response.json()).toMatchObject({ code: 'ONLY_KNOWN_TO_A_DAEMON' })
})

test.each([
  ['GET /admin/list-mails', { mail: ['retry'] }],
  ['POST /admin/retry-mail', { mail: ['list'] }],
  ['GET /admin/list-lockouts', { limit: ['reset'] }],
  ['POST /admin/reset-limits', { limit: ['list'] }],
  ['GET /admin/health', { mail: ['list', 'retry'] }],
  ['GET /admin/warnings', { mail: ['list', 'retry'] }],
] as const)('%s is only for users whose role permits it', async (key, permissions) => {
  const { operator } = await withOperator({ ...permissions } as unknown as Record<string, string[]>)
  expect((await operator.call(key, {} as never)).status).toBe(403)
})

test('without administration the calls do not exist', async () => {
  const kit = await testApp()
  expect((await kit.browser().call('GET /admin/health', {})).status).toBe(404)
})
