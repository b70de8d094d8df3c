/** The hosted pages in a real Chromium: served over HTTP by the product, with caught emails, on SQLite or on the servers of the run. */
import { createServer as createHttpServer } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { dashboardFolder } from '../../src/http/dashboard.ts'
import { createServer } from '../../src/http/server.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import { chromiumArguments, findChromium, freePort } from './servers/index.ts'

type StorageName = 'SQLite' | 'a database server and Redis'

/** For `describe.each`: what an installation may run on. A run for another server tests nothing new on SQLite. */
export const storages: readonly StorageName[] = process.env.TEST_DATABASE_URL
  ? ['a database server and Redis']
  : ['SQLite', 'a database server and Redis']

interface HostedOptions extends TestOptions {
  /** Default: SQLite. Pages depend on responses alone, and the features are tested on servers over HTTP. */
  readonly storage?: StorageName
}

const embedded: ConfigFile = { database: { url: 'sqlite::memory:' }, redis: undefined }

export interface HostedPages {
  readonly kit: TestApp
  /** Without a trailing slash. */
  readonly origin: string
  /** A page in a browser profile of its own. What the browser complains about fails the test. */
  open(path: string, options?: BrowserContextOptions): Promise<Page>
  /** The same, signed in as an existing user. */
  openAs(
    user: { readonly email: string; readonly password: string },
    path: string,
    options?: BrowserContextOptions,
  ): Promise<Page>
  /** The newest link that was mailed to this address. */
  mailedLink(recipient: string): Promise<string>
}

/** Opens one browser for the tests of a file. */
export function withChromium(): { readonly hostedPages: typeof hostedPages } {
  beforeAll(async () => {
    launched ??= await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  })
  // Journeys through many pages take three times as long on a busy machine.
  vi.setConfig({ testTimeout: 60_000 })
  afterAll(async () => {
    vi.resetConfig()
    await launched?.close()
    launched = null
  })
  return { hostedPages }
}
let launched: Browser | null = null

async function hostedPages(
  config: ConfigFile = {},
  { storage = 'SQLite', ...options }: HostedOptions = {},
): Promise<HostedPages> {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const kit = await testApp(
    { baseURL: origin, appName: 'Acme', mail: { catch: true }, ...(storage === 'SQLite' ? embedded : {}), ...config },
    { dashboard: dashboardFolder(), ...options },
  )
  const server = createHttpServer(getRequestListener(createServer(kit.app, { reasons: async () => [] }).fetch))
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    kit,
    origin,
    open: (path, contextOptions) => openPage(`${origin}${path}`, contextOptions),
    openAs: async ({ email, password }, path, contextOptions) => {
      const page = await openPage(`${origin}/api/auth/ok`, contextOptions)
      const data = { email, password }
      const signedIn = await page.context().request.post(`${origin}/api/auth/sign-in/email`, { data, headers: { origin } })
      expect(signedIn.status()).toBe(200)
      await page.goto(`${origin}${path}`)
      return page
    },
    mailedLink: (recipient) => mailedLink(kit, recipient),
  }
}

async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  if (!launched) throw new Error('withChromium() opens the browser')
  const context = await launched.newContext({ viewport: { width: 1200, height: 850 }, reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    // Chromium writes a line for each response of 400 or more; pages expect those.
    const isResponse = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isResponse) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  onTestFinished(async () => {
    await context.close()
    expect(complaints).toEqual([])
  })
  await page.goto(url)
  return page
}

async function mailedLink({ app }: TestApp, recipient: string): Promise<string> {
  const mails = () =>
    app.db.selectFrom('caughtMail').select(['text']).where('recipient', '=', recipient).orderBy('createdAt', 'desc').execute()
  await expect.poll(async () => (await mails()).length).toBeGreaterThan(0)
  const [newest] = await mails()
  const link = /https?:\/\/\S+/.exec(newest?.text ?? '')?.[0]
  if (!link) throw new Error(`The newest email to ${recipient} has no link`)
  return link
}
