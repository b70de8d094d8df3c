/** The hosted pages in a real Chromium: served over HTTP by the product, with caught emails, on SQLite or on the servers of the run. */
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { getRequestListener } from '@hono/node-server'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { dashboardFolder } from '../../src/http/dashboard.ts'
import type { Received } from '../../src/http/request.ts'
import type { Sent } from '../../src/http/respond.ts'
import { createServer } from '../../src/http/server.ts'
import { type TestApp, type TestOptions, testApp } from './app.ts'
import { followLink } from './mails.ts'
import { chromiumArguments, findChromium, freePort } from './servers/index.ts'

type StorageName = 'SQLite' | 'a database server and Redis'

/** For `describe.each`: what an installation may run on. A run for another server tests nothing new on SQLite. */
export const storages: readonly StorageName[] = process.env.TEST_DATABASE_URL
  ? ['a database server and Redis']
  : ['SQLite', 'a database server and Redis']

/** For `describe.each`: journeys through hosted pages work in both. */
export const browsers: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ['with scripts', {}],
  ['without scripts', { javaScriptEnabled: false }],
]

interface HostedOptions extends TestOptions {
  /** Default: SQLite. Pages depend on responses alone, and the features are tested on servers over HTTP. */
  readonly storage?: StorageName
  /** Served by TLS at this port, to which the browser must resolve the host of `baseURL`. */
  readonly tls?: { readonly port: number; readonly key: string; readonly cert: string }
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

interface ChromiumOptions {
  /**
   * A test may get the profile of an earlier one, without its cookies and storage. What is left is the cache: a page whose
   * scripts are in it costs a quarter. Not for tests of the clock of a page, or of what a page has not loaded yet.
   */
  readonly reusesProfiles?: boolean
  /** More arguments of the command line. */
  readonly arguments?: readonly string[]
}

/** Opens one browser for the tests of a file. */
export function withChromium({ reusesProfiles = false, arguments: more = [] }: ChromiumOptions = {}): {
  readonly hostedPages: typeof hostedPages
} {
  beforeAll(async () => {
    launched ??= await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments, ...more] })
    idle = reusesProfiles ? { profiles: [], ports: [] } : null
  })
  // Journeys through many pages take three times as long on a busy machine.
  vi.setConfig({ testTimeout: 60_000 })
  afterAll(async () => {
    vi.resetConfig()
    await launched?.close()
    launched = null
    idle = null
  })
  return { hostedPages }
}
let launched: Browser | null = null
/** Of tests that have ended. The cache of a profile is of use only to a site with the same port. */
let idle: { readonly profiles: BrowserContext[]; readonly ports: number[] } | null = null

async function hostedPages(
  config: ConfigFile = {},
  { storage = 'SQLite', tls, ...options }: HostedOptions = {},
): Promise<HostedPages> {
  const port = tls?.port ?? idle?.ports.pop() ?? (await freePort())
  const origin = tls && config.baseURL ? config.baseURL : `http://localhost:${port}`
  const kit = await testApp(
    { baseURL: origin, appName: 'Acme', mail: { catch: true }, ...(storage === 'SQLite' ? embedded : {}), ...config },
    { dashboard: dashboardFolder(), ...options },
  )
  const { fetch } = createServer(kit.app, { reasons: async () => [] }, { answer: preparedFor })
  const listener = getRequestListener(fetch)
  const server = tls ? createHttpsServer(tls, listener) : createHttpServer(listener)
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    prepared.length = 0
    if (!tls) idle?.ports.push(port)
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

interface PreparedResponse {
  readonly pattern: RegExp
  readonly response: Sent
}
const prepared: PreparedResponse[] = []
function preparedFor({ path, search, incoming }: Received): Sent | null {
  const query = search ?? incoming?.url?.split('?')[1]
  const target = query ? `${path}?${query}` : path
  return prepared.findLast(({ pattern }) => pattern.test(target))?.response ?? null
}

/**
 * From now on, calls to a path get this response. By the server, because a page of which Playwright intercepts requests has no
 * cache.
 * @param path of the call, with the query; `*` stands for any characters. A page may have the same path as a call
 */
export function prepareResponse(path: string, json: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): void {
  const parts = path.split(/\*+/).map((part) => part.replaceAll(/[^\w/-]/g, '\\$&'))
  const pattern = new RegExp(`^/api/auth${parts.join('.*')}$`)
  const response = { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(json) }
  prepared.push({ pattern, response })
}

/** Calls get the responses of the product again. */
export function resetPreparedResponses(): void {
  prepared.length = 0
}

async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page, close } = await newPage(new URL(url).origin, options)
  const complaints: string[] = []
  page.on('console', (message) => {
    // Chromium writes a line for each response of 400 or more; pages expect those.
    const isResponse = message.text().startsWith('Failed to load resource')
    if (['error', 'warning'].includes(message.type()) && !isResponse) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  onTestFinished(async () => {
    await close()
    expect(complaints).toEqual([])
  })
  await page.goto(url)
  return page
}

/** In a profile without cookies and storage. */
async function newPage(origin: string, options: BrowserContextOptions): Promise<{ page: Page; close(): Promise<void> }> {
  if (!launched) throw new Error('withChromium() opens the browser')
  const profiles = Object.keys(options).length === 0 ? idle?.profiles : undefined
  const used = profiles?.pop()
  const context =
    used ?? (await launched.newContext({ viewport: { width: 1200, height: 850 }, reducedMotion: 'reduce', ...options }))
  const page = await context.newPage()
  if (used) {
    await context.clearCookies()
    const session = await context.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage,indexeddb,service_workers' })
    await session.detach()
  }
  const close = async () => {
    if (!profiles) return context.close()
    for (const each of context.pages()) await each.close()
    await context.setOffline(false)
    profiles.push(context)
  }
  return { page, close }
}

/** Cookies but for the time zone, which every page stores: it is not about the user. */
export const cookiesOf = async (page: Page) => (await page.context().cookies()).filter(({ name }) => name !== 'latchkey.zone')

/** Leaves the page first: the application would go to the sign-in by itself, and end the next navigation of a test. */
export async function removeCookies(page: Page): Promise<void> {
  await page.goto('about:blank')
  await page.context().clearCookies()
}

/** The same with a sign-out, as of another tab. */
export async function signOut(page: Page, origin: string): Promise<void> {
  await page.goto('about:blank')
  await page.request.post(`${origin}/api/auth/sign-out`, { data: {}, headers: { origin } })
}

/** The link in the newest email to a recipient; of a short one, where it leads. */
async function mailedLink({ app, browser }: TestApp, recipient: string): Promise<string> {
  const mails = () =>
    app.db.selectFrom('caughtMail').select(['text']).where('recipient', '=', recipient).orderBy('createdAt', 'desc').execute()
  await expect.poll(async () => (await mails()).length).toBeGreaterThan(0)
  const [newest] = await mails()
  const link = /https?:\/\/\S+/.exec(newest?.text ?? '')?.[0]
  if (!link) throw new Error(`The newest email to ${recipient} has no link`)
  return link.includes('/link/') ? followLink(browser(), link) : link
}
