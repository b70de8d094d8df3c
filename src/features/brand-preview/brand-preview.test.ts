import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { dashboardFolder } from '../../http/dashboard.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

async function withAdministrator(config: ConfigFile = {}) {
  const kit = await testApp({ admin: true, mail: { catch: true }, ...config }, { dashboard: dashboardFolder() })
  const ours = kit.browser()
  await ours.call('POST /sign-up/email', { body: ann })
  await kit.app.db.updateTable('user').set({ role: 'admin' }).execute()
  const preview = (more: object) =>
    ours.call('POST /admin/preview-brand', { body: { kind: 'page', name: 'sign-in', locale: 'en', ...more } as never })
  const sendTest = (more: object = {}) =>
    ours.call('POST /admin/send-test-email', { body: { kind: 'reset-password', locale: 'en', ...more } as never })
  const caught = () => kit.app.db.selectFrom('caughtMail').selectAll().execute()
  return { ...kit, ours, preview, sendTest, caught }
}

describe('the preview', () => {
  test('renders a page with a brand that is only proposed, in both themes and any language', async () => {
    const { preview, ours } = await withAdministrator()
    const url = 'blob:http://localhost:3000/0b6b61aa-1111-4222-8333-444455556666'
    const brand = { appName: 'Halden', accent: '#FFE500', radius: 'square', cover: 'dots', logo: { url, ratio: 1 }, font: url }
    const { status, body } = await preview({ brand, locale: 'de' })
    expect(status).toBe(200)
    for (const [theme, html] of [
      ['light', body.light],
      ['dark', body.dark],
    ])
      for (const part of [
        `data-theme="${theme}"`,
        'lang="de"',
        'Anmelden · Halden',
        '--accent-fill:#FFE500',
        '--radius-control:0px',
        `<img src="${url}"`,
      ])
        expect(html).toContain(part)
    expect(body.pages).toContain('reset-password')
    expect(body).toMatchObject({ subject: null, testRecipient: ann.email })
    expect((await ours.call('GET /public-settings', {})).body).toMatchObject({ appName: 'Latchkey', branding: { accent: null } })
  })

  test('renders every page and email that it lists', async () => {
    const { preview } = await withAdministrator({ organization: true })
    const { pages, emails } = (await preview({})).body
    expect(pages).toHaveLength(12)
    for (const name of pages) expect((await preview({ name })).body.light).toMatch(/<h1[^>]*>[^<]+/)
    expect(emails.length).toBeGreaterThan(5)
    for (const { kind, subject } of emails) {
      const { body } = await preview({ kind: 'email', name: kind })
      expect([kind, body.subject]).toEqual([kind, subject])
      expect(body.light).not.toMatch(/undefined|null|NaN/)
    }
    expect((await preview({ name: 'unknown' })).body.code).toBe('PREVIEW_NOT_FOUND')
    expect((await preview({ kind: 'email', name: 'unknown' })).body.code).toBe('PREVIEW_NOT_FOUND')
  })

  test.each([
    { logo: { url: '/etc/passwd', ratio: 1 } },
    { logo: { url: 'http://example.com/x.svg', ratio: 1 } },
    { font: 'blob:http://localhost/x"); } body { color: red' },
    { font: 'files/font.woff2' },
    { cover: './cover.png' },
    { accent: 'red;}' },
    { privacyURL: 'https://example.com' },
  ])('reads no file and takes no other option: %j', async (brand) => {
    const { preview } = await withAdministrator()
    expect((await preview({ brand })).status).toBe(400)
  })

  test('has a frame that only our own pages show, and that runs no script', async () => {
    const { ours } = await withAdministrator()
    const { headers } = await ours.request('/admin/preview-frame')
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('script-src')
    expect(policy).toContain("frame-ancestors 'self'; sandbox allow-same-origin")
    expect(policy).not.toContain('allow-scripts')
  })
})

describe('a test email', () => {
  test('goes to the current user only, and is recorded', async () => {
    const { sendTest, caught, app } = await withAdministrator()
    const { body } = await sendTest({ brand: { appName: 'Halden' } })
    expect(body).toEqual({ sent: true, error: null })
    expect(await caught()).toMatchObject([
      { recipient: ann.email, kind: 'reset-password', subject: 'Reset your Halden password' },
    ])
    const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'mail.tested').execute()
    expect(events).toMatchObject([{ outcome: 'succeeded', details: { kind: 'reset-password' } }])
  })

  test('is limited as other emails to one recipient are, apart from them', async () => {
    const { sendTest, caught, browser } = await withAdministrator({ mailLimit: { enabled: true, max: 2 } })
    const statuses = []
    for (let at = 0; at < 3; at += 1) statuses.push((await sendTest()).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await sendTest({ kind: 'password-changed' })).status).toBe(200)
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    await expect.poll(async () => (await caught()).length).toBe(4)
  })

  test('says why it was not accepted', async () => {
    const send = () => Promise.reject(Object.assign(new Error('ann@example.com'), { code: 'ECONNREFUSED' }))
    const { sendTest } = await withAdministrator({ mail: { from: 'a@example.com', send } })
    expect((await sendTest()).body).toEqual({ sent: false, error: 'ECONNREFUSED' })
  })

  test('needs email, and a kind that is sent', async () => {
    const none = await withAdministrator({ mail: false })
    expect((await none.sendTest()).body.code).toBe('EMAIL_IS_NOT_CONFIGURED')
    const { sendTest } = await withAdministrator()
    expect((await sendTest({ kind: 'unknown' })).body.code).toBe('PREVIEW_NOT_FOUND')
  })
})
