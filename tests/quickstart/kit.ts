/** Latchkey as a reader of docs/quickstart.md starts it, and a browser for the pages of the reader's application. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { createProject } from '../daemon/project.ts'
import { chromiumArguments, findChromium, freePort } from '../kit/servers/index.ts'

/** The origin of the pages; tests replace it with the origin of a free port. */
export const documentedOrigin = 'http://localhost:4000'

export const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** `latchkey dev` with the rules of this repository's configuration. @returns its origin */
export async function startLatchkey(): Promise<string> {
  const project = await createProject('quickstart')
  project.configure(`export default {
    emailAndPassword: { enabled: true, minPasswordLength: 15 },
    passwordRules: true,
    passwordHash: { memory: 8192, iterations: 1 },
    trustedOrigins: ['http://localhost:*'],
  }`)
  await project.serve(['dev', '--port', String(project.port)])
  return `http://localhost:${project.port}`
}

/** Serves the reader's application. @param files their text by path @returns its origin */
export async function startApplication(files: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-type', `${url.endsWith('.js') ? 'text/javascript' : 'text/html'}; charset=utf-8`)
    response.end(files[url] ?? '')
  })
  const port = await freePort()
  server.listen(port, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${port}`
}

/** Starts one browser for the tests of a file. @returns opens a page with cookies of its own */
export function shareBrowser(): () => Promise<Page> {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  })
  afterAll(() => browser.close())
  return async () => {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    // `next dev` compiles a page when it is first opened, which takes long on a busy machine.
    context.setDefaultTimeout(60_000)
    return context.newPage()
  }
}

/** Fills and submits the form of the pages, which shows the name for new accounts only. */
export async function submit(page: Page, button: 'Create account' | 'Continue', user: Partial<typeof ann>): Promise<void> {
  for (const [field, value] of Object.entries(user)) await page.locator(`input[name=${field}]`).fill(value)
  await page.getByRole('button', { name: button }).click()
}

/** The session cookie as the browser has it, which scripts of pages cannot read. */
export async function expectHiddenCookie(page: Page, origin: string): Promise<void> {
  const cookies = await page.context().cookies(origin)
  expect(cookies).toContainEqual(expect.objectContaining({ name: 'latchkey.session_token', httpOnly: true }))
  expect(await page.evaluate('document.cookie')).not.toContain('session_token')
}

/** Changes the form from sign-up to sign-in. The button does nothing until the script of the page runs. */
export async function chooseSignIn(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'I have an account' })
  const hasChanged = async () => {
    if (await button.isVisible()) await button.click()
    return page.getByRole('heading', { name: 'Sign in' }).isVisible()
  }
  await expect.poll(hasChanged).toBe(true)
}
