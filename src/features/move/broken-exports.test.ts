/** Broken files and users of other systems: each has a clear report, with line and field. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { MoveOptions } from './prepare-user.ts'
import { type ReaderOptions, type SystemName, systems } from './readers/index.ts'
import { type PlacedNote, surveyUsers } from './survey.ts'

const readerOptions: ReaderOptions = {
  ...{ timeZone: 'Europe/Berlin', pepper: undefined, preset: undefined, tablePrefix: '' },
  columns: { id: 'id', email: 'email', name: 'name', createdAt: 'made' },
}

/** @returns the places and reasons of the report, in its order, or the fault of the file */
async function report(system: SystemName, content: string | Buffer): Promise<readonly string[]> {
  const { app } = await testApp()
  const file = {
    name: 'users',
    read: async function* () {
      yield Buffer.from(content)
    },
  }
  const options: MoveOptions = {
    ...{ system, weak: 'wrap', merge: undefined, newIds: false, requireFactors: false, fields: new Map(), roles: new Map() },
  }
  const notes: PlacedNote[] = []
  try {
    await surveyUsers(app, systems[system].reader([file], readerOptions), options, (note) => notes.push(note))
  } catch (error) {
    return [String(error)]
  }
  const shown = notes.filter(({ reason }) => !['unverified', 'no-password'].includes(reason))
  return shown.map(({ line, reason, field, detail }) => [line, reason, field, ...(detail ? [detail] : [])].join(' '))
}

const csv = (...rows: readonly string[]) => ['id,email,name,made', ...rows, ''].join('\n')
const fixture = (name: string) => readFileSync(new URL(`../../../tests/moving/fixtures/broken/${name}`, import.meta.url))
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

test.each<[what: string, system: SystemName, content: string | Buffer, expected: readonly string[]]>([
  ['Latin-1', 'csv', Buffer.from(csv('1,jos\u00e9@example.com,,'), 'latin1'), ['SourceError: users, line 2, byte 6: not UTF-8']],
  ['UTF-16 with a mark', 'csv', fixture('utf16-bom.csv'), ['SourceError: users: is UTF-16LE, not UTF-8']],
  ['UTF-16, big endian', 'csv', utf16(csv()).swap16(), ['SourceError: users: is UTF-16BE, not UTF-8']],
  ['UTF-16 without a mark', 'csv', utf16(csv()).subarray(2), ['SourceError: users: is UTF-16LE, not UTF-8']],
  [
    'cut JSON',
    'firebase',
    fixture('cut.json'),
    ['SourceError: users, byte 68: ends inside a value; user 1 is the last complete one'],
  ],
  ['a line with invalid JSON', 'auth0', '{"user_id":"a"}\n{"user', ['SourceError: users, line 2: not valid JSON']],
  ['a quoted field without end', 'django', fixture('half-row.csv'), ['SourceError: users, line 3: quoted field without end']],
  ['half a row', 'csv', csv('1,a@example.com,,', '2,b@exa'), ['3 broken-row row']],
  [
    'a line of more than 1 MiB',
    'auth0',
    `{}\n{"name":"${'x'.repeat(1_048_577)}"}\n`,
    ['SourceError: users, line 2: longer than 1 MiB'],
  ],
  ['a null byte', 'csv', csv('1,a@example.com,,', '2,b@example.com,B\0b,'), ['SourceError: users, line 3, byte 18: a null byte']],
  ['an escaped null byte', 'auth0', '{"user_id":"a","email":"a@example.com","name":"A\\u0000"}\n', ['1 name-dropped name']],
  ['half of a character', 'auth0', '{"user_id":"a","email":"a@example.com","name":"A\\ud83d"}\n', ['1 name-dropped name']],
  ['an empty file', 'csv', '', ['SourceError: users: is empty']],
  [
    'addresses that differ by case and spaces; letters beyond ASCII are not valid, in NFC and NFD',
    'csv',
    csv(
      '1,Ann@example.com,,',
      '2,ann@example.com ,,',
      '3,jos\u00e9@example.com,,',
      '4,jose\u0301@example.com,,',
      '5,stra\u00dfe@example.com,,',
    ),
    ['3 same-address email line 2', '4 invalid-address email', '5 invalid-address email', '6 invalid-address email'],
  ],
  ['the same ID', 'csv', csv('1,a@example.com,,', '1,b@example.com,,'), ['3 same-id id line 2']],
  ['an ID of 37 characters', 'csv', csv(`${'i'.repeat(37)},a@example.com,,`), ['2 id-too-long id']],
  [
    'year 0, and the zero date',
    'csv',
    csv('1,a@example.com,,0000-01-01 00:00:00', '2,b@example.com,,0000-00-00 00:00:00'),
    ['2 no-time made', '3 no-time made'],
  ],
  ['a time that no clock showed', 'csv', csv('1,a@example.com,,2025-03-30 02:30:00'), []],
  ['a time in the future', 'csv', csv('1,a@example.com,,2999-01-01 00:00:00'), ['2 future-time createdAt']],
  [
    'rows without their user',
    'supabase',
    'COPY auth.users (id, email) FROM stdin;\na\ta@example.com\n\\.\nCOPY auth.identities (user_id, provider, provider_id) FROM stdin;\nb\tgoogle\t1\n\\.\n',
    ['5 orphan-row identities.user_id'],
  ],
  [
    'rows that are cut',
    'supabase',
    'COPY auth.users (id, email) FROM stdin;\na\ta@example.com\n',
    ['SourceError: users: ends inside the rows of users'],
  ],
  [
    'a row with too few values',
    'supabase',
    'COPY auth.users (id, email) FROM stdin;\na\n\\.\n',
    ['SourceError: users, line 2: has 1 values for the 2 columns of users'],
  ],
])('%s', async (_, system, content, expected) => {
  expect(await report(system, content)).toEqual(expected)
})
