/** Each table with expiring rows has a job that deletes them, and its queries use an index for any number of rows. */
import { CompiledQuery, type KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { type App, extend } from '../../src/core/app.ts'
import { mergeTables } from '../../src/core/table.ts'
import { testApp } from '../kit/app.ts'

const rows = 20_000
const never = new AbortController().signal
const hour = 3_600_000
/** Everything that adds a table with rows that expire. */
const config = {
  rateLimit: { storage: 'database' },
  apiKey: true,
  admin: true,
  twoFactor: true,
  passkey: true,
  terms: true,
} as const

/** Table → its job, and a row that ends at a time. */
const swept = {
  session: [
    'sessions.sessions',
    (at: Date, id: string, userId: string) => ({ tokenHash: id, userId, expiresAt: at, ...made(at) }),
  ],
  verification: ['verifications.verifications', (at: Date, id: string) => ({ identifier: id, value: '', expiresAt: at })],
  oneTimeCode: ['verifications.oneTimeCodes', (at: Date, id: string) => ({ key: id, codeHash: id, attempts: 0, expiresAt: at })],
  usedChallenge: ['passkeys.usedChallenges', (at: Date, id: string) => ({ key: id, expiresAt: at })],
  apikey: ['apiKeys.apiKeys', (at: Date, id: string, userId: string) => ({ key: id, userId, expiresAt: at, ...made(at) })],
  attempt: [
    'attempts.attempts',
    (at: Date, id: string) => ({ key: id, account: id, failures: 1, blockedUntil: 0, lastFailureAt: 0, expiresAt: at }),
  ],
  avatar: ['avatars.avatars', (at: Date, id: string) => ({ id, image: null, expiresAt: at })],
  mailCount: ['outbox.mailCounts', (at: Date, id: string) => ({ key: id, count: 1, expiresAt: at })],
  statistic: [
    'statistics.statistics',
    (at: Date, id: string) => ({ series: 'sign-up', unit: 'hour', at, label: id, value: 1, expiresAt: at }),
  ],
  bulkAction: [
    'bulkActions.expired',
    (at: Date, id: string) => ({
      ...{ action: 'ban', state: 'completed', input: '{}', createdBy: id, idempotencyKey: id, total: 1 },
      ...{ createdAt: at, expiresAt: at },
    }),
  ],
  bulkActionTarget: [
    'bulkActions.expired',
    (at: Date, id: string, userId: string) => ({ bulkActionId: userId, userId: id, expiresAt: at }),
  ],
  signInChallenge: [
    'secondFactor.signInChallenges',
    (at: Date, id: string, userId: string) => ({
      ...{ userId, kind: 'verify', proof: '{}', accessRevision: 0, failures: 0, networkKey: id, createdAt: at, expiresAt: at },
    }),
  ],
  termsChallenge: [
    'terms.termsChallenges',
    (at: Date, _: string, userId: string) => ({ userId, proof: '{}', accessRevision: 0, createdAt: at, expiresAt: at }),
  ],
  lockLink: [
    'accountLock.lockLinks',
    (at: Date, id: string, userId: string) => ({ userId, tokenHash: id, email: 'a@b.co', expiresAt: at }),
  ],
  incidentRevocation: ['incidents.expired', (at: Date) => ({ filter: '{}', state: 'completed', createdAt: at, expiresAt: at })],
  trustedDevice: [
    'secondFactor.trustedDevices',
    (at: Date, id: string, userId: string) => ({ userId, key: id, createdAt: at, lastUsedAt: at, expiresAt: at }),
  ],
  listExport: [
    'listExports.expired',
    (at: Date, id: string) => ({
      ...{ source: 'users', format: 'csv', state: 'completed', filter: '{}', createdBy: id },
      ...{ createdAt: at, expiresAt: at },
    }),
  ],
  knownDevice: ['notices.knownDevices', (at: Date, id: string, userId: string) => ({ key: id, userId, lastSignInAt: at })],
  outbox: ['outbox.sentMails', (at: Date) => ({ kind: 'x', recipient: 'a@b.co', createdAt: at, sentAt: at })],
  rateLimit: ['rateLimits.rateLimits', (at: Date, id: string) => ({ key: id, count: 1, lastRequest: at.getTime() })],
} as const satisfies Record<string, readonly [string, (at: Date, id: string, userId: string) => object]>
type Table = keyof typeof swept

const made = (at: Date) => ({ createdAt: at, updatedAt: at })

/** A third of the rows have ended long ago. */
async function fill(app: App, table: Table, userId: string): Promise<void> {
  const [, rowAt] = swept[table]
  const now = app.now().getTime()
  if (table === 'bulkActionTarget') {
    const [, rowOf] = swept.bulkAction
    await app.db
      .insertInto('bulkAction')
      .values({ id: userId, ...rowOf(new Date(now + hour), userId) })
      .execute()
  }
  for (let number = 0; number < rows; number += 2000) {
    const some = Array.from({ length: 2000 }, (_, count) => {
      const id = app.random.id()
      const at = new Date(now + ((number + count) % 3 === 0 ? -400 * 24 * hour - number - count : 24 * hour + number + count))
      return { id, ...rowAt(at, id, userId) }
    })
    await app.db
      .insertInto(table)
      .values(some as never)
      .execute()
  }
  await app.db.executeQuery(CompiledQuery.raw(`analyze table \`${table}\``))
}

/** The same database, and every statement that was sent to it. */
function watched(app: App): { watching: App; statements: CompiledQuery[] } {
  const statements: CompiledQuery[] = []
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      statements.push(app.db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { watching: extend(app, { db: app.db.withPlugin(plugin) }), statements }
}

test.each(Object.keys(swept) as Table[])('sweeps %s along an index', { timeout: 60_000 }, async (table) => {
  const { app, browser } = await testApp(config)
  const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
  const { body } = await browser().call('POST /sign-up/email', { body: ann })
  await fill(app, table, body.user.id)
  const [name, job] = swept[table][0].split('.')
  const { watching, statements } = watched(app)
  await app.features.find((feature) => feature.name === name)?.jobs?.[job ?? '']?.run(watching, never)
  // A deleted key is recorded in the audit log.
  const verbs = table === 'apikey' ? ['select', 'delete', 'insert'] : ['select', 'delete']
  expect(new Set(statements.map(({ sql }) => sql.split(' ')[0]))).toEqual(new Set(verbs))
  const plans = new Map<string, unknown>()
  for (const { sql, parameters } of [statements[0], statements.find((one) => one.sql.startsWith('delete'))].filter(
    (one) => !!one,
  )) {
    // Only MySQL reads the comment; without it MySQL 9 returns a tree.
    const question = CompiledQuery.raw(`explain /*!80000 format=traditional */ ${sql}`, [...parameters])
    const explained = await app.db.executeQuery<Record<string, unknown>>(question)
    plans.set(
      sql.split(' ')[0] ?? '',
      explained.rows.map(({ type, key }) => [type, key]),
    )
  }
  for (const [verb, plan] of plans) {
    expect([verb, plan]).toEqual([verb, [[expect.stringMatching(/^(range|index)$/), expect.any(String)]]])
  }
  const left = await app.db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(left.count)).toBeLessThanOrEqual(rows - Math.floor(rows / 3) + 1)
})

test('no other table has rows that expire', async () => {
  const { app } = await testApp(config)
  const ending = Object.entries(mergeTables(app.features)).filter(([, columns]) => 'expiresAt' in columns || 'sentAt' in columns)
  // `incidentFreeze` has a row for each kind of freeze, never more.
  expect(ending.flatMap(([table]) => (table === 'incidentFreeze' ? [] : [table])).sort()).toEqual(
    Object.keys(swept)
      .filter((table) => table !== 'rateLimit' && table !== 'knownDevice')
      .sort(),
  )
})
