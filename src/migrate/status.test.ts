import { expect, test } from 'vitest'
import { id, nullable, references, string, unique } from '../core/table.ts'
import { declareSchema } from './declare.ts'
import { spellTables } from './introspect.ts'
import type { Schema, TableSchema } from './schema.ts'
import { findDifferences } from './status.ts'

const expected = declareSchema([
  { tables: { user: { id: id(), email: unique(string()) }, session: { id: id(), userId: references('user') } } },
])
const messages = (live: Schema) => findDifferences(live, expected).map(({ path, message }) => `${path}: ${message}`)
const withUser = (change: Partial<TableSchema>): Schema => {
  const { user } = expected.tables
  if (!user) throw new Error('The schema has no user')
  return { tables: { ...expected.tables, user: { ...user, ...change } } }
}

test('finds no difference in an equal schema, and ignores other tables', () => {
  const other = { columns: {}, indexes: {}, foreignKeys: {} }
  expect(messages({ tables: { ...expected.tables, other } })).toEqual([])
})

test('reports a missing table and nothing below it', () => {
  const { user, ...tables } = expected.tables
  expect(user).toBeDefined()
  expect(messages({ tables })).toEqual(['user: The table user is missing'])
})

test('reports a table with another engine', () => {
  expect(messages(withUser({ other: 'engine MyISAM' }))).toEqual(['user: The table user has the engine MyISAM'])
})

test('reports missing, additional and different columns', () => {
  const changed = declareSchema([{ tables: { user: { id: id(), email: nullable(string()), nick: string() } } }])
  const columns = changed.tables.user?.columns ?? {}
  expect(messages(withUser({ columns }))).toEqual([
    'user.email: The column user.email is varchar(255) null instead of varchar(255) not null',
    'user.nick: The column user.nick is in no migration',
  ])
  const { email, ...others } = columns
  expect(email).toBeDefined()
  expect(messages(withUser({ columns: others }))[0]).toBe('user.email: The column user.email is missing')
})

test('reports different indexes and foreign keys', () => {
  const indexes = { user_email_key: { columns: ['email'], unique: false, other: 'partial' } }
  const foreignKeys = { user_email_fk: { column: 'email', references: 'team', onDelete: 'cascade' as const } }
  expect(messages(withUser({ indexes, foreignKeys }))).toEqual([
    'user.user_email_key: The index user.user_email_key is not unique over email partial instead of unique over email',
    'user.user_email_fk: The foreign key user.user_email_fk is in no migration',
  ])
})

test('a server that stores names in lower case, also those in foreign keys, has the declared schema', () => {
  const lower = (text: string) => text.toLowerCase()
  const declared = declareSchema([
    { tables: { passwordScheme: { id: id() }, loginKey: { id: id(), schemeId: references('passwordScheme') } } },
  ])
  const tables = Object.entries(declared.tables).map(([name, table]) => {
    const keys = Object.entries(table.foreignKeys).map(([key, value]) => [key, { ...value, references: lower(value.references) }])
    return [name, { ...table, foreignKeys: Object.fromEntries(keys) }] as const
  })
  // Mode 2 changes the names in foreign keys only, mode 1 all.
  for (const spell of [(name: string) => name, lower]) {
    const live = { tables: Object.fromEntries(tables.map(([name, table]) => [spell(name), table])) }
    expect(findDifferences(live, declared)).not.toEqual([])
    expect(findDifferences(spellTables(live, Object.keys(declared.tables)), declared)).toEqual([])
  }
})
