/** `status` reports pending migrations, edited files and drift. */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isClean, status, up } from '../../src/migrate/index.ts'
import { openPlace, type Place } from './kit.ts'
import { after, before } from './schemas.ts'

async function openApplied(): Promise<Place> {
  const place = await openPlace()
  await place.generate()
  await up({ ...place, holder: 'the test' })
  return place
}

async function findDrift(place: Place, change: string): Promise<string[]> {
  await sql.raw(change).execute(place.db)
  const found = await status({ ...place, schema: after })
  expect(isClean(found)).toBe(false)
  return found.drift.map(({ path, message }) => `${path}: ${message}`)
}

test('is clean after all migrations are applied', async () => {
  const found = await status({ ...(await openApplied()), schema: after })
  const migrations = ['0001_initial', '0002_changes'].map((name, index) => {
    return {
      number: index + 1,
      name,
      appliedAt: expect.any(Date),
      appliedBy: 'the test',
      duration: expect.any(Number),
      adopted: false,
    }
  })
  expect(found).toEqual({
    ungenerated: [],
    taken: [],
    pending: [],
    interrupted: [],
    edited: [],
    missing: [],
    drift: [],
    applied: 2,
    migrations,
  })
  expect(isClean(found)).toBe(true)
})

test('reports unapplied files as pending, not as drift', async () => {
  const place = await openPlace()
  await place.generate()
  expect(await status({ ...place, schema: after })).toMatchObject({
    pending: ['0001_initial', '0002_changes'],
    drift: [],
    applied: 0,
  })
  await up({ ...place, holder: 'the test', to: 1 })
  const found = await status({ ...place, schema: after })
  expect(found).toMatchObject({ pending: ['0002_changes'], drift: [], applied: 1 })
  expect(isClean(found)).toBe(false)
})

test('reports declared changes that are in no migration', async () => {
  const place = await openApplied()
  const schema = { tables: { ...after.tables, extra: { columns: {}, indexes: {}, foreignKeys: {} } } }
  expect(await status({ ...place, schema })).toMatchObject({
    ungenerated: [{ name: 'create-table:extra', class: 'safe' }],
    pending: [],
    drift: [],
  })
  expect((await status({ ...place, schema: before })).ungenerated).toContainEqual({
    name: 'drop-table:team',
    class: 'destructive',
  })
})

test.each<[string, string, string]>([
  ['a missing table', 'drop table team', 'team: The table team is missing'],
  ['a missing column', 'alter table user drop column age', 'user.age: The column user.age is missing'],
  ['an added column', 'alter table user add column extra int null', 'user.extra: The column user.extra is in no migration'],
  [
    'a shorter column',
    'alter table user modify column nick varchar(30) null',
    'user.nick: The column user.nick is varchar(30) null instead of varchar(40) null',
  ],
  [
    'a column of another type',
    'alter table user modify column age bigint not null default 18',
    'user.age: The column user.age is bigint not null default 18 instead of integer not null default 18',
  ],
  [
    'an unsigned column',
    'alter table user modify column age int unsigned not null default 18',
    'user.age: The column user.age is int unsigned not null default "18" instead of integer not null default 18',
  ],
  [
    'a nullable column',
    'alter table user modify column age int null default 18',
    'user.age: The column user.age is integer null default 18 instead of integer not null default 18',
  ],
  [
    'another default',
    'alter table user alter column age set default 21',
    'user.age: The column user.age is integer not null default 21 instead of integer not null default 18',
  ],
  [
    'a time without milliseconds',
    'alter table session modify column seen datetime null',
    'session.seen: The column session.seen is datetime null instead of timestamp null',
  ],
  [
    'another collation',
    'alter table user modify column nick varchar(40) collate utf8mb4_general_ci null',
    'user.nick: The column user.nick is varchar(40) collate utf8mb4_general_ci null instead of varchar(40) null',
  ],
  [
    'another character set',
    'alter table user modify column role varchar(30) character set latin1 not null default "member"',
    'user.role: The column user.role is varchar(30) collate latin1_swedish_ci not null default "member" instead of varchar(30) not null default "member"',
  ],
  [
    'a missing index',
    'alter table session drop index session_seen_userId_idx',
    'session.session_seen_userId_idx: The index session.session_seen_userId_idx is missing',
  ],
  ['an added index', 'alter table user add index extra (age)', 'user.extra: The index user.extra is in no migration'],
  [
    'an index over other columns',
    'alter table session drop index session_seen_userId_idx, add index session_seen_userId_idx (seen)',
    'session.session_seen_userId_idx: The index session.session_seen_userId_idx is not unique over seen instead of not unique over seen, userId',
  ],
  [
    'an index over a part of a column',
    'alter table user drop index user_email_key, add unique index user_email_key (email(10))',
    'user.user_email_key: The index user.user_email_key is unique over email over parts of its columns instead of unique over email',
  ],
  [
    'a unique key that is none',
    'alter table user drop index user_email_key, add index user_email_key (email)',
    'user.user_email_key: The index user.user_email_key is not unique over email instead of unique over email',
  ],
  [
    'a missing foreign key',
    'alter table team drop foreign key team_ownerId_fk',
    'team.team_ownerId_fk: The foreign key team.team_ownerId_fk is missing',
  ],
  [
    'a check constraint',
    'alter table user add constraint age_positive check (age >= 0)',
    'user: The table user has the check constraint age_positive',
  ],
  [
    'a trigger',
    "create trigger reject before insert on user for each row set new.role = 'x'",
    'user: The table user has the trigger reject',
  ],
  [
    'another default collation, which columns that are added later inherit',
    'alter table user default character set utf8mb4 collate utf8mb4_general_ci',
    'user: The table user has the default collation utf8mb4_general_ci',
  ],
])('reports as drift: %s', async (_, change, message) => {
  expect(await findDrift(await openApplied(), change)).toEqual([message])
})

test('reports an index that the server does not use', async () => {
  const place = await openApplied()
  const { rows } = await sql<{ version: string }>`select version() as version`.execute(place.db)
  const word = /mariadb/i.test(rows[0]?.version ?? '') ? 'ignored' : 'invisible'
  expect(await findDrift(place, `alter table session alter index session_seen_userId_idx ${word}`)).toEqual([
    'session.session_seen_userId_idx: The index session.session_seen_userId_idx is not unique over seen, userId invisible instead of not unique over seen, userId',
  ])
})

test('reports a check of a column', async () => {
  const place = await openApplied()
  const [drift] = await findDrift(place, 'alter table user add column extra int null check (extra > 0), drop column age')
  expect(drift).toMatch(/^user: The table user has the check constraint \w+$/)
})

test('reports a foreign key with another action on delete', async () => {
  const place = await openApplied()
  await sql`alter table session drop foreign key session_userId_fk`.execute(place.db)
  const drift = await findDrift(
    place,
    'alter table session add constraint session_userId_fk foreign key (userId) references user (id) on delete cascade',
  )
  expect(drift).toEqual([
    'session.session_userId_fk: The foreign key session.session_userId_fk is from userId to user on delete cascade instead of from userId to user on delete set null',
  ])
})

test('ignores tables of other programs', async () => {
  const place = await openApplied()
  await sql`create table shop (id int auto_increment primary key, price decimal(10, 2))`.execute(place.db)
  expect(isClean(await status({ ...place, schema: after }))).toBe(true)
})

test('needs no migration for an equivalent schema in another order', async () => {
  const place = await openApplied()
  const { user, ...others } = after.tables
  const reordered = {
    tables: {
      ...others,
      user: {
        ...(user ?? { indexes: {}, foreignKeys: {} }),
        columns: Object.fromEntries(Object.entries(user?.columns ?? {}).toReversed()),
      },
    },
  }
  expect(isClean(await status({ ...place, schema: reordered }))).toBe(true)
})
