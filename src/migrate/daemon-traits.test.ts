import { describe, expect, test } from 'vitest'
import { id } from '../core/table.ts'
import { type DaemonTraits, describeDifference, findDifferences, packTraits, traitsOf, unpackTraits } from './daemon-traits.ts'
import { declareSchema } from './declare.ts'

const schema = declareSchema([{ tables: { user: { id: id() } } }])
const traits = (features: string[], secrets: string[], declared = schema) => traitsOf(declared, features, secrets)
const own = { ...traits(['admin', 'jwt'], ['new', 'old']), host: 'web-1', process: 1 }
const worker = (found: DaemonTraits, more = {}) => ({
  id: 'w',
  host: 'web-2',
  process: 2,
  generation: 1,
  uses: ['user', 'user.id', ...packTraits(found)],
  ...more,
})

test('reads what it wrote, and nothing from a worker of an earlier version', () => {
  expect(unpackTraits(worker(own).uses)).toEqual({ features: own.features, schema: own.schema, secrets: own.secrets })
  expect(unpackTraits(['user', 'user.id'])).toBeNull()
})

describe('daemons', () => {
  test.each<[string, DaemonTraits, object | null]>([
    ['with the same configuration do not differ', traits(['admin', 'jwt'], ['new', 'old']), null],
    [
      'that lack a feature differ by it',
      traits(['jwt'], ['new']),
      { features: ['admin'], secret: 'same', hasOtherSchema: false },
    ],
    ['that have one more differ by it', traits(['admin', 'jwt', 'organizations'], ['new']), { features: ['organizations'] }],
    ['in a rotation differ by a secret that is known', traits(['admin', 'jwt'], ['old']), { secret: 'other' }],
    ['with another secret do not know each other', traits(['admin', 'jwt'], ['third']), { secret: 'unknown' }],
    ['with other tables differ by them', traits(['admin', 'jwt'], ['new'], { tables: {} }), { hasOtherSchema: true }],
  ])('%s', (_, other, expected) => {
    const found = findDifferences(own, [worker(other), worker(other, { id: 'second' })])
    expect(found).toEqual(expected === null ? [] : [expect.objectContaining({ host: 'web-2', process: 2, ...expected })])
  })

  test('are neither this daemon nor workers that are being replaced', () => {
    const other = traits([], ['third'])
    expect(findDifferences(own, [worker(other, { host: 'web-1', process: 1 })])).toEqual([])
    expect(findDifferences(own, [worker(other), worker(own, { generation: 2 })])).toEqual([])
  })

  test('are described with host, process and what differs', () => {
    const [difference] = findDifferences(own, [worker(traits(['jwt'], ['third'], { tables: {} }))])
    expect(difference && describeDifference(difference)).toBe(
      'the daemon on web-2 (process 2) has another configuration: admin, secret, schema',
    )
  })
})
