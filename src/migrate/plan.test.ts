import { expect, test } from 'vitest'
import type { MigrationFile } from './files.ts'
import type { JournalEntry } from './journal.ts'
import { planDown, planUp } from './plan.ts'
import { emptySchema } from './schema.ts'

const file = (number: number): MigrationFile => ({
  number,
  name: `000${number}_x`,
  checksum: `sum ${number}`,
  up: [],
  down: [],
  schema: { tables: { [`t${number}`]: { columns: {}, indexes: {}, foreignKeys: {} } } },
})
const files = [file(1), file(2), file(3)]
const entry = (number: number, more: Partial<JournalEntry> = {}): JournalEntry => ({
  number,
  name: `000${number}_x`,
  checksum: `sum ${number}`,
  direction: 'up',
  appliedAt: new Date(0),
  ...more,
})
const interrupted = { appliedAt: null }
const shown = (planned: ReturnType<typeof planUp>) =>
  planned.map(({ file, direction, resumed }) => `${direction} ${file.number}${resumed ? ' resumed' : ''}`)

test.each<[string, JournalEntry[], string[]]>([
  ['nothing is applied', [], ['up 1', 'up 2', 'up 3']],
  ['one is applied', [entry(1)], ['up 2', 'up 3']],
  ['all are applied', [entry(1), entry(2), entry(3)], []],
  ['one was interrupted', [entry(1), entry(2, interrupted)], ['up 2 resumed', 'up 3']],
  [
    'one was interrupted on the way back',
    [entry(1), entry(2, { ...interrupted, direction: 'down' })],
    ['down 2 resumed', 'up 2', 'up 3'],
  ],
])('up, when %s', (_, journal, expected) => {
  expect(shown(planUp(files, journal))).toEqual(expected)
})

test('up goes no further than it is told', () => {
  expect(shown(planUp(files, [entry(1)], 2))).toEqual(['up 2'])
  expect(shown(planUp(files, [entry(1), entry(2)], 1))).toEqual([])
  expect(() => planUp(files, [], 4)).toThrow('There is no migration 4')
})

test.each<[string, JournalEntry[], number, string[]]>([
  ['the newest', [entry(1), entry(2)], 1, ['down 2']],
  ['more than there are', [entry(1), entry(2)], 5, ['down 2', 'down 1']],
  ['one that was applied in part', [entry(1), entry(2, interrupted)], 1, ['down 2']],
  [
    'one that was interrupted on the way back',
    [entry(1), entry(2, { ...interrupted, direction: 'down' })],
    1,
    ['down 2 resumed'],
  ],
  ['nothing', [], 1, []],
])('down, %s', (_, journal, steps, expected) => {
  expect(shown(planDown(files, journal, steps))).toEqual(expected)
})

test('the way back leads to the schema before', () => {
  expect(planDown(files, [entry(1), entry(2)], 2).map(({ target }) => target)).toEqual([files[0]?.schema, emptySchema])
})

test.each<[string, JournalEntry[], string]>([
  ['was changed after it was applied', [entry(1, { checksum: 'other' })], 'FILE_EDITED'],
  ['is no longer there', [entry(1), entry(2), entry(3), entry(4)], 'FILE_MISSING'],
  ['has another name', [entry(1, { name: '0001_y' })], 'FILE_MISSING'],
])('a file that %s stops everything', (_, journal, code) => {
  expect(() => planUp(files, journal)).toThrow(expect.objectContaining({ code }))
  expect(() => planDown(files, journal, 1)).toThrow(expect.objectContaining({ code }))
})

test('a file that failed half-way may be mended', () => {
  expect(shown(planUp(files, [entry(1, { ...interrupted, checksum: 'other' })], 1))).toEqual(['up 1 resumed'])
})
