import { expect, test } from 'vitest'
import { applyMergePatch, createMergePatch, type JSONObject } from './merge-patch.ts'

// RFC 7396, appendix A, those whose documents are objects.
test.each<[JSONObject, JSONObject, JSONObject]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('applies to %j the patch %j', (target, patch, result) => {
  expect(applyMergePatch(target, patch)).toEqual(result)
})

test.each<[JSONObject, JSONObject, JSONObject]>([
  [{ a: 1 }, { a: 1 }, {}],
  [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
  [{ a: { b: ['x', 'y'] } }, { a: { b: ['y', 'x'] } }, { a: { b: ['y', 'x'] } }],
  [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  [{ a: { b: 1 } }, { a: 1 }, { a: 1 }],
  [{}, { constructor: { b: 1 } }, { constructor: { b: 1 } }],
  [{ toString: 1 }, {}, { toString: null }],
])('creates a patch that leads from %j to %j', (from, to, patch) => {
  expect(createMergePatch(from, to)).toEqual(patch)
  expect(applyMergePatch(from, patch)).toEqual(to)
})
