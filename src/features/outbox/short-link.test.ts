import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails, followLink } from '../../../tests/kit/mails.ts'
import { insertMany } from '../../../tests/kit/many-rows.ts'
import type { ConfigFile } from '../index.ts'
import { jobs } from './index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const target = '/a/page?of=the+application'

async function withReset(config: ConfigFile = {}) {
  const mails = captureMails<{ text: string; html: string }>()
  const kit = await testApp({ mail: { from: 'a@example.com', send: mails.send }, ...config })
  await kit.browser().call('POST /sign-up/email', { body: ann })
  const request = () => kit.browser().call('POST /request-password-reset', { body: { email: ann.email, redirectTo: target } })
  const link = () => kit.app.db.selectFrom('outbox').select(['linkHash', 'linkURL', 'content']).executeTakeFirst()
  return { ...kit, mails, request, link }
}

describe('the short link of an email', () => {
  test('leads to the URL with token and target, as often as it is opened', async () => {
    const { browser, mails, request } = await withReset()
    await request()
    const { text } = await mails.next()
    expect(text).not.toContain('callbackURL')
    const url = await followLink(browser(), text)
    expect(url).toMatch(
      new RegExp(`^http://localhost:3000/api/auth/reset-password/\\w{24}\\?callbackURL=${encodeURIComponent(target)}$`),
    )
    expect(await followLink(browser(), text)).toBe(url)
  })

  test('is stored so that reading it needs the email, and is deleted with it', async () => {
    const { app, browser, clock, mails, request, link } = await withReset()
    await request()
    const { text } = await mails.next()
    const [, token = ''] = /\/link\/(\w+)/.exec(text) ?? []
    await expect.poll(async () => (await link())?.content).toBeNull()
    const stored = await link()
    expect(JSON.stringify(stored)).not.toContain(token)
    expect(() => app.keyring.decrypt('mailed link', stored?.linkURL ?? '')).toThrow()
    clock.advance(8 * 86_400)
    await jobs.sentMails.run(app, new AbortController().signal)
    const { status, headers } = await browser().call('GET /link/:token', { params: { token } })
    expect([status, headers.get('location')]).toEqual([302, 'http://localhost:3000/api/auth/error?error=INVALID_TOKEN'])
  })

  test('is not made for a function of the configuration, which gets the URL itself', async () => {
    const mails = captureMails()
    const { request, link } = await withReset({ emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
    await request()
    const { url, token, ...rest } = await mails.next()
    expect(url).toBe(`http://localhost:3000/api/auth/reset-password/${token}?callbackURL=${encodeURIComponent(target)}`)
    expect(Object.keys(rest)).toEqual(['user'])
    expect(await link()).toMatchObject({ linkHash: null, linkURL: null })
  })

  test('that is unknown leads to the error page', async () => {
    const { app, browser, clock } = await withReset()
    await insertMany(app, 'outbox', 3, () => ({ kind: 'x', recipient: 'a@example.com', createdAt: clock.now() }))
    for (const token of ['unknown', 'x'.repeat(24)]) {
      const { status, headers } = await browser().call('GET /link/:token', { params: { token } })
      expect([status, headers.get('location')]).toEqual([302, 'http://localhost:3000/api/auth/error?error=INVALID_TOKEN'])
    }
  })
})
