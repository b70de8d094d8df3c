/** `examples/nextjs-organizations` with `next dev`, in a real browser. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startLatchkey, type TestDaemon, type TestUser } from '../../src/testing/index.ts'
import { addServerEntries, copyApp, installPackages } from '../kit/installation.ts'
import { freePort } from '../kit/servers/index.ts'
import { spawnApp } from '../kit/spawn-app.ts'
import { shareBrowser } from '../quickstart/kit.ts'

const openPage = shareBrowser()
const password = 'correct horse battery'
const root = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
let latchkey: TestDaemon
beforeAll(async () => {
  const packages = await installPackages('tests/quickstart/next', 'next')
  await addServerEntries(packages)
  folder = copyApp('examples/nextjs-organizations', packages, 'organizations')
  // The test keeps this application and its packages inside the repository.
  writeFileSync(join(folder, 'next.config.mjs'), `export default { turbopack: { root: ${JSON.stringify(packages)} } }`)
  const { default: config } = await import(join(root, 'examples/nextjs-organizations/auth.config.ts'))
  latchkey = await startLatchkey({ config })
}, 600_000)
afterAll(() => latchkey.close())

test('has no type errors', async () => {
  const paths = {
    'latchkey/server': [join(root, 'src/server/index.ts')],
    'latchkey/server/next': [join(root, 'src/server/next.ts')],
  }
  // Its configuration is checked by `npm run check`, with the types of the whole daemon.
  const exclude = ['auth.config.ts', 'node_modules', '.next']
  const options = { extends: './tsconfig.json', compilerOptions: { paths, plugins: [], incremental: false }, exclude }
  writeFileSync(join(folder, 'tsconfig.check.json'), JSON.stringify(options))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const { all } = await execa(tsc, ['-p', 'tsconfig.check.json'], { cwd: folder, all: true, reject: false })
  expect(all).toBe('')
})

async function signIn(page: Page, { email }: TestUser): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

test('users create and switch organizations and invite members, whom the page for administrators does not show itself', async () => {
  const app = `http://localhost:${await freePort()}`
  const { port } = new URL(app)
  const args = ['../node_modules/next/dist/bin/next', 'dev', '--port', port, '--hostname', 'localhost']
  onTestFinished(
    await spawnApp(app, { cwd: folder, args, variables: { NEXT_PUBLIC_LATCHKEY_URL: latchkey.origin, APP_URL: app } }),
  )
  const [ann, bob] = [await latchkey.createUser({ name: 'Ann', password }), await latchkey.createUser({ name: 'Bob', password })]
  const page = await openPage()
  await page.goto(app)
  await signIn(page, ann)
  await page.getByRole('heading', { name: 'Hello Ann' }).waitFor()
  for (const name of ['Acme', 'Globex']) {
    await page.getByLabel('New organization').fill(name)
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: `Projects of ${name}` }).waitFor()
  }
  await page.getByRole('combobox').selectOption('Acme')
  await page.getByRole('button', { name: 'Switch' }).click()
  await page.getByRole('heading', { name: 'Projects of Acme' }).waitFor()
  await page.getByRole('link', { name: 'Members and invitations' }).click()
  await page.getByRole('heading', { name: 'Members of Acme' }).waitFor()
  await page.getByLabel('Email address').fill(bob.email)
  await page.getByRole('button', { name: 'Invite' }).click()
  await expect.poll(() => latchkey.mails.list(bob.email)).toHaveLength(1)

  const other = await openPage()
  await other.goto((await latchkey.mails.latest(bob.email)).links[0] ?? '')
  await other.getByRole('link', { name: 'Sign in' }).click()
  await signIn(other, bob)
  await other.getByRole('button', { name: 'Accept invitation' }).click()
  await other.getByRole('heading', { name: 'Acme' }).waitFor()
  await other.goto(app)
  await other.getByRole('heading', { name: 'Projects of Acme' }).waitFor()
  expect((await other.goto(`${app}/admin`))?.status()).toBe(404)
  await page.reload()
  await page.getByText(`Bob (${bob.email}): member`).waitFor()
  await page.getByRole('link', { name: 'Back' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${latchkey.origin}/sign-in?**`)
}, 240_000)
