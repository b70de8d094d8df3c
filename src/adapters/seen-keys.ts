/** Remembers the keys of any number of rows in bounded memory: in a temporary file that SQLite deletes by itself. */
import { DatabaseSync } from 'node:sqlite'
import type { SeenKeys } from '../core/ports.ts'

export function createSeenKeys(): SeenKeys {
  // An empty name is a temporary database on disk (https://sqlite.org/inmemorydb.html).
  const database = new DatabaseSync('')
  database.exec('create table seen (key text primary key, line integer not null) without rowid; begin')
  const insert = database.prepare('insert or ignore into seen values (?, ?)')
  const find = database.prepare('select line from seen where key = ?')
  const lineOf = (key: string) => Number(find.get(key)?.line ?? 0) || null
  return {
    add: (key, line) => (insert.run(key, line).changes > 0 ? null : lineOf(key)),
    has: (key) => lineOf(key) !== null,
    close: () => database.close(),
  }
}
