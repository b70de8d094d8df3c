import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, readdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { freePort, freshDatabase, freshKeyspace } from '../kit/servers/index.ts'
import { complete, configFile, type Environment, folder, latchkey, latchkeyJSON, secret } from './kit.ts'

async function examine(cwd: string, env: Environment, ...options: string[]) {
  const { exitCode, document } = await latchkeyJSON(cwd, ['doctor', ...options], env)
  expect(document.schema).toBe('doctor/v1')
  const findings = document.findings as readonly Finding[]
  const statuses: Record<string, string> = Object.fromEntries(findings.map(({ id, status }) => [id, status]))
  return { exitCode, findings, statuses }
}

/** On a busy machine, a finding that depends on a measured time may be a warning; the time that it gives decides. */
function expectTimed(findings: readonly Finding[], limits: Readonly<Record<string, number>>) {
  for (const [id, most] of Object.entries(limits)) {
    const { status, message = '' } = findings.find((finding) => finding.id === id) ?? {}
    const time = Number(/([\d.]+) ms/.exec(message)?.[1])
    expect([id, message, status]).toEqual([id, expect.stringMatching(/\d ms/), time <= most ? 'ok' : 'warning'])
  }
}

async function installed() {
  const [database, keyspace] = [await freshDatabase(), await freshKeyspace()]
  onTestFinished(() => database.drop())
  const cwd = folder({ 'auth.config.ts': configFile(), '.env': '' })
  chmodSync(join(cwd, '.env'), 0o600)
  const env = { ...complete, DATABASE_URL: database.url, REDIS_URL: keyspace.redis.url }
  await latchkey(cwd, ['migrate', 'generate'], env)
  await latchkey(cwd, ['migrate', 'up', '--yes'], env)
  return { cwd, env, database }
}

describe('doctor', () => {
  test('asks a time server only when --ntp names one', async () => {
    const server = createSocket('udp4').bind(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    let requests = 0
    server.on('message', (request, { port }) => {
      requests += 1
      const times = Buffer.alloc(16)
      for (const at of [0, 8]) times.writeUInt32BE(Math.round(Date.now() / 1000) + 2_208_988_800 + 3600, at)
      server.send(Buffer.concat([Buffer.from([0x24, 1]), Buffer.alloc(22), request.subarray(40), times]), port)
    })
    const { cwd, env } = await installed()
    expect((await examine(cwd, env)).statuses['ntp-clock']).toBeUndefined()
    expect(requests).toBe(0)
    const asked = await examine(cwd, env, '--ntp', `127.0.0.1:${server.address().port}`)
    expect([asked.statuses['ntp-clock'], requests]).toEqual(['warning', 1])
    expect((await latchkey(cwd, ['doctor', '--ntp', 'http://time'], env)).exitCode).toBe(2)
  })

  test('finds no problem in a valid installation', async () => {
    const { cwd, env, database } = await installed()
    const { exitCode, statuses, findings } = await examine(cwd, { ...env, DATABASE_URL: await database.createAccount() })
    expect(exitCode, JSON.stringify(findings)).toBe(0)
    expect(statuses).toMatchObject({
      node: 'ok',
      'env-mode': 'ok',
      config: 'ok',
      secret: 'ok',
      'base-url': 'ok',
      cookies: 'ok',
      'proxy-trust': 'ok',
      'database-version': 'ok',
      'database-mode': 'ok',
      'database-sql-mode': 'ok',
      'database-isolation': 'ok',
      'database-grants': 'ok',
      'database-connections': 'ok',
      'database-statements': 'ok',
      migrations: 'ok',
      drift: 'ok',
      'redis-version': 'ok',
      'redis-eviction': 'ok',
    })
    expectTimed(findings, { database: 20, redis: 10, 'password-hash': 1000, 'database-clock': 1000 })
  })
  test('warns about a database account that can change tables, without failing', async () => {
    const { cwd, env } = await installed()
    const { exitCode, findings } = await examine(cwd, env)
    expect(exitCode).toBe(0)
    expect(findings.find(({ id }) => id === 'database-grants')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('GRANT SELECT, INSERT, UPDATE, DELETE'),
    })
  })
  test('compares the connections that the server allows with those that the daemon opens', async () => {
    const { cwd, env } = await installed()
    writeFileSync(join(cwd, 'auth.config.ts'), configFile('{ emailAndPassword: { enabled: true }, server: { workers: 100 } }'))
    const { exitCode, findings } = await examine(cwd, env)
    expect(exitCode).toBe(0)
    expect(findings.find(({ id }) => id === 'database-connections')).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('up to 2000'),
      fix: expect.stringContaining('database.poolSize'),
    })
  })
  test('reports a database account without write privileges', async () => {
    const { cwd, env, database } = await installed()
    const { exitCode, findings } = await examine(cwd, { ...env, DATABASE_URL: await database.createAccount('SELECT') })
    expect(exitCode).toBe(1)
    expect(findings.find(({ id }) => id === 'database-grants')).toMatchObject({
      status: 'failed',
      message: 'Missing privileges: INSERT, UPDATE, DELETE',
    })
  })
  test('reports pending migrations and drift', async () => {
    const { cwd, env, database } = await installed()
    const { db, close } = openDatabase({ url: database.url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
    await sql`alter table \`user\` drop column image`.execute(db)
    await close()
    const { exitCode, statuses } = await examine(cwd, env)
    expect([exitCode, statuses.drift, statuses.migrations]).toEqual([1, 'failed', 'ok'])
    const other = folder({ 'auth.config.ts': configFile() })
    expect((await examine(other, env)).statuses.migrations).toBe('failed')
  })
  test('names own tables with another engine or collation, and transactions that stay open', async () => {
    const { cwd, env, database } = await installed()
    const { db, close } = openDatabase({ url: database.url, poolSize: 2, connectTimeout: 5000, queryTimeout: 5000 })
    onTestFinished(close)
    await sql`alter table latchkey_lease engine = MyISAM`.execute(db)
    await sql`alter table latchkey_daemon convert to character set latin1`.execute(db)
    const { exitCode, findings } = await examine(cwd, env)
    expect(exitCode).toBe(1)
    const found = (id: string) => findings.filter((finding) => finding.id === id)
    expect(found('own-tables').sort((one, other) => one.status.localeCompare(other.status))).toEqual([
      expect.objectContaining({ status: 'failed', fix: 'ALTER TABLE latchkey_lease ENGINE=InnoDB' }),
      expect.objectContaining({
        status: 'warning',
        message: expect.stringContaining('latchkey_daemon has the collation latin1'),
      }),
    ])
    for (const { fix = '' } of found('own-tables')) await sql.raw(fix).execute(db)
    const after = (await examine(cwd, env)).findings
    expect(after.filter(({ id }) => id === 'own-tables')).toEqual([])
    expect(after.find(({ id }) => id === 'database-size')?.message).toMatch(/^\d+ tables, [\d.]+ MB: /)
    expect(after.find(({ id }) => id === 'database-transactions')?.status).toMatch(/ok|skipped/)
    expect((await examine(cwd, { ...env, DATABASE_URL: await database.createAccount() })).statuses).toMatchObject({
      'database-size': 'ok',
      'database-transactions': 'skipped',
    })
  })
  test('names a check that cannot be made, and makes those after it', async () => {
    const { cwd, env, database } = await installed()
    const { db, close } = openDatabase({ url: database.url, poolSize: 1, connectTimeout: 5000, queryTimeout: 5000 })
    await sql`alter table latchkey_daemon rename column host to machine`.execute(db)
    await close()
    const { exitCode, findings, statuses } = await examine(cwd, env)
    expect(exitCode).toBe(1)
    expect(statuses).toMatchObject({ daemons: 'failed', migrations: 'failed', redis: expect.anything(), mail: expect.anything() })
    expect(findings.find(({ id }) => id === 'daemons')).toMatchObject({
      status: 'failed',
      message: expect.stringMatching(/Unknown column/),
      fix: expect.stringContaining('--debug'),
    })
    expect((await latchkey(cwd, ['doctor', '--debug'], env)).stderr).toMatch(/Unknown column.*\n +at /s)
  })
  test('names an absent database and a rejected login, with the next step, as other commands do', async () => {
    const { cwd, env, database } = await installed()
    const absent = new URL(database.url)
    absent.pathname = '/absent_database'
    const wrong = new URL(await database.createAccount())
    wrong.password = 'hunter2'
    for (const [url, words, hint] of [
      [absent.href, "Unknown database 'absent_database'", 'Create the database: docs/install.md'],
      [wrong.href, `Access denied for user '${wrong.username}'@`, 'If there is no such account for this host, create it'],
    ] as const) {
      const { findings } = await examine(cwd, { ...env, DATABASE_URL: url })
      expect(findings.find(({ id }) => id === 'database')).toMatchObject({
        status: 'failed',
        message: expect.stringContaining(words),
        fix: expect.stringContaining(hint),
      })
      const listed = await latchkeyJSON(cwd, ['users', 'list'], { ...env, DATABASE_URL: url })
      expect(listed).toMatchObject({
        exitCode: 6,
        document: { code: 'DATABASE_REFUSED', message: expect.stringContaining(words), hint: expect.stringContaining(hint) },
      })
      expect(listed.stdout + listed.stderr).not.toContain('hunter2')
    }
  })
  test('continues when the database and Redis are unreachable, and reports both', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const env = {
      ...complete,
      DATABASE_URL: `mysql://me:hunter2@127.0.0.1:${await freePort()}/d`,
      REDIS_URL: `redis://:hunter3@127.0.0.1:${await freePort()}`,
    }
    const { exitCode, statuses, findings } = await examine(cwd, env)
    expect(exitCode).toBe(1)
    expect(statuses).toMatchObject({ database: 'failed', redis: 'failed' })
    expectTimed(findings, { 'password-hash': 1000 })
    expect(JSON.stringify(findings)).not.toMatch(/hunter\d/)
  })
  test('reports configuration faults and the checks that need no configuration', async () => {
    const cwd = folder({ 'auth.config.ts': configFile('{ sesion: {} }'), '.env': 'A=1' })
    chmodSync(join(cwd, '.env'), 0o644)
    const { exitCode, findings, statuses } = await examine(cwd, complete)
    expect(exitCode).toBe(1)
    expect(statuses).toEqual({ node: 'ok', 'env-mode': 'failed', 'state-mode': 'skipped', config: 'failed' })
    expect(findings.find(({ id }) => id === 'config')).toMatchObject({
      message: expect.stringContaining('sesion'),
      fix: 'Did you mean `session`?',
    })
    expect(findings.find(({ id }) => id === 'env-mode')).toMatchObject({ fix: expect.stringContaining('chmod 600') })
  })
  test('reports administration without an administrator', async () => {
    const cwd = folder({ 'auth.config.ts': configFile('{ emailAndPassword: { enabled: true }, admin: true }') })
    const create = (...args: string[]) => latchkey(cwd, ['users', 'create', '--name', 'Ann', ...args], complete)
    await create('--email', 'ann@example.com')
    const found = async () => (await examine(cwd, complete)).findings.find(({ id }) => id === 'administrators')
    expect(await found()).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('latchkey users set-role <user> admin'),
    })
    await create('--email', 'root@example.com', '--role', 'admin')
    expect(await found()).toMatchObject({ status: 'ok' })
  })
  test('creates no database while checking for one', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { exitCode, statuses } = await examine(cwd, complete)
    expect([exitCode, statuses.database, statuses.redis]).toEqual([0, 'skipped', 'skipped'])
    expect(readdirSync(cwd)).toEqual(['auth.config.ts'])
  })
  test('prints a status mark, a sentence and a fix, but no secret', async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const { stdout, stderr } = await latchkey(cwd, ['doctor'], complete)
    expect(stdout).toMatch(/^✓ Node\.js +\d/m)
    expect(stdout).toMatch(/\d+ ok, \d+ warnings?, 0 failed$/)
    expect(stdout + stderr).not.toContain(secret)
  })
})

test('doctor prints the redirect URI of each provider, and no client secret', async () => {
  const options = `{ socialProviders: { github: { clientId: 'an-id', clientSecret: 'hunter2-hunter3' } } }`
  const { stdout } = await latchkey(folder({ 'auth.config.ts': configFile(options) }), ['doctor'], complete)
  expect(stdout).toContain('http://localhost:4000/api/auth/callback/github')
  expect(stdout).not.toContain('hunter')
})

test('doctor names the time of a Redis whose replies come later than its command timeout', async () => {
  const { cwd, env } = await installed()
  const target = new URL(env.REDIS_URL ?? '')
  const slow = createServer((client) => {
    const server = connect(Number(target.port || 6379), target.hostname)
    client.pipe(server)
    server.on('data', (reply) => setTimeout(() => client.write(reply), 40))
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
    server.on('close', () => client.destroy())
    client.on('close', () => server.destroy())
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void slow.close())
  await once(slow, 'listening')
  const { port } = slow.address() as AddressInfo
  writeFileSync(join(cwd, 'auth.config.ts'), configFile('{ redis: { commandTimeout: 20 } }'))
  const through = Object.assign(new URL(target), { hostname: '127.0.0.1', port })
  const { statuses, findings } = await examine(cwd, { ...env, REDIS_URL: through.href })
  expect(findings.find(({ id }) => id === 'redis')?.message).toMatch(/^Responds in \d+ ms; every request queries it$/)
  expect(statuses).toMatchObject({ redis: 'warning', 'redis-rights': 'ok', 'redis-version': 'ok' })
})

describe('doctor with a Redis account of limited rights', () => {
  test('works without INFO, and names rights that are missing', async () => {
    const { cwd, env } = await installed()
    const address = new URL(env.REDIS_URL ?? '')
    const admin = new Redis(env.REDIS_URL ?? '')
    onTestFinished(() => admin.disconnect())
    const examineAs = async (rights: string) => {
      await admin.call('ACL', 'SETUSER', ...`limited reset on >password ~* +ping +get +set +mget +del ${rights}`.split(' '))
      Object.assign(address, { username: 'limited', password: 'password' })
      const run = await latchkeyJSON(cwd, ['doctor'], { ...env, REDIS_URL: address.href })
      const findings = run.document.findings as readonly Finding[]
      return { ...run, findings, rights: findings.find(({ id }) => id === 'redis-rights') }
    }
    expect((await examineAs('+eval +evalsha +info')).findings).toContainEqual(
      expect.objectContaining({ id: 'redis', status: 'failed', message: expect.stringContaining("'select'") }),
    )
    expect((await examineAs('+eval +evalsha +select')).rights).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('info'),
    })
    const failing = await examineAs('+info +select')
    expect(failing.rights).toMatchObject({ status: 'failed', message: 'The account may not call eval, evalsha' })
    expect(JSON.stringify(failing.document)).not.toContain('counted in memory')
  })
})
