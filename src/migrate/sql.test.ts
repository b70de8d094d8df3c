import { expect, test } from 'vitest'
import {
  bigint,
  type Columns,
  id,
  index,
  integer,
  json,
  nullable,
  references,
  string,
  type Tables,
  timestamp,
  unique,
} from '../core/table.ts'
import { declareSchema } from './declare.ts'
import { diffSchemas } from './diff.ts'
import { emptySchema, type Schema } from './schema.ts'
import { toMysql, toSqlite } from './sql.ts'

const declare = (tables: Tables, indexes = {}): Schema => declareSchema([{ tables, indexes }])
const sql = (from: Schema, to: Schema) => toMysql(diffSchemas(from, to), to).map((statement) => statement.sql)
const withColumns = (columns: Columns) => declare({ user: { id: id(), ...columns } })

test('creates a table with its indexes, engine and a binary collation', () => {
  const schema = declare({
    user: { id: id() },
    session: { id: id(), userId: references('user'), at: timestamp(), key: unique(string({ length: 20 })) },
  })
  expect(sql(emptySchema, schema)[1]).toBe(`create table \`session\` (
  \`id\` varchar(36) not null,
  \`userId\` varchar(36) not null,
  \`at\` datetime(3) not null,
  \`key\` varchar(20) not null,
  primary key (\`id\`),
  unique index \`session_key_key\` (\`key\`),
  index \`session_userId_idx\` (\`userId\`),
  constraint \`session_userId_fk\` foreign key (\`userId\`) references \`user\` (\`id\`) on delete cascade
) engine=InnoDB row_format=dynamic default character set utf8mb4 /*!80017 collate utf8mb4_0900_bin */ /*M! collate utf8mb4_nopad_bin */`)
})

test.each<[string, Schema, Schema, string[]]>([
  [
    'adding a column',
    withColumns({}),
    withColumns({ n: integer({ default: 3 }) }),
    ['add column `n` int not null default 3, algorithm=instant'],
  ],
  ['dropping a column', withColumns({ n: integer() }), withColumns({}), ['drop column `n`, algorithm=instant']],
  [
    'lengthening a text',
    withColumns({ n: string({ length: 10 }) }),
    withColumns({ n: string({ length: 20 }) }),
    ['modify column `n` varchar(20) not null, algorithm=inplace, lock=none'],
  ],
  [
    'widening a number',
    withColumns({ n: integer() }),
    withColumns({ n: bigint() }),
    ['modify column `n` bigint not null, algorithm=copy, lock=shared'],
  ],
  [
    'changing a default',
    withColumns({ n: integer({ default: 1 }) }),
    withColumns({ n: integer({ default: 2 }) }),
    ['alter column `n` set default 2, algorithm=instant'],
  ],
  [
    'dropping a default',
    withColumns({ n: integer({ default: 1 }) }),
    withColumns({ n: integer() }),
    ['alter column `n` drop default, algorithm=instant'],
  ],
  [
    'dropping the default of a nullable column',
    withColumns({ n: nullable(integer({ default: 1 })) }),
    withColumns({ n: nullable(integer()) }),
    ['alter column `n` set default null, algorithm=instant'],
  ],
  [
    'adding a unique key',
    withColumns({ n: integer() }),
    withColumns({ n: unique(integer()) }),
    ['add unique index `user_n_key` (`n`), algorithm=inplace, lock=none'],
  ],
  [
    'adding a timestamp that is not nullable',
    withColumns({}),
    withColumns({ n: timestamp() }),
    [
      "add column `n` datetime(3) not null default '1970-01-01 00:00:00.000', algorithm=instant",
      'alter column `n` drop default, algorithm=instant',
    ],
  ],
  [
    'adding JSON that is not nullable',
    withColumns({}),
    withColumns({ n: json() }),
    [
      "add column `n` json /*M! collate utf8mb4_nopad_bin */ not null /*M! default '{}' */, algorithm=instant",
      'alter column `n` drop default, algorithm=instant',
    ],
  ],
])('%s names its algorithm', (_, from, to, expected) => {
  expect(sql(from, to)).toEqual(expected.map((text) => `alter table \`user\` ${text}`))
})

test('adds a foreign key between existing tables in place', () => {
  const tables = (references: Columns) =>
    declare({ user: { id: id() }, session: { id: id(), ...references } }, { session: [index('userId')] })
  const [from, to] = [tables({ userId: string({ length: 36 }) }), tables({ userId: references('user', 'restrict') })]
  expect(sql(from, to)).toEqual([
    'alter table `session` add constraint `session_userId_fk` foreign key (`userId`) references `user` (`id`) on delete restrict, algorithm=inplace, lock=none',
  ])
  expect(sql(to, from)).toEqual(['alter table `session` drop foreign key `session_userId_fk`, algorithm=inplace, lock=none'])
})

test('names the algorithm in every statement that changes a table', () => {
  const from = declare({ a: { id: id(), x: string(), y: unique(integer()) }, b: { id: id(), aId: references('a') } })
  const to = declare({
    a: { id: id(), x: nullable(string({ length: 600 })), z: timestamp() },
    b: { id: { ...id(), length: 50 }, aId: nullable(references('a', 'set null')) },
  })
  for (const text of [...sql(from, to), ...sql(to, from)])
    expect(text).toMatch(/, algorithm=(instant|inplace, lock=none|copy, lock=shared)$/)
})

const sqlite = (from: Schema, to: Schema) => toSqlite(diffSchemas(from, to), from, to)

test('adds a table, an index and nothing else to SQLite without rebuilding', () => {
  const from = declare({ user: { id: id(), nick: string({ length: 10 }) } })
  const to = declare({ user: { id: id(), nick: unique(string({ length: 10 })) }, team: { id: id() } })
  expect(sqlite(from, to)).toEqual([
    expect.stringMatching(/^create table "team" \(\n.*\n {2}primary key \("id"\)\n\)$/s),
    'create unique index "user_nick_key" on "user" ("nick")',
  ])
  expect(sqlite(to, from)).toEqual(['drop index "user_nick_key"', 'drop table "team"'])
})

test('rebuilds a changed SQLite table with its rows and indexes', () => {
  const from = declare({ user: { id: id(), nick: nullable(unique(string({ length: 10 }))), old: integer() } })
  const to = declare({
    user: { id: id(), nick: { ...unique(string({ length: 10 })), default: 'none' }, age: nullable(integer()) },
  })
  expect(sqlite(from, to)).toEqual([
    expect.stringContaining('create table "latchkey_new_user" ('),
    `insert into "latchkey_new_user" ("id", "nick") select "id", coalesce("nick", 'none') from "user"`,
    'drop table "user"',
    'alter table "latchkey_new_user" rename to "user"',
    'create unique index "user_nick_key" on "user" ("nick")',
  ])
})
