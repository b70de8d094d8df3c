import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { transaction } from '../../src/core/transaction.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import { databaseSuite } from './database.ts'
import { createTables, openProbe, type Probe, probes } from './probe.ts'

databaseSuite('the database server', freshDatabase)
databaseSuite('the database server without prepared statements', freshDatabase, { preparedStatements: false })

/** Tables on a database of their own; everything is gone when the test ends. */
async function open(
  options: Parameters<typeof openProbe>[1] = {},
): Promise<Probe & { readonly url: string; createAccount(): Promise<string> }> {
  const place = await freshDatabase()
  const [creator, probe] = [await openProbe(place.url), await openProbe(place.url, options)]
  onTestFinished(async () => {
    await probe.close()
    await place.drop()
  })
  await createTables(creator)
  await creator.close()
  return { ...probe, url: place.url, createAccount: () => place.createAccount() }
}

const increase = (app: App, id: string) =>
  probes(app)
    .updateTable('probe')
    .set((eb) => ({ count: eb('count', '+', 1) }))
    .where('id', '=', id)
    .execute()

/** Resolves for all when the last one has come. */
function meet(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let missing = count
  return () => {
    missing -= 1
    if (missing === 0) resolve()
    return promise
  }
}

test('retries the victim of a deadlock, and commits both transactions', async () => {
  const { app, counted } = await open()
  await probes(app)
    .insertInto('probe')
    .values([
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
    ])
    .execute()
  const bothHaveOne = meet(2)
  const work = (first: string, second: string) => {
    let tries = 0
    return transaction(app, async (app) => {
      tries += 1
      await increase(app, first)
      if (tries === 1) await bothHaveOne()
      await increase(app, second)
    })
  }
  await Promise.all([work('a', 'b'), work('b', 'a')])
  expect(await probes(app).selectFrom('probe').select(['id', 'count']).orderBy('id').execute()).toEqual([
    { id: 'a', count: 2 },
    { id: 'b', count: 2 },
  ])
  expect(counted).toContain('database_retry')
})

test('retries a statement outside a transaction that is the victim of a deadlock', async () => {
  const { app } = await open()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  await probes(app)
    .insertInto('probe')
    .values(names.map((name) => ({ id: name, name })))
    .execute()
  // The one that has changed less is undone: the statement, when it has `a` and waits for `f`, which the transaction holds.
  const { promise: alone } = await transaction(app, async (inner) => {
    for (const name of names.slice(2)) await increase(inner, name)
    const statement = probes(app)
      .updateTable('probe')
      .set((eb) => ({ count: eb('count', '+', 10) }))
      .execute()
    // The table is created again only when it was not read for a tenth of a second.
    await expect.poll(() => isWaiting(app, '+ 10'), { interval: 200 }).toBe(true)
    await increase(inner, 'a')
    return { promise: statement }
  })
  await alone
  const counts = await probes(app).selectFrom('probe').select('count').orderBy('id').execute()
  expect(counts.map(({ count }) => count)).toEqual([11, 10, 11, 11, 11, 11])
})

/** Whether a statement with these words in it waits for a lock. */
async function isWaiting(app: App, words: string): Promise<boolean> {
  const { rows } = await sql<{ query: string | null }>`
    select trx_query as ${sql.ref('query')} from information_schema.innodb_trx where trx_state = 'LOCK WAIT'`.execute(app.db)
  return rows.some(({ query }) => query?.includes(words))
}

test('stops retrying a transaction after a bounded number of attempts', async () => {
  const { app } = await open()
  let tries = 0
  const failing = transaction(app, () => {
    tries += 1
    return Promise.reject(Object.assign(new Error('deadlock'), { errno: 1213 }))
  })
  await expect(failing).rejects.toThrow('deadlock')
  expect(tries).toBe(6)
})

test('reads rows committed before each statement (read committed)', async () => {
  const { app } = await open()
  await probes(app).insertInto('probe').values({ id: 'a', name: 'a' }).execute()
  await transaction(app, async (inner) => {
    expect(await probes(inner).selectFrom('probe').select('count').execute()).toEqual([{ count: 0 }])
    await increase(app, 'a')
    expect(await probes(inner).selectFrom('probe').select('count').execute()).toEqual([{ count: 1 }])
  })
})

const slow = sql`select count(*) from information_schema.columns a, information_schema.columns b, information_schema.columns c, information_schema.columns d`

test('ends a slow statement at its deadline, and reuses the connection', async () => {
  const { database } = await open({ queryTimeout: 1000 })
  await database.db.connection().execute(async (connection) => {
    const identify = async () => (await sql<{ id: number }>`select connection_id() as id`.execute(connection)).rows
    const before = await identify()
    const start = performance.now()
    const failure: unknown = await slow.execute(connection).catch((error: unknown) => error)
    expect(database.errors.isTimeout(failure)).toBe(true)
    expect(performance.now() - start).toBeLessThan(3000)
    expect(await identify()).toEqual(before)
  })
})

test('stops waiting for a locked row within the deadline', async () => {
  const { app } = await open({ queryTimeout: 6000 })
  await probes(app).insertInto('probe').values({ id: 'a', name: 'a' }).execute()
  await transaction(app, async (inner) => {
    await increase(inner, 'a')
    await expect(increase(app, 'a')).rejects.toMatchObject({ errno: 1205 })
  })
})

test('stops waiting for a free connection within the deadline', async () => {
  const { app, database } = await open({ poolSize: 2, connectTimeout: 500 })
  await database.db.connection().execute(() =>
    database.db.connection().execute(async () => {
      const start = performance.now()
      const failure: unknown = await probes(app)
        .selectFrom('probe')
        .select('id')
        .execute()
        .catch((error: unknown) => error)
      expect(database.errors.isUnreachable(failure)).toBe(true)
      expect(performance.now() - start).toBeLessThan(3000)
    }),
  )
  expect(await probes(app).selectFrom('probe').select('id').execute()).toEqual([])
})

test('runs a daemon with an account that cannot change tables', async () => {
  const { createAccount } = await open()
  const daemon = await openProbe(await createAccount())
  onTestFinished(daemon.close)
  const db = probes(daemon.app)
  await transaction(daemon.app, (app) => probes(app).insertInto('probe').values({ id: 'a', name: 'a' }).execute())
  await increase(daemon.app, 'a')
  expect(await db.selectFrom('probe').select('count').execute()).toEqual([{ count: 1 }])
  await db.deleteFrom('probe').execute()
  await expect(sql`create table forbidden (id int)`.execute(db)).rejects.toMatchObject({ errno: 1142 })
})

test('reports a failed statement without its values', async () => {
  const { app } = await open()
  const failure: unknown = await probes(app)
    .insertInto('probe')
    .values({ id: 'secret'.repeat(10), name: 'a' })
    .execute()
    .catch((error: unknown) => error)
  expect(JSON.stringify(failure)).not.toContain('secret')
  expect(failure).toMatchObject({ sql: 'insert into `probe` (`id`, `name`) values (?, ?)' })
})
