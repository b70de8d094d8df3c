/** Clusters: unsupported modes are reported before anything is changed, and reads can be causal. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import { complete, configFile, folder, latchkey, latchkeyJSON, latchkeyProcess } from '../cli/kit.ts'
import { testApp } from '../kit/app.ts'
import { galera, groupReplication, startGalera, startGroup } from '../kit/servers/clusters.ts'
import { freshDatabase, type Server } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const unsupported = {
  code: 'DATABASE_UNSUPPORTED',
  message: expect.stringContaining('multi-primary'),
  hint: expect.stringContaining('single-primary'),
}

/** A user signs up and has a session, with causal reads. */
async function expectServed(server?: Server): Promise<void> {
  const { url } = await freshDatabase(server?.url)
  const { browser } = await testApp({ database: { url, causalReads: true }, redis: false })
  const visitor = browser()
  expect((await visitor.call('POST /sign-up/email', { body: ann })).status).toBe(200)
  expect((await visitor.call('GET /get-session', {})).body.user.email).toBe(ann.email)
}

describe.runIf(groupReplication)('a group in multi-primary mode', () => {
  let server: Server
  beforeAll(async () => {
    server = await startGroup(groupReplication ?? '', 'multi-primary')
  })
  afterAll(() => server?.stop())

  test('is reported by migrate up, start, start --check and doctor, with the way out', { timeout: 120_000 }, async () => {
    const cwd = folder({ 'auth.config.ts': configFile() })
    const env = { ...complete, DATABASE_URL: (await freshDatabase(server.url)).url }
    await latchkey(cwd, ['migrate', 'generate'], env)
    const run = (...args: string[]) => latchkeyJSON(cwd, args, env)
    expect((await run('migrate', 'up', '--yes')).document).toMatchObject(unsupported)
    expect((await run('start', '--check')).document).toMatchObject(unsupported)
    const started = await latchkeyJSON(cwd, ['start', '--migrate'], env, latchkeyProcess)
    expect([started.exitCode, started.document]).toEqual([1, expect.objectContaining(unsupported)])
    const { exitCode, document } = await run('doctor')
    expect([exitCode, document.findings]).toEqual([
      1,
      expect.arrayContaining([
        expect.objectContaining({ id: 'database-mode', status: 'failed', message: unsupported.message, fix: unsupported.hint }),
      ]),
    ])
  })
  test('responds with 503 to writes, and with 200 to reads', async () => {
    const { browser } = await testApp({ database: { url: (await freshDatabase(server.url)).url }, redis: false })
    const answer = await browser().call('POST /sign-up/email', { body: ann })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect((await browser().call('GET /get-session', {})).status).toBe(200)
  })
})

/** The value of a variable on two connections of an account like that of a daemon. */
async function valuesOf(server: Server, variable: string, causalReads: boolean): Promise<unknown[]> {
  const url = await (await freshDatabase(server.url)).createAccount()
  const { db, close } = openDatabase({ url, poolSize: 2, connectTimeout: 20_000, queryTimeout: 20_000, causalReads })
  onTestFinished(close)
  const read = (one: typeof db) =>
    sql<{ value: unknown }>`select @@session.${sql.raw(variable)} as value`.execute(one).then(({ rows }) => rows[0]?.value)
  return db.connection().execute((one) => db.connection().execute(async (other) => [await read(one), await read(other)]))
}

async function findCausalReads(server: Server, config: string) {
  const cwd = folder({ 'auth.config.ts': configFile(config) })
  const { document } = await latchkeyJSON(cwd, ['doctor'], {
    ...complete,
    DATABASE_URL: (await freshDatabase(server.url)).url,
  })
  return (document.findings as readonly Finding[]).find(({ id }) => id === 'database-causal-reads')
}

describe.runIf(galera)('a Galera cluster', () => {
  let server: Server
  beforeAll(async () => {
    server = await startGalera(galera ?? '')
  })
  afterAll(() => server?.stop())

  test('waits before reads on every connection with database.causalReads', async () => {
    expect(await valuesOf(server, 'wsrep_sync_wait', true)).toEqual([1, 1])
    expect(await valuesOf(server, 'wsrep_sync_wait', false)).toEqual([0, 0])
  })
  test('gets a warning from doctor without causal reads', async () => {
    expect(await findCausalReads(server, '{}')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('database.causalReads'),
    })
    expect(await findCausalReads(server, '{ database: { causalReads: true } }')).toMatchObject({ status: 'ok' })
  })
  test('serves users with causal reads', () => expectServed(server))
})

describe.runIf(groupReplication)('a group in single-primary mode', () => {
  let server: Server
  beforeAll(async () => {
    server = await startGroup(groupReplication ?? '', 'single-primary')
  })
  afterAll(() => server?.stop())

  test('waits before reads on every connection with database.causalReads', async () => {
    expect(await valuesOf(server, 'group_replication_consistency', true)).toEqual(['BEFORE', 'BEFORE'])
    expect(await valuesOf(server, 'group_replication_consistency', false)).toEqual(Array(2).fill('BEFORE_ON_PRIMARY_FAILOVER'))
    expect(await findCausalReads(server, '{ database: { causalReads: true } }')).toMatchObject({ status: 'ok' })
  })
  test('serves users with causal reads', () => expectServed(server))
})

test('a single server works with database.causalReads', () => expectServed())
