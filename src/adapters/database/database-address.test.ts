import { expect, test } from 'vitest'
import { parseDatabaseAddress } from './database-address.ts'

test.each([
  ['mysql://app:secret@db.internal/acme', { host: 'db.internal', port: 3306, user: 'app', password: 'secret', database: 'acme' }],
  ['mysql://app@[::1]:3307/acme', { host: '::1', port: 3307, user: 'app', password: '', database: 'acme' }],
  ['mysql://a%40b:p%23%25%2F%3F%40w@h/a%2Fb', { user: 'a@b', password: 'p#%/?@w', database: 'a/b' }],
  ['mysql://u:p@ss@h/db', { host: 'h', password: 'p@ss' }],
  ['mysql://u:p@h/db@2', { host: 'h', database: 'db@2' }],
])('%s is read', (text, parts) => expect(parseDatabaseAddress(text)).toMatchObject(parts))

test.each([
  ['mysql://u:hunter#two@h/db', 'contains #', 'Write # as %23'],
  ['mysql://u:12#34@h/db', 'contains #', 'Write # as %23'],
  ['mysql://u:12?34@h/db', 'contains ?', 'Write ? as %3F'],
  ['mysql://u:12/34@h/db', 'contains /', 'Write / as %2F'],
  ['mysql://u:hunter%zz@h/db', 'a % that', 'Write % as %25'],
  ['mysql://u:hunter@h/d%', 'a % that', 'Write % as %25'],
  ['mysql://u:hunter@h', 'must end with the name', 'mysql://user:password@host:3306/name'],
  ['mysql://u:hunter@h/', 'must end with the name', 'mysql://user:password@host:3306/name'],
  ['mysql://u:hunter@h/db?ssl=false', 'cannot have parameters', 'section database'],
  ['mysql://u:hunter@h/db#top', 'cannot have parameters', '%23'],
  ['mysql:/db', 'must look like', 'Encode'],
  ['mysql://u:hunter@h:port/db', 'must look like', 'Encode'],
])('%s is rejected with what to write, and without the password', (text, message, hint) => {
  const found = parseDatabaseAddress(text)
  expect(found).toMatchObject({
    path: 'database.url',
    message: expect.stringContaining(message),
    hint: expect.stringContaining(hint),
  })
  expect(JSON.stringify(found)).not.toMatch(/hunter|12|34/)
})
