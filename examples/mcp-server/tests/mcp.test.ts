import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { startLatchkey, type TestDaemon } from 'latchkey/testing'
import config from '../auth.config.ts'
import { createApp } from '../server/app.ts'

const appURL = 'http://localhost:5174'
let latchkey: TestDaemon
let app: ReturnType<typeof createApp>

before(async () => {
  latchkey = await startLatchkey({ config })
  app = createApp({ baseURL: latchkey.baseURL, appURL, now: latchkey.clock.now })
})
after(() => latchkey.close())

async function connect(key: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  const fetch = async (url: string | URL, init?: RequestInit) => app.request(new Request(url, init))
  await client.connect(new StreamableHTTPClientTransport(new URL(`${appURL}/mcp`), { requestInit, fetch }))
  return client
}

const call = async (client: Client, name: string, args: Record<string, unknown> = {}) =>
  (await client.callTool({ name, arguments: args })).content

test('an agent reads and adds notes of the owner of its key only', async () => {
  const [ann, bob] = [await latchkey.createUser({ name: 'Ann' }), await latchkey.createUser()]
  const agent = await connect((await latchkey.createAPIKey(ann)).key)
  assert.match((await agent.listTools()).tools[0]?.description ?? '', /of Ann$/)
  await call(agent, 'add_note', { text: 'Buy milk' })
  assert.deepEqual(await call(agent, 'list_notes'), [{ type: 'text', text: 'Buy milk' }])
  const other = await connect((await latchkey.createAPIKey(bob)).key)
  assert.deepEqual(await call(other, 'list_notes'), [{ type: 'text', text: 'There are no notes' }])
})

test('rejects a request without a key, with a forged one, and with an expired one', async () => {
  const statusOf = async (headers: Record<string, string>) =>
    (await app.request('/mcp', { method: 'POST', headers, body: '{}' })).status
  assert.equal(await statusOf({}), 401)
  assert.equal(await statusOf({ authorization: `Bearer notes_${'x'.repeat(64)}` }), 401)
  const { key } = await latchkey.createAPIKey(await latchkey.createUser())
  assert.notEqual(await statusOf({ authorization: `Bearer ${key}` }), 401)
  latchkey.clock.advance(91 * 24 * 60 * 60)
  assert.equal(await statusOf({ authorization: `Bearer ${key}` }), 401)
})

test('leads visitors of the start page to the sign-in', async () => {
  const response = await app.request('/', { headers: { accept: 'text/html' } })
  assert.equal(response.status, 303)
  assert.equal(new URL(response.headers.get('location') ?? '').origin, latchkey.origin)
})
