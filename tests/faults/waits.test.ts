/** What waits in the database, for a lock or a connection: one deadline for each call, whatever it repeats. */
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import type { Database } from '../../src/features/index.ts'
import { testApp } from '../kit/app.ts'
import { freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const queryTimeout = 3000
/** The grace in which the server itself ends a statement, and what a busy machine needs. */
const latest = queryTimeout + 2500
const patient = { connectTimeout: 20_000, poolSize: 3, queryTimeout: 60_000 }

let server: Server
beforeAll(async () => {
  server = await startDatabase()
})
afterAll(() => server?.stop())

async function withAnn(poolSize = 3) {
  const { url } = await freshDatabase(server.url)
  const kit = await testApp({ database: { url, poolSize, connectTimeout: 20_000, queryTimeout }, redis: false })
  const visitor = kit.browser()
  expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(200)
  const other = openDatabase({ url, ...patient })
  onTestFinished(other.close)
  const update = () => visitor.call('POST /update-user', { body: { name: 'Anna' } })
  return { ...kit, visitor, other, update }
}

/** The call fails with 503 in time; later, nothing of it waits on the server, and it succeeds. */
async function expectLate({ update, other }: Awaited<ReturnType<typeof withAnn>>, release: () => Promise<unknown>) {
  const start = performance.now()
  const answer = await update()
  expect(performance.now() - start).toBeLessThan(latest)
  expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  await expect.poll(() => countWaiting(other.db)).toBe(0)
  await release()
  expect((await update()).status).toBe(200)
}

async function countWaiting(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ Info: string | null; State: string | null }>`show processlist`.execute(db)
  return rows.filter(({ Info }) => /^update/i.test(Info ?? '')).length
}

test('a row that another transaction has locked', async () => {
  const kit = await withAnn()
  const { promise, resolve } = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const held = kit.other.db.transaction().execute(async (tx) => {
    await tx.updateTable('user').set({ image: 'held' }).execute()
    locked.resolve()
    await promise
  })
  await locked.promise
  await expectLate(kit, async () => {
    resolve()
    await held
  })
})

test('a table that another connection has locked', async () => {
  const kit = await withAnn()
  await kit.other.db.connection().execute(async (connection) => {
    await sql`lock tables user read, session read, account read`.execute(connection)
    await expectLate(kit, () => sql`unlock tables`.execute(connection))
  })
})

test('a pool of which every connection is in use', async () => {
  const kit = await withAnn(2)
  const { promise, resolve } = Promise.withResolvers<void>()
  const take = () => {
    const taken = Promise.withResolvers<void>()
    const held = kit.app.db.connection().execute(async () => {
      taken.resolve()
      await promise
    })
    return { taken: taken.promise, held }
  }
  const connections = [take(), take()]
  await Promise.all(connections.map(({ taken }) => taken))
  await expectLate(kit, async () => {
    resolve()
    await Promise.all(connections.map(({ held }) => held))
  })
})

test('connections that the server closes while they are idle', async () => {
  const kit = await withAnn()
  const { db } = kit.other
  for (let round = 0; round < 20; round += 1) {
    const { rows } = await sql<{ Id: number; own: number; db: string | null }>`select id as ${sql.ref('Id')},
      connection_id() as own, db from information_schema.processlist where db = database()`.execute(db)
    for (const { Id, own } of rows) if (Id !== own) await sql`kill ${sql.lit(Id)}`.execute(db).catch(() => {})
    const calls = [kit.visitor.call('GET /get-session', {}), kit.update(), kit.visitor.call('GET /list-sessions', {})]
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200])
  }
})
