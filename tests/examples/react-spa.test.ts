/** `examples/react-spa` as its users run it: its own tests, and the app in a real browser. */
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startLatchkey, type TestDaemon } from '../../src/testing/index.ts'
import { statusOf, until } from '../daemon/project.ts'
import { freePort } from '../kit/servers/index.ts'
import { keptFolder, spawnKept } from '../kit/servers/keeper.ts'
import { shareBrowser } from '../quickstart/kit.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(keptFolder('react-spa'), 'app')
const openPage = shareBrowser()
const password = 'correct horse battery'

let latchkey: TestDaemon
beforeAll(async () => {
  cpSync(join(root, 'examples/react-spa'), folder, { recursive: true })
  mkdirSync(join(folder, 'node_modules'))
  const installed = readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.') && name !== 'latchkey')
  for (const name of installed) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  symlinkSync(root, join(folder, 'node_modules/latchkey'))
  latchkey = await startLatchkey()
})
afterAll(() => latchkey.close())

test('the tests of the example pass', async () => {
  const { all } = await execa(process.execPath, ['--test', 'tests/*.test.ts'], { cwd: folder, all: true, reject: false })
  expect(all).toMatch(/pass 4\b/)
  expect(all).toMatch(/fail 0\b/)
})

test('the app shows the notes of the signed-in user only', async () => {
  const port = await freePort()
  const app = `http://localhost:${port}`
  const variables = [`PORT=${port}`, `LATCHKEY_URL=${latchkey.baseURL}`]
  const child = spawnKept(folder, 'env', [...variables, process.execPath, 'server/start.ts'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'output.log'), 'utf8'))
    return (await statusOf(app).catch(() => 0)) === 200
  })
  const { email, name } = await latchkey.createUser({ password })
  const page = await openPage()
  await page.goto(app)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: `Notes of ${name}` }).waitFor()
  await page.getByLabel('New note').fill('Buy milk')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('listitem').getByText('Buy milk').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await page.getByText('Buy milk').count()).toBe(0)
})
