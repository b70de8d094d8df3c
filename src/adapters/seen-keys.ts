/** Remembers the keys of any number of rows in bounded memory: what does not fit is in a temporary file, which SQLite deletes. */
import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import type { SeenKeys } from '../core/ports.ts'

/** Enough for a million keys; more of them are in the file. */
const cacheKiB = 65_536

export function createSeenKeys(): SeenKeys {
  // An empty name is a temporary database on disk (https://sqlite.org/inmemorydb.html).
  const database = new DatabaseSync('')
  database.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${cacheKiB}`)
  database.exec('create table seen (key blob primary key, line integer not null) without rowid; begin')
  const insert = database.prepare('insert or ignore into seen values (?, ?)')
  const find = database.prepare('select line from seen where key = ?')
  // Keys differ in length, and 128 bits of a hash do not collide by chance.
  const shortened = (key: string) => hash('sha256', key, 'buffer').subarray(0, 16)
  const lineOf = (key: string) => Number(find.get(shortened(key))?.line ?? 0) || null
  return {
    add: (key, line) => (insert.run(shortened(key), line).changes > 0 ? null : lineOf(key)),
    has: (key) => lineOf(key) !== null,
    close: () => database.close(),
  }
}
