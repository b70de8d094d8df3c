/** A database to migrate, and processes that migrate it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { expect, inject, onTestFinished } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/adapters/database/open.ts'
import { diffSchemas } from '../../src/migrate/diff.ts'
import { generate, type Schema } from '../../src/migrate/index.ts'
import { introspect } from '../../src/migrate/introspect.ts'
import { readMigrations, writeMigration } from '../../src/migrate/migration-files.ts'
import { stableJSON } from '../../src/migrate/schema.ts'
import { toMysql } from '../../src/migrate/sql.ts'
import { freshDatabase } from '../kit/servers/index.ts'
import type { ProcessOptions } from './process.ts'
import { after, before, destructive } from './schemas.ts'

export interface Place extends OpenDatabase {
  readonly url: string
  readonly dir: string
  createAccount(privileges?: string): Promise<string>
  /** Writes the migrations `0001_initial` and, by default, `0002_changes`, with drops and other changes in one file. */
  generate(count?: 1 | 2): Promise<void>
  /** The database is what was declared, to the last column. */
  expectSchema(expected: Schema): Promise<void>
}

/** An empty database and an empty folder; both are gone when the test ends. */
export async function openPlace(): Promise<Place> {
  const place = await freshDatabase()
  const dir = await mkdtemp(join(tmpdir(), 'latchkey-migrate-'))
  const database = openDatabase({ url: place.url, poolSize: 4, connectTimeout: 5000, queryTimeout: 10_000 })
  onTestFinished(async () => {
    await database.close()
    await place.drop()
    await rm(dir, { recursive: true, force: true })
  })
  return {
    ...database,
    url: place.url,
    dir,
    createAccount: place.createAccount,
    async generate(count = 2) {
      await generate({ schema: before, dir })
      if (count === 1) return
      const [up, down] = [toMysql(diffSchemas(before, after), after), toMysql(diffSchemas(after, before), before)]
      const files = await readMigrations(dir)
      await writeMigration(dir, files, { title: 'changes', acknowledged: destructive, up, down, schema: after })
    },
    async expectSchema(expected) {
      expect(stableJSON(await introspect(database.db, database.dialect), 1)).toBe(stableJSON(expected, 1))
    },
  }
}

export interface Run {
  readonly child: ChildProcess
  /** What it has said so far, line by line. */
  readonly lines: readonly unknown[]
  readonly ended: Promise<{ code: number | null; signal: string | null }>
}

/** Migrates in another process. */
export function startProcess(options: Pick<ProcessOptions, 'url' | 'dir'> & Partial<ProcessOptions>): Run {
  const argument = JSON.stringify({ direction: 'up', lockTimeout: 60_000, lockTtl: 300, ...options })
  const child = spawn(process.execPath, [join(inject('program'), 'tests/migrations/process.js'), argument], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: unknown[] = []
  const reader = createInterface({ input: child.stdout })
  reader.on('line', (line) => lines.push(JSON.parse(line)))
  const ended = Promise.all([once(child, 'exit'), once(reader, 'close')]).then(([[code, signal]]) => ({ code, signal }))
  return { child, lines, ended }
}

/** Milliseconds that a lock is held without being renewed, which comes late on a busy machine. */
export const longLockTtl = 20_000

/** Migrates until it is killed, and releases its lock. */
export async function migrateUntilKilled({ url, dir, db }: Place, killAt: NonNullable<ProcessOptions['killAt']>): Promise<void> {
  const { ended } = startProcess({ url, dir, lockTtl: longLockTtl, killAt })
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL' })
  await sql`delete from latchkey_lease`.execute(db)
}
