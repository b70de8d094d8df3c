/** What a person at a terminal sees, and what commands refuse or remark. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { onTerminal } from './terminal.ts'

/** A project with this many users. */
async function withUsers(count: number): Promise<string> {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const input = Array.from({ length: count }, (_, at) => `{"user":{"email":"u${at}@example.com","name":"User ${at}"}}\n`).join('')
  expect(await latchkey(cwd, ['import', 'users', '-'], complete, { input })).toMatchObject({ exitCode: 0 })
  return cwd
}

describe('users list', () => {
  test('shows 50 users on a terminal, below a head line, and how many more there are', async () => {
    const cwd = await withUsers(57)
    const list = async (...args: string[]) => {
      const terminal = onTerminal(cwd, ['users', 'list', ...args], complete)
      expect(await terminal.ended).toBe(0)
      const lines = terminal.text().trim().split('\r\n')
      return { head: lines[0], users: lines.filter((line) => line.includes('@example.com')).length, end: lines.at(-1) }
    }
    expect(await list()).toEqual({
      head: expect.stringMatching(/^ID +EMAIL +NAME$/),
      users: 50,
      end: '… 7 more: --limit <n> shows more of them, --search finds one',
    })
    expect(await list('--limit', '57')).toMatchObject({ users: 57, end: '57 users' })
    expect(await list('--json')).toMatchObject({ head: expect.stringContaining('users-list/v1'), users: 57 })
    expect((await latchkey(cwd, ['users', 'list'], complete)).stdout.split('\n')).toHaveLength(57)
  })

  test('remarks that a role does not exist', async () => {
    const cwd = await withUsers(1)
    const { exitCode, stderr } = await latchkey(cwd, ['users', 'list', '--role', 'nope'], complete)
    expect([exitCode, stderr.split('\n').slice(-2)]).toEqual([0, ['0 users', '! There is no role nope']])
    const admin = folder({ 'auth.config.ts': configFile(`{ seed: { roles: { admin: { user: ['list'] } } } }`) })
    expect((await latchkey(admin, ['users', 'list', '--role', 'admin'], complete)).stderr).not.toContain('no role')
  })
})

test('limits explain remarks that the API has no such path', async () => {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const explain = async (path: string) =>
    (await latchkey(cwd, ['limits', 'explain', '--ip', '192.0.2.1', '--path', path], complete)).stderr
  expect(await explain('/nope')).toContain('! The API has no path /nope.')
  for (const path of ['/sign-in/email', '/api/auth/sign-in/email']) expect(await explain(path)).not.toContain('no path')
})

test('export refuses to overwrite a file without --force', async () => {
  const cwd = await withUsers(1)
  const file = join(cwd, 'out.ndjson')
  const args = ['export', 'users', '--out', 'out.ndjson']
  expect(await latchkey(cwd, args, complete)).toMatchObject({ exitCode: 0 })
  const before = readFileSync(file, 'utf8')
  await latchkey(cwd, ['users', 'delete', 'u0@example.com', '--confirm', 'u0@example.com'], complete)
  expect(await latchkeyJSON(cwd, args, complete)).toMatchObject({ exitCode: 5, document: { code: 'FILE_EXISTS' } })
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(await latchkey(cwd, [...args, '--force'], complete)).toMatchObject({ exitCode: 0 })
  expect(readFileSync(file, 'utf8')).toBe('')
})

test('long lines break between words, below their column', async () => {
  const cwd = folder({ 'auth.config.ts': configFile() })
  const env = { ...complete, LATCHKEY_BASE_URL: 'http://localhost:4999' }
  const terminal = onTerminal(cwd, ['doctor'], env)
  await terminal.ended
  const lines = terminal.text().split('\r\n')
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100)
  const start = lines.findIndex((line) => line.includes('baseURL names port 4999'))
  expect(lines[start + 1]).toMatch(/^ {21}\S/)
  expect((await latchkey(cwd, ['doctor'], env)).stdout).toContain('do not reach it\n')
})
