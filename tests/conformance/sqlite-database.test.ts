import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { transaction } from '../../src/core/transaction.ts'
import { databaseSuite } from './database.ts'
import { createFile, createTables, openProbe, type Probe, probes } from './probe.ts'

databaseSuite('SQLite', createFile)

async function open(): Promise<Probe & { readonly url: string }> {
  const place = await createFile()
  const probe = await openProbe(place.url)
  onTestFinished(async () => {
    await probe.close()
    await place.drop()
  })
  await createTables(probe)
  return { ...probe, url: place.url }
}

test('makes the file and its auxiliary files accessible to their owner only', async () => {
  const { url } = await open()
  for (const suffix of ['', '-wal', '-shm']) expect((await stat(url.slice('sqlite:'.length) + suffix)).mode & 0o777).toBe(0o600)
})

test('waits for another writer in a transaction that reads before it writes', async () => {
  const { app, url } = await open()
  const other = await openProbe(url)
  onTestFinished(other.close)
  await probes(app).insertInto('probe').values({ id: 'a', name: 'a' }).execute()
  const increase = (probe: Pick<Probe, 'app'>) =>
    transaction(probe.app, async (app) => {
      const { count } = await probes(app).selectFrom('probe').select('count').where('id', '=', 'a').executeTakeFirstOrThrow()
      await probes(app)
        .updateTable('probe')
        .set({ count: count + 1 })
        .where('id', '=', 'a')
        .execute()
    })
  // One after the other on each connection; the two connections take turns.
  for (let turn = 0; turn < 10; turn += 1) await increase(turn % 2 ? { app } : other)
  expect(await probes(app).selectFrom('probe').select('count').execute()).toEqual([{ count: 10 }])
})

test('reports a busy file as retryable', async () => {
  const { database } = await open()
  const busy = Object.assign(new Error('database is locked'), { errcode: 5 })
  expect([database.errors.isRetryable(busy), database.errors.isUnreachable(busy)]).toEqual([true, false])
})

test('runs a query outside a transaction after its end, not inside it', async () => {
  const { app } = await open()
  const seen = await transaction(app, async (inner) => {
    const outside = probes(app).selectFrom('probe').select('id').execute()
    await probes(inner).insertInto('probe').values({ id: 'a', name: 'a' }).execute()
    return { outside }
  })
  expect(await seen.outside).toEqual([{ id: 'a' }])
})

test('reads a column added after a cached statement was prepared', async () => {
  const { app } = await open()
  const select = () => sql`select * from freed`.execute(app.db)
  await sql`insert into freed (id) values ('a')`.execute(app.db)
  expect((await select()).rows).toEqual([{ id: 'a', probeId: null }])
  await sql`alter table freed add column seen tinyint(1) not null default 1`.execute(app.db)
  expect((await select()).rows).toEqual([{ id: 'a', probeId: null, seen: true }])
})

test('separates more different statements than it caches', async () => {
  const { app } = await open()
  for (let round = 0; round < 2; round += 1) {
    for (let n = 0; n < 300; n += 1) {
      const { rows } = await sql<{ n: number }>`select ${sql.lit(n)} as n`.execute(app.db)
      expect(rows).toEqual([{ n }])
    }
  }
})
