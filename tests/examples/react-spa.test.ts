/** `examples/react-spa` as its users run it: its own tests, and the app in a real browser. */
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
  folder = copyExample('react-spa')
  latchkey = await startLatchkey()
})
afterAll(() => latchkey.close())

test('the tests of the example pass', async () => {
  const { all } = await execa(process.execPath, ['--test', 'tests/*.test.ts'], { cwd: folder, all: true, reject: false })
  expect(all).toMatch(/pass 4\b/)
  expect(all).toMatch(/fail 0\b/)
})

test('the app shows the notes of the signed-in user only', async () => {
  const app = await startExample(folder, latchkey.baseURL)
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
