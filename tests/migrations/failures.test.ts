/** What goes wrong while migrating, and how it goes on from there. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { acquireLease } from '../../src/core/lease.ts'
import { down, pendingMigrations, status, up } from '../../src/migrate/index.ts'
import { freePort } from '../kit/servers/index.ts'
import { openPlace, type Place, startProcess } from './kit.ts'
import { after, before } from './schemas.ts'

const target = ({ db, dialect, dir }: Place) => ({ db, dialect, dir, holder: 'the test' })
const names = (result: Awaited<ReturnType<typeof up>>) => result.applied.map(({ name }) => name)

async function rewrite(place: Place, name: string, change: (text: string) => string): Promise<void> {
  const path = join(place.dir, name)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

test('a lock that is held longer than one wants to wait is told, with its holder', async () => {
  const place = await openPlace()
  await place.generate(1)
  await up(target(place))
  const { db, dialect } = place
  const lease = await acquireLease({
    db,
    errors: dialect.errors,
    clock: dialect.clock,
    name: 'migrations',
    holder: 'somebody else',
    ttl: 10_000,
  })
  const start = performance.now()
  await expect(up({ ...target(place), lockTimeout: 300 })).rejects.toMatchObject({
    code: 'LOCK_HELD',
    details: ['somebody else'],
  })
  expect(performance.now() - start).toBeLessThan(5000)
  await lease?.release()
  expect(names(await up({ ...target(place), lockTimeout: 300 }))).toEqual([])
})

test('a run that has lost its lock does not begin another statement', async () => {
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

test('a database that is away is an error of its own, in time', async () => {
  const place = await openPlace()
  await place.generate(1)
  const address = new URL(place.url)
  address.port = String(await freePort())
  const away = openDatabase({ url: address.href, poolSize: 2, connectTimeout: 1000, queryTimeout: 1000 })
  onTestFinished(away.close)
  const asked = [
    up({ ...target(place), db: away.db }),
    status({ ...target(place), db: away.db, schema: before }),
    pendingMigrations({ ...target(place), db: away.db }),
  ]
  // All at once: one that fails while another is waited for would be nobody's.
  await Promise.all(asked.map((failing) => expect(failing).rejects.toSatisfy(away.errors.isUnreachable)))
})

test('a statement that fails is told with its place, and goes on when its cause is mended', async () => {
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

test('a migration that was applied in part can be taken back', async () => {
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

test('what a statement written by hand inserts is there once, however often the run is killed', async () => {
  const place = await openPlace()
  await place.generate(1)
  await rewrite(place, '0001_initial.sql', (text) =>
    text.replace(
      '\n-- down\n',
      "\ninsert into user (id, email, createdAt)\n  values ('a', 'semi;colon', '2026-01-01');\n\nupdate user set age = age + 1;\n\n-- down\n",
    ),
  )
  for (const nth of [3, 0]) await startProcess({ ...place, killAt: { phase: 'started', nth } }).ended
  await startProcess({ ...place, killAt: { phase: 'executed', nth: 0 } }).ended
  expect(await startProcess(place).ended).toEqual({ code: 0, signal: null })
  expect((await sql`select email, age from user`.execute(place.db)).rows).toEqual([{ email: 'semi;colon', age: 1 }])
})

test('an interrupted change of a table written by hand is not guessed about', async () => {
  const place = await openPlace()
  await place.generate(1)
  await rewrite(place, '0001_initial.sql', (text) =>
    text.replace('\n-- down\n', "\nalter table user comment = 'people';\n\n-- down\n"),
  )
  await startProcess({ ...place, killAt: { phase: 'started', nth: 3 } }).ended
  await expect(up({ ...target(place), lockTimeout: 5000 })).rejects.toMatchObject({ code: 'STATEMENT_UNCERTAIN' })
  await sql`delete from latchkey_migration_statement where state = 'started'`.execute(place.db)
  expect((await up(target(place))).applied).toHaveLength(1)
})

test('a table in use is waited for, and the others are let through meanwhile', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: hasLock } = Promise.withResolvers<void>()
  const reader = place.db.transaction().execute(async (transaction) => {
    await sql`select * from user`.execute(transaction)
    hasLock()
    await released
  })
  await locked
  const running = up(target(place))
  // While the change waits for the table, whoever asks for it waits too; after five seconds all of these are let through.
  await expect
    .poll(
      async () =>
        (await sql`show processlist`.execute(place.db)).rows.some((row) => JSON.stringify(row).includes('metadata lock')),
      { timeout: 10_000 },
    )
    .toBe(true)
  await sql`select count(*) from user`.execute(place.db)
  release()
  await reader
  await running
  await place.expectSchema(after)
}, 60_000)
