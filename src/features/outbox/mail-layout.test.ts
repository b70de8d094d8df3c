import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { everything } from '../../../tests/kit/everything.ts'
import { capitalized, formal, informal } from '../../../tests/kit/german.ts'
import { extend } from '../../core/app.ts'
import { contrastOf } from '../../lib/color.ts'
import type { ConfigFile } from '../index.ts'
import { mailExamples, renderMail } from './index.ts'
import { textContext } from './reader.ts'

const yellow = '#f5c518'
const png = `data:image/png;base64,${'A'.repeat(100)}`
type Branding = NonNullable<NonNullable<ConfigFile['dashboard']>['branding']>

const all = async (config: ConfigFile = {}) => (await testApp({ ...everything, appName: 'Acme', ...config })).app

/** An email with an action, under this branding. */
async function render(branding: Branding, config: ConfigFile = {}) {
  return renderMail(await all({ dashboard: { branding }, ...config }), 'reset-password').html
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;')
const contentOf = (html: string, tag: string) => new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(html)?.[1] ?? ''

describe('every kind of email, in every language', () => {
  test('has all of its texts, none of them in two languages', async () => {
    const app = await all()
    const { locales } = app.config.dashboard
    const byLocale = locales.map((locale) => mailExamples(app, locale))
    const kinds = app.features.flatMap(({ mails = {} }) => Object.keys(mails))
    expect(kinds.length).toBeGreaterThanOrEqual(16)
    for (const mails of byLocale) expect(mails.map(({ kind }) => kind)).toEqual(kinds)
    for (const { kind, subject, text, html } of byLocale.flat()) {
      expect(subject, kind).toMatch(/^\S.{5,90}\S$/)
      for (const part of [subject, text, html]) expect(part, kind).not.toMatch(/undefined|null|NaN|\[object|Invalid Date|\{\w+\}/)
    }
    for (const [at, kind] of kinds.entries())
      expect(new Set(byLocale.map((mails) => mails[at]?.text)).size, kind).toBe(locales.length)
  })

  test('addresses German readers formally or informally, never both', async () => {
    const app = await all()
    const [polite, friendly] = [mailExamples(app, 'de'), mailExamples(app, 'de-informal')]
    expect(polite.filter(({ html }) => formal.test(html)).map(({ kind }) => kind)).toContain('reset-password')
    for (const { kind, subject, text, html } of polite)
      for (const part of [subject, text, html]) expect(part, kind).not.toMatch(informal)
    for (const { kind, subject, text, html, locale } of friendly) {
      for (const part of [subject, text, html]) {
        expect(part, kind).not.toMatch(formal)
        expect(part, kind).not.toMatch(capitalized)
      }
      expect(html, kind).toMatch(informal)
      expect([locale, html.includes('<html lang="de">')], kind).toEqual(['de', true])
    }
  })

  test('is a document in its language, with a hidden preheader that is not its heading', async () => {
    const app = await all()
    for (const locale of app.config.dashboard.locales) {
      for (const { kind, html, text, ...mail } of mailExamples(app, locale)) {
        expect(mail.locale, kind).toBe(locale)
        expect(html, kind).toContain(`<html lang="${locale}">`)
        const [, preheader = ''] = /<body[^>]*>\s*<div style="display:none[^"]*">([^&<]+(?:&#39;[^&<]+)*)/.exec(html) ?? []
        const heading = contentOf(html, 'h1')
        expect(preheader.length, kind).toBeGreaterThan(15)
        expect(preheader, kind).not.toBe(heading)
        expect(escaped(text).startsWith(heading), kind).toBe(true)
        // No image, script or style of another origin.
        expect(html, kind).not.toMatch(/<script|<link|<img|url\(|@import/)
      }
    }
  })

  test('has its link as a button in a table cell, as text below, and in the plain text', async () => {
    const app = await all()
    const withLink = mailExamples(app, 'de').filter(({ html }) => html.includes('<td class="button"'))
    expect(withLink.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['verification', 'reset-password', 'change-email', 'delete-account', 'organization-invitation']),
    )
    for (const { kind, html, text } of withLink) {
      const cell = /<td class="button"[^>]*bgcolor="#0B6B61"[^>]*mso-padding-alt:10px 20px[^>]*>\s*<a [^>]*href="([^"]+)"/.exec(
        html,
      )
      const url = cell?.[1] ?? 'none'
      expect(html.split(`"${url}"`).length - 1, kind).toBe(2)
      expect(html, kind).toContain(`>${url}</a>`)
      expect(text, kind).toContain(`:\n${url}\n`)
      expect(url.length, kind).toBeLessThanOrEqual(90)
    }
  })

  test('has a narrow space before the colons of French', async () => {
    const mails = mailExamples(await all(), 'fr')
    expect(mails.filter(({ text }) => text.includes('\u202f: ')).map(({ kind }) => kind)).toContain('new-sign-in')
    // Neither addresses nor times: no space follows their colons.
    for (const { kind, subject, text } of mails)
      expect(`${subject}\n${text}`, kind).not.toMatch(/[^\u202f]:(?=\s)|\p{L}[;!?](?=\s)/u)
  })
})

describe('the branding of emails', () => {
  test('is the accent of each theme, with text and links that can be read', async () => {
    const html = await render({ accent: { light: '#8a1f5c', dark: '#ff9bd2' } })
    const [light = '', dark = ''] = html.split('@media(prefers-color-scheme:dark)').toReversed()
    expect(dark).not.toContain('#ff9bd2')
    expect(light).toMatch(/\.button\{background:#ff9bd2!important/)
    expect(light).toMatch(/<td class="button"[^>]*bgcolor="#8a1f5c"/)
    const [, color = ''] = /class="label"[^>]*;color:(#\w{6})/.exec(html) ?? []
    expect(contrastOf(color, '#8a1f5c')).toBeGreaterThanOrEqual(4.5)
    const [, link = ''] = /class="link"[^>]*color:(#\w{6})/.exec(html) ?? []
    expect(contrastOf(link, '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
  })

  test('has a readable link and a visible edge with an accent that is light', async () => {
    const app = await all()
    const branding = { ...app.config.dashboard.branding, accent: yellow }
    const config = { ...app.config, dashboard: { ...app.config.dashboard, branding } }
    const { html } = renderMail(extend(app, { config }), 'reset-password', { theme: 'light' })
    const [, edge = '', link = ''] =
      /border:1px solid (#\w{6});border-radius:6px[\s\S]*class="link"[^>]*color:(#\w{6})/.exec(html) ?? []
    expect(html).toContain(`bgcolor="${yellow}"`)
    expect(contrastOf(edge, '#FFFFFF')).toBeGreaterThanOrEqual(3)
    expect(contrastOf(link, '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
    expect(html).not.toContain('prefers-color-scheme')
  })

  test.each<[string, Branding, ConfigFile, boolean]>([
    ['an image at an https: URL', { logo: 'https://cdn.example/logo.png' }, {}, true],
    ['an image in a data: URL', { logo: png }, {}, true],
    ['an SVG image, which email programs do not show', { logo: 'https://cdn.example/logo.svg' }, {}, false],
    ['an SVG image in a data: URL', { logo: 'data:image/svg+xml,%3Csvg/%3E' }, {}, false],
    ['a data: URL for a function that gets HTML alone', { logo: png }, { mail: { from: 'a@b.co', send: () => {} } }, false],
    ['an image that is too long', { logo: `${png}${'A'.repeat(50_000)}` }, {}, false],
  ])('shows the logo or else the name: %s', async (_, branding, config, isShown) => {
    const html = await render(branding, config)
    expect(html.includes('<img ')).toBe(isShown)
    if (isShown) expect(html).toMatch(/<img [^>]*alt="Acme" height="32"/)
    else expect(html).toMatch(/<p class="text"[^>]*>Acme<\/p>/)
  })

  test('shows another logo in the dark', async () => {
    const html = await render({ logo: 'https://cdn.example/light.png', logoDark: 'https://cdn.example/dark.png' })
    expect(html).toMatch(/class="text on-light" src="https:\/\/cdn\.example\/light\.png"/)
    expect(html).toMatch(/class="text on-dark" src="https:\/\/cdn\.example\/dark\.png"[^>]*display:none/)
    expect(html).toContain('.on-light{display:none!important}.on-dark{display:inline-block!important}')
  })

  test('is text, whatever the name has in it', async () => {
    const { html, text } = renderMail(await all({ appName: '<b>A&B</b>' }), 'reset-password')
    expect(html).not.toContain('<b>')
    expect(html).toContain('&lt;b&gt;A&amp;B&lt;/b&gt;')
    expect(text).toContain('<b>A&B</b>')
  })
})

test('every text message has a text with its code in every language', async () => {
  const app = await all()
  const kinds = app.features.flatMap(({ texts = {} }) => Object.values(texts))
  expect(kinds).toHaveLength(8)
  const locales = ['en', 'de', 'de-informal'] as const
  const plain = { time: String, duration: String }
  const data = { code: '482913', otp: '482913', stage: 'requested', effectiveAt: '1 January 2027, 12:00 (UTC)' } as never
  for (const { kind, content, code } of kinds) {
    const texts = locales.map((locale) => content(locale)(data, { ...textContext(app, { locale, timeZone: 'UTC' }), ...plain }))
    const [, polite = '', friendly = ''] = texts
    expect(new Set(texts).size, kind).toBe(locales.length)
    // One part of a text message: 160 characters of the GSM alphabet.
    // A notice has no code.
    const form = code(data) === '' ? /^Acme: .{20,154}$/ : /^482913 .{20,150}(\n\n@localhost #482913)?$/
    for (const text of texts) expect(text).toMatch(form)
    expect([formal.test(polite), informal.test(polite)], kind).toEqual([true, false])
    expect([formal.test(friendly), informal.test(friendly)], kind).toEqual([false, true])
  }
})
