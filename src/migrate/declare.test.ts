import { describe, expect, test } from 'vitest'
import {
  boolean,
  id,
  index,
  integer,
  json,
  nullable,
  references,
  string,
  type Tables,
  text,
  unique,
  uniqueIndex,
} from '../core/table.ts'
import { declareSchema } from './declare.ts'
import { stableJSON } from './schema.ts'

const declare = (tables: Tables, indexes = {}) => declareSchema([{ tables, indexes }])
const user = { id: id(), email: unique(string()) }

describe('a merged schema', () => {
  test('has the columns that another feature adds to a table', () => {
    const schema = declareSchema([{ tables: { user } }, { tables: { user: { role: nullable(string()) } } }])
    expect(Object.keys(schema.tables.user?.columns ?? {})).toEqual(['id', 'email', 'role'])
  })

  test('rejects a column that two features declare', () => {
    expect(() => declareSchema([{ tables: { user } }, { tables: { user: { email: string() } } }])).toThrow(
      'user.email is declared twice',
    )
  })

  test('has a name and an index for every foreign key', () => {
    const { session } = declare({ user, session: { id: id(), userId: references('user') } }).tables
    expect(session?.foreignKeys).toEqual({ session_userId_fk: { column: 'userId', references: 'user', onDelete: 'cascade' } })
    expect(session?.indexes).toEqual({ session_userId_idx: { columns: ['userId'], unique: false } })
  })

  test('reuses an index that starts with the column of a foreign key', () => {
    const tables = { user, member: { id: id(), userId: references('user'), role: string() } }
    const { member } = declare(tables, { member: [uniqueIndex('userId', 'role')] }).tables
    expect(Object.keys(member?.indexes ?? {})).toEqual(['member_userId_role_key'])
    const other = declare(tables, { member: [index('role', 'userId')] }).tables.member
    expect(Object.keys(other?.indexes ?? {})).toEqual(['member_role_userId_idx', 'member_userId_idx'])
  })

  test('shortens long index names to 64 characters and keeps them unique', () => {
    const columns = { [`a${'x'.repeat(60)}`]: unique(integer()), [`b${'x'.repeat(60)}`]: unique(integer()) }
    const names = Object.keys(
      declare({ [`t${'x'.repeat(60)}`]: { id: id(), ...columns } }).tables[`t${'x'.repeat(60)}`]?.indexes ?? {},
    )
    expect(names.map(({ length }) => length)).toEqual([64, 64])
    expect(new Set(names).size).toBe(2)
  })

  test('does not depend on the order of features', () => {
    const [one, other] = [{ tables: { user } }, { tables: { session: { id: id(), userId: references('user') } } }]
    expect(stableJSON(declareSchema([one, other]))).toBe(stableJSON(declareSchema([other, one])))
  })
})

describe('an invalid schema', () => {
  test.each<[string, Tables, RegExp]>([
    [
      'a reference to an undeclared table',
      { session: { id: id(), userId: references('user') } },
      /user, which no feature declares/,
    ],
    [
      'a reference of another type than the key',
      { user, session: { id: id(), userId: { ...references('user'), length: 20 } } },
      /a different type/,
    ],
    [
      'set null on a column that is not nullable',
      { user, session: { id: id(), userId: references('user', 'set null') } },
      /must be nullable/,
    ],
    ['a table without a primary column', { user: { name: string() } }, /must have a primary key/],
    ['a nullable primary column', { user: { id: nullable(id()) } }, /not nullable/],
    [
      'a reference to a table with two primary columns',
      { user: { id: id(), other: id() }, session: { id: id(), userId: references('user') } },
      /primary key has several columns/,
    ],
    ['a name that needs quoting', { user: { id: id(), 'user-name': string() } }, /contain only letters/],
    ['a name of more than 64 characters', { user: { id: id(), ['x'.repeat(65)]: string() } }, /longer than 64/],
    ['a name that every JavaScript object has', { user: { id: id(), constructor: string() } }, /every JavaScript object/],
    ['a table of the migrator', { latchkey_migration: { id: id() } }, /belongs to the migrator/],
    ['names that differ only in case', { user: { id: id(), Name: string(), name: string() } }, /differ only in case/],
    ['tables that differ only in case', { user, User: { id: id() } }, /used twice/],
    ['a default of another type', { user: { id: id(), flag: { ...boolean(), default: 'yes' } } }, /cannot have the default/],
    ['a default for JSON', { user: { id: id(), data: { ...json(), default: '{}' } } }, /cannot have the default/],
    ['a default with a quote', { user: { id: id(), name: { ...string(), default: "it's" } } }, /may contain only letters/],
    ['a default with a fraction', { user: { id: id(), n: { ...integer(), default: 0.5 } } }, /must be an integer/],
    ['a unique long text', { user: { id: id(), name: unique(text()) } }, /too long for an index/],
    ['a key of more than 3072 bytes', { user: { id: id(), name: unique(string({ length: 800 })) } }, /exceeds 3072/],
    [
      'a row of more than 65535 bytes',
      { user: { id: id(), a: string({ length: 9000 }), b: string({ length: 9000 }) } },
      /can exceed/,
    ],
  ])('%s is rejected', (_, tables, message) => {
    expect(() => declare(tables)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID', message: expect.stringMatching(message) }),
    )
  })

  test.each([
    ['a column that does not exist', { user: [index('nick')] }, /nick, which is not one of its columns/],
    ['a table that does not exist', { team: [index('id')] }, /team, which no feature declares/],
  ])('an index over %s is rejected', (_, indexes, message) => {
    expect(() => declare({ user }, indexes)).toThrow(message)
  })
})
