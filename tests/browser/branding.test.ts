/** The brand on real pages, and its preview. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { parseConfig } from '../../src/project/config/parse-config.ts'
import { withChromium } from '../kit/hosted-pages.ts'

const { hostedPages } = withChromium()
const olga = { name: 'Olga', email: 'olga@example.com', password: 'correct horse battery' }
const font = 'node_modules/@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2'
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40"><!--${'x'.repeat(2000)}--><rect width="60" height="40"/></svg>`

function projectFile(name: string, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-brand-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

async function withOlga(config: ConfigFile = {}) {
  const pages = await hostedPages({ admin: true, ...config })
  const { app, browser } = pages.kit
  await browser().call('POST /sign-up/email', { body: olga })
  await app.db.updateTable('user').set({ role: 'admin' }).execute()
  return pages
}

/** Runs in the page, whose types this program does not have. */
const shift = `new Promise((resolve) => {
  let sum = 0
  const observer = new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value })
  observer.observe({ type: 'layout-shift', buffered: true })
  document.fonts.ready.then(() => requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum))))
})`
const styleOf = (name: string) => new Function('element', `return getComputedStyle(element).${name}`) as () => string
const isInert = new Function('element', 'return element.inert') as () => boolean
const token = (page: Page, name: string) =>
  page.evaluate(`getComputedStyle(document.documentElement).getPropertyValue('${name}').toLowerCase()`)

test('a page with a logo, a font and a cover does not move while it loads', async () => {
  const branding = { logo: projectFile('logo.svg', logo), font, cover: 'dots', accent: '#ffffff' } as const
  const { open } = await hostedPages({ dashboard: { branding } })
  const page = await open('/sign-in')
  await page.getByRole('img').or(page.locator('picture img')).first().waitFor()
  expect(await page.evaluate(shift)).toBe(0)
  await page.reload()
  expect(await page.evaluate(shift)).toBe(0)
  expect(await page.evaluate("document.fonts.check('16px Brand')")).toBe(true)
})

test('the application has the brand too', async () => {
  const { openAs } = await withOlga({ dashboard: { branding: { accent: '#FFE500', radius: 'square' } } })
  const page = await openAs(olga, '/account')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect([await token(page, '--accent-fill'), await token(page, '--radius-control')]).toEqual(['#ffe500', '0px'])
})

test('an administrator tries a color, a logo and a name, and gets the lines of the configuration', async () => {
  const { openAs } = await withOlga()
  const page = await openAs(olga, '/admin/branding')
  const dark = page.frameLocator('iframe[title="Sign in, Dark"]')
  await dark.getByRole('heading', { name: 'Sign in', includeHidden: true }).waitFor()
  await page.getByRole('textbox', { name: 'Accent color', exact: true }).fill('#FFE')
  await page.getByText('Enter a color such as').waitFor()
  await page.getByRole('textbox', { name: 'Accent color', exact: true }).fill('#FFE500')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Halden')
  await page.getByRole('slider', { name: 'Corners' }).fill('12')
  await page.getByLabel('Next to the form').selectOption('rings')
  const files = (label: string) => page.getByLabel(`${label}: Choose a file`)
  await files('Logo').setInputFiles({ name: 'page.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<html>') })
  await page.getByText('The file has another format.').waitFor()
  await files('Logo').setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(logo) })
  await dark.locator('picture img[src^="blob:"]').waitFor()
  const submit = dark.getByRole('button', { name: 'Sign in', includeHidden: true }).last()
  await expect.poll(() => submit.evaluate(styleOf('backgroundColor'))).toBe('rgb(255, 229, 0)')
  expect(await submit.evaluate(styleOf('color'))).toBe('rgb(0, 0, 0)')
  // It is a picture of a page: no key reaches it.
  expect(await page.locator('iframe').first().evaluate(isInert)).toBe(true)
  const lines = await page.locator('pre').textContent()
  const written = new Function(`return {${lines}}`)()
  expect(written).toEqual({
    appName: 'Halden',
    dashboard: { branding: { accent: '#FFE500', radius: 'round', cover: 'rings', logo: 'brand/logo.svg' } },
  })
  written.dashboard.branding.logo = projectFile('logo.svg', logo)
  const rest = { secret: 'x'.repeat(40), environment: 'development', database: { url: 'sqlite::memory:' } }
  expect(parseConfig(featureList, { ...rest, ...written })).toHaveProperty('config')
})

test('an administrator looks at an email, and sends it to themselves', async () => {
  const { kit, openAs } = await withOlga()
  const page = await openAs(olga, '/admin/branding')
  await page.getByLabel('Page or email').selectOption('email reset-password')
  await page
    .frameLocator('iframe[title$=", Light"]')
    .getByText('Reset your Acme password')
    .or(page.frameLocator('iframe[title$=", Light"]').getByRole('heading', { name: /Reset your/, includeHidden: true }))
    .first()
    .waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Send a test email' }).click()
  await page.getByText(`The test email to ${olga.email} was sent.`).waitFor()
  expect(await kit.app.db.selectFrom('caughtMail').select(['recipient', 'kind']).execute()).toEqual([
    { recipient: olga.email, kind: 'reset-password' },
  ])
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  expect(await page.getByLabel('Page or email').inputValue()).not.toBe('email reset-password')
})
