/** Embedded databases are updated to the declared schema and keep their rows. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import {
  boolean,
  type Columns,
  id,
  integer,
  nullable,
  references,
  string,
  type Tables,
  timestamp,
  unique,
} from '../../src/core/table.ts'
import { adoptEmbedded, declareSchema, isClean, push, registerWorker, type Schema, status } from '../../src/migrate/index.ts'
import { introspect } from '../../src/migrate/introspect.ts'
import { stableJSON } from '../../src/migrate/schema.ts'
import { createFile } from '../conformance/probe.ts'
import { startProcess } from './kit.ts'
import { after, before, destructive } from './schemas.ts'

const limits = { poolSize: 1, connectTimeout: 1000, queryTimeout: 1000 }

function open(url = 'sqlite::memory:'): OpenDatabase {
  const database = openDatabase({ url, ...limits })
  onTestFinished(database.close)
  return database
}
async function expectSchema({ db, dialect }: OpenDatabase, schema: Schema): Promise<void> {
  expect(stableJSON(await introspect(db, dialect), 1)).toBe(stableJSON(schema, 1))
}
const silent = { warn() {} }
const declare = (tables: Tables) => declareSchema([{ tables }])
const withColumns = (columns: Columns) => declare({ user: { id: id(), ...columns } })

test('introspects the schema that was declared', async () => {
  const database = open()
  expect((await push({ ...database, schema: before })).changes).not.toEqual([])
  await expectSchema(database, before)
  expect((await push({ ...database, schema: before })).changes).toEqual([])
  await push({ ...database, schema: after })
  await expectSchema(database, after)
})

test('rebuilds a table and keeps its rows, the rows that refer to it, and the constraints', async () => {
  const database = open()
  const { db } = database
  await push({ ...database, schema: before })
  await sql`insert into user (id, email, createdAt, nick, age) values ('u', 'ann@example.com', '2026-01-01T00:00:00.123Z', 'Ann', 7)`.execute(
    db,
  )
  await sql`insert into session (id, userId) values ('s', 'u')`.execute(db)
  await push({ ...database, schema: after, acknowledge: destructive })
  await expectSchema(database, after)
  expect((await sql`select id, email, createdAt, nick, age, role from user`.execute(db)).rows).toEqual([
    { id: 'u', email: 'ann@example.com', createdAt: new Date('2026-01-01T00:00:00.123Z'), nick: 'Ann', age: 7, role: 'member' },
  ])
  expect((await sql`select id, userId from session`.execute(db)).rows).toEqual([{ id: 's', userId: 'u' }])
  await expect(sql`insert into session (id, userId) values ('t', 'missing')`.execute(db)).rejects.toThrow('FOREIGN KEY')
  await sql`delete from user`.execute(db)
  expect((await sql`select id, userId from session`.execute(db)).rows).toEqual([{ id: 's', userId: null }])
})

test('replaces nulls with the default when a column stops being nullable', async () => {
  const database = open()
  await push({ ...database, schema: withColumns({ count: nullable(integer()) }) })
  await sql`insert into user (id, count) values ('a', null), ('b', 2)`.execute(database.db)
  await push({ ...database, schema: withColumns({ count: integer({ default: 5 }) }) })
  expect((await sql`select count from user order by id`.execute(database.db)).rows).toEqual([{ count: 5 }, { count: 2 }])
})

test.each<[string, Columns]>([
  ['a column without a value for existing rows', { name: nullable(string()), at: timestamp() }],
  ['a unique key over equal values', { name: unique(nullable(string())) }],
  ['a nullable column with nulls that becomes required', { name: string() }],
])('rejects %s and changes nothing', async (_, columns) => {
  const database = open()
  const schema = withColumns({ name: nullable(string()) })
  await push({ ...database, schema })
  await sql`insert into user (id, name) values ('a', 'x'), ('b', 'x'), ('c', null)`.execute(database.db)
  await expect(push({ ...database, schema: withColumns(columns) })).rejects.toMatchObject({ code: 'STATEMENT_FAILED' })
  await expectSchema(database, schema)
  expect((await sql`select count(*) as n from user`.execute(database.db)).rows).toEqual([{ n: 3 }])
  await expect(sql`insert into latchkey_lease (name) values ('x')`.execute(database.db)).rejects.toThrow('NOT NULL')
})

test('rejects a foreign key when rows refer to missing rows', async () => {
  const database = open()
  const tables = (column: Columns) => declare({ user: { id: id() }, session: { id: id(), ...column } })
  await push({ ...database, schema: tables({ userId: string({ length: 36 }) }) })
  await sql`insert into session (id, userId) values ('s', 'missing')`.execute(database.db)
  await expect(push({ ...database, schema: tables({ userId: references('user') }) })).rejects.toThrow(
    'refer to rows of user that do not exist',
  )
})

test('drops data only when acknowledged, and empty columns without', async () => {
  const database = open()
  const full = declare({ user: { id: id(), nick: nullable(string()), flag: boolean({ default: false }) }, old: { id: id() } })
  const { user } = declare({ user: { id: id() } }).tables
  const schema: Schema = { tables: user ? { user } : {} }
  await push({ ...database, schema: full })
  await sql`insert into user (id, nick) values ('a', 'Ann')`.execute(database.db)
  await sql`insert into old (id) values ('o')`.execute(database.db)
  const refused = push({ ...database, schema })
  await expect(refused).rejects.toMatchObject({
    code: 'ACKNOWLEDGEMENT_NEEDED',
    details: ['drop-column:user.nick', 'drop-table:old'],
  })
  await expectSchema(database, full)
  await push({ ...database, schema, acknowledge: ['drop-column:user.nick', 'drop-table:old'] })
  await expectSchema(database, schema)
})

test('of several concurrent processes one updates the schema', async () => {
  const place = await createFile()
  onTestFinished(place.drop)
  const runs = Array.from({ length: 4 }, () => startProcess({ url: place.url, dir: '', direction: 'push' }))
  for (const { ended } of runs) expect(await ended).toEqual({ code: 0, signal: null })
  expect(runs.filter(({ lines }) => JSON.stringify(lines) !== '[{"changes":0}]')).toHaveLength(1)
  await expectSchema(open(place.url), after)
})

test('status on SQLite compares the database with the declared schema', async () => {
  const database = open()
  await push({ ...database, schema: before })
  const target = { ...database, dir: '/nowhere' }
  expect(isClean(await status({ ...target, schema: before }))).toBe(true)
  expect((await status({ ...target, schema: after })).drift).toContainEqual(
    expect.objectContaining({ path: 'team', message: 'The table team is missing' }),
  )
})

test('rejects a push to a database server', async () => {
  const server = open('mysql://user@localhost/db')
  await expect(push({ ...server, schema: before })).rejects.toMatchObject({ code: 'DIALECT_UNSUPPORTED' })
})

test('drops what a running daemon uses only when it is gone, and makes it optional before', async () => {
  const database = open()
  const { db, dialect, errors } = database
  const [old, next] = [
    withColumns({ nick: string({ length: 20 }), age: nullable(integer()) }),
    withColumns({ plan: nullable(integer()) }),
  ]
  await push({ ...database, schema: old })
  const worker = { id: 'w', host: 'here', process: 1, generation: 1, db, errors, clock: dialect.clock, log: silent, schema: old }
  const { attempted, remove } = registerWorker(worker)
  await attempted
  const names = ({ changes }: Awaited<ReturnType<typeof push>>) => changes.map(({ name }) => name)
  expect(names(await push({ ...database, schema: next }))).toEqual(['add-column:user.plan', 'change-column:user.nick'])
  await sql`insert into user (id, plan) values ('u', 1)`.execute(db)
  await remove()
  expect(names(await push({ ...database, schema: next }))).toEqual(['drop-column:user.nick', 'drop-column:user.age'])
  await expectSchema(database, next)
})

const app = ['create table user (id integer primary key, balance int)', 'insert into user values (1, 100)']

test.each<[string, readonly string[], readonly string[]]>([
  ['a table', app, ['table user']],
  ['a table in another case', ['create table "User" (id integer primary key)'], ['table user']],
  ['a view', ['create view user as select 1 as id'], ['view user']],
  ['an index', ['create table x (id text)', 'create index user_email_key on x (id)'], ['index x.user_email_key']],
  ['an index in another case', ['create table x (id text)', 'create index USER_email_key on x (id)'], ['index x.USER_email_key']],
  ['an index with the name of a table', ['create table x (id text)', 'create index user on x (id)'], ['index x.user']],
  ['a table with the name of the lock', ['create table latchkey_lease (id int)'], ['table latchkey_lease']],
])('refuses to update a database in which an app has %s of the same name', async (_, statements, details) => {
  const database = open()
  for (const text of statements) await sql.raw(text).execute(database.db)
  const definitions = async () => (await sql`select sql from sqlite_master`.execute(database.db)).rows
  const found = await definitions()
  for (const dryRun of [true, false])
    await expect(push({ ...database, schema: before, dryRun })).rejects.toMatchObject({
      code: 'NAMES_TAKEN',
      exitCode: 5,
      details,
    })
  expect(await definitions()).toEqual(found)
})

test('keeps what an app has added: tables, indexes, triggers, columns', async () => {
  const database = open()
  const { db } = database
  await push({ ...database, schema: before })
  for (const text of [
    'create table shop (id integer primary key)',
    'create index own_idx on user (createdAt)',
    'create trigger own_trigger after delete on user begin delete from shop; end',
  ])
    await sql.raw(text).execute(db)
  await push({ ...database, schema: after, acknowledge: destructive })
  const names = async () =>
    (
      await sql<{
        name: string
      }>`select name from sqlite_master where name in ('shop', 'own_idx', 'own_trigger', 'legacy') order by name`.execute(db)
    ).rows
  expect(await names()).toEqual([{ name: 'own_idx' }, { name: 'own_trigger' }, { name: 'shop' }])
  await sql`alter table user add column balance int`.execute(db)
  expect((await push({ ...database, schema: after })).changes).toEqual([])
  await expect(push({ ...database, schema: before })).rejects.toMatchObject({
    code: 'NAMES_TAKEN',
    details: ['column user.balance'],
  })
  expect((await status({ ...database, dir: '/nowhere', schema: before })).taken).toEqual([
    { path: 'user.balance', kind: 'column' },
  ])
})

test('rebuilds a table that a view and a trigger of an app name, and keeps both', async () => {
  const database = open()
  const { db } = database
  await push({ ...database, schema: before })
  for (const text of [
    'create view customer as select id, email from user',
    'create table shop (id integer primary key, owner text references user (id))',
    'create trigger own_trigger after insert on shop begin update user set email = email where id = new.owner; end',
    "insert into user (id, email, createdAt) values ('u', 'ann@example.com', '2026-01-01 00:00:00.000')",
    "insert into shop values (1, 'u')",
  ])
    await sql.raw(text).execute(db)
  await push({ ...database, schema: after, acknowledge: destructive })
  expect((await sql`select * from customer`.execute(db)).rows).toEqual([{ id: 'u', email: 'ann@example.com' }])
  await sql`insert into shop values (2, 'u')`.execute(db)
  await expect(sql`insert into shop values (3, 'missing')`.execute(db)).rejects.toThrow('FOREIGN KEY constraint failed')
})

test('names foreign keys of an app to a table that it would drop', async () => {
  const database = open()
  await push({ ...database, schema: before })
  await sql`create table shop (id integer primary key, legacy text references legacy (id))`.execute(database.db)
  for (const dryRun of [true, false])
    await expect(push({ ...database, schema: after, acknowledge: destructive, dryRun })).rejects.toMatchObject({
      code: 'STILL_REFERENCED',
      details: ['foreign key shop.shop_legacy_fk'],
    })
})

test('continues with a database of an earlier version, which did not record what it created', async () => {
  const database = open()
  await push({ ...database, schema: before })
  await sql`drop table latchkey_made`.execute(database.db)
  await sql`create table shop (id integer primary key)`.execute(database.db)
  await push({ ...database, schema: after, known: ['legacy'] })
  expect(Object.keys((await introspect(database.db, database.dialect)).tables)).toEqual(['session', 'shop', 'team', 'user'])
  expect((await push({ ...database, schema: after })).changes).toEqual([])
})

test('adopts the tables of a restored dump when they have exactly the declared shape', async () => {
  const database = open()
  await push({ ...database, schema: before })
  for (const table of ['made', 'lease', 'daemon']) await sql.raw(`drop table latchkey_${table}`).execute(database.db)
  await expect(push({ ...database, schema: before })).rejects.toMatchObject({ code: 'NAMES_TAKEN' })
  await expect(adoptEmbedded({ ...database, schema: after })).rejects.toMatchObject({ code: 'SHAPE_DIFFERS' })
  expect(await adoptEmbedded({ ...database, schema: before })).toEqual(['legacy', 'session', 'user'])
  expect(await adoptEmbedded({ ...database, schema: before })).toEqual([])
  expect((await push({ ...database, schema: before })).changes).toEqual([])
})
