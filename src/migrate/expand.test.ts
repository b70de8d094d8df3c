import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { id, index, integer, nullable, references, string, unique } from '../core/table.ts'
import { declareSchema } from './declare.ts'
import { canServe, expandSchema, findRenames } from './expand.ts'
import { generate } from './generate.ts'
import type { Schema } from './schema.ts'
import { droppedParts } from './serving.ts'

const schema = (user: object, more: object = {}): Schema => declareSchema([{ tables: { user: { id: id(), ...user }, ...more } }])
const empty = schema({})

describe('an app can serve a database', () => {
  test.each([
    ['with an optional column more', schema({ nick: nullable(string({ length: 20 })) }), true],
    ['with a column more that has a default', schema({ age: integer({ default: 0 }) }), true],
    ['with a required column more', schema({ nick: string({ length: 20 }) }), false],
    ['with a unique optional column more', schema({ nick: nullable(unique(string({ length: 20 }))) }), true],
    ['with a unique column more that has a default', schema({ age: unique(integer({ default: 0 })) }), false],
    ['with a table more', schema({}, { team: { id: id() } }), true],
    ['with a required reference more', schema({ boss: references('user') }), false],
  ])('%s: %s', (_, live, expected) => {
    expect(canServe(empty, live)).toBe(expected)
  })
  test('that lacks a column: false', () => {
    expect(canServe(schema({ nick: nullable(string({ length: 20 })) }), empty)).toBe(false)
  })
  test('with a unique key more over columns that it declares: false', () => {
    const [plain, distinct] = [schema({ nick: string({ length: 20 }) }), schema({ nick: unique(string({ length: 20 })) })]
    expect(canServe(plain, distinct)).toBe(false)
  })
})

const before = declareSchema([
  {
    tables: {
      user: { id: id(), nick: string({ length: 20 }), code: unique(string({ length: 9 })), age: integer({ default: 1 }) },
      legacy: { id: id(), userId: references('user') },
    },
    indexes: { user: [index('age', 'nick')] },
  },
])
const after = schema({ plan: nullable(string({ length: 20 })), age: integer({ default: 1 }) })

test('the schema between has what both need, so that apps of both can serve it', () => {
  const between = expandSchema(before, after)
  expect(canServe(after, between)).toBe(true)
  expect(between.tables.user?.columns).toMatchObject({
    nick: { nullable: true },
    code: { nullable: true },
    plan: { nullable: true },
  })
  expect(Object.keys(between.tables.user?.indexes ?? {}).sort()).toEqual(['user_age_nick_idx', 'user_code_key'])
  expect(between.tables.legacy).toEqual(before.tables.legacy)
})

test('generates the drops as a migration of their own, after one that leaves the columns optional', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-expand-'))
  await generate({ schema: before, dir })
  const acknowledge = ['drop-column:user.nick', 'drop-column:user.code', 'drop-table:legacy']
  const { written } = await generate({ schema: after, dir, name: 'plan', acknowledge })
  expect(written?.names).toEqual(['0002_plan', '0003_plan-drop'])
  const texts = await Promise.all(written?.names.map((name) => readFile(join(dir, `${name}.sql`), 'utf8')) ?? [])
  const changes = texts.map((text) =>
    [...(text.split('-- down')[0]?.matchAll(/^-- ([a-z-]+:\S+) /gm) ?? [])].map(([, name]) => name),
  )
  expect(changes[0]).toEqual(['add-column:user.plan', 'change-column:user.code', 'change-column:user.nick'])
  expect(changes[1]?.every((name) => name?.startsWith('drop-'))).toBe(true)
  // The rollback makes the column required again, also for rows that were inserted without it.
  expect(texts[0]).toContain("update `user` set `nick` = '' where `nick` is null limit 1000;")
  expect(texts[0]).not.toContain('update `user` set `code`')
  expect((await generate({ schema: after, dir })).changes).toEqual([])
})

test('generates one migration when nothing must change before a drop', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-expand-'))
  await generate({ schema: schema({ nick: nullable(string({ length: 20 })) }), dir })
  const { written } = await generate({ schema: empty, dir, acknowledge: ['drop-column:user.nick'] })
  expect(written?.names).toEqual(['0002_user'])
})

test('finds columns that may have been renamed', () => {
  const [one, other] = [
    schema({ seats: nullable(integer()) }),
    schema({ licences: nullable(integer()), note: nullable(string({ length: 9 })) }),
  ]
  expect(findRenames(one, other)).toEqual([{ table: 'user', from: 'seats', to: 'licences' }])
})

test.each([
  ['drop table legacy', ['legacy']],
  ['drop table if exists `legacy`', ['legacy']],
  ['ALTER TABLE `user` DROP COLUMN `nick`, drop age', ['user.nick', 'user.age']],
  ['alter table user drop index x, drop foreign key y', []],
  ['alter table user rename column a to b, change c d int', ['user.a', 'user.c']],
  ['update user set age = 1', []],
])('finds what a statement written by hand drops: %s', (sql, expected) => {
  expect(droppedParts({ change: null, sql })).toEqual(expected)
})
