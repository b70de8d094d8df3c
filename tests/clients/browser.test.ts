/** The published clients in a real browser: their session store, cookies, cross-origin calls and redirects. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chromiumArguments, findChromium, freePort } from '../kit/servers/index.ts'
import type { Published } from './page.ts'
import { versions } from './published.ts'
import { serve } from './served.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const { email, password } = ann

declare const published: Published

let browser: Browser
let script: string

beforeAll(async () => {
  browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumArguments] })
  const bundle = await rolldown({
    input: fileURLToPath(new URL('page.ts', import.meta.url)),
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife' })
  script = output[0].code
})
afterAll(() => browser.close())

const document = () =>
  `<!doctype html><meta charset="utf-8"><title>application</title><script>${script.replaceAll('</script', '<\\/script')}</script>`

async function newPage(): Promise<Page> {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  return context.newPage()
}

/** A page of an application at our own origin; the browser is handed its text. */
async function visitOwn(origin: string): Promise<Page> {
  const page = await newPage()
  await page.route(`${origin}/app/**`, (route) => route.fulfill({ contentType: 'text/html', body: document() }))
  await page.goto(`${origin}/app/`)
  return page
}

/** An application with a server of its own: a page that no server has sent may not call this machine. */
async function startApplication(): Promise<string> {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(document()))
  const port = await freePort()
  server.listen(port, 'localhost')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${port}`
}

async function openClient(page: Page, version: string, baseURL: string): Promise<void> {
  await page.evaluate(([name = '', url = '']) => published.open(name, url), [version, baseURL])
}
const call = (page: Page, path: string, input: object = {}) =>
  page.evaluate(([name, given]) => published.call(name, given), [path, input] as const)
const expectSession = (page: Page, who: string) => expect.poll(() => page.evaluate(() => published.session())).toBe(who)

describe.each(versions)('better-auth %s', (version) => {
  test('updates its store after sign-up, a reload, sign-out and sign-in on the same origin', async () => {
    const { origin } = await serve({ session: { cookieCache: { enabled: true } } })
    const page = await visitOwn(origin)
    await openClient(page, version, origin)
    await expectSession(page, 'signed out')
    expect((await call(page, 'signUp.email', ann)).error).toBeNull()
    await expectSession(page, email)
    await page.reload()
    await openClient(page, version, origin)
    await expectSession(page, email)
    expect(await page.evaluate(() => published.seen()[0])).toBe('…')
    expect((await call(page, 'signOut')).data).toEqual({ success: true })
    await expectSession(page, 'signed out')
    const wrong = await call(page, 'signIn.email', { email, password: 'wrong horse battery' })
    expect(wrong.error).toMatchObject({ status: 401, statusText: 'UNAUTHORIZED', code: 'INVALID_EMAIL_OR_PASSWORD' })
    expect((await call(page, 'signIn.email', { email, password })).error).toBeNull()
    await expectSession(page, email)
    expect((await page.context().cookies()).map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ['latchkey.session_token', true, 'Lax'],
      ['latchkey.session_data', true, 'Lax'],
    ])
  })

  test('updates its store after update-user and account deletion on the same origin', async () => {
    const { origin } = await serve()
    const page = await visitOwn(origin)
    await openClient(page, version, origin)
    await call(page, 'signUp.email', ann)
    await expectSession(page, email)
    expect((await call(page, 'updateUser', { name: 'Anna' })).data).toEqual({ status: true })
    expect((await call(page, 'getSession')).data).toMatchObject({ user: { name: 'Anna' } })
    expect((await call(page, 'deleteUser', { password })).data).toEqual({ success: true, message: 'User deleted' })
    await expectSession(page, 'signed out')
  })

  test('follows the redirect of a response', async () => {
    const { origin } = await serve()
    const page = await visitOwn(origin)
    await openClient(page, version, origin)
    await call(page, 'signUp.email', ann)
    await Promise.all([
      page.waitForURL(`${origin}/app/welcome`),
      call(page, 'signIn.email', { email, password, callbackURL: '/app/welcome' }).catch(() => 'the page was left'),
    ])
  })

  test('signs up, stores the cookie and reads Retry-After on another, trusted origin', async () => {
    const elsewhere = await startApplication()
    const { origin } = await serve({ trustedOrigins: [elsewhere], rateLimit: { enabled: true } })
    const page = await newPage()
    await page.goto(elsewhere)
    await openClient(page, version, origin)
    expect((await call(page, 'signUp.email', ann)).error).toBeNull()
    await expectSession(page, email)
    expect((await call(page, 'listSessions')).data).toHaveLength(1)
    await call(page, 'signOut')
    await expectSession(page, 'signed out')
    const tries = []
    for (let count = 0; count < 4; count += 1)
      tries.push(await call(page, 'signIn.email', { email, password: 'wrong horse battery' }))
    expect(tries.map(({ error }) => error.status)).toEqual([401, 401, 401, 429])
    expect(tries[3]).toMatchObject({
      error: { code: 'TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER' },
      retryAfter: expect.stringMatching(/^[1-9]\d*$/),
    })
  })

  test('impersonates a user on another origin and returns, across a reload', async () => {
    const elsewhere = await startApplication()
    const { app, origin } = await serve({ trustedOrigins: [elsewhere], admin: true })
    const visit = async (name: string) => {
      const page = await newPage()
      await page.goto(elsewhere)
      await openClient(page, version, origin)
      expect((await call(page, 'signUp.email', { ...ann, name, email: `${name}@example.com` })).error).toBeNull()
      return page
    }
    const reopen = async (page: Page) => {
      await page.reload()
      await openClient(page, version, origin)
    }
    await visit('uma')
    const page = await visit('ada')
    await expectSession(page, 'ada@example.com')
    await app.db.updateTable('user').set({ role: 'admin' }).where('name', '=', 'ada').execute()
    const { id: userId } = await app.db.selectFrom('user').select('id').where('name', '=', 'uma').executeTakeFirstOrThrow()
    expect((await call(page, 'admin.impersonateUser', { userId })).error).toBeNull()
    await reopen(page)
    await expectSession(page, 'uma@example.com')
    expect(
      (await call(page, 'changePassword', { currentPassword: password, newPassword: 'another horse battery' })).error,
    ).toMatchObject({
      code: 'NOT_ALLOWED_WHILE_IMPERSONATING_A_USER',
    })
    await reopen(page)
    expect((await call(page, 'admin.stopImpersonating')).error).toBeNull()
    await reopen(page)
    await expectSession(page, 'ada@example.com')
    expect(await app.db.selectFrom('session').selectAll().where('impersonatedBy', 'is not', null).execute()).toEqual([])
  })

  test('updates its stores of organizations: create, invite, accept in a second browser, change the role, leave', async () => {
    const elsewhere = await startApplication()
    const organization = { enabled: true, teams: true, requireEmailVerificationOnInvitation: false }
    const mail = { catch: true, from: 'Acme <a@example.com>' }
    const { origin } = await serve({ trustedOrigins: [elsewhere], organization, mail })
    const reopen = async (page: Page) => {
      await page.reload()
      await page.evaluate(([client = '', url = '']) => published.openWithOrganizations(client, url), [version, origin])
    }
    const visit = async (name: string) => {
      const page = await newPage()
      await page.goto(elsewhere)
      await openClient(page, version, origin)
      expect((await call(page, 'signUp.email', { ...ann, name, email: `${name}@example.com` })).error).toBeNull()
      await reopen(page)
      return page
    }
    const [first, second] = [await visit('ann'), await visit('bob')]
    const expectStores = (page: Page, stores: object) =>
      expect.poll(() => page.evaluate(() => published.organizations())).toMatchObject(stores)
    const organizationCall = async (page: Page, name: string, input: object) => {
      const { data, error } = await call(page, `organization.${name}`, input)
      expect(error).toBeNull()
      return data
    }
    await expectStores(first, { list: '', active: 'none', member: 'none' })
    const { id: organizationId } = await organizationCall(first, 'create', { name: 'Acme', slug: 'acme' })
    await expectStores(first, { list: 'acme' })
    await organizationCall(first, 'setActive', { organizationId })
    await expectStores(first, { active: 'acme: owner' })
    const invitation = await organizationCall(first, 'inviteMember', { email: 'bob@example.com', role: 'member' })
    const { member } = await organizationCall(second, 'acceptInvitation', { invitationId: invitation.id })
    await expectStores(second, { active: 'acme: member owner' })
    await organizationCall(first, 'updateMemberRole', { memberId: member.id, role: 'admin' })
    await expectStores(first, { active: 'acme: admin owner' })
    await reopen(first)
    await expectStores(first, { list: 'acme', active: 'acme: admin owner', member: 'owner' })
    const permissions = { member: ['delete'] }
    expect(await organizationCall(second, 'hasPermission', { permissions })).toEqual({ error: null, success: true })
    await organizationCall(second, 'setActive', { organizationId })
    await expectStores(second, { active: 'acme: admin owner' })
    await organizationCall(second, 'leave', { organizationId })
    await expectStores(second, { active: 'none' })
    await reopen(second)
    await expectStores(second, { list: '', active: 'none', member: 'none' })
  })

  test('reads nothing, and cannot use the cookie, on an untrusted origin', async () => {
    const elsewhere = await startApplication()
    const { app, origin } = await serve()
    const own = await visitOwn(origin)
    await openClient(own, version, origin)
    await call(own, 'signUp.email', ann)
    const page = await own.context().newPage()
    const refusals: string[] = []
    page.on('console', (message) => refusals.push(message.text()))
    await page.goto(elsewhere)
    await openClient(page, version, origin)
    expect((await call(page, 'getSession')).error).toMatchObject({ status: 0 })
    expect((await call(page, 'revokeSessions')).error).toMatchObject({ status: 0 })
    expect(refusals.join('\n')).toContain("No 'Access-Control-Allow-Origin' header is present")
    expect(await app.db.selectFrom('session').selectAll().execute()).toHaveLength(1)
  })
})
