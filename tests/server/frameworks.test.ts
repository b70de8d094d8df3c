/** The adapters of `latchkey/server` in real apps, of all frameworks, with the hosted pages in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSessionReader } from '../../src/server/index.ts'
import { startLatchkey, type TestDaemon } from '../../src/testing/index.ts'
import { apps, type CreateApp } from '../../tools/framework-apps/index.ts'
import { freePort } from '../kit/servers/index.ts'
import { shareBrowser } from '../quickstart/kit.ts'
import { type StartApp, spawnedApps } from './spawned-apps.ts'

const password = 'correct horse battery'
const openPage = shareBrowser()

let latchkey: TestDaemon
beforeAll(async () => {
  latchkey = await startLatchkey()
})
afterAll(() => latchkey.close())

/** Apps in this process, and those of frameworks that run as their own. */
const prepared: readonly (readonly [name: string, prepare: () => Promise<StartApp>])[] = [
  ...Object.entries(apps).map(([name, createApp]) => [name, async () => startHere(createApp)] as const),
  ...Object.entries(spawnedApps),
]

const startHere =
  (createApp: CreateApp): StartApp =>
  async (addresses) => {
    const listen = createApp(createSessionReader({ ...addresses, now: latchkey.clock.now }))
    const server = await listen(Number(new URL(addresses.appURL).port))
    return () => server.close()
  }

describe.each(prepared)('%s', (_, prepare) => {
  let startApp: StartApp
  let app: string
  let stop: () => unknown = () => {}
  async function start(baseURL: string): Promise<string> {
    const appURL = `http://localhost:${await freePort()}`
    stop = await startApp({ baseURL, appURL })
    return appURL
  }
  beforeAll(async () => {
    startApp = await prepare()
    app = await start(latchkey.baseURL)
  }, 600_000)
  afterAll(() => stop())

  test('leads to the hosted sign-in and back to the protected page, until the user signs out', async () => {
    const { email, name } = await latchkey.createUser({ password })
    const page = await openPage()
    await page.goto(`${app}/account?tab=keys`)
    expect(page.url()).toBe(`${latchkey.origin}/sign-in?${new URLSearchParams({ callbackURL: `${app}/account?tab=keys` })}`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${app}/account?tab=keys`)
    await page.getByRole('heading', { name: `Hello ${name}` }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(`${latchkey.origin}/sign-in?**`)
    await page.goto(`${app}/account`)
    expect(page.url()).toContain(latchkey.origin)
  })

  test('hands the cookies of a renewed session on, in a response that no cache stores', async () => {
    const user = await latchkey.createUser()
    const { headers } = await latchkey.signIn(user)
    latchkey.clock.advance(2 * 86_400)
    const response = await fetch(`${app}/account/data`, { headers })
    expect(await response.json()).toBe(user.id)
    expect(response.headers.getSetCookie().join()).toContain('latchkey.session_token=')
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  test('responds to scripts and forms with 401, and with 503 while Latchkey is unreachable', async () => {
    const statusOf = async (url: string, init: RequestInit = {}) => {
      const response = await fetch(url, { redirect: 'manual', ...init })
      return [response.status, JSON.parse(await response.text()).code]
    }
    const required = [401, 'SIGN_IN_REQUIRED']
    expect(await statusOf(`${app}/account/data`)).toEqual(required)
    expect(await statusOf(`${app}/account`, { method: 'POST', headers: { accept: 'text/html', origin: app } })).toEqual(required)
    await stop()
    const lost = await start(`http://localhost:${await freePort()}/api/auth`)
    const cookie = 'latchkey.session_token=a.b'
    const unavailable = [503, 'SESSION_UNAVAILABLE']
    expect(await statusOf(`${lost}/account`, { headers: { cookie, accept: 'text/html' } })).toEqual(unavailable)
  })
})
