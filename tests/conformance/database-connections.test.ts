/** A server that has room for fewer connections than the pools would open, and one that prepares no statements. */
import { setImmediate } from 'node:timers/promises'
import { type CompiledQuery, sql } from 'kysely'
import { type Connection, createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { DatabaseLog, DatabaseOptions } from '../../src/adapters/database/dialect.ts'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { freshDatabase, type Server, startDatabase } from '../kit/servers/index.ts'
import { watch } from './ports.ts'

const patient = { poolSize: 20, connectTimeout: 20_000, queryTimeout: 20_000 }
/** MariaDB allows no fewer. */
const few = 10

let server: Server
/** It stays open, in case there is no room for another. */
let operator: Connection
/** Of an account without the right to one connection more. */
let url: string
beforeAll(async () => {
  server = await startDatabase()
  operator = await createConnection(server.url)
  url = await (await freshDatabase(server.url)).createAccount()
})
afterAll(async () => {
  operator?.destroy()
  await server?.stop()
})
beforeEach(async () => {
  await setGlobal('max_connections', 300)
  await setGlobal('max_prepared_stmt_count', 16_382)
})

async function setGlobal(name: string, value: number): Promise<void> {
  await operator.query(`SET GLOBAL ${name} = ${value}`)
}

/** @returns the address of an account that may have this many connections */
async function createLimitedAccount(connections: number): Promise<string> {
  const limited = await (await freshDatabase(server.url)).createAccount()
  await operator.query(`ALTER USER '${new URL(limited).username}'@'%' WITH MAX_USER_CONNECTIONS ${connections}`)
  return limited
}

function open(options: Partial<DatabaseOptions> = {}, log?: DatabaseLog): OpenDatabase {
  const database = openDatabase({ url, ...patient, ...options }, log)
  onTestFinished(database.close)
  return database
}

/** Holds this many connections at the same time. */
async function hold({ db }: OpenDatabase, count: number): Promise<void> {
  let open = 0
  const { promise: all, resolve } = Promise.withResolvers<void>()
  const one = () =>
    db.connection().execute(async () => {
      open += 1
      if (open === count) resolve()
      await all
    })
  await Promise.all(Array.from({ length: count }, one))
}

const burst = (database: OpenDatabase, count: number): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, () => database.ping()))

test('a burst waits for the connections that are open, when the server has no room for more', async () => {
  await setGlobal('max_connections', few)
  const [one, other] = [open(), open()]
  await Promise.all([one.ping(), other.ping()])
  for (let round = 0; round < 3; round += 1) await Promise.all([burst(one, 150), burst(other, 150)])
})

test('a first burst waits for the connections that are being opened', async () => {
  await setGlobal('max_connections', few)
  await burst(open(), 150)
})

test('a burst waits when only this account may open no more connections', async () => {
  await burst(open({ url: await createLimitedAccount(3) }), 100)
})

test('a call whose connection is refused takes the one that became free in the same time', async () => {
  const database = open({ url: await createLimitedAccount(1) })
  for (let round = 0; round < 20; round += 1) {
    let ping: Promise<void> | undefined
    await database.db.connection().execute(async () => {
      ping = database.ping()
      await setImmediate()
    })
    await ping
  }
})

test('the pool grows again when the server has room again', async () => {
  await setGlobal('max_connections', few)
  const database = open()
  await burst(database, 100)
  await setGlobal('max_connections', 300)
  await hold(database, patient.poolSize)
})

test('a call without any open connection is unavailable, without waiting for the deadline', async () => {
  await setGlobal('max_connections', few)
  const other = open()
  await hold(other, few - 1)
  const start = performance.now()
  const database = open()
  const calls = await Promise.allSettled(Array.from({ length: 30 }, () => database.ping()))
  for (const call of calls) expect(call).toMatchObject({ status: 'rejected', reason: { errno: 1040 } })
  expect(performance.now() - start).toBeLessThan(patient.connectTimeout / 2)
})

test('a call that waits for an open connection in vain is unavailable after the deadline', async () => {
  await setGlobal('max_connections', few)
  const database = open({ connectTimeout: 1000 })
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const calls = Array.from({ length: few + 2 }, () => database.db.connection().execute(() => end))
  await expect(Promise.race(calls)).rejects.toSatisfy(database.errors.isUnreachable)
  resolve()
  await Promise.allSettled(calls)
  await database.ping()
})

const at = new Date('2026-01-02T03:04:05.678Z')

/** Values of every kind, by a statement that is prepared unless the database prevents it. */
async function readValues({ db }: Pick<OpenDatabase, 'db'>): Promise<unknown> {
  const query = sql`select json_array(${1}, ${'a'}, ${null}, cast(${at} as datetime(3)), ${9_007_199_254_740_991}) as packed,
    ${"it's"} as text, cast(${5} as signed) as number, cast(${at} as datetime(3)) as at`.compile(db)
  return (await db.executeQuery({ ...query, prepared: true } as CompiledQuery)).rows
}

test('statements are sent as text while the server prepares none, with the same results and one line in the log', async () => {
  const { log, lines } = watch()
  const expected = await readValues(open())
  expect(expected).toMatchObject([{ text: "it's", number: 5, at }])
  const database = open({ poolSize: 3 }, log)
  await setGlobal('max_prepared_stmt_count', 0)
  expect(await Promise.all(Array.from({ length: 20 }, () => readValues(database)))).toEqual(Array(20).fill(expected))
  await database.db.transaction().execute(async (db) => expect(await readValues({ db })).toEqual(expected))
  expect(lines).toMatchObject([{ level: 'warn', fields: { err: { errno: 1461 } } }])
})
