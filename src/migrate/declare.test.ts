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

describe('what features declare together', () => {
  test('columns that another feature adds stand in the same table', () => {
    const schema = declareSchema([{ tables: { user } }, { tables: { user: { role: nullable(string()) } } }])
    expect(Object.keys(schema.tables.user?.columns ?? {})).toEqual(['id', 'email', 'role'])
  })

  test('a column that two features declare is refused', () => {
    expect(() => declareSchema([{ tables: { user } }, { tables: { user: { email: string() } } }])).toThrow(
      'user.email is declared twice',
    )
  })

  test('every foreign key has a name and an index', () => {
    const { session } = declare({ user, session: { id: id(), userId: references('user') } }).tables
    expect(session?.foreignKeys).toEqual({ session_userId_fk: { column: 'userId', references: 'user', onDelete: 'cascade' } })
    expect(session?.indexes).toEqual({ session_userId_idx: { columns: ['userId'], unique: false } })
  })

  test('an index that begins with the column serves a foreign key too', () => {
    const tables = { user, member: { id: id(), userId: references('user'), role: string() } }
    const { member } = declare(tables, { member: [uniqueIndex('userId', 'role')] }).tables
    expect(Object.keys(member?.indexes ?? {})).toEqual(['member_userId_role_key'])
    const other = declare(tables, { member: [index('role', 'userId')] }).tables.member
    expect(Object.keys(other?.indexes ?? {})).toEqual(['member_role_userId_idx', 'member_userId_idx'])
  })

  test('long names of indexes are shortened to 64 characters and stay different', () => {
    const columns = { [`a${'x'.repeat(60)}`]: unique(integer()), [`b${'x'.repeat(60)}`]: unique(integer()) }
    const names = Object.keys(
      declare({ [`t${'x'.repeat(60)}`]: { id: id(), ...columns } }).tables[`t${'x'.repeat(60)}`]?.indexes ?? {},
    )
    expect(names.map(({ length }) => length)).toEqual([64, 64])
    expect(new Set(names).size).toBe(2)
  })

  test('the order of features makes no difference', () => {
    const [one, other] = [{ tables: { user } }, { tables: { session: { id: id(), userId: references('user') } } }]
    expect(stableJSON(declareSchema([one, other]))).toBe(stableJSON(declareSchema([other, one])))
  })
})

describe('what cannot be', () => {
  test.each<[string, Tables, RegExp]>([
    [
      'a reference to a table that nobody declares',
      { session: { id: id(), userId: references('user') } },
      /user, which nobody declares/,
    ],
    [
      'a reference of another type than the key',
      { user, session: { id: id(), userId: { ...references('user'), length: 20 } } },
      /another type/,
    ],
    [
      'setting to null what is never null',
      { user, session: { id: id(), userId: references('user', 'set null') } },
      /must be nullable/,
    ],
    ['a table without a key', { user: { name: string() } }, /one primary column/],
    ['a table with two keys', { user: { id: id(), other: id() } }, /one primary column/],
    ['a name that needs quoting', { user: { id: id(), 'e-mail': string() } }, /must consist of letters/],
    ['a name of more than 64 characters', { user: { id: id(), ['x'.repeat(65)]: string() } }, /longer than 64/],
    ['a name that every object has', { user: { id: id(), constructor: string() } }, /every object/],
    ['a table of the migrator', { latchkey_migration: { id: id() } }, /kept for the migrator/],
    ['names that differ in case only', { user: { id: id(), Name: string(), name: string() } }, /differ in case only/],
    ['tables that differ in case only', { user, User: { id: id() } }, /used twice/],
    ['a default of another type', { user: { id: id(), flag: { ...boolean(), default: 'yes' } } }, /cannot have the default/],
    ['a default for JSON', { user: { id: id(), data: { ...json(), default: '{}' } } }, /cannot have the default/],
    ['a default with a quote', { user: { id: id(), name: { ...string(), default: "it's" } } }, /plain characters/],
    ['a default with a fraction', { user: { id: id(), n: { ...integer(), default: 0.5 } } }, /whole number/],
    ['a unique long text', { user: { id: id(), name: unique(text()) } }, /too long for an index/],
    ['a key of more than 3072 bytes', { user: { id: id(), name: unique(string({ length: 800 })) } }, /longer than 3072/],
    [
      'a row of more than 65535 bytes',
      { user: { id: id(), a: string({ length: 9000 }), b: string({ length: 9000 }) } },
      /may be longer/,
    ],
  ])('%s is refused', (_, tables, message) => {
    expect(() => declare(tables)).toThrow(
      expect.objectContaining({ code: 'SCHEMA_INVALID', message: expect.stringMatching(message) }),
    )
  })

  test.each([
    ['a column that does not exist', { user: [index('nick')] }, /nick, which is no column/],
    ['a table that does not exist', { team: [index('id')] }, /team, which nobody declares/],
  ])('an index over %s is refused', (_, indexes, message) => {
    expect(() => declare({ user }, indexes)).toThrow(message)
  })
})
