import { expect, test } from 'vitest'
import { id, index, integer, nullable, references, string, unique } from '../core/table.ts'
import { hasTakenEffect, nameOf, toChanges } from './changes.ts'
import { declareSchema } from './declare.ts'
import { diffSchemas } from './diff.ts'
import { emptySchema } from './schema.ts'

const before = declareSchema([
  { tables: { user: { id: id(), n: integer() }, old: { id: id() } }, indexes: { user: [index('n')] } },
])
const after = declareSchema([
  {
    tables: {
      user: { id: id(), n: integer({ default: 1 }), m: integer({ default: 2 }), teamId: references('team') },
      team: { id: id() },
    },
  },
])

const steps = [...diffSchemas(before, after), ...diffSchemas(after, before)].map(nameOf)

test('knows the effect of every kind of change', () => {
  expect(new Set(steps.map((name) => name.split(':')[0]))).toEqual(
    new Set([
      'create-table',
      'drop-table',
      'add-column',
      'drop-column',
      'change-column',
      'add-index',
      'drop-index',
      'add-foreign-key',
      'drop-foreign-key',
    ]),
  )
})

test.each(diffSchemas(before, after).map(nameOf))('%s has no effect before and has taken effect after', (name) => {
  expect([hasTakenEffect(name, before, after), hasTakenEffect(name, after, after)]).toEqual([false, true])
})

test.each(diffSchemas(after, before).map(nameOf))('on rollback, %s has no effect before and has taken effect after', (name) => {
  expect([hasTakenEffect(name, after, before), hasTakenEffect(name, before, before)]).toEqual([false, true])
})

test('returns null for an unknown kind of change', () => {
  for (const name of ['rename-table:user', 'constructor:user', '', 'add-column', 'toString:a.b'])
    expect(hasTakenEffect(name, emptySchema, emptySchema)).toBeNull()
})

test('a unique index over values that rows may have already needs a lock; one over a new empty column is safe', () => {
  const user = (columns: object) => declareSchema([{ tables: { user: { id: id(), ...columns } } }])
  const [plain, distinct] = [user({ nick: string({ length: 9 }) }), user({ nick: unique(string({ length: 9 })) })]
  const name = 'add-index:user.user_nick_key'
  expect(toChanges(diffSchemas(plain, distinct))).toEqual([{ name, class: 'needs-lock' }])
  const added = toChanges(diffSchemas(user({}), user({ nick: nullable(unique(string({ length: 9 }))) })))
  expect(added).toContainEqual({ name, class: 'safe' })
  const filled = toChanges(diffSchemas(user({}), user({ nick: unique({ ...string({ length: 9 }), default: 'x' }) })))
  expect(filled).toContainEqual({ name, class: 'needs-lock' })
})
