/** A database server that is unreachable or silent, and recovers. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { DatabaseOptions } from '../../src/adapters/database/dialect.ts'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { freePort, freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'
import { startProxy } from './proxy.ts'

// Unusual defaults, to check that every connection applies its own settings.
const strange = [
  '--sql-mode=',
  '--default-time-zone=+05:00',
  '--transaction-isolation=SERIALIZABLE',
  '--innodb-lock-wait-timeout=900',
]
/** As long as a busy machine may need. */
const patient = { poolSize: 3, connectTimeout: 20_000, queryTimeout: 20_000 }
/** For tests that wait for a deadline; until the outage they repeat what missed one. */
const impatient = { poolSize: 3, connectTimeout: 1000, queryTimeout: 1000 }

let server: Server
let url: string
beforeAll(async () => {
  server = await startDatabase(strange)
  url = (await freshDatabase(server.url)).url
})
afterAll(() => server?.stop())

function open(address: string, options: Partial<DatabaseOptions> = {}): OpenDatabase {
  const database = openDatabase({ url: address, ...patient, ...options })
  onTestFinished(database.close)
  return database
}

function atPort(port: number): string {
  const address = new URL(url)
  address.port = String(port)
  return address.href
}

/** Rejects as unreachable, within the deadlines. */
async function expectUnreachable(database: OpenDatabase): Promise<void> {
  const start = performance.now()
  const failure: unknown = await database.ping().then(
    () => 'it responded',
    (error: unknown) => error,
  )
  expect(failure).toSatisfy(database.errors.isUnreachable)
  expect(performance.now() - start).toBeLessThan(4000)
}

async function pollUntilItResponds(database: OpenDatabase): Promise<void> {
  await expect
    .poll(
      () =>
        database.ping().then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true)
}

test('applies its settings to every connection, whatever the defaults of the server', async () => {
  const { db } = open(url, { queryTimeout: 1000 })
  const settings = sql<{
    zone: string
    modes: string
    wait: number
    at: Date
  }>`select @@session.time_zone as zone, @@session.sql_mode as modes,
    @@session.innodb_lock_wait_timeout as wait, cast('2026-01-02 03:04:05.678' as datetime(3)) as at`
  const isolation = sql<{
    Value: string
  }>`show session variables where variable_name in ('tx_isolation', 'transaction_isolation')`
  await db.connection().execute((one) =>
    db.connection().execute(async (other) => {
      for (const connection of [one, other]) {
        const [found] = (await settings.execute(connection)).rows
        expect(found).toMatchObject({ zone: '+00:00', wait: 1, at: new Date('2026-01-02T03:04:05.678Z') })
        expect(found?.modes).toContain('STRICT_TRANS_TABLES')
        expect(found?.modes).toContain('ONLY_FULL_GROUP_BY')
        const levels = (await isolation.execute(connection)).rows.map(({ Value }) => Value)
        expect([...new Set(levels)]).toEqual(['READ-COMMITTED'])
      }
    }),
  )
})

test('limits prepared statements per connection, and works without them', async () => {
  const counted = async ({ db }: OpenDatabase) => {
    const { rows } = await sql<{ Value: string }>`show global status like 'Prepared_stmt_count'`.execute(db)
    return Number(rows[0]?.Value)
  }
  const ask = async ({ db }: OpenDatabase) => {
    for (let n = 0; n < 80; n += 1) {
      const query = { ...sql<{ n: number }>`select ${sql.lit(n)} + ${1} as n`.compile(db), prepared: true }
      expect((await db.executeQuery(query)).rows).toEqual([{ n: n + 1 }])
    }
  }
  const preparing = open(url, { poolSize: 1 })
  await ask(preparing)
  expect(await counted(preparing)).toBeGreaterThan(0)
  expect(await counted(preparing)).toBeLessThanOrEqual(50)
  await preparing.close()
  const plain = open(url, { poolSize: 1, preparedStatements: false })
  await ask(plain)
  await expect.poll(() => counted(plain)).toBe(0)
})

test('reports a closed port as unreachable', async () => {
  await expectUnreachable(open(atPort(await freePort()), impatient))
})

test('reports an unknown host as unreachable', async () => {
  const address = new URL(url)
  address.hostname = 'no-such-host.invalid'
  await expectUnreachable(open(address.href, impatient))
})

test('does not report a wrong password as unreachable', async () => {
  const address = new URL(url)
  address.password = 'wrong'
  const database = open(address.href)
  const failure: unknown = await database.ping().catch((error: unknown) => error)
  expect(failure).toMatchObject({ errno: 1045 })
  expect(database.errors.isUnreachable(failure)).toBe(false)
})

test('reports a server that accepts the connection and sends nothing as unreachable within the deadline', async () => {
  const proxy = await startProxy(server.port)
  onTestFinished(proxy.close)
  proxy.freeze()
  const database = open(atPort(proxy.port), impatient)
  await expectUnreachable(database)
  proxy.thaw()
  await pollUntilItResponds(database)
})

test('fails statements of a silent server within the deadline, and opens new connections', async () => {
  const proxy = await startProxy(server.port)
  onTestFinished(proxy.close)
  const database = open(atPort(proxy.port), impatient)
  await expect
    .poll(
      () =>
        Promise.all([database.ping(), database.ping(), database.ping()]).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true)
  proxy.freeze()
  const start = performance.now()
  const failures = await Promise.all(
    Array.from({ length: 8 }, () =>
      database.ping().then(
        () => 'it responded',
        (error: unknown) => error,
      ),
    ),
  )
  for (const failure of failures) expect(database.errors.isTimeout(failure) || database.errors.isUnreachable(failure)).toBe(true)
  expect(performance.now() - start).toBeLessThan(8000)
  proxy.thaw()
  await pollUntilItResponds(database)
})

test('closes while a silent server keeps a connection waiting', async () => {
  const proxy = await startProxy(server.port)
  onTestFinished(proxy.close)
  proxy.freeze()
  const database = open(atPort(proxy.port), impatient)
  const ping = database.ping().catch((error: unknown) => error)
  await expect.poll(() => database.usage()?.active).toBe(1)
  await database.close()
  expect(await ping).toBeInstanceOf(Error)
})

test('fails a statement within the deadline when the server falls silent while preparing it', async () => {
  const proxy = await startProxy(server.port)
  onTestFinished(proxy.close)
  const database = open(atPort(proxy.port), { ...impatient, poolSize: 1 })
  await pollUntilItResponds(database)
  proxy.freeze()
  const start = performance.now()
  const query = { ...sql<{ n: number }>`select ${1} as n`.compile(database.db), prepared: true }
  const failure = await database.db.executeQuery(query).catch((error: unknown) => error)
  expect(failure).toSatisfy(database.errors.isTimeout)
  expect(performance.now() - start).toBeLessThan(8000)
  proxy.thaw()
  await pollUntilItResponds(database)
  expect((await database.db.executeQuery(query)).rows).toEqual([{ n: 1 }])
})

test('reports a killed server as unreachable, keeps the error of an open transaction, and recovers the pool', async () => {
  const database = open(url, impatient)
  await pollUntilItResponds(database)
  const failing = database.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    await server.kill()
    await sql`select 2`.execute(transaction)
  })
  await expect(failing).rejects.toSatisfy(database.errors.isUnreachable)
  await expectUnreachable(database)
  await server.restart()
  await pollUntilItResponds(database)
})
