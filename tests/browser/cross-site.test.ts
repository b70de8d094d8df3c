/** Pages of other sites in a real browser over TLS, with cookies that browsers send from everywhere (ASVS 3.5.1, 7.6.2). */
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createTLSServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { chromium, type Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { certificate, certificateKey } from '../conformance/localhost-certificate.ts'
import { testApp } from '../kit/app.ts'
import { chromiumArguments, findChromium, freePort } from '../kit/servers/index.ts'

const attacker = { name: 'Mallory', email: 'mallory@example.com', password: 'correct horse battery' }
const { email, password } = attacker

const signInPath = '/api/auth/sign-in/email'
const formPage = (action: string) =>
  `<!doctype html><title>page</title><form method="post" action="${action}"><input name="email" value="${email}">
<input name="password" value="${password}"><button>Sign in</button></form>`

async function serveTLS(port: number, listener: Parameters<typeof createTLSServer>[1]): Promise<void> {
  const server = createTLSServer({ key: certificateKey, cert: certificate }, listener)
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
}

/** Latchkey on one site with an account of the attacker, and pages on two other sites: a trusted and a foreign one. */
async function openSites() {
  const [port, pagesPort] = [await freePort(), await freePort()]
  const own = `https://accounts.latchkey.test:${port}`
  const trusted = `https://app.partner.test:${pagesPort}`
  const kit = await testApp({
    baseURL: own,
    trustedOrigins: [trusted],
    advanced: { defaultCookieAttributes: { sameSite: 'none', secure: true } },
  })
  await serveTLS(port, getRequestListener(createServer(kit.app, { reasons: async () => [] }).fetch))
  await serveTLS(pagesPort, (request, response) => {
    response.setHeader('content-type', 'text/html')
    response.setHeader('referrer-policy', request.url?.slice(1) || 'strict-origin-when-cross-origin')
    response.end(formPage(`${own}${signInPath}`))
  })
  await kit.browser().call('POST /sign-up/email', { body: attacker })
  return { own, trusted, foreign: `https://www.evil.test:${pagesPort}`, ...(await openBrowser(own)) }
}

/** A profile that accepts cookies of other sites. */
async function openBrowser(own: string) {
  const profile = await mkdtemp(join(tmpdir(), 'latchkey-profile-'))
  onTestFinished(() => rm(profile, { recursive: true, maxRetries: 10 }))
  await mkdir(join(profile, 'Default'))
  const preferences = { profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(preferences))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findChromium(),
    ignoreHTTPSErrors: true,
    args: [...chromiumArguments, '--ignore-certificate-errors', '--host-resolver-rules=MAP *.test 127.0.0.1'],
  })
  onTestFinished(() => context.close())
  const cookieNames = async () => (await context.cookies(own)).map(({ name }) => name)
  return { page: await context.newPage(), cookieNames }
}

/** Signs in by a script of the page; `no-cors` needs no permission of the server to send. @returns 0 for an unreadable response */
const fetchSignIn = (page: Page, own: string, mode: 'cors' | 'no-cors') =>
  page.evaluate(
    async ([url, fields, chosen]) => {
      const body = new URLSearchParams(fields)
      const response = await fetch(url, { method: 'POST', mode: chosen, credentials: 'include', body }).catch(() => null)
      return response?.status ?? 0
    },
    [`${own}${signInPath}`, { email, password }, mode] as const,
  )

/** Signs in by the form of the page. */
async function submitSignIn(page: Page): Promise<number> {
  const response = page.waitForResponse((one) => one.request().method() === 'POST')
  await page.getByRole('button').click()
  return (await response).status()
}

describe('with SameSite=None', () => {
  test('a script of a trusted site signs its visitor in', async () => {
    const { own, trusted, page, cookieNames } = await openSites()
    await page.goto(trusted)
    expect(await fetchSignIn(page, own, 'cors')).toBe(200)
    expect(await cookieNames()).toEqual(['__Secure-latchkey.session_token'])
  })

  test.each(['cors', 'no-cors'] as const)('a script of another site does not (%s)', async (mode) => {
    const { own, foreign, page, cookieNames } = await openSites()
    await page.goto(foreign)
    expect(await fetchSignIn(page, own, mode)).toBe(0)
    expect(await cookieNames()).toEqual([])
  })

  test('a form of a trusted site signs its visitor in', async () => {
    const { trusted, page, cookieNames } = await openSites()
    await page.goto(trusted)
    expect(await submitSignIn(page)).toBe(200)
    expect(await cookieNames()).toEqual(['__Secure-latchkey.session_token'])
  })

  test.each(['strict-origin-when-cross-origin', 'no-referrer'])('a form of another site does not (%s)', async (policy) => {
    const { foreign, page, cookieNames } = await openSites()
    await page.goto(`${foreign}/${policy}`)
    expect(await submitSignIn(page)).toBe(403)
    expect(await cookieNames()).toEqual([])
  })
})
