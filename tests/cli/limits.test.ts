import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../../src/adapters/log.ts'
import { openApp } from '../../src/app.ts'
import { featureList } from '../../src/features/index.ts'
import { createServer } from '../../src/http/server.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { createBrowser } from '../kit/browser.ts'
import { complete, configFile, folder, latchkey, latchkeyJSON, secret } from './kit.ts'

const project = () =>
  folder({ 'auth.config.ts': configFile(`{ environment: 'production', emailAndPassword: { enabled: true } }`) })
const account = ['--account', 'ann@example.com']
const nothing = { failures: 0, wait: 0, nextDelay: 0 }

test('explains the limits of an unknown account', async () => {
  const cwd = project()
  const { exitCode, document } = await latchkeyJSON(cwd, ['limits', 'explain', ...account, '--ip', '2001:DB8::1'], complete)
  expect(exitCode).toBe(0)
  expect(document).toEqual({
    schema: 'limits-explain/v1',
    enabled: true,
    account: nothing,
    network: { address: '2001:db8:0:0::/64', ...nothing, isKnown: false },
    places: 0,
    secondFactor: null,
    emailCodes: null,
    rateLimits: expect.objectContaining({ address: '2001:db8:0:0::/64', enabled: true, storage: 'memory', seen: false }),
  })
  const { stdout } = await latchkey(cwd, ['limits', 'explain', ...account], complete)
  expect(stdout).toContain('0 consecutive failures; allowed; the next failure adds no delay')
})

test('clear reports the number of cleared counters', async () => {
  const { exitCode, document } = await latchkeyJSON(project(), ['limits', 'clear', ...account], complete)
  expect([exitCode, document]).toEqual([0, { schema: 'limits-clear/v1', cleared: 0, rateLimits: null }])
})

test.each([
  [['explain'], '--account'],
  [['clear'], '--account'],
  [['explain'], '--ip'],
  [['clear'], '--ip'],
  [['explain', ...account, '--path', '/ok'], '--path'],
  [['clear', '--ip', '192.0.2.1', '--path', 'ok'], '--path'],
  [['clear', '--ip', '192.0.2.1', '--path', '/ok?a=b'], '--path'],
  [['explain', ...account, '--ip', 'nowhere'], '--ip'],
  [['clear', ...account, '--ip', '192.0.2.300'], '--ip'],
])('%j is a usage error that names %s', async (args, name) => {
  const { exitCode, document } = await latchkeyJSON(project(), ['limits', ...args], complete)
  expect(exitCode).toBe(2)
  expect(document).toMatchObject({ code: 'USAGE', message: expect.stringContaining(name) })
})

test('explains and clears the counters of a daemon', async () => {
  const cwd = project()
  await latchkey(cwd, ['limits', 'clear', ...account], complete)
  const parsed = parseConfig(featureList, {
    secret,
    baseURL: complete.LATCHKEY_BASE_URL,
    database: { url: `sqlite:${cwd}/test.db` },
    emailAndPassword: { enabled: true, sendResetPassword: () => {} },
    rateLimit: { enabled: false },
    mailLimit: { enabled: true },
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const log = await createLog({ level: 'error', destination: 2, pretty: false, colour: false })
  const { app, close } = await openApp(parsed.config, {
    log,
    metrics: { count: () => {}, observe: () => {} },
    actor: { kind: 'system' },
  })
  onTestFinished(close)
  const server = createServer(app, { reasons: async () => [] })
  const { request } = createBrowser((url, init) => server.request(url, init), 'http://localhost:4000/api/auth')
  const body = JSON.stringify({ email: 'ann@example.com', password: 'a wrong password' })
  for (let time = 0; time < 10; time += 1) {
    await request('/sign-in/email', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  }
  for (const path of ['/request-password-reset', '/forget-password'])
    await request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const explained = await latchkeyJSON(cwd, ['limits', 'explain', ...account, '--ip', '127.0.0.1'], complete)
  const expected = { account: { failures: 10 }, network: { failures: 10, nextDelay: 2, isKnown: false }, places: 1 }
  expect(explained.document).toMatchObject(expected)
  expect((await latchkeyJSON(cwd, ['limits', 'clear', ...account], complete)).document).toMatchObject({ cleared: 3 })
  const cleared = await latchkeyJSON(cwd, ['limits', 'explain', ...account, '--ip', '127.0.0.1'], complete)
  expect(cleared.document).toMatchObject({ account: nothing, network: nothing, places: 0 })
})
