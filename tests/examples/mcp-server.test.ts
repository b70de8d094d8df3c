/** `examples/mcp-server`: its own tests, and a user who makes the key of their agent in a real browser. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startLatchkey, type TestDaemon } from '../../src/testing/index.ts'
import { shareBrowser } from '../quickstart/kit.ts'
import { copyExample, startExample } from './kit.ts'

const openPage = shareBrowser()
const password = 'correct horse battery'

let folder: string
let latchkey: TestDaemon
beforeAll(async () => {
  folder = copyExample('mcp-server')
  const { default: config } = await import(`${folder}/auth.config.ts`)
  latchkey = await startLatchkey({ config })
})
afterAll(() => latchkey.close())

test('the tests of the example pass', async () => {
  const { all } = await execa(process.execPath, ['--test', 'tests/*.test.ts'], { cwd: folder, all: true, reject: false })
  expect(all).toMatch(/pass 3\b/)
  expect(all).toMatch(/fail 0\b/)
})

test('a user creates a key, with which their agent writes a note', async () => {
  const app = await startExample(folder, latchkey.baseURL)
  const { email, name } = await latchkey.createUser({ password })
  const page = await openPage()
  await page.goto(app)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: `Hello ${name}` }).waitFor()
  await page.getByRole('link', { name: 'Create an API key' }).click()
  await page.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Agent')
  await dialog.getByRole('button', { name: 'Create API key' }).click()
  const key = (await dialog.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^notes_/)

  const client = new Client({ name: 'agent', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app}/mcp`), { requestInit }))
  await client.callTool({ name: 'add_note', arguments: { text: 'Buy milk' } })
  const { content } = await client.callTool({ name: 'list_notes', arguments: {} })
  expect(content).toEqual([{ type: 'text', text: 'Buy milk' }])
  await client.close()
})
