/** Hosted pages with texts of the operator. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { dashboardFolder } from '../../src/http/dashboard.ts'
import { testApp } from '../kit/app.ts'

async function open(files: Readonly<Record<string, object>>, locales: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'texts-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, texts] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(texts))
  const config = { appName: 'Acme', dashboard: { texts: folder, locales: [...locales] } }
  const kit = await testApp(config, { dashboard: dashboardFolder() })
  const get = (path: string) => kit.browser().request(path, { headers: { accept: 'text/html' } })
  return { ...kit, get }
}

test('a page has the texts of the operator in their language, and ours in the others', async () => {
  const { get } = await open({ 'de.json': { 'sign-in.signInLead': 'Willkommen bei {appName} & Co.' } }, ['en', 'de'])
  const [german, english] = [await get('//sign-in?lang=de'), await get('//sign-in?lang=en')]
  expect(german.body).toContain('Willkommen bei Acme &amp; Co.')
  expect(english.body).toContain('Continue to your Acme account.')
  expect(english.headers.get('content-security-policy')).toBe(german.headers.get('content-security-policy'))
})

test('a language of the operator is in the menu by its own name, and is English where its file leaves texts out', async () => {
  const { get } = await open({ 'nl.json': { 'sign-in.signIn': 'Inloggen' } }, ['en', 'nl'])
  const { body } = await get('//sign-in?lang=nl')
  expect(body).toContain('<html lang="nl" dir="ltr">')
  expect(body).toContain('Inloggen')
  expect(body).toContain('Continue to your Acme account.')
  expect(body).toContain('>Nederlands</a>')
})

test('a language of the operator is written from right to left', async () => {
  const { get } = await open({ 'fa.json': { 'sign-in.signIn': 'ورود' } }, ['en', 'fa'])
  expect((await get('//sign-in?lang=fa')).body).toContain('<html lang="fa" dir="rtl">')
})

test('pages of installations with other texts do not mix', async () => {
  const one = await open({ 'de.json': { 'sign-in.signIn': 'Los' } }, ['de'])
  const other = await open({ 'de.json': { 'sign-in.signIn': 'Weiter' } }, ['de'])
  const none = await open({}, ['de'])
  const bodies = await Promise.all([one, other, none].map(async ({ get }) => (await get('//sign-in')).body as string))
  expect(bodies.map((body) => /<h1[^>]*>([^<]*)/.exec(body)?.[1])).toEqual(['Los', 'Weiter', 'Anmelden'])
})

test('the application gets the texts of pages as a file with a hash in its name', async () => {
  const texts = { 'profile.profile': 'Profiel', 'mail.reset-password.heading': 'Geheim' }
  const { browser, get } = await open({ 'nl.json': texts, 'de.json': { 'mail.reset-password.heading': 'x' } }, ['nl', 'de'])
  const { texts: files } = (await browser().call('GET /public-settings', {})).body
  expect(Object.keys(files)).toEqual(['nl'])
  expect(files.nl).toMatch(/^assets\/texts-nl-[\w-]{12}\.json$/)
  const { status, body, headers } = await get(`//${files.nl}`)
  expect([status, body]).toEqual([200, { 'profile.profile': { text: 'Profiel' } }])
  expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
})
