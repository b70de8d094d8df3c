/** Failures during a migration, and how the next run resumes. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { acquireLease } from '../../src/adapters/database/lease.ts'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { findLongTransactions } from '../../src/migrate/execute.ts'
import { down, pendingMigrations, status, up } from '../../src/migrate/index.ts'
import { freePort } from '../kit/servers/index.ts'
import { longLockTtl, migrateUntilKilled, openPlace, type Place, startProcess } from './kit.ts'
import { after, before } from './schemas.ts'

const target = ({ db, dialect, dir }: Place) => ({ db, dialect, dir, holder: 'the test' })
const names = (result: Awaited<ReturnType<typeof up>>) => result.applied.map(({ name }) => name)

async function rewrite(place: Place, name: string, change: (text: string) => string): Promise<void> {
  const path = join(place.dir, name)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

test('reports the holder of a lock that is not released in time', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  const { db, dialect } = place
  const lease = await acquireLease({
    db,
    errors: dialect.errors,
    clock: dialect.clock,
    name: 'migrations',
    holder: 'another run',
    ttl: 10_000,
  })
  const start = performance.now()
  await expect(up({ ...target(place), lockTimeout: 300 })).rejects.toMatchObject({
    code: 'LOCK_HELD',
    details: ['another run'],
  })
  expect(performance.now() - start).toBeLessThan(5000)
  await lease?.release()
  expect(names(await up({ ...target(place), lockTimeout: 300 }))).toEqual(['0002_changes'])
})

test('starts no further statement when it has lost its lock', async () => {
  const place = await openPlace()
  await place.generate()
  const stolen = up({
    ...target(place),
    onStatement: async ({ position, phase }) => {
      if (position === 2 && phase === 'executed') await sql`update latchkey_lease set holder = 'thief'`.execute(place.db)
    },
  })
  await expect(stolen).rejects.toMatchObject({ code: 'LOCK_LOST' })
  await sql`update latchkey_lease set expiresAt = utc_timestamp(3)`.execute(place.db)
  await up(target(place))
  await place.expectSchema(after)
})

test('reports an unreachable database in time', async () => {
  const place = await openPlace()
  await place.generate(1)
  const address = new URL(place.url)
  address.port = String(await freePort())
  const away = openDatabase({ url: address.href, poolSize: 2, connectTimeout: 1000, queryTimeout: 1000 })
  onTestFinished(away.close)
  const attempts = [
    up({ ...target(place), db: away.db }),
    status({ ...target(place), db: away.db, schema: before }),
    pendingMigrations({ ...target(place), db: away.db, schema: before }),
  ]
  // Together: one that fails while another is awaited would be an unhandled rejection.
  await Promise.all(attempts.map((failing) => expect(failing).rejects.toSatisfy(away.errors.isUnreachable)))
})

test('reports a failed statement with its position, and resumes after its cause is fixed', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  const insert = (id: string) =>
    sql`insert into user (id, email, createdAt, nick) values (${id}, ${id}, '2026-01-01', 'same')`.execute(place.db)
  await Promise.all([insert('a'), insert('b')])
  await expect(up(target(place))).rejects.toMatchObject({
    code: 'STATEMENT_FAILED',
    message: expect.stringMatching(/^0002_changes, statement \d+ \(add-index:user\.user_nick_createdAt_key\): /),
  })
  expect((await status({ ...target(place), schema: after })).interrupted).toEqual([{ name: '0002_changes', direction: 'up' }])
  await sql`update user set nick = id`.execute(place.db)
  expect((await up(target(place))).applied).toMatchObject([{ name: '0002_changes', resumed: true }])
  await place.expectSchema(after)
})

test('rejects an interrupted migration whose executed statements were edited', async () => {
  const place = await openPlace()
  await place.generate(1)
  await rewrite(place, '0001_initial.sql', (text) => text.replace('\n-- down\n', '\nselect nothing from nowhere;\n\n-- down\n'))
  await expect(up(target(place))).rejects.toMatchObject({ code: 'STATEMENT_FAILED' })
  await rewrite(place, '0001_initial.sql', (text) => text.replace('create table', 'create  table'))
  await expect(up(target(place))).rejects.toMatchObject({ code: 'FILE_EDITED', details: ['0001_initial'] })
  await rewrite(place, '0001_initial.sql', (text) =>
    text.replace('create  table', 'create table').replace('select nothing from nowhere;\n', ''),
  )
  expect((await up(target(place))).applied).toMatchObject([{ name: '0001_initial', resumed: true }])
  await place.expectSchema(before)
})

test('rolls back a partly applied migration', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  const insert = (id: string) =>
    sql`insert into user (id, email, createdAt, nick) values (${id}, ${id}, '2026-01-01', 'same')`.execute(place.db)
  await Promise.all([insert('a'), insert('b')])
  await expect(up(target(place))).rejects.toMatchObject({ code: 'STATEMENT_FAILED' })
  await down(target(place))
  await place.expectSchema(before)
})

test('executes an insert written by hand once, however often the run is killed', async () => {
  const place = await openPlace()
  await place.generate(1)
  await rewrite(place, '0001_initial.sql', (text) =>
    text.replace(
      '\n-- down\n',
      "\ninsert into user (id, email, createdAt)\n  values ('a', 'semi;colon', '2026-01-01');\n\nupdate user set age = age + 1;\n\n-- down\n",
    ),
  )
  for (const nth of [3, 0]) await migrateUntilKilled(place, { phase: 'started', nth })
  await migrateUntilKilled(place, { phase: 'executed', nth: 0 })
  expect(await startProcess({ ...place, lockTtl: longLockTtl }).ended).toEqual({ code: 0, signal: null })
  expect((await sql`select email, age from user`.execute(place.db)).rows).toEqual([{ email: 'semi;colon', age: 1 }])
})

test('does not guess whether an interrupted statement written by hand took effect', async () => {
  const place = await openPlace()
  await place.generate(1)
  await rewrite(place, '0001_initial.sql', (text) =>
    text.replace('\n-- down\n', "\nalter table user comment = 'edited';\n\n-- down\n"),
  )
  await migrateUntilKilled(place, { phase: 'started', nth: 3 })
  await expect(up(target(place))).rejects.toMatchObject({ code: 'STATEMENT_UNCERTAIN' })
  await sql`delete from latchkey_migration_statement where state = 'started'`.execute(place.db)
  expect((await up(target(place))).applied).toHaveLength(1)
})

type Db = Parameters<typeof findLongTransactions>[0]

/** Uses the table `user` in a transaction that stays open until it is released. @returns its process on the server */
async function holdTable(db: Db) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: hasLock } = Promise.withResolvers<number>()
  const reader = db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: number }>`select connection_id() as id, count(*) from user`.execute(transaction)
    hasLock(Number(rows[0]?.id))
    await released
  })
  const close = async () => {
    release()
    await reader
  }
  return { process: await locked, release: close }
}

const expectWaitingChange = (db: Db) =>
  expect.poll(async () => JSON.stringify((await sql`show processlist`.execute(db)).rows).includes('metadata lock')).toBe(true)

test('waits for a table in use, and lets other queries through while it waits', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  const { release } = await holdTable(place.db)
  const running = up(target(place))
  // Other queries queue behind the waiting change; after a second it gives up for a moment and lets them through.
  await expectWaitingChange(place.db)
  await sql`select count(*) from user`.execute(place.db)
  await release()
  await running
  await place.expectSchema(after)
}, 60_000)

test('a statement may take longer than the query timeout, and is not cut off by the client or the server', async () => {
  const place = await openPlace()
  await place.generate(1)
  const slow = 'update user set age = sleep(3);'
  await rewrite(place, '0001_initial.sql', (text) =>
    text.replace(
      '\n-- down\n',
      `\ninsert into user (id, email, createdAt) values ('a', 'a', '2026-01-01');\n\n${slow}\n\n-- down\n`,
    ),
  )
  const impatient = openDatabase({ url: place.url, poolSize: 3, connectTimeout: 5000, queryTimeout: 1000 })
  onTestFinished(impatient.close)
  expect((await up({ ...target(place), db: impatient.db })).applied).toHaveLength(1)
})

test('names transactions that keep a table in use', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  const { process, release } = await holdTable(place.db)
  const isOld = async () => (await findLongTransactions(place.db, 5)).some((open) => open.process === process)
  // MySQL serves the same list of transactions until a tenth of a second has passed without a read.
  await expect.poll(isOld, { interval: 500, timeout: 20_000 }).toBe(true)
  const { promise: found, resolve: onFound } = Promise.withResolvers<readonly { process: number; seconds: number }[]>()
  const running = up({ ...target(place), onLongTransactions: onFound })
  expect((await found).find((open) => open.process === process)).toMatchObject({ process, user: expect.any(String) })
  // One wait of the change must not block readers for longer than a second; here the first one has begun.
  await expectWaitingChange(place.db)
  await sql`select count(*) from user`.execute(place.db)
  await release()
  await running
  const account = openDatabase({ url: await place.createAccount(), poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
  onTestFinished(account.close)
  expect(await findLongTransactions(account.db, 0)).toEqual([])
}, 60_000)
