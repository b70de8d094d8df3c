import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { featureList } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const reset = { body: { email: ann.email } }

async function withMailbox(mail: object = {}) {
  const kit = await testApp({ mail: { catch: true, ...mail } })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  /** Mails are caught after the response. */
  const list = async (length: number) => {
    await expect.poll(async () => (await kit.browser().call('GET /mailbox/list', {})).body.mails.length).toBe(length)
    return (await kit.browser().call('GET /mailbox/list', {})).body.mails
  }
  return { ...kit, visitor, list }
}

describe('the mailbox', () => {
  test('catches mails instead of sending them, and lists the newest first', async () => {
    const { clock, browser, list } = await withMailbox()
    await browser().call('POST /request-password-reset', reset)
    const [first] = await list(1)
    clock.advance(60)
    await browser().call('POST /request-password-reset', reset)
    const mails = await list(2)
    expect(mails[1]).toEqual(first)
    expect(mails[0].createdAt > mails[1].createdAt).toBe(true)
    expect(first).toMatchObject({ kind: 'reset-password', recipient: ann.email, subject: expect.any(String) })
    expect(first.text).toContain('/api/auth/link/')
  })

  test('is listed for programs and pages of this origin, not for trusted pages of other ones', async () => {
    const { browser } = await testApp({ mail: { catch: true }, trustedOrigins: ['http://localhost:*'] })
    const statusFrom = async (headers: Readonly<Record<string, string>>) =>
      (await browser().call('GET /mailbox/list', {}, headers)).status
    const origin = 'http://localhost:5173'
    expect(await statusFrom({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await statusFrom({})).toBe(200)
    expect(await statusFrom({ origin, 'sec-fetch-site': 'same-site' })).toBe(403)
    expect(await statusFrom({ origin })).toBe(403)
  })

  test('catches nothing for an unknown email address', async () => {
    const { app, browser, list } = await withMailbox()
    await browser().call('POST /request-password-reset', { body: { email: 'bob@example.com' } })
    await browser().call('POST /request-password-reset', reset)
    expect(await list(1)).toMatchObject([{ recipient: ann.email }])
    expect(await app.db.selectFrom('caughtMail').select('recipient').execute()).toEqual([{ recipient: ann.email }])
  })

  test('lists the newest 100', async () => {
    const { app, list } = await withMailbox()
    const mail = { kind: 'reset-password', recipient: ann.email, subject: 'Mail', text: '', html: '' }
    const rows = Array.from({ length: 103 }, (_, at) => ({
      ...mail,
      id: `mail-${at}`,
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, at)),
    }))
    await app.db.insertInto('caughtMail').values(rows).execute()
    const mails = await list(100)
    expect([mails[0].id, mails[99].id]).toEqual(['mail-102', 'mail-3'])
  })

  test('shows a mail in a sandbox without scripts, with links that open another window', async () => {
    const { browser, list } = await withMailbox()
    await browser().call('POST /request-password-reset', reset)
    const [{ id, html }] = await list(1)
    expect(html).toContain('<a class')
    const shown = await browser().call('GET /mailbox/mail/:id', { params: { id } })
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
    const policy = shown.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain('sandbox')
    expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/)
    expect(shown.body).toContain('<a target="_blank" rel="noopener" class')
  })

  test('responds 404 for an unknown mail', async () => {
    const { browser } = await withMailbox()
    expect((await browser().call('GET /mailbox/mail/:id', { params: { id: 'none' } })).status).toBe(404)
  })

  test('responds 404 unless emails are caught', async () => {
    const { browser } = await testApp()
    expect((await browser().request('/mailbox/list')).status).toBe(404)
  })

  test('is rejected in production, and where other machines can reach it', () => {
    const base = {
      secret: 'Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0FaE',
      baseURL: 'https://auth.example.com',
      database: { url: 'sqlite::memory:' },
    }
    const issues = (environment: 'production' | 'development', host = '127.0.0.1') => {
      const parsed = parseConfig(featureList, { ...base, environment, server: { host }, mail: { catch: true } })
      return 'issues' in parsed ? parsed.issues.map(({ id }) => id) : []
    }
    expect(issues('production')).toContain('mail-catch-in-production')
    for (const host of ['127.0.0.1', '::1', 'localhost']) expect(issues('development', host)).toEqual([])
    for (const host of ['0.0.0.0', '::', '192.168.1.7']) expect(issues('development', host)).toEqual(['mail-catch-exposed'])
  })
})
