import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { dashboardFolder } from '../../http/dashboard.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList, type PublicSettings } from '../index.ts'

type Branding = NonNullable<NonNullable<ConfigFile['dashboard']>['branding']>

/** Larger than what is embedded in a page. */
const filler = `<!-- ${'x'.repeat(2000)} -->`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10">${filler}<script>alert(1)</script></svg>`

/** Files of a project. @returns the path of one */
function project(files: Readonly<Record<string, string | Uint8Array>>): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-brand-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return (name) => join(folder, name)
}

const given = { secret: 'x'.repeat(40), environment: 'development', database: { url: 'sqlite::memory:' } }
const parse = (branding: Branding, more: object = {}) => parseConfig(featureList, { ...given, dashboard: { branding, ...more } })

async function open(branding: Branding, config: ConfigFile = {}) {
  const { browser } = await testApp(
    { mail: { catch: true }, ...config, dashboard: { branding, ...config.dashboard } },
    { dashboard: dashboardFolder() },
  )
  const settings: PublicSettings = (await browser().call('GET /public-settings', {})).body
  const get = (path: string) => browser().request(`/${path}`, { headers: { accept: 'text/html' } })
  return { branding: settings.branding, get }
}

describe('a file of the brand', () => {
  test('is served with a hash in its name, and its scripts never run', async () => {
    const path = project({ 'logo.svg': svg })
    const { branding, get } = await open({ logo: path('logo.svg') })
    expect(branding.logo).toEqual({ url: expect.stringMatching(/^\/assets\/brand-logo-[\w-]{12}\.svg$/), ratio: 3 })
    expect(branding.logoDark).toEqual(branding.logo)
    const { status, headers, body } = await get(branding.logo?.url ?? '')
    expect([status, body]).toEqual([200, svg])
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
    })
  })

  test('of a small image is part of the page', async () => {
    const path = project({ 'icon.svg': '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>' })
    const { branding, get } = await open({ favicon: path('icon.svg'), logo: path('icon.svg') })
    expect(branding.favicon).toMatch(/^data:image\/svg\+xml,[^\s"']+$/)
    for (const page of ['/sign-in', '/account'])
      expect((await get(page)).body).toContain('<link rel="icon" href="data:image/svg+xml,')
  })

  test.each([
    ['logo', 'missing.svg', 'it does not exist'],
    ['logo', '.', 'it is not a file'],
    ['logo', 'page.svg', 'it is not one of svg, png, webp, jpg'],
    ['logo', 'icon.ico', 'it is not one of svg, png, webp, jpg'],
    ['favicon', 'large.svg', 'it has 101 KiB'],
    ['font', 'logo.svg', 'it is not one of woff2'],
    ['cover', 'font.woff2', 'it is not one of svg, png, webp, jpg'],
  ] as const)('is rejected as %s: %s', (option, name, reason) => {
    const path = project({
      ...{ 'page.svg': '<html></html>', 'logo.svg': svg, 'large.svg': `<svg>${' '.repeat(102_500)}</svg>` },
      ...{ 'icon.ico': Buffer.from(`\0\0\x01\0${'\0'.repeat(30)}`), 'font.woff2': 'wOF2' },
    })
    const parsed = parse({ [option]: path(name) })
    expect(parsed).toMatchObject({ issues: [{ id: 'branding-file', path: `dashboard.branding.${option}` }] })
    expect('issues' in parsed && parsed.issues[0]?.message).toContain(reason)
    // Without pages, it is not read.
    expect(parse({ [option]: path(name) }, { enabled: false })).toHaveProperty('config')
  })
})

describe('a page', () => {
  test('has the color, the corners, the font and the cover in a style that its policy names', async () => {
    const path = project({ 'font.woff2': 'wOF2', 'cover.svg': svg })
    const branding = { accent: '#FFE500', radius: 'round', font: path('font.woff2'), cover: path('cover.svg') } as const
    const { get } = await open(branding, { dashboard: { path: '/accounts' } })
    const { body, headers } = await get('/accounts/sign-in')
    expect(body).toMatch(/--accent:#[0-9a-f]{6};--accent-fill:#FFE500;.*--on-accent:#000000/)
    expect(body).toContain('--radius-control:12px')
    expect(body).toMatch(/@font-face\{font-family:Brand;src:url\("\/accounts\/assets\/brand-font-[\w-]{12}\.woff2"\)/)
    expect(body).toMatch(/\.cover\{background-image:url\("\/accounts\/assets\/brand-cover-/)
    expect(headers.get('content-security-policy')).toMatch(/style-src 'self' 'sha256-[^']+';/)
  })

  test('has the links of the configuration in its language, and the support address', async () => {
    const footerLinks = [{ label: { en: 'Imprint', de: 'Impressum' }, url: 'https://example.com/imprint' }]
    const { get } = await open({ footerLinks, supportEmail: 'support@example.com' })
    expect((await get('/sign-in?lang=de')).body).toContain('>Impressum</a>')
    expect((await get('/sign-in')).body).toContain('>Imprint</a>')
    for (const page of ['/error', '/nothing'])
      expect((await get(page)).body).toMatch(/contact <a href="mailto:support@example.com"/)
  })

  test('has one logo, that of its theme, with its size or on a line of its own', async () => {
    const path = project({ 'light.svg': svg, 'dark.svg': `${svg} ` })
    const known = await open({ logo: path('light.svg'), logoDark: path('dark.svg') })
    expect((await known.get('/sign-in')).body).toMatch(
      /<picture[^>]*><source media="\(prefers-color-scheme: dark\)"[^>]*width="120" height="40"\/><img [^>]*width="120" height="40"[^>]*\/><\/picture>/,
    )
    const unknown = await open({ logo: 'https://cdn.example.com/logo.svg' })
    expect((await unknown.get('/sign-in')).body).toMatch(
      /<img src="https:\/\/cdn.example.com\/logo.svg" alt="" class="h-10 w-full/,
    )
  })
})
