/** Group Replication: multi-primary mode is reported before anything is changed, and no call fails unexpectedly in it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { complete, configFile, folder, latchkey, latchkeyJSON, latchkeyProcess } from '../cli/kit.ts'
import { testApp } from '../kit/app.ts'
import { groupReplication, startGroup } from '../kit/servers/clusters.ts'
import { freshDatabase, type Server } from '../kit/servers/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const unsupported = {
  code: 'DATABASE_UNSUPPORTED',
  message: expect.stringContaining('multi-primary'),
  hint: expect.stringContaining('single-primary'),
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
