import { expect, test } from 'vitest'
import { differencesOf } from './difference.ts'

test('names what was added, changed and removed by its path, and compares lists as a whole', () => {
  const before = { plan: 'free', seats: 3, billing: { country: 'AT', vat: null }, tags: ['a'], gone: 1, same: { a: [1] } }
  const after = { plan: 'pro', seats: 3, billing: { country: 'AT', vat: 'U1' }, tags: ['a', 'b'], same: { a: [1] }, added: {} }
  expect(differencesOf(before, after).map(({ path, kind }) => `${kind} ${path}`)).toEqual([
    'changed plan',
    'changed billing.vat',
    'changed tags',
    'removed gone',
    'added added',
  ])
  expect(differencesOf({ a: { b: 1 } }, { a: 1 })).toEqual([{ path: 'a', kind: 'changed', before: { b: 1 }, after: 1 }])
  expect(differencesOf(after, after)).toEqual([])
})
