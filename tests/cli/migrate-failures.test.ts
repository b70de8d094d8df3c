import { once } from 'node:events'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acquireLease, createLeaseTable } from '../../src/adapters/database/lease.ts'
import { freePort } from '../kit/servers/index.ts'
import { bin, complete, configFile, folder, inherited, latchkey, latchkeyJSON, latchkeyProcess } from './kit.ts'
import { opened, project } from './migrated-project.ts'

test('applies each migration once when ten runs start together', async () => {
  const { cwd, env } = await project()
  await latchkey(cwd, ['migrate', 'generate'], env)
  const all = await Promise.all(
    Array.from({ length: 10 }, () => latchkeyJSON(cwd, ['migrate', 'up', '--yes', '--lock-timeout', '60'], env, latchkeyProcess)),
  )
  expect(all.map(({ exitCode }) => exitCode)).toEqual(all.map(() => 0))
  expect(all.flatMap(({ document }) => document.applied)).toHaveLength(1)
}, 90_000)

describe('a lock of another process', () => {
  async function locked() {
    const made = await project()
    await latchkey(made.cwd, ['migrate', 'generate'], made.env)
    const { db, dialect } = opened(made)
    await createLeaseTable(db)
    const lease = await acquireLease({
      db,
      errors: dialect.errors,
      clock: dialect.clock,
      name: 'migrations',
      holder: 'another process',
      ttl: 60_000,
    })
    onTestFinished(() => lease?.release())
    return made
  }
  test('gives exit code 7 after --lock-timeout, with the name of its holder', async () => {
    const { cwd, env } = await locked()
    const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'up', '--yes', '--lock-timeout', '0'], env)
    expect(exitCode).toBe(7)
    expect(document).toMatchObject({
      code: 'LOCK_HELD',
      retryable: true,
      message: expect.stringContaining('another process'),
      hint: expect.stringContaining('--lock-timeout'),
    })
  })
  test('exits with 130 on Ctrl-C', async () => {
    const { cwd, env } = await locked()
    const child = execa(process.execPath, [bin, 'migrate', 'up', '--yes', '--json'], {
      cwd,
      env: { ...inherited, ...env },
      extendEnv: false,
      reject: false,
    })
    const [text] = await once(child.stderr, 'data')
    expect(String(text)).toContain('Waiting up to 60 s for the lock of another process')
    child.kill('SIGINT')
    const { exitCode, stdout } = await child
    expect(exitCode).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ code: 'INTERRUPTED', exitCode: 130 })
  })
  test('exits with 1 when --timeout elapses first', async () => {
    const { cwd, env } = await locked()
    expect(await latchkeyJSON(cwd, ['migrate', 'up', '--yes', '--timeout', '2'], env)).toMatchObject({
      exitCode: 1,
      document: { code: 'TIMEOUT', retryable: true },
    })
  })
})

describe('an unreachable database', () => {
  const commands = [['migrate', 'up'], ['migrate', 'down'], ['migrate', 'status'], ['seed']]
  test.each(commands)('gives exit code 6 for %s %s', async (...args) => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const env = { ...complete, DATABASE_URL: `mysql://me:hunter2@127.0.0.1:${await freePort()}/none` }
    const { exitCode, document, stderr } = await latchkeyJSON(cwd, args.filter(Boolean), env)
    expect(exitCode).toBe(6)
    expect(document).toMatchObject({
      schema: 'error/v1',
      code: 'UNREACHABLE',
      retryable: true,
      hint: expect.stringContaining('latchkey doctor'),
    })
    expect(JSON.stringify(document) + stderr).not.toContain('hunter2')
  })
  test('is awaited for at most --wait-for-db', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const env = { ...complete, DATABASE_URL: `mysql://me@127.0.0.1:${await freePort()}/none` }
    const { exitCode, stderr } = await latchkey(cwd, ['migrate', 'status', '--wait-for-db', '1'], env)
    expect([exitCode, stderr]).toEqual([6, expect.stringContaining('Waiting up to 1 s')])
  })
  test('that rejects the connection gives exit code 6 too, marked as not retryable', async () => {
    const { cwd, env } = await project()
    const { exitCode, document } = await latchkeyJSON(cwd, ['migrate', 'status'], {
      ...env,
      DATABASE_URL: `${env.DATABASE_URL}_not_there`,
    })
    expect(exitCode).toBe(6)
    expect(document).toMatchObject({ code: 'DATABASE_REFUSED', retryable: false })
  })
  test('gives exit code 8 for a malformed database URL', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    expect((await latchkey(cwd, ['migrate', 'status'], { ...complete, DATABASE_URL: 'mysql://h/' })).exitCode).toBe(8)
  })
})
