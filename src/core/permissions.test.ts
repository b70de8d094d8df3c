import { expect, test } from 'vitest'
import { allows } from './permissions.ts'

const admin = { user: ['list', 'ban', 'delete'], session: ['list'] }
const support = { user: ['list'] }

test.each([
  ['every action of a resource', [admin], { user: ['list', 'ban'] }, true],
  ['an action that the role lacks', [support], { user: ['list', 'ban'] }, false],
  ['every resource', [admin], { user: ['ban'], session: ['list'] }, true],
  ['a resource that the role lacks', [support], { user: ['list'], session: ['list'] }, false],
  ['roles that permit it only together', [{ user: ['ban'] }, { session: ['list'] }], { user: ['ban'], session: ['list'] }, true],
  ['roles that permit its actions only together', [{ user: ['ban'] }, { user: ['list'] }], { user: ['list', 'ban'] }, true],
  ['roles that together lack a resource', [{ user: ['ban'] }, { user: ['list'] }], { user: ['ban'], session: ['list'] }, false],
  ['one of several roles', [support, admin], { user: ['delete'] }, true],
  ['any action of a resource under OR', [support], { user: { actions: ['ban', 'list'], connector: 'OR' } }, true],
  ['all actions of a resource under AND', [support], { user: { actions: ['ban', 'list'], connector: 'AND' } }, false],
  ['a resource by an inherited name', [support], { toString: ['call'] }, false],
  ['an empty request', [admin], {}, false],
  ['no role', [], { user: ['list'] }, false],
] as const)('%s', (_, roles, required, expected) => {
  expect(allows(roles, required)).toBe(expected)
})

test('one resource is enough under OR', () => {
  expect(allows([support], { session: ['list'], user: ['list'] }, 'OR')).toBe(true)
  expect(allows([support], { session: ['list'], user: ['ban'] }, 'OR')).toBe(false)
})
