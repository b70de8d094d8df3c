/** Runs of a move after changes in the old database, and after an end at any statement: in one process, on SQLite. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type CompiledQuery, type DatabaseConnection, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openSource } from '../../../src/adapters/source-database/open.ts'
import {
  checkMove,
  createMoveTables,
  findDuplicates,
  type KindName,
  recognize,
  runAll,
  type SourceDatabase,
} from '../../../src/features/move/index.ts'
import { testApp } from '../../kit/app.ts'

/** `MOVE_RUNS=500` for a long search, `MOVE_SEED` for one that has failed. */
const runs = Number(process.env.MOVE_RUNS ?? 60)
const seed = Number(process.env.MOVE_SEED ?? 20_260_131)

const schema = readFileSync(new URL('schema-1.2.12-sqlite.sql', import.meta.url), 'utf8')
const config = {
  ...{ admin: true, username: true, phoneNumber: true, anonymous: true, twoFactor: true, passkey: true, jwt: true },
  ...{ apiKey: { enableMetadata: true }, organization: { teams: { enabled: true } } },
} as const
const settings = {
  zone: 'UTC',
  formerSecrets: ['old-secret-old-secret-old-secret-1234'],
  jwtAlgorithm: null,
  verifyEmails: false,
}

async function openBoth() {
  const kit = await testApp(config)
  const source = await openSource({ url: 'sqlite::memory:', writes: true })
  for (const statement of schema.split(';')) if (statement.trim()) await source.query(statement)
  // Rows of users who were deleted stay: MySQL ignores the references.
  await source.query('pragma foreign_keys = off')
  await createMoveTables(kit.app)
  const result = recognize(await source.tables(), {})
  if (!('recognized' in result)) throw new Error(JSON.stringify(result.problems))
  const { tables } = result.recognized
  const copy = async (app = kit.app, from: SourceDatabase = source) => {
    const { excluded } = await findDuplicates(from, tables, 'newest')
    const left: string[] = []
    const counts = await runAll({
      ...{ app, source: from, tables, settings, excluded, writes: true, batch: 3, skipped: [] },
      ...{ signal: new AbortController().signal, pause: async () => {} },
      onLeft: async ({ kind, sourceId }) => void left.push(`${kind} ${sourceId}`),
    })
    return { left, written: counts.filter(({ inserted, updated, removed }) => inserted + updated + removed > 0), counts }
  }
  const check = () => checkMove({ app: kit.app, source, tables, settings, samples: 200 })
  return { ...kit, source, tables, copy, check }
}

const time = (day: number) => `2026-01-${String(1 + (day % 28)).padStart(2, '0')}T12:00:00.000Z`
const later = '2999-01-31T12:00:00.000Z'

type Values = Readonly<Record<string, string | number | null>>
const insert = (source: SourceDatabase, table: string, values: Values) => {
  const columns = Object.keys(values).map((name) => `"${name}"`)
  return source.query(
    `insert or ignore into "${table}" (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    Object.values(values),
  )
}

/** A small world, so that changes meet: one of eight users, three organizations, and so on. */
const change = fc.record({ what: fc.nat(17), one: fc.nat(7), other: fc.nat(7), day: fc.nat(27) })
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

async function apply(source: SourceDatabase, { what, one, other, day }: Change): Promise<void> {
  const [id, dates] = [`r${one}`, { createdAt: time(one), updatedAt: time(day) }]
  const user = `r${other}`
  const acts: readonly (() => Promise<unknown>)[] = [
    () => insert(source, 'user', { id, name: `N${day}`, email: `u${other}@example.com`, emailVerified: 1, ...dates }),
    () => insert(source, 'user', { id, name: `N${day}`, email: `U${one}@Example.com`, emailVerified: 0, ...dates }),
    () => source.query('update user set name = ?, banned = ? where id = ?', [`N${day}`, day % 2, id]),
    () => source.query('update or ignore user set email = ? where id = ?', [`u${other}@example.com`, id]),
    () => source.query('delete from user where id = ?', [id]),
    () => insert(source, 'session', { id, token: `token-${one}-${other}-0123456789`, userId: user, expiresAt: later, ...dates }),
    () => source.query('update session set expiresAt = ? where id = ?', [day % 2 ? later : time(day), id]),
    () => source.query('delete from session where id = ?', [id]),
    () => insert(source, 'account', { id, accountId: id, providerId: 'github', userId: user, scope: `s${day}`, ...dates }),
    () => source.query('update account set scope = ? where id = ?', [`s${day}`, id]),
    () => source.query('delete from account where userId = ?', [user]),
    () => insert(source, 'organization', { id: `o${one % 3}`, name: `O${day}`, slug: `s${one % 3}`, createdAt: time(one) }),
    () => source.query('delete from organization where id = ?', [`o${one % 3}`]),
    () => insert(source, 'member', { id, organizationId: `o${one % 3}`, userId: user, role: 'member', createdAt: time(day) }),
    () => source.query('update member set role = ? where id = ?', [day % 2 ? 'admin' : 'owner', id]),
    () => source.query('delete from member where id = ?', [id]),
    () =>
      insert(source, 'apikey', {
        ...{ id, name: `K${day}`, start: 'abc', key: `${one}`.repeat(43), userId: user, enabled: 1 },
        ...{ rateLimitEnabled: 1, requestCount: 0, ...dates },
      }),
    () => source.query('delete from apikey where id = ?', [id]),
  ]
  await acts[what]?.()
}

test('after any changes in the old database, a run makes both sides equal, and another one writes nothing', async () => {
  const { source, copy, check, app } = await openBoth()
  const rounds = fc.sample(fc.array(change, { minLength: 1, maxLength: 14 }), { numRuns: runs, seed })
  for (const [at, round] of rounds.entries()) {
    for (const one of round) await apply(source, one)
    const where = `round ${at}, seed ${seed}: ${JSON.stringify(round)}`
    const { left } = await copy()
    const checks = await check()
    expect(
      checks.flatMap(({ differences }) => differences),
      where,
    ).toEqual([])
    for (const { kind, rows, moved } of checks)
      expect(rows, `${kind}, ${where}`).toBe(moved + left.filter((name) => name.startsWith(`${kind} `)).length)
    for (const kind of ['user', 'session', 'member', 'apikey'] as const satisfies readonly KindName[]) {
      const own = await app.db.selectFrom(kind).select('id').orderBy('id').execute()
      const former = await source.query(`select id from "${kind}" order by id`)
      const expected = former.map((row) => String(row.id)).filter((id) => !left.includes(`${kind} ${id}`))
      expect(
        own.map(({ id }) => id),
        `${kind}, ${where}`,
      ).toEqual(expected)
    }
    expect((await copy()).written, where).toEqual([])
  }
})

/** Ends a run at one of its statements, in the old or in the new database. */
function interrupter() {
  let [count, end] = [0, Number.POSITIVE_INFINITY]
  const step = () => {
    count += 1
    if (count === end) throw new Error('killed')
  }
  const watched = new WeakSet<DatabaseConnection>()
  return {
    /** @param at 1: the first statement from now on */
    from: (at: number) => {
      ;[count, end] = [0, at]
    },
    watch: (connection: DatabaseConnection): DatabaseConnection => {
      if (watched.has(connection)) return connection
      watched.add(connection)
      const execute = connection.executeQuery.bind(connection)
      return Object.assign(connection, {
        executeQuery: async <R>(query: CompiledQuery) => {
          step()
          return execute<R>(query)
        },
      })
    },
    source: (source: SourceDatabase): SourceDatabase => ({
      ...source,
      query: async (...given) => {
        step()
        return source.query(...given)
      },
    }),
  }
}

const compared = ['user', 'account', 'organization', 'member', 'session'] as const

test('a run that ends at any statement is continued, with the same result as a run without an end', async () => {
  const { app, source, copy } = await openBoth()
  for (let at = 0; at < 7; at += 1) {
    const dates = { createdAt: time(at), updatedAt: time(at) }
    await insert(source, 'user', { id: `r${at}`, name: 'N', email: `u${at}@example.com`, emailVerified: 1, ...dates })
    const own = { id: `r${at}`, userId: `r${at}`, ...dates }
    await insert(source, 'account', { ...own, accountId: `r${at}`, providerId: 'github' })
    await insert(source, 'session', { ...own, token: `token-${at}-0123456789abcdef`, expiresAt: later })
    await insert(source, 'member', { id: `r${at}`, userId: `r${at}`, organizationId: 'o', role: 'owner', createdAt: time(at) })
  }
  await insert(source, 'organization', { id: 'o', name: 'O', slug: 'o', createdAt: time(0) })
  const stop = interrupter()
  const executor = app.db.getExecutor()
  const provide = executor.provideConnection.bind(executor)
  Object.assign(executor, {
    provideConnection: ((consumer, options) =>
      provide((connection) => consumer(stop.watch(connection)), options)) satisfies typeof executor.provideConnection,
  })
  const empty = async () => {
    stop.from(Number.POSITIVE_INFINITY)
    await sql`delete from latchkey_move_entry`.execute(app.db)
    for (const table of compared.toReversed()) await app.db.deleteFrom(table).execute()
  }
  const rows = async () => {
    stop.from(Number.POSITIVE_INFINITY)
    const found = await Promise.all(
      compared.map((table) =>
        app.db
          .selectFrom(table as 'team')
          .selectAll()
          .orderBy('id')
          .execute(),
      ),
    )
    const { rows: entries } = await sql`select * from latchkey_move_entry order by kind, ${sql.ref('sourceId')}`.execute(app.db)
    return JSON.stringify([found, entries])
  }
  await copy(app, stop.source(source))
  const expected = await rows()
  let at = 0
  for (let isKilled = true; isKilled; ) {
    at += 1
    await empty()
    stop.from(at)
    isKilled = await copy(app, stop.source(source)).then(
      () => false,
      (error) => error.message === 'killed' || Promise.reject(error),
    )
    stop.from(Number.POSITIVE_INFINITY)
    await copy(app, stop.source(source))
    expect(await rows(), `statement ${at}`).toBe(expected)
  }
  expect(at).toBeGreaterThan(60)
})
