/** Tables, columns, indexes and constraints of other programs are never taken over and never dropped. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { adopt, down, status, up } from '../../src/migrate/index.ts'
import { migrateUntilKilled, openPlace, type Place } from './kit.ts'
import { after, before } from './schemas.ts'

const target = ({ db, dialect, dir }: Place) => ({ db, dialect, dir, holder: 'the test' })
const run = (place: Place, text: string) => sql.raw(text).execute(place.db)
const rows = async (place: Place, table: string) => (await sql`select * from ${sql.table(table)}`.execute(place.db)).rows

/** Like `session` and `user` of an app. */
async function addForeign(place: Place): Promise<void> {
  await run(place, 'create table user (id int primary key, balance int)')
  await run(place, 'insert into user values (1, 100)')
  await run(place, 'create table session (id int primary key)')
}

const reasons: [string, readonly string[], readonly string[]][] = [
  [
    'tables',
    ['create table user (id int primary key, balance int)', 'create table legacy (id int)'],
    ['table user', 'table legacy'],
  ],
  ['a view', ['create view user as select 1 as id'], ['view user']],
  [
    'a foreign key of another table',
    [
      'create table a (id int primary key)',
      'create table b (id int, constraint session_userId_fk foreign key (id) references a (id))',
    ],
    ['foreign key b.session_userId_fk'],
  ],
  ['a table with the name of the lock', ['create table latchkey_lease (id int)'], ['table latchkey_lease']],
  [
    'tables with the names of the journal',
    ['create table latchkey_migration (id int)', 'create table latchkey_daemon (id int)'],
    ['table latchkey_migration', 'table latchkey_daemon'],
  ],
]

test.each(reasons)('refuses up before the first statement, and names %s', async (_, statements, details) => {
  const place = await openPlace()
  await place.generate()
  for (const text of statements) await run(place, text)
  const tables = (await run(place, 'show tables')).rows
  for (const dryRun of [true, false, false])
    await expect(up({ ...target(place), dryRun })).rejects.toMatchObject({ code: 'NAMES_TAKEN', exitCode: 5, details })
  expect((await run(place, 'show tables')).rows).toEqual(tables)
})

test.each([
  ['column', 'alter table user add column role int', 'column user.role'],
  ['column in another case', 'alter table user add column ROLE int', 'column user.role'],
  ['index', 'alter table session add index session_seen_userId_idx (seen)', 'index session.session_seen_userId_idx'],
])('refuses up when a %s of the next migration exists', async (_, text, detail) => {
  const place = await openPlace()
  await place.generate()
  await up({ ...target(place), to: 1 })
  await run(place, text)
  await expect(up(target(place))).rejects.toMatchObject({ code: 'NAMES_TAKEN', details: [detail] })
  expect((await status({ ...target(place), schema: after })).taken).toHaveLength(1)
})

test('status names what exists, before anything is generated and before it is applied', async () => {
  const place = await openPlace()
  await addForeign(place)
  const taken = ['session', 'user'].map((path) => ({ path, kind: 'table' }))
  const found = await status({ ...target(place), schema: before })
  expect(new Set(found.taken)).toEqual(new Set(taken))
  expect(found.ungenerated).toContainEqual({ name: 'create-table:user', class: 'taken' })
  expect(found.ungenerated).toContainEqual({ name: 'create-table:legacy', class: 'safe' })
  await place.generate(1)
  expect(new Set((await status({ ...target(place), schema: before })).taken)).toEqual(new Set(taken))
})

test('keeps a table that appears while a run is killed before it creates its own', async () => {
  const place = await openPlace()
  await place.generate(1)
  // The second table of the migration.
  await migrateUntilKilled(place, { phase: 'started', nth: 1 })
  const existing = new Set((await run(place, 'show tables')).rows.map((row) => JSON.stringify(Object.values(row as object))))
  const next = ['legacy', 'session'].find((name) => !existing.has(JSON.stringify([name]))) ?? ''
  await run(place, `create table ${next} (id int primary key, balance int)`)
  await run(place, `insert into ${next} values (1, 100)`)
  await expect(up(target(place))).rejects.toMatchObject({ code: 'NAMES_TAKEN', details: [`table ${next}`] })
  const { applied } = await down(target(place))
  expect(applied[0]?.kept).toContainEqual(expect.objectContaining({ change: `drop-table:${next}` }))
  expect(await rows(place, next)).toEqual([{ id: 1, balance: 100 }])
  await expect(rows(place, 'user')).rejects.toThrow()
})

test('rolls back what a killed run created but did not record as done', async () => {
  const place = await openPlace()
  await place.generate(1)
  await migrateUntilKilled(place, { phase: 'executed', nth: 0 })
  await down(target(place))
  await place.expectSchema({ tables: {} })
})

/** As version 7c50564 recorded it: a statement that failed because the table exists stayed `started`. */
async function journalOfEarlierVersion(place: Place): Promise<void> {
  await place.generate(1)
  await migrateUntilKilled(place, { phase: 'started', nth: 0 })
  await run(place, "update latchkey_migration_statement set state = 'started'")
}

test('keeps the tables of an app after a run of an earlier version has failed on them', async () => {
  const place = await openPlace()
  await journalOfEarlierVersion(place)
  await addForeign(place)
  for (let tries = 0; tries < 2; tries += 1) await expect(up(target(place))).rejects.toMatchObject({ code: 'NAMES_TAKEN' })
  const { applied } = await down(target(place))
  expect(applied).toMatchObject([
    { statements: [], kept: expect.arrayContaining([expect.objectContaining({ change: 'drop-table:user' })]) },
  ])
  expect(await rows(place, 'user')).toEqual([{ id: 1, balance: 100 }])
  expect(await rows(place, 'session')).toEqual([])
})

test('rolls back a migration that an earlier version applied', async () => {
  const place = await openPlace()
  await place.generate(1)
  await up(target(place))
  await run(place, 'alter table latchkey_migration drop column appliedBy')
  await run(place, "update latchkey_migration_statement set state = 'done'")
  await down(target(place))
  await place.expectSchema({ tables: {} })
})

test('a rollback keeps a table to which another program has added a column, and one that an earlier version took over', async () => {
  const place = await openPlace()
  await place.generate()
  await up(target(place))
  await run(place, 'alter table user add column balance int')
  await run(place, 'drop table team')
  await run(place, 'create table team (id int primary key, price int)')
  await expect(down({ ...target(place), steps: 2 })).rejects.toMatchObject({
    code: 'NAMES_TAKEN',
    details: ['column team.price', 'column user.balance'],
  })
  expect(await rows(place, 'user')).toEqual([])
  await run(place, 'alter table user drop column balance')
  await run(place, 'drop table team')
  await down({ ...target(place), steps: 2 })
  await place.expectSchema({ tables: {} })
})

test('a rollback drops no table that another program created after it was dropped', async () => {
  const place = await openPlace()
  await place.generate()
  await up(target(place))
  await run(place, 'create table legacy (id int primary key)')
  await expect(down(target(place))).rejects.toMatchObject({ code: 'NAMES_TAKEN', details: ['table legacy'] })
  await run(place, 'drop table legacy')
  await down(target(place))
  await place.expectSchema(before)
})

test('a rollback does not execute a statement written by hand when the one it undoes was not executed', async () => {
  const place = await openPlace()
  await place.generate(1)
  await run(place, 'create table orders (id int primary key)')
  const path = join(place.dir, '0001_initial.sql')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('\n-- down\n', '\ncreate table orders (id int);\n\n-- down\n\ndrop table orders;\n'))
  await expect(up(target(place))).rejects.toMatchObject({ code: 'STATEMENT_FAILED' })
  await down(target(place))
  expect(await rows(place, 'orders')).toEqual([])
  await expect(rows(place, 'user')).rejects.toThrow()
})

async function restored(): Promise<Place> {
  const place = await openPlace()
  await place.generate()
  await up(target(place))
  // A dump without the tables of the migrator.
  for (const table of ['migration', 'migration_statement', 'daemon', 'lease']) await run(place, `drop table latchkey_${table}`)
  return place
}

test('adopts migrations whose tables exist in exactly the declared shape, and never drops them', async () => {
  const place = await restored()
  await expect(up(target(place))).rejects.toMatchObject({ code: 'NAMES_TAKEN' })
  const names = async (dryRun: boolean) => (await adopt({ ...target(place), dryRun })).adopted.map(({ name }) => name)
  expect(await names(true)).toEqual(['0001_initial', '0002_changes'])
  expect(await names(false)).toEqual(['0001_initial', '0002_changes'])
  expect(await names(false)).toEqual([])
  const found = await status({ ...target(place), schema: after })
  expect(found).toMatchObject({ taken: [], pending: [], drift: [], applied: 2 })
  expect(found.migrations.map(({ adopted }) => adopted)).toEqual([true, true])
  const { applied } = await down({ ...target(place), steps: 2 })
  expect(applied.flatMap(({ statements }) => statements)).toEqual([])
  await place.expectSchema(after)
})

test('adopts up to the migration that the database has, and applies the rest', async () => {
  const place = await restored()
  await run(place, 'drop table team')
  await expect(adopt(target(place))).rejects.toMatchObject({
    code: 'SHAPE_DIFFERS',
    exitCode: 5,
    details: ['The table team is missing'],
  })
  const earlier = await openPlace()
  await earlier.generate()
  await up({ ...target(earlier), to: 1 })
  for (const table of ['migration', 'migration_statement']) await run(earlier, `drop table latchkey_${table}`)
  expect((await adopt(target(earlier))).adopted.map(({ name }) => name)).toEqual(['0001_initial'])
  await up(target(earlier))
  await earlier.expectSchema(after)
  await down(target(earlier))
  await earlier.expectSchema(before)
})

test('an adopt that ends in the middle records nothing', async () => {
  const place = await restored()
  await adopt(target(place))
  await run(place, 'delete from latchkey_migration_statement')
  await run(place, 'delete from latchkey_migration')
  await run(
    place,
    "create trigger failing before insert on latchkey_migration_statement for each row if new.migration = 2 and new.position = 4 then signal sqlstate '45000'; end if",
  )
  await expect(adopt(target(place))).rejects.toThrow()
  expect([await rows(place, 'latchkey_migration'), await rows(place, 'latchkey_migration_statement')]).toEqual([[], []])
  await run(place, 'drop trigger failing')
  expect((await adopt(target(place))).adopted).toHaveLength(2)
  await place.expectSchema(after)
})
