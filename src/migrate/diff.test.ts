import { expect, test } from 'vitest'
import {
  bigint,
  boolean,
  type Columns,
  type Indexes,
  id,
  index,
  integer,
  json,
  nullable,
  references,
  string,
  type Tables,
  text,
  timestamp,
  unique,
} from '../core/table.ts'
import { toChanges } from './changes.ts'
import { declareSchema } from './declare.ts'
import { diffSchemas } from './diff.ts'
import { emptySchema, type Schema } from './schema.ts'

const declare = (tables: Tables, indexes: Indexes = {}): Schema => declareSchema([{ tables, indexes }])
const changes = (from: Schema, to: Schema) => toChanges(diffSchemas(from, to)).map((change) => `${change.name} ${change.class}`)
const key = { id: id() }
const withColumns = (columns: Columns, indexes: Indexes = {}) => declare({ user: { ...key, ...columns } }, indexes)

test('finds no change between equal schemas, whatever their order', () => {
  const one = declare({ user: { ...key, a: string(), b: string() }, team: key })
  const other = declare({ team: key, user: { b: string(), a: string(), ...key } })
  expect(diffSchemas(one, other)).toEqual([])
})

test('creates tables after those they refer to, and drops them before', () => {
  const schema = declare({
    account: { ...key, userId: references('user') },
    user: { ...key, teamId: references('team') },
    team: key,
  })
  expect(changes(emptySchema, schema)).toEqual(['create-table:team safe', 'create-table:user safe', 'create-table:account safe'])
  expect(changes(schema, emptySchema)).toEqual([
    'drop-table:account destructive',
    'drop-table:user destructive',
    'drop-table:team destructive',
  ])
})

test('adds one foreign key of a circle last, and drops it first', () => {
  const schema = declare({ user: { ...key, teamId: references('team') }, team: { ...key, ownerId: references('user') } })
  expect(changes(emptySchema, schema)).toHaveLength(3)
  expect(changes(emptySchema, schema).at(-1)).toMatch(/^add-foreign-key:/)
  expect(changes(schema, emptySchema)[0]).toMatch(/^drop-foreign-key:/)
})

test('creates a table that refers to itself in one step', () => {
  expect(changes(emptySchema, declare({ team: { ...key, parentId: nullable(references('team', 'set null')) } }))).toEqual([
    'create-table:team safe',
  ])
})

test.each<[string, Columns, Columns, string]>([
  ['a longer text of the same kind', { c: string({ length: 64 }) }, { c: string({ length: 255 }) }, 'safe'],
  ['a longer text that needs a longer length', { c: string({ length: 63 }) }, { c: string({ length: 64 }) }, 'needs-lock'],
  ['a shorter text', { c: string({ length: 64 }) }, { c: string({ length: 63 }) }, 'needs-lock'],
  ['nullable', { c: string() }, { c: nullable(string()) }, 'safe'],
  ['no longer nullable', { c: nullable(string()) }, { c: string() }, 'needs-lock'],
  ['another default', { c: integer({ default: 1 }) }, { c: integer({ default: 2 }) }, 'safe'],
  ['no default', { c: boolean({ default: true }) }, { c: boolean() }, 'safe'],
  ['a wider number', { c: integer() }, { c: bigint() }, 'needs-lock'],
  ['a long text', { c: string() }, { c: text() }, 'needs-lock'],
  ['a time instead of a number', { c: bigint() }, { c: timestamp() }, 'destructive'],
  ['a text instead of a time', { c: timestamp() }, { c: text() }, 'destructive'],
  ['JSON instead of a text', { c: text() }, { c: json() }, 'destructive'],
])('classifies a column that becomes %s', (_, from, to, expected) => {
  expect(changes(withColumns(from), withColumns(to))).toEqual([`change-column:user.c ${expected}`])
})

test('classifies added columns and indexes as safe, dropped columns as destructive', () => {
  const [without, withNick] = [withColumns({}), withColumns({ nick: nullable(string()) }, { user: [index('nick')] })]
  expect(changes(without, withNick)).toEqual(['add-column:user.nick safe', 'add-index:user.user_nick_idx safe'])
  expect(changes(withNick, without)).toEqual(['drop-index:user.user_nick_idx safe', 'drop-column:user.nick destructive'])
})

test('drops an index after adding its replacement, unless one of its columns changes', () => {
  const one = withColumns({ a: string({ length: 10 }), b: integer() }, { user: [index('a')] })
  const other = withColumns({ a: string({ length: 10 }), b: integer() }, { user: [index('a', 'b')] })
  const changed = withColumns({ a: string({ length: 20 }), b: integer() }, { user: [index('a', 'b')] })
  expect(changes(one, other)).toEqual(['add-index:user.user_a_b_idx safe', 'drop-index:user.user_a_idx safe'])
  expect(changes(one, changed)).toEqual([
    'drop-index:user.user_a_idx safe',
    'change-column:user.a safe',
    'add-index:user.user_a_b_idx safe',
  ])
})

test('drops a foreign key while the key it refers to changes, also in a table that is dropped', () => {
  const tables = (length: number) => ({
    user: { id: { ...id(), length } },
    session: { ...key, userId: { ...references('user'), length } },
  })
  expect(changes(declare(tables(36)), declare(tables(40)))).toEqual([
    'drop-foreign-key:session.session_userId_fk safe',
    'change-column:user.id safe',
    'change-column:session.userId safe',
    'add-foreign-key:session.session_userId_fk needs-lock',
  ])
  const { user } = tables(40)
  expect(changes(declare(tables(36)), declare({ user }))[0]).toBe('drop-foreign-key:session.session_userId_fk safe')
})

test('keeps a lookup index when a column stops being unique', () => {
  const [one, other] = [withColumns({ a: unique(string()) }), withColumns({ a: string() }, { user: [index('a')] })]
  expect(changes(one, other)).toEqual(['add-index:user.user_a_idx safe', 'drop-index:user.user_a_key safe'])
})
