/** A move of users that is killed several times, and run again: as if it had run once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { bin, complete, configFile, folder, inherited, latchkey } from '../cli/kit.ts'

const total = 8000
const hash = '$2b$10$1QQR6MmB/K2qpvTmm/Jqu.NXDeVWL2wWpk78cv6C.BsOc6Z2TAuJm'
const words = [
  'move',
  'from-csv',
  'users.csv',
  '--columns',
  'id=id,email=email,name=name,createdAt=made,updatedAt=made,password=hash',
]

function project(): string {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const rows = Array.from(
    { length: total },
    (_, at) => `u${at},user${at}@example.com,User ${at},2024-05-01 12:00:00,${at % 3 ? hash : ''}`,
  )
  writeFileSync(`${cwd}/users.csv`, `id,email,name,made,hash\n${rows.join('\n')}\n`)
  return cwd
}

function query(cwd: string, text: string) {
  const db = new DatabaseSync(`${cwd}/test.db`, { readOnly: true })
  try {
    return db.prepare(text).all()
  } finally {
    db.close()
  }
}

function countUsers(cwd: string): number {
  try {
    return Number(query(cwd, 'select count(*) as count from user')[0]?.count)
  } catch {
    // There is no file yet, or no table.
    return 0
  }
}

/** What a move has written, without what is random or the time of the run. */
const written = (cwd: string) => [
  query(cwd, 'select * from user order by id'),
  query(cwd, 'select userId, accountId, providerId, password, createdAt from account order by userId, providerId'),
  query(cwd, 'select word, userId from userWord order by userId, word'),
  query(cwd, 'select userId from movedUser order by userId'),
  query(cwd, "select sum(json_extract(details, '$.users')) as users from auditEvent where action = 'users.imported'"),
]

test('a move that is killed twice is continued to the result of one that was not', async () => {
  const cwd = project()
  const left: number[] = []
  for (const rows of [1, 2001]) {
    const child = spawn(process.execPath, [bin, ...words, '--apply'], {
      cwd,
      env: { ...inherited, ...complete },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    await expect.poll(() => child.exitCode !== null || countUsers(cwd) >= rows, { interval: 3, timeout: 30_000 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    left.push(total - countUsers(cwd))
  }
  // It was killed before its end, and each batch is there as a whole.
  expect([Math.max(...left) > 0, left.map((count) => count % 2000)]).toEqual([true, [0, 0]])
  const last = await latchkey(cwd, [...words, '--apply', '--json'], complete)
  expect(JSON.parse(last.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ moved: total, conflict: 0, invalid: 0 })
  const other = project()
  expect((await latchkey(other, [...words, '--apply'], complete)).exitCode).toBe(0)
  expect(written(cwd)).toEqual(written(other))
}, 60_000)
