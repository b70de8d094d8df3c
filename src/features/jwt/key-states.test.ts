import { expect, test } from 'vitest'
import { describeKeys, type KeyRow } from './key-states.ts'

const now = new Date('2026-01-01T12:00:00Z')
const hours = (count: number) => new Date(now.getTime() + count * 3_600_000)

const key = (sequence: number, activatesAt: Date, retiredAt: Date | null = null): KeyRow => ({
  id: `key-${sequence}`,
  publicKey: '',
  privateKey: '',
  createdAt: activatesAt,
  algorithm: 'EdDSA',
  sequence,
  activatesAt,
  retiredAt,
  tokenLifetime: 900,
})

const statesOf = (rows: readonly KeyRow[]) => describeKeys(rows, 3600, now).map(({ status, endsAt }) => [status, endsAt])

test('a key that is retired while its successor is only published counts as retired immediately', () => {
  const rows = [key(1, hours(-48)), key(2, hours(-24), now), key(3, hours(1))]
  expect(statesOf(rows)).toEqual([
    ['retired', hours(-24)],
    ['retired', now],
    ['upcoming', null],
  ])
  // The lifetime of its tokens, and the grace period.
  expect(describeKeys(rows, 3600, now)[1]?.publishedUntil).toEqual(new Date(now.getTime() + 4500 * 1000))
})

test('a key ends when the first of its successors signs, whatever later ones do', () => {
  expect(statesOf([key(1, hours(-48)), key(2, hours(-24)), key(3, hours(2))])).toEqual([
    ['retired', hours(-24)],
    ['current', hours(2)],
    ['upcoming', null],
  ])
})

test('a key that is retired after its successor has taken over keeps its earlier end', () => {
  expect(statesOf([key(1, hours(-48), now), key(2, hours(-24))])).toEqual([
    ['retired', hours(-24)],
    ['current', null],
  ])
})
