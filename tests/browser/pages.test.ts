/** The pages of the API in a real browser: no requests to other hosts, no violation of the content security policy. */
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seed } from '../../src/features/setup/index.ts'
import { createServer } from '../../src/http/server.ts'
import { testApp } from '../kit/app.ts'
import { chromiumArguments, findChromium, freePort } from '../kit/servers/index.ts'

let browser: Browser
beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
})
afterAll(() => browser.close())

const admin = { email: 'root@example.com', name: 'Root' }

async function served() {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const kit = await testApp({
    baseURL: origin,
    openAPI: true,
    dashboard: { enabled: false },
    seed: { roles: { admin: {} }, admins: [admin] },
  })
  const server = createHttpServer(getRequestListener(createServer(kit.app, { reasons: async () => [] }).fetch))
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  onTestFinished(() => void server.close())
  expect((server.address() as AddressInfo).port).toBe(port)
  return { ...kit, origin }
}

/** A page that notes every complaint, and every request that would leave this machine. */
async function visit(origin: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith('data:')) complaints.push(request.url())
  })
  return { page, complaints }
}

test('finds a call in the API reference by the keyboard, shows its code and tries it, without a network', async () => {
  const { origin } = await served()
  const { page, complaints } = await visit(origin)
  await page.goto(`${origin}/api/auth/reference`)
  await page.keyboard.press('/')
  await page.keyboard.type('check /ok')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/reference/diagnostics#ok')
  const call = page.locator('section#ok')
  await call.getByText('Python').click()
  await call.getByText('import requests').waitFor()
  await call.getByText('Try it').click()
  await call.getByRole('button', { name: 'Send request' }).click()
  await call.getByText('200 OK').waitFor()
  // The next page has the language that was chosen here.
  await page.goto(`${origin}/api/auth/reference/sign-up-and-sign-in`)
  await page.locator('section#signInEmail').getByText('import requests').waitFor()
  expect(complaints).toEqual([])
})

test('sets the password with a setup link, which works once', async () => {
  const { app, browser: visitor, origin } = await served()
  const [created] = await seed(app, { dryRun: false, prune: false, readSecret: () => undefined })
  const { page, complaints } = await visit(origin)
  await page.goto(created?.setupLink ?? '')
  await page.getByLabel('New password').fill('a password of my own')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
  await page.goto(created?.setupLink ?? '')
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
  expect(complaints).toEqual([])
  const signedIn = await visitor().call('POST /sign-in/email', { body: { email: admin.email, password: 'a password of my own' } })
  expect(signedIn.status).toBe(200)
})

test('accepts a setup link in a browser whose cookies trigger the origin check', async () => {
  const { app, origin } = await served()
  const [created] = await seed(app, { dryRun: false, prune: false, readSecret: () => undefined })
  const { page, complaints } = await visit(origin)
  await page.context().addCookies([{ name: 'any', value: 'cookie', url: origin }])
  await page.goto(created?.setupLink ?? '')
  await page.getByLabel('New password').fill('a password of my own')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'Your password is set' }).waitFor()
  expect(complaints).toEqual([])
})

test('runs no script from the URL of the error page', async () => {
  const { origin } = await served()
  const { page, complaints } = await visit(origin)
  await page.goto(`${origin}/api/auth/error?error=${encodeURIComponent('<img src=x onerror=document.title="hit">')}`)
  await page.getByText('Error Code: <img src=x').waitFor()
  expect(await page.title()).toBe('Something went wrong · Latchkey')
  expect(complaints).toEqual([])
})
