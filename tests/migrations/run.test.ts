/** `up` and `down` without failures, by one process or by many. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { acquireLease, createLeaseTable } from '../../src/adapters/database/lease.ts'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { down, pendingMigrations, type StatementEvent, status, up } from '../../src/migrate/index.ts'
import { emptySchema } from '../../src/migrate/schema.ts'
import { longLockTtl, openPlace, type Place, startProcess } from './kit.ts'
import { after, before } from './schemas.ts'

const target = ({ db, dialect, dir }: Place) => ({ db, dialect, dir, holder: 'the test' })
const names = (result: Awaited<ReturnType<typeof up>>) => result.applied.map(({ name }) => name)

async function rewrite(place: Place, name: string, change: (text: string) => string): Promise<void> {
  const path = join(place.dir, name)
  await writeFile(path, change(await readFile(path, 'utf8')))
}

test('applies and rolls back the declared schema', async () => {
  const place = await openPlace()
  await place.generate()
  expect(names(await up({ ...target(place), to: 1 }))).toEqual(['0001_initial'])
  await place.expectSchema(before)
  expect(names(await up(target(place)))).toEqual(['0002_changes'])
  await place.expectSchema(after)
  expect(names(await up(target(place)))).toEqual([])
  expect(names(await down(target(place)))).toEqual(['0002_changes'])
  await place.expectSchema(before)
  expect(names(await up(target(place)))).toEqual(['0002_changes'])
  expect(names(await down({ ...target(place), steps: 5 }))).toEqual(['0002_changes', '0001_initial'])
  await place.expectSchema(emptySchema)
})

test('keeps rows and gives them the declared defaults', async () => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  await sql`insert into user (id, email, createdAt, nick) values ('u', 'ann@example.com', '2026-01-01 00:00:00.123', 'Ann')`.execute(
    place.db,
  )
  await sql`insert into session (id, userId) values ('s', 'u')`.execute(place.db)
  const events: StatementEvent[] = []
  await up({ ...target(place), onStatement: (event) => void events.push(event) })
  const onUser = events.filter(({ change, phase }) => phase === 'started' && /:user\b/.test(change ?? ''))
  expect(onUser.map(({ rows }) => typeof rows)).toEqual(onUser.map(() => 'number'))
  expect((await sql`select * from user`.execute(place.db)).rows).toEqual([
    { id: 'u', email: 'ann@example.com', createdAt: new Date('2026-01-01T00:00:00.123Z'), nick: 'Ann', age: 0, role: 'member' },
  ])
  await down(target(place))
  expect((await sql`select id, userId from session`.execute(place.db)).rows).toEqual([{ id: 's', userId: 'u' }])
  await sql`delete from user`.execute(place.db)
  expect((await sql`select id from session`.execute(place.db)).rows).toEqual([])
})

test('a dry run returns the statements and changes nothing', async () => {
  const place = await openPlace()
  await place.generate()
  const { applied } = await up({ ...target(place), dryRun: true })
  expect(applied.map(({ name, statements }) => [name, statements.length > 0])).toEqual([
    ['0001_initial', true],
    ['0002_changes', true],
  ])
  expect((await sql`show tables`.execute(place.db)).rows).toEqual([])
})

test('of ten concurrent runs one applies the migrations, and nine wait and find nothing pending', async () => {
  const place = await openPlace()
  await place.generate()
  const runs = Array.from({ length: 10 }, () => startProcess({ url: place.url, dir: place.dir, lockTtl: 15_000 }))
  for (const { ended } of runs) expect(await ended).toEqual({ code: 0, signal: null })
  const applied = runs
    .map(({ lines }) => lines.at(-1))
    .toSorted((one, other) => JSON.stringify(other).length - JSON.stringify(one).length)
  const both = [
    { name: '0001_initial', resumed: false },
    { name: '0002_changes', resumed: false },
  ]
  expect(applied).toEqual([{ applied: both }, ...Array.from({ length: 9 }, () => ({ applied: [] }))])
  await place.expectSchema(after)
}, 120_000)

test('refuses only what is still there when the run that held the lock has ended', async () => {
  const place = await openPlace()
  await place.generate()
  const { db, dialect } = place
  const { errors, clock } = dialect
  await createLeaseTable(db)
  const lease = await acquireLease({ db, errors, clock, name: 'migrations', holder: 'another', ttl: longLockTtl })
  await sql`create table user (id int)`.execute(db)
  const onWait = async () => {
    await sql`drop table user`.execute(db)
    await lease?.release()
  }
  expect(names(await up({ ...target(place), onWait: () => void onWait() }))).toEqual(['0001_initial', '0002_changes'])
  await place.expectSchema(after)
})

test('rejects an applied file that was changed or is missing', async () => {
  const place = await openPlace()
  await place.generate()
  await up(target(place))
  await rewrite(place, '0002_changes.sql', (text) => `${text}-- a comment\n`)
  for (const run of [up, down])
    await expect(run(target(place))).rejects.toMatchObject({ code: 'FILE_EDITED', details: ['0002_changes'] })
  expect(await status({ ...target(place), schema: after })).toMatchObject({
    edited: ['0002_changes'],
    missing: [],
    pending: [],
    drift: [],
  })
  await rm(join(place.dir, '0002_changes.sql'))
  for (const run of [up, down])
    await expect(run(target(place))).rejects.toMatchObject({ code: 'FILE_MISSING', details: ['0002_changes'] })
  expect(await status({ ...target(place), schema: before })).toMatchObject({ edited: [], missing: ['0002_changes'] })
})

test('ignores changed line ends', async () => {
  const place = await openPlace()
  await place.generate()
  await up(target(place))
  await rewrite(place, '0002_changes.sql', (text) => text.replaceAll('\n', '\r\n'))
  expect(names(await up(target(place)))).toEqual([])
  expect(names(await down(target(place)))).toEqual(['0002_changes'])
})

test('finds pending migrations with a read-only account', async () => {
  const place = await openPlace()
  await place.generate()
  const account = openDatabase({
    url: await place.createAccount('SELECT'),
    poolSize: 2,
    connectTimeout: 5000,
    queryTimeout: 5000,
  })
  onTestFinished(account.close)
  const ask = async () => (await pendingMigrations({ ...target(place), db: account.db, schema: after })).pending
  expect(await ask()).toEqual(['0001_initial', '0002_changes'])
  await up({ ...target(place), to: 1 })
  expect(await ask()).toEqual(['0002_changes'])
  await up(target(place))
  expect(await ask()).toEqual([])
  expect(await status({ ...target(place), db: account.db, schema: after })).toMatchObject({ drift: [], applied: 2 })
})

test.each([0, 3, -1])('rejects a number that does not exist, but accepts 0: %i', async (to) => {
  const place = await openPlace()
  await place.generate()
  if (to === 0) expect(names(await up({ ...target(place), to }))).toEqual([])
  else await expect(up({ ...target(place), to })).rejects.toMatchObject({ code: 'NUMBER_UNKNOWN' })
})
