/** What a person at a terminal sees, and what commands refuse or remark. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { bin, complete, configFile, folder, inherited, latchkey, latchkeyJSON } from './kit.ts'
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
      // The head of each column is above its cells.
      head: `${'ID'.padEnd(32)}  ${'EMAIL'.padEnd(15)}  NAME`,
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

test('a list or an export whose reader stops reading claims no more than what it wrote', async () => {
  const cwd = await withUsers(3000)
  const piped = async (command: string) => {
    const script = `{ "$0" "$@"; echo "exit $?" >&2; } | head -n 1`
    const { stdout, stderr } = await execa('/bin/sh', ['-c', script, process.execPath, bin, ...command.split(' ')], {
      cwd,
      env: { ...inherited, ...complete },
      extendEnv: false,
    })
    expect(stdout.split('\n')).toHaveLength(1)
    return stderr.split('\n')
  }
  for (const command of ['export users', 'export users --json', 'users list']) {
    const lines = await piped(command)
    expect(lines).toEqual([
      expect.stringMatching(/^(! )?Stopped after [\d,]+ users?: the reader closed standard output$/),
      'exit 0',
    ])
    expect(Number(/after ([\d,]+)/.exec(lines[0] ?? '')?.[1]?.replace(',', ''))).toBeLessThan(3000)
  }
  const all = await latchkey(cwd, ['export', 'users'], complete)
  expect([all.stdout.split('\n').length, all.stderr]).toEqual([3000, '✓ Exported 3000 users'])
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
