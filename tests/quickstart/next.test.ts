/** "Next.js" of docs/quickstart.md: a real application, run by `next dev`, in a real browser. */
import { appendFileSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { statusOf, until } from '../daemon/project.ts'
import { copyApp, installPackages } from '../kit/installation.ts'
import { freePort } from '../kit/servers/index.ts'
import { keptFolder, spawnKept } from '../kit/servers/keeper.ts'
import { ann, chooseSignIn, expectHiddenCookie, shareBrowser, startLatchkey, submit } from './kit.ts'

const openPage = shareBrowser()

let application: string
beforeAll(async () => {
  application = copyApp('tests/quickstart/next', await installPackages('tests/quickstart/next', 'next'), 'quickstart')
}, 600_000)

async function startApplication(latchkey: string): Promise<string> {
  const port = await freePort()
  const folder = keptFolder('next')
  const program = join(application, '../node_modules/next/dist/bin/next')
  // Otherwise `next dev` looks up its newest version in the registry: nothing may leave this machine.
  const local = ['NEXT_TELEMETRY_DISABLED=1', 'NODE_USE_ENV_PROXY=1', 'HTTPS_PROXY=http://127.0.0.1:9']
  const variables = [...local, `NEXT_PUBLIC_LATCHKEY_URL=${latchkey}`]
  const args = [...variables, process.execPath, program, 'dev', application, '--port', String(port), '--hostname', 'localhost']
  const child = spawnKept(folder, 'env', args)
  onTestFinished(() => {
    // The whole group: the process of the server too.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  })
  const origin = `http://localhost:${port}`
  const output = () => readFileSync(join(folder, 'output.log'), 'utf8')
  await until(() => {
    if (child.exitCode !== null) throw new Error(output())
    return output().includes('Ready in')
  }, `the start of ${origin}`)
  // The process of the server, which would outlive `next dev` when the test run is killed.
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ').filter(Boolean)
  appendFileSync(join(dirname(folder), 'pids'), children.map((pid) => `${pid}\n`).join(''))
  return origin
}

/** Opens the page of sign-up, and submits it before any script file has been loaded. */
async function submitEarly(page: Page, origin: string): Promise<void> {
  const { promise: submitted, resolve } = Promise.withResolvers<void>()
  await page.route('**/*.js', (route) => submitted.then(() => route.continue()))
  await page.goto(origin, { waitUntil: 'commit' })
  await page.getByRole('heading', { name: 'Sign up' }).waitFor()
  const visited: string[] = []
  page.on('framenavigated', (frame) => visited.push(frame.url()))
  await submit(page, 'Create account', ann)
  resolve()
  await page.getByRole('heading', { name: 'Hello Ann' }).waitFor()
  expect(visited.join()).not.toContain('password')
}

test('the Next.js application shows its private page to signed-in users only', async () => {
  const latchkey = await startLatchkey()
  const origin = await startApplication(latchkey)
  expect(await statusOf(`${origin}/sign-in`)).toBe(200)
  const page = await openPage()
  await page.goto(origin)
  await page.waitForURL(`${origin}/sign-in`)
  await submitEarly(page, `${origin}/sign-in`)
  await page.getByRole('banner').getByText(ann.email).waitFor()
  await expectHiddenCookie(page, latchkey)
  const html = await (await page.request.get(origin)).text()
  expect(html).toContain('Hello')

  const [{ value = '' } = {}] = (await page.context().cookies(latchkey)).filter(({ name }) => name.endsWith('session_token'))
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${origin}/sign-in`)
  await page.goBack()
  await page.waitForURL(`${origin}/sign-in`)
  // A forged cookie, and a copy of the cookie of the session that has ended.
  for (const cookie of ['forged', value]) {
    const text = await (await fetch(origin, { headers: { cookie: `latchkey.session_token=${cookie}` } })).text()
    expect(text).not.toContain('Hello')
  }
  await chooseSignIn(page)
  await submit(page, 'Continue', { email: ann.email, password: ann.password })
  await page.getByRole('heading', { name: 'Hello Ann' }).waitFor()
}, 240_000)
