/**
 * Makes the pictures of the README: starts a development server in a new folder, signs users up through its API, and photographs
 * its pages in Chromium. Usage: npm run screenshots
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { chromiumArguments, findChromium } from '../tests/kit/servers/index.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs/images')
/** That of `latchkey dev`, since it is in the pictures. */
const port = 4000
const maxBytes = 150 * 1024

const ada = { name: 'Ida Wolfsgruber', email: 'ida@acme.example', password: 'correct horse battery' }

/** Other devices on which the same user is signed in. */
const devices = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
]

/** @returns the origin, once it responds */
async function startServer(directory: string): Promise<{ readonly origin: string; readonly stop: () => void }> {
  const origin = `http://localhost:${port}`
  const child = spawn(process.execPath, [join(root, 'bin/latchkey.js'), 'dev', '--port', String(port)], {
    cwd: directory,
    stdio: 'ignore',
  })
  const deadline = Date.now() + 60_000
  while (
    !(await fetch(`${origin}/livez`).then(
      (response) => response.ok,
      () => false,
    ))
  ) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('The development server does not start')
    await setTimeout(100)
  }
  return { origin, stop: () => child.kill() }
}

async function post(origin: string, path: string, body: object, userAgent: string): Promise<void> {
  const response = await fetch(`${origin}/api/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': userAgent, origin },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

/** Users, sessions and emails as they arise in use. */
async function fill(origin: string): Promise<void> {
  const [first = '', ...others] = devices
  await post(origin, '/sign-up/email', ada, first)
  for (const device of others) await post(origin, '/sign-in/email', { email: ada.email, password: ada.password }, device)
  for (const name of ['Tobias Renquist', 'Nandini Rao']) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@acme.example`
    await post(origin, '/sign-up/email', { name, email, password: ada.password }, first)
    await post(origin, '/send-verification-email', { email }, first)
  }
  await post(origin, '/request-password-reset', { email: ada.email }, first)
}

interface Shot {
  readonly name: string
  readonly path: string
  readonly options?: BrowserContextOptions
  readonly signedInAs?: 'user' | 'administrator'
  readonly prepare?: (page: Page) => Promise<unknown>
}

const shots: readonly Shot[] = [
  { name: 'sign-in', path: '/sign-in' },
  { name: 'sessions', path: '/account/sessions', signedInAs: 'user' },
  { name: 'users', path: '/admin/users', signedInAs: 'administrator' },
  { name: 'start-page', path: '/' },
  {
    name: 'mailbox',
    path: '/mailbox',
    options: { colorScheme: 'dark' },
    prepare: (page) => page.getByRole('list', { name: 'Messages' }).getByText(ada.email).first().click(),
  },
]

const directory = mkdtempSync(join(tmpdir(), 'latchkey-screenshots-'))
const server = await startServer(directory)
const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
try {
  mkdirSync(folder, { recursive: true })
  await fill(server.origin)
  const development = await fetch(`${server.origin}/api/auth/development`)
  const { administrator } = (await development.json()) as { readonly administrator: object }
  const credentials = { user: { email: ada.email, password: ada.password }, administrator }
  for (const { name, path, options, signedInAs, prepare } of shots) {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 760 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    })
    if (signedInAs) {
      const data = credentials[signedInAs]
      await context.request.post(`${server.origin}/api/auth/sign-in/email`, { data, headers: { origin: server.origin } })
    }
    const page = await context.newPage()
    await page.goto(server.origin + path)
    await page.waitForLoadState('networkidle')
    // A page has its fonts once they are in the cache: it does not change while it is read.
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await prepare?.(page)
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready.then(() => null)')
    const file = join(folder, `${name}.png`)
    await page.screenshot({ path: file, caret: 'hide', animations: 'disabled' })
    await context.close()
    const { size } = statSync(file)
    if (size > maxBytes) throw new Error(`${file} has ${Math.round(size / 1024)} KiB`)
    console.log(`docs/images/${name}.png ${Math.round(size / 1024)} KiB`)
  }
} finally {
  await browser.close()
  server.stop()
  rmSync(directory, { recursive: true, maxRetries: 20 })
}
