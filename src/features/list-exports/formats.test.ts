import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maxTextBytes } from '../../core/table.ts'
import { formats, partsOf } from './formats.ts'

const { csv, ndjson } = formats

test('a table begins with a mark and the names of its columns, and nests objects as JSON', () => {
  const rows = [
    { id: 'a', role: null },
    { id: 'b', plan: { seats: 2 } },
  ]
  expect(csv.encode(rows, ['id', 'plan'], true)).toBe('\uFEFFid,plan\r\na,\r\nb,"{""seats"":2}"\r\n')
  expect(csv.encode(rows, ['id'], false)).toBe('a\r\nb\r\n')
  expect(ndjson.encode(rows, [], true)).toBe('{"id":"a","role":null}\n{"id":"b","plan":{"seats":2}}\n')
})

test.each(['=1+1', '+1', '-1', '@sum', '\tx', '\rx'])('writes %j so that no spreadsheet runs it', (name) => {
  expect(csv.encode([{ name }], ['name'], false)).toBe(`"'${name}"\r\n`)
})

test('parts fit into a column, have whole characters, and are the text together', () => {
  const text = fc.tuple(fc.nat(15_999), fc.constantFrom('a', '€', '🔑'), fc.nat(40_000))
  fc.assert(
    fc.property(text, ([before, character, count]) => {
      const content = `${'x'.repeat(before)}${character.repeat(count)}`
      const parts = partsOf(content)
      expect(parts.join('')).toBe(content)
      for (const part of parts) {
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(maxTextBytes)
        expect(part.isWellFormed()).toBe(true)
      }
    }),
    { numRuns: 30 },
  )
})
