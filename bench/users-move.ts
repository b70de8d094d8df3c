/** Moves the users of a table in with `latchkey move from-csv`: rows per second, with the start of the command and both readings of the file. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configuration, runLatchkey } from './daemon.ts'
import { print } from './report.ts'
import type { Storage } from './storage.ts'

/** A hash that is stored as it is. */
const hash = '$2b$10$1QQR6MmB/K2qpvTmm/Jqu.NXDeVWL2wWpk78cv6C.BsOc6Z2TAuJm'
const columns = 'id=id,email=email,name=name,emailVerified=verified,createdAt=created_at,password=password'

function* rows(count: number): Generator<string> {
  yield 'id,email,name,verified,created_at,password\n'
  for (let at = 0; at < count; at += 1) yield `u${at},user${at}@example.com,User ${at},${at % 2},2024-05-01 12:00:00,${hash}\n`
}

export async function measureUsersMove(storage: Storage, count: number): Promise<void> {
  for (const [name, url] of [['SQLite', 'sqlite:./users.db'] as const, ['a server', await storage.freshDatabase()] as const]) {
    const cwd = await mkdtemp(join(tmpdir(), 'latchkey-bench-'))
    const command = (...words: string[]) => runLatchkey(words, { cwd, env: { DATABASE_URL: url, REDIS_URL: '' } })
    await writeFile(join(cwd, 'auth.config.ts'), configuration({}))
    await writeFile(join(cwd, 'users.csv'), rows(count))
    if (name !== 'SQLite') {
      await command('migrate', 'generate')
      await command('migrate', 'up', '--yes')
    }
    const move = async (...more: string[]) => {
      const started = performance.now()
      await command('move', 'from-csv', 'users.csv', '--columns', columns, ...more)
      const seconds = (performance.now() - started) / 1000
      return `${seconds.toFixed(1)} s (${Math.round(count / seconds)} rows/s)`
    }
    print(`On ${name}, ${count} users: report ${await move()}, move ${await move('--apply')}, again ${await move('--apply')}`)
    await rm(cwd, { recursive: true })
  }
}
