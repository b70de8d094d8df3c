/** `limits explain` and `limits clear` for an IP address, on every store. */
import { expect, onTestFinished, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import type { Browser } from '../kit/browser.ts'
import { freshKeyspace } from '../kit/servers/index.ts'
import { freePort } from '../kit/servers/ports.ts'
import { complete, configFile, folder, latchkey, latchkeyJSON } from './kit.ts'
import { places, serve } from './projects.ts'

const common: ConfigFile = {
  emailAndPassword: { enabled: true },
  server: { trustedProxies: ['127.0.0.1'] },
  attempts: { enabled: true },
}
/** Windows that outlast the slowest machine. */
const limited = {
  enabled: true,
  window: 600,
  customRules: {
    '/get-session': false as const,
    '/ok': { window: 600, max: 5 },
    '/sign-in/email': { window: 600, max: 3 },
  },
}

const stores = {
  database: async (): Promise<ConfigFile> => ({ ...common, rateLimit: { ...limited, storage: 'database' } }),
  redis: async (): Promise<ConfigFile> => {
    const keyspace = await freshKeyspace()
    onTestFinished(() => keyspace.drop())
    return { ...common, rateLimit: limited, redis: keyspace.redis }
  },
}

interface Explained {
  readonly rateLimits: { readonly calls: readonly Readonly<Record<string, unknown>>[] }
}
const callOf = (document: unknown, pattern: string | null) =>
  (document as Explained).rateLimits.calls.find((call) => call.pattern === pattern)

const signIn = ({ request }: Browser, address: string, path = '/sign-in/email') =>
  request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ email: 'ann@example.com', password: 'a wrong password' }),
  })

test.each([
  ['database', 'SQLite'],
  ['database', 'a server'],
  ['redis', 'SQLite'],
] as const)(
  'explains and clears what daemons count in the %s (%s)',
  async (storage, place) => {
    const given = await stores[storage]()
    const project = await places[place](given)
    await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
    const browser = (await serve(project, given)).browser()
    const run = async (...args: string[]) => (await latchkeyJSON(project.cwd, ['limits', ...args], project.env)).document
    for (let call = 0; call < 4; call += 1) await signIn(browser, '2001:db8::1')
    await signIn(browser, '2001:db8::2', '/nowhere')
    await browser.request('/ok', { headers: { 'x-forwarded-for': '192.0.2.1' } })

    const explained = await run('explain', '--ip', '2001:DB8::ff')
    expect(explained).toMatchObject({ enabled: null, account: null, network: null, places: null })
    expect(explained.rateLimits).toMatchObject({ address: '2001:db8:0:0::/64', enabled: true, storage, seen: true })
    const refused = callOf(explained, '/sign-in/email')
    expect(refused).toMatchObject({ method: 'POST', source: 'customRules', rule: { window: 600, max: 3 }, count: 3 })
    expect(refused?.wait).toBeGreaterThan(0)
    expect(callOf(explained, null)).toMatchObject({ method: null, source: 'default', count: 1, wait: 0 })
    expect(callOf(explained, '/get-session')).toMatchObject({ source: 'customRules', rule: false, wait: 0 })
    expect(callOf(explained, '/ok')).toMatchObject({ source: 'customRules', rule: { window: 600, max: 5 }, count: 0, wait: 0 })

    const one = await run('explain', '--ip', '192.0.2.1', '--path', '/api/auth/ok/')
    expect((one as unknown as Explained).rateLimits.calls).toMatchObject([{ pattern: '/ok', count: 1 }])
    expect(await run('clear', '--ip', '2001:db8::3', '--path', '/ok')).toMatchObject({ cleared: 0, rateLimits: 0 })
    expect(await run('clear', '--ip', '2001:db8::3')).toMatchObject({ cleared: 0, rateLimits: 2 })
    expect((await signIn(browser, '2001:db8::1')).status).toBe(401)
    const both = await run('clear', '--ip', '2001:db8::1', '--account', 'ann@example.com')
    expect(both).toMatchObject({ cleared: 1, rateLimits: 1 })
    expect(callOf(await run('explain', '--ip', '192.0.2.1'), '/ok')).toMatchObject({ count: 1 })
  },
  90_000,
)

test('lists limited requests first, with the origin of each limit', async () => {
  const given = await stores.database()
  const project = await places.SQLite(given)
  await latchkey(project.cwd, ['sessions', 'revoke', '--before', '2000-01-01T00:00:00Z'], project.env)
  const browser = (await serve(project, given)).browser()
  for (let call = 0; call < 3; call += 1) await signIn(browser, '192.0.2.1')
  const { stdout } = await latchkey(project.cwd, ['limits', 'explain', '--ip', '192.0.2.1'], project.env)
  const [head, first, ...rest] = stdout.split('\n')
  expect(rest.join('\n')).toMatch(/0 of 3 in 10 s +POST \/sign-up\/email +password guessing/)
  expect(head).toBe('Requests from 192.0.2.1, counted in the database')
  expect(first).toMatch(/^ {2}limited for \d+ s +3 of 3 in 600 s +POST \/sign-in\/email +rateLimit\.customRules$/)
  expect(rest.join('\n')).toMatch(/ {2}allowed +no limit +GET \/get-session +rateLimit\.customRules/)
  expect(rest.join('\n')).toMatch(/ {2}allowed +0 of 100 in 600 s +any other paths +rateLimit\.window and max/)
})

test('reads a custom store through its own functions', async () => {
  const cwd = folder({
    'auth.config.ts': configFile(`{
      rateLimit: { enabled: true, customStorage: {
        get: async (key) => existsSync(file(key)) ? JSON.parse(readFileSync(file(key), 'utf8')) : null,
        set: async (key, value) => writeFileSync(file(key), JSON.stringify(value)),
      } } }`).replace(
      '\n\n',
      "\nimport { existsSync, readFileSync, writeFileSync } from 'node:fs'\nconst file = (key: string) => encodeURIComponent(key)\n",
    ),
    [encodeURIComponent('192.0.2.1/ok')]: JSON.stringify({ key: '192.0.2.1/ok', count: 4, lastRequest: Date.now() + 1000 }),
  })
  const explained = await latchkeyJSON(cwd, ['limits', 'explain', '--ip', '192.0.2.1'], complete)
  expect(explained.document.rateLimits).toMatchObject({ storage: 'custom', seen: true })
  expect(callOf(explained.document, '/ok')).toMatchObject({ count: 4 })
  const cleared = await latchkeyJSON(cwd, ['limits', 'clear', '--ip', '192.0.2.1'], complete)
  expect(cleared.document).toMatchObject({ rateLimits: 1 })
  const after = await latchkeyJSON(cwd, ['limits', 'explain', '--ip', '192.0.2.1', '--path', '/ok'], complete)
  expect(callOf(after.document, '/ok')).toMatchObject({ count: 0, lastRequest: null })
})

test('reports no wait when a function of the configuration decides about requests', async () => {
  const cwd = folder({
    'auth.config.ts': configFile("{ rateLimit: { enabled: true, storage: 'database', customRules: { '/ok': () => false } } }"),
  })
  const { document } = await latchkeyJSON(cwd, ['limits', 'explain', '--ip', '192.0.2.1', '--path', '/ok'], complete)
  expect(callOf(document, '/ok')).toMatchObject({ rule: 'function', count: 0, wait: null })
})

test('reports that the memory of a stopped daemon cannot be read', async () => {
  const cwd = folder({ 'auth.config.ts': configFile("{ environment: 'production' }") })
  const explained = await latchkey(cwd, ['limits', 'explain', '--ip', '192.0.2.1', '--path', '/ok'], complete)
  expect(explained).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('not visible') })
  expect(explained.stderr).toContain('counts requests in memory, and none is running for this project')
  const cleared = await latchkey(cwd, ['limits', 'clear', '--ip', '192.0.2.1'], complete)
  expect(cleared).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('Nothing to reset') })
  expect(cleared.stderr).toContain('counts requests in memory, and none is running for this project')
})

test('reports disabled limits', async () => {
  const cwd = folder({ 'auth.config.ts': configFile("{ rateLimit: { enabled: false, storage: 'database' } }") })
  const { stdout } = await latchkey(cwd, ['limits', 'explain', '--ip', '192.0.2.1'], complete)
  expect(stdout).toContain('Requests are not limited: rateLimit.enabled is off')
})

test('reports an unreachable Redis instead of empty counters', async () => {
  const port = await freePort()
  const cwd = folder({
    'auth.config.ts': configFile(`{ rateLimit: { enabled: true }, redis: { url: 'redis://127.0.0.1:${port}' } }`),
  })
  for (const verb of ['explain', 'clear']) {
    const { exitCode, document } = await latchkeyJSON(cwd, ['limits', verb, '--ip', '192.0.2.1'], complete)
    expect([exitCode, document.code]).toEqual([6, 'UNREACHABLE'])
  }
})
