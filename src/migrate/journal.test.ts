import { expect, test } from 'vitest'
import { checkResumed, type JournalEntry, planDown, planUp } from './journal.ts'
import type { MigrationFile } from './migration-files.ts'
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
  startedAt: new Date(0),
  appliedAt: new Date(0),
  appliedBy: null,
  ...more,
})
const interrupted = { appliedAt: null }
const format = (planned: ReturnType<typeof planUp>) =>
  planned.map(({ file, direction, resumed }) => `${direction} ${file.number}${resumed ? ' resumed' : ''}`)

test.each<[string, JournalEntry[], string[]]>([
  ['nothing is applied', [], ['up 1', 'up 2', 'up 3']],
  ['one is applied', [entry(1)], ['up 2', 'up 3']],
  ['all are applied', [entry(1), entry(2), entry(3)], []],
  ['one was interrupted', [entry(1), entry(2, interrupted)], ['up 2 resumed', 'up 3']],
  ['a rollback was interrupted', [entry(1), entry(2, { ...interrupted, direction: 'down' })], ['down 2 resumed', 'up 2', 'up 3']],
])('plans up when %s', (_, journal, expected) => {
  expect(format(planUp(files, journal))).toEqual(expected)
})

test('plans up to the given number only', () => {
  expect(format(planUp(files, [entry(1)], 2))).toEqual(['up 2'])
  expect(format(planUp(files, [entry(1), entry(2)], 1))).toEqual([])
  expect(() => planUp(files, [], 4)).toThrow('There is no migration 4')
})

test.each<[string, JournalEntry[], number, string[]]>([
  ['the newest', [entry(1), entry(2)], 1, ['down 2']],
  ['more than there are', [entry(1), entry(2)], 5, ['down 2', 'down 1']],
  ['a partly applied one', [entry(1), entry(2, interrupted)], 1, ['down 2']],
  ['an interrupted rollback', [entry(1), entry(2, { ...interrupted, direction: 'down' })], 1, ['down 2 resumed']],
  ['nothing', [], 1, []],
])('plans down: %s', (_, journal, steps, expected) => {
  expect(format(planDown(files, journal, steps))).toEqual(expected)
})

test('a rollback leads to the previous schema', () => {
  expect(planDown(files, [entry(1), entry(2)], 2).map(({ target }) => target)).toEqual([files[0]?.schema, emptySchema])
})

test.each<[string, JournalEntry[], string]>([
  ['was changed after it was applied', [entry(1, { checksum: 'other' })], 'FILE_EDITED'],
  ['is missing', [entry(1), entry(2), entry(3), entry(4)], 'FILE_MISSING'],
  ['has another name', [entry(1, { name: '0001_y' })], 'FILE_MISSING'],
])('rejects a plan when an applied file %s', (_, journal, code) => {
  expect(() => planUp(files, journal)).toThrow(expect.objectContaining({ code }))
  expect(() => planDown(files, journal, 1)).toThrow(expect.objectContaining({ code }))
})

test('accepts a fixed file of an interrupted migration', () => {
  expect(format(planUp(files, [entry(1, { ...interrupted, checksum: 'other' })], 1))).toEqual(['up 1 resumed'])
})

test.each<[string, 'done' | 'started', string, string | null]>([
  ['rejects an edited statement that was executed', 'done', 'other', 'FILE_EDITED'],
  ['accepts an unchanged statement that was executed', 'done', 'sum', null],
  ['accepts an edited statement that was only started', 'started', 'other', null],
])('a resumed migration %s', (_, state, checksum, code) => {
  const statement = { sql: '', change: null, checksum: 'sum' }
  const planned = { file: { ...file(1), down: [statement, statement] }, direction: 'down' as const }
  const check = () => checkResumed(planned, [{ position: 1, checksum, state }])
  if (code === null) expect(check).not.toThrow()
  else expect(check).toThrow(expect.objectContaining({ code, details: ['0001_x'] }))
})

test('a resumed migration rejects a removed statement that was executed', () => {
  const check = () => checkResumed({ file: file(1), direction: 'up' }, [{ position: 0, checksum: 'sum', state: 'done' }])
  expect(check).toThrow('its statement 1 was changed')
})
