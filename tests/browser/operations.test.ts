/** The pages of operators: failed emails, lockouts, migrations, and what a role permits. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { declareSchema, generate } from '../../src/migrate/index.ts'
import { storages, withChromium } from '../kit/hosted-pages.ts'
import { headerOf, tokenService } from '../kit/token-verifier.ts'

const { hostedPages } = withChromium()
const password = 'correct horse battery'
const olga = { name: 'Olga', email: 'olga@example.com', password }
const ann = { name: 'Ann', email: 'ann@example.com', password }

type Options = Parameters<typeof hostedPages>[1]

/** Olga has the role admin; the browser and the site have one clock. */
async function withOperator(config: ConfigFile = {}, options: Options = {}) {
  const pages = await hostedPages({ admin: true, ...config }, options)
  const { app, browser, clock } = pages.kit
  clock.advance((Date.now() - clock.now().getTime()) / 1000)
  for (const body of [olga, ann]) await browser().call('POST /sign-up/email', { body })
  await app.db.updateTable('user').set({ role: 'admin' }).where('email', '=', olga.email).execute()
  return pages
}

const rows = (page: Page) => page.getByRole('rowgroup').last().getByRole('row')
const note = (page: Page, text: string) => page.getByRole('main').getByRole('status').filter({ hasText: text })

/** An email that has failed permanently. */
const failedMail = (id: string, recipient: string, content: string, at: Date) => ({
  id,
  kind: 'reset-password',
  recipient,
  content,
  attempts: 8,
  lastError: 'ECONNREFUSED',
  createdAt: at,
  failedAt: at,
})

describe.each(storages)('on %s', (storage) => {
  test('a failed email is found and sent again', async () => {
    const sent: string[] = []
    const mail = { from: 'Acme <no-reply@acme.example>', catch: false, send: ({ to }: { to: string }) => void sent.push(to) }
    const { kit, openAs } = await withOperator({ mail }, { storage })
    const { app, clock } = kit
    const content = app.keyring.encrypt('outbox', JSON.stringify({ url: 'https://a.example/secret-link', user: ann }))
    const drafts = ['ann', 'bob', 'cleo'].map((name) => failedMail(`mail-${name}`, `${name}@example.com`, content, clock.now()))
    await app.db.insertInto('outbox').values(drafts).execute()
    const page = await openAs(olga, '/admin/health')
    await page.getByText('No email or text message was delivered since one failed permanently. Failed: 3.').waitFor()
    await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'Mail outbox' }).click()
    await page.getByRole('link', { name: 'Failed 3' }).click()
    await page.getByRole('searchbox', { name: 'Recipient' }).fill('ann@example.com')
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByText('ECONNREFUSED').waitFor()
    await page.getByRole('button', { name: 'Retry the email to ann@example.com' }).click()
    await note(page, 'The email to ann@example.com was sent.').waitFor()
    await page.getByRole('heading', { name: 'No email matches' }).waitFor()
    await page.getByRole('button', { name: 'Retry 2 failed emails' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry all failed emails' }).click()
    await note(page, '2 emails are being sent again.').waitFor()
    await expect.poll(() => [...sent].sort()).toEqual(['ann@example.com', 'bob@example.com', 'cleo@example.com'])
    expect(await page.content()).not.toContain('secret-link')
  })

  test('a locked account is found and reset', async () => {
    const attempts = { enabled: true, perNetwork: { failures: 2, firstDelay: 600 } }
    const { kit, openAs } = await withOperator({ attempts }, { storage })
    const visitor = kit.browser()
    const signIn = async (text: string) =>
      (await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: text } })).status
    for (let attempt = 0; attempt < 2; attempt += 1) await signIn('a wrong password')
    expect(await signIn(password)).toBe(429)
    const page = await openAs(olga, '/admin/limits')
    await page.getByRole('cell', { name: 'From one network or device' }).waitFor()
    expect(await page.content()).not.toContain(ann.email)
    await page.getByRole('textbox', { name: 'Account' }).fill(ann.email)
    await page.getByRole('textbox', { name: 'IP address' }).fill('127.0.0.1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: `Sign-ins to ${ann.email}` }).waitFor()
    await page.getByText('Locked for 10 minutes').waitFor()
    await page.getByRole('button', { name: 'Reset failures' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset failures' }).click()
    await note(page, '1 count was reset.').waitFor()
    await page.getByRole('heading', { name: 'No lockouts' }).waitFor()
    expect(await signIn(password)).toBe(200)
  })
})

test('a signing key is rotated, and a compromised one is removed', async () => {
  const { kit, openAs } = await withOperator({ jwt: true })
  const visitor = kit.browser()
  await visitor.call('POST /sign-in/email', { body: { email: ann.email, password } })
  const fetchToken = async () => String((await visitor.call('GET /token', {})).body.token)
  const before = await fetchToken()
  const { kid } = headerOf(before)
  const page = await openAs(olga, '/admin/limits')
  await page.getByRole('link', { name: 'Signing keys' }).click()
  await page.getByRole('row').filter({ hasText: kid }).getByText('Current', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Rotate key' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate key' }).click()
  await note(page, 'A new key is published.').waitFor()
  await page.getByText('A rotation is in progress').waitFor()
  await expect.poll(() => rows(page).count()).toBe(2)
  expect(headerOf(await fetchToken()).kid).toBe(kid)
  await page.getByRole('button', { name: `Actions for ${kid.slice(0, 8)}` }).click()
  await page.getByRole('menuitem', { name: 'Reject its tokens' }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill(kid.slice(0, 8))
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove key' }).click()
  await note(page, 'is no longer published.').waitFor()
  await expect.poll(() => rows(page).count()).toBe(1)
  kit.clock.advance(10)
  const service = tokenService(kit.browser(), kit.app.now, {
    issuer: new URL(page.url()).origin,
    audience: new URL(page.url()).origin,
  })
  await service.fetchKeys()
  expect(service.verify(await fetchToken()).email).toBe(ann.email)
  expect(() => service.verify(before)).toThrow('Unknown kid')
})

test('a pending migration is shown with the command that applies it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-operations-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const { kit, openAs } = await withOperator({}, { storage: 'a database server and Redis', directory })
  const dir = join(directory, 'migrations')
  const schema = declareSchema(kit.app.features)
  await generate({ schema, dir, name: 'initial' })
  const page = await openAs(olga, '/admin/migrations')
  await page.getByText('The database is up to date').waitFor()
  const { user } = schema.tables
  if (!user) throw new Error('There is a table of users')
  const image = user.columns.image
  if (!image) throw new Error('Users have an image')
  const columns = { ...user.columns, nickname: image }
  await generate({ schema: { ...schema, tables: { ...schema.tables, user: { ...user, columns } } }, dir, name: 'nickname' })
  await page.reload()
  await page.getByText('1 migration is pending').waitFor()
  await page.getByText('latchkey migrate up').waitFor()
  await page.getByRole('row').filter({ hasText: '0002_nickname' }).getByText('Pending').waitFor()
})

test('shows jobs and the configuration: what is weak in it, and by a search an option that is not set', async () => {
  const { openAs, kit } = await withOperator({
    session: { expiresIn: 31_536_000 },
    socialProviders: { github: { clientId: 'an-id', clientSecret: 'hunter2-hunter2' } },
  })
  await kit.app.db
    .insertInto('jobRun')
    .values({
      id: 'a',
      name: 'outbox.outbox',
      startedAt: new Date(Date.now() - 3_600_000),
      finishedAt: new Date(),
      outcome: 'failed',
      error: 'EPROBE',
    })
    .execute()
  const page = await openAs(olga, '/admin/jobs')
  const outbox = page.getByRole('row').filter({ hasText: 'outbox.outbox' })
  await outbox.getByText('EPROBE').waitFor()
  await outbox.getByText('Late').waitFor()
  const entry = page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'System' })
  await page.getByRole('navigation', { name: 'System' }).getByRole('link', { name: 'Configuration' }).click()
  await page.waitForURL('**/admin/configuration')
  expect(await entry.getAttribute('aria-current')).toBe('page')
  await page.getByText('socialProviders.github.clientSecret').waitFor()
  expect(await page.content()).not.toContain('hunter2')
  const weak = page.getByRole('listitem').filter({ hasText: 'session.expiresIn' })
  // In English, as the server words it, in a page in any language.
  await weak.locator('[lang=en]').waitFor()
  await page.getByRole('searchbox', { name: 'Search options' }).fill('longestDelay')
  await page.getByText('attempts.perAccount.longestDelay').waitFor()
  await expect.poll(() => new URL(page.url()).search).toBe('?search=longestDelay')
  await page.goBack()
})

test('a role without these permissions sees none of the pages', async () => {
  const { openAs, kit } = await withOperator({ admin: { roles: { support: { mail: ['list'] }, user: {} } } })
  await kit.app.db.updateTable('user').set({ role: 'support' }).where('email', '=', ann.email).execute()
  await kit.app.db
    .insertInto('outbox')
    .values(failedMail('mail-1', 'bob@example.com', 'x', kit.clock.now()))
    .execute()
  const page = await openAs(ann, '/admin/mails')
  await page.getByText('ECONNREFUSED').waitFor()
  expect(await page.getByRole('button', { name: /^Retry/ }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'System' }).count()).toBe(0)
  for (const path of ['/admin/jobs', '/admin/limits', '/admin/configuration', '/admin/migrations', '/admin/health']) {
    await page.goto(new URL(path, page.url()).href)
    await page.getByRole('heading', { level: 1, name: 'You cannot open this page' }).waitFor()
  }
})
