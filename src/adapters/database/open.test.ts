import { expect, test } from 'vitest'
import { openDatabase } from './open.ts'

const limits = { poolSize: 1, connectTimeout: 1000, queryTimeout: 1000 }

test.each([
  ['no address', undefined, /DATABASE_URL/],
  ['another scheme', 'postgres://user@localhost/db', /mysql: or sqlite:/],
  ['no host', 'mysql:/db', /must look like/],
  ['no name of a database', 'mysql://user@localhost', /must end with the name/],
  ['a parameter', 'mysql://user@localhost/db?ssl=false', /cannot have parameters/],
  ['a folder that does not exist', 'sqlite:/no/such/folder/file.db', /ENOENT/],
])('rejects a URL with %s', (_, url, message) => {
  expect(() => openDatabase({ url, ...limits })).toThrow(message)
})

test('no error about a URL contains its password', () => {
  for (const url of ['mysql://user:s3cret@localhost', 'mysql://user:s3cret@h/db?a=b', 'pg://user:s3cret@h/db']) {
    expect(() => openDatabase({ url, ...limits })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('s3cret') }),
    )
  }
})

test('can be closed twice, even if it was never used', async () => {
  for (const url of ['sqlite::memory:', 'mysql://user@localhost/db']) {
    const database = openDatabase({ url, ...limits })
    await database.close()
    await database.close()
  }
})
