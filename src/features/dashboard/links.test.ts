/** Links in emails end on hosted pages when the application named no target. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const html = { accept: 'text/html,application/xhtml+xml' }

async function withAnn(config: ConfigFile = {}) {
  const mails = captureMails()
  const kit = await testApp({
    dashboard: { path: '/account' },
    ...config,
    emailAndPassword: { enabled: true, sendResetPassword: mails.send, ...config.emailAndPassword },
    emailVerification: { sendVerificationEmail: mails.send },
    user: {
      changeEmail: { enabled: true, sendChangeEmailVerification: mails.send },
      deleteUser: { enabled: true, sendDeleteAccountVerification: mails.send },
    },
  })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  if (config.emailAndPassword?.requireEmailVerification) await mails.next()
  const verify = () => kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  const open = async (url: string, browser = visitor) => {
    const { pathname, search } = new URL(url)
    const { status, headers, body } = await browser.request(`/${pathname}${search}`, { headers: html })
    return { status, body, location: headers.get('location') }
  }
  return { ...kit, visitor, mails, verify, open }
}

describe('without a target of the application', () => {
  test('the verification link ends on /email-verified, also when it fails', async () => {
    const { mails, open, visitor, clock } = await withAnn()
    await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
    const { url } = await mails.next()
    expect((await open(url)).location).toBe('/account/email-verified')
    await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
    clock.advance(3601)
    expect((await open(url)).location).toBe('/account/email-verified?error=token_expired')
  })

  test('the reset link ends on /reset-password with its token, or the error', async () => {
    const { browser, mails, open } = await withAnn()
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { url, token } = await mails.next()
    expect((await open(url)).location).toBe(`http://localhost:3000/account/reset-password?token=${token}`)
    await browser().call('POST /reset-password', { body: { token, newPassword: 'another horse entirely' } })
    expect((await open(url)).location).toBe('http://localhost:3000/account/reset-password?error=INVALID_TOKEN')
  })

  test('the link that confirms a new email address ends on /email-changed, and the one in the next email too', async () => {
    const { mails, open, visitor, verify } = await withAnn()
    await verify()
    await visitor.call('POST /change-email', { body: { newEmail: 'new@example.com' } })
    expect((await open((await mails.next()).url)).location).toBe('/account/email-changed')
    expect((await open((await mails.next()).url)).location).toBe('/account/email-changed')
  })

  test('with antiEnumeration, /email-changed gets to know that the new address must still confirm', async () => {
    const { browser, mails, open, verify } = await withAnn({
      emailAndPassword: { enabled: true, antiEnumeration: true, requireEmailVerification: true },
    })
    await verify()
    const visitor = browser()
    await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    await visitor.call('POST /change-email', { body: { newEmail: 'new@example.com' } })
    const { url } = await mails.next()
    for (let time = 0; time < 2; time += 1)
      expect((await open(url, visitor)).location).toBe('/account/email-changed?pending=true')
    expect((await open((await mails.next()).url, visitor)).location).toBe('/account/email-changed')
  })

  test('the deletion link ends on /account-deleted, also in a browser without a session', async () => {
    const { app, browser, mails, open, visitor } = await withAnn()
    await visitor.call('POST /delete-user', { body: {} })
    const { url } = await mails.next()
    expect((await open(url, browser())).location).toBe('/account/account-deleted?error=FAILED_TO_GET_USER_INFO')
    expect((await open(url.replace(/token=\w+/, 'token=forged'))).location).toBe('/account/account-deleted?error=INVALID_TOKEN')
    expect((await open(url)).location).toBe('/account/account-deleted')
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test('a failed deletion link is JSON for a program', async () => {
    const { browser } = await withAnn()
    const { status, body } = await browser().call('GET /delete-user/callback', { query: { token: 'forged' } })
    expect([status, body.code]).toEqual([404, 'FAILED_TO_GET_USER_INFO'])
  })

  test('a sign-in that must replace the password sends a link to /reset-password', async () => {
    const { browser, mails, open, visitor } = await withAnn()
    await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
    // Not the browser of the sign-up.
    await open((await mails.next()).url, browser())
    await browser().call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    expect((await open((await mails.next()).url)).location).toMatch(/^http:\/\/localhost:3000\/account\/reset-password\?token=/)
  })
})

test('a target of the application is kept', async () => {
  const { browser, mails, visitor } = await withAnn()
  await visitor.call('POST /send-verification-email', { body: { email: ann.email, callbackURL: '/' } })
  await browser().call('POST /request-password-reset', { body: { email: ann.email, redirectTo: '/reset' } })
  await visitor.call('POST /delete-user', { body: { callbackURL: '/bye' } })
  const targets = []
  for (let mail = 0; mail < 3; mail += 1) targets.push(new URL((await mails.next()).url).searchParams.get('callbackURL'))
  expect(targets.toSorted()).toEqual(['/', '/bye', '/reset'])
})
