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
  const open = async (url: string, browser = visitor, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(url)
    const { status, body, setCookie, headers: sent } = await browser.request(`/${pathname}${search}`, { headers })
    return { status, body, setCookie, location: sent.get('location') }
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

  test('the deletion link ends on /account-deleted', async () => {
    const { app, mails, open, visitor } = await withAnn()
    await visitor.call('POST /delete-user', { body: {} })
    expect((await open((await mails.next()).url)).location).toBe('/account/account-deleted')
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test('a sign-in that must replace the password sends a link to /reset-password', async () => {
    const { app, browser, mails, open } = await withAnn()
    // As an operator does.
    await app.db.updateTable('account').set({ mustReplacePassword: true }).execute()
    await browser().call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    expect((await open((await mails.next()).url)).location).toMatch(/^http:\/\/localhost:3000\/account\/reset-password\?token=/)
  })
})

/** Everything that opening a link could write. */
const stored = async ({ app: { db } }: Awaited<ReturnType<typeof withAnn>>) =>
  JSON.stringify([
    await db.selectFrom('user').selectAll().execute(),
    await db.selectFrom('session').selectAll().execute(),
    await db.selectFrom('verification').selectAll().execute(),
    await db.selectFrom('outbox').select('id').execute(),
  ])

describe('in a browser, a link changes nothing and leads to a page', () => {
  const pageOf = (url: string, page: string) => `/account${page}${new URL(url).search}`

  test('that verifies the email address with a POST, again and again with the same result', async () => {
    const kit = await withAnn()
    const { app, browser, mails, open, visitor } = kit
    await visitor.call('POST /send-verification-email', { body: { email: ann.email, callbackURL: '/welcome?a=b' } })
    const { url, token } = await mails.next()
    const before = await stored(kit)
    const opened = await Promise.all(Array.from({ length: 64 }, () => open(url, visitor, html)))
    expect(new Set(opened.map((response) => JSON.stringify(response)))).toEqual(
      new Set([JSON.stringify({ status: 302, body: '', setCookie: [], location: pageOf(url, '/verify-email') })]),
    )
    expect(await stored(kit)).toBe(before)
    for (let use = 0; use < 2; use += 1) {
      const verified = await browser().call('POST /verify-email', { body: { token } })
      expect([verified.status, verified.body]).toEqual([200, { status: true, user: null, isPending: false }])
    }
    expect(await app.db.selectFrom('user').select('emailVerified').execute()).toEqual([{ emailVerified: true }])
  })

  test('that deletes the account with a POST', async () => {
    const kit = await withAnn()
    const { app, browser, mails, open, visitor } = kit
    await visitor.call('POST /delete-user', { body: { callbackURL: '/bye' } })
    const { url, token } = await mails.next()
    const before = await stored(kit)
    const visitors = Array.from({ length: 64 }, (_, position) => (position % 2 ? visitor : browser()))
    const opened = await Promise.all(visitors.map((each) => open(url, each, html)))
    expect(new Set(opened.map(({ location }) => location))).toEqual(new Set([pageOf(url, '/delete-account')]))
    expect(await stored(kit)).toBe(before)
    expect((await browser().call('POST /delete-user', { body: { token } })).status).toBe(401)
    expect((await visitor.call('POST /delete-user', { body: { token } })).status).toBe(200)
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })

  test('also when the link is forged: the page finds out', async () => {
    const { open } = await withAnn()
    const forged = (path: string) => open(`http://localhost:3000/api/auth${path}?token=forged%26error%3Dx`, undefined, html)
    expect((await forged('/verify-email')).location).toBe('/account/verify-email?token=forged%26error%3Dx')
    expect((await forged('/delete-user/callback')).location).toBe('/account/delete-account?token=forged%26error%3Dx')
  })

  test('but an untrusted target is rejected', async () => {
    const { browser, mails, open, visitor } = await withAnn()
    await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
    const { url, token } = await mails.next()
    const foreign = url.replace(/callbackURL=.*/, 'callbackURL=https%3A%2F%2Fevil.test')
    expect(await open(foreign, visitor, html)).toMatchObject({ status: 403, body: { code: 'INVALID_CALLBACKURL' } })
    const posted = await browser().call('POST /verify-email', { body: { token, callbackURL: 'https://evil.test' } })
    expect([posted.status, posted.body.code]).toEqual([403, 'INVALID_CALLBACKURL'])
    expect((await visitor.call('GET /get-session', {})).body.user.emailVerified).toBe(false)
  })

  test('and without the hosted pages it acts as before', async () => {
    const { app, mails, open, visitor } = await withAnn({ dashboard: { enabled: false } })
    await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
    expect((await open((await mails.next()).url, visitor, html)).location).toBe('/')
    expect((await visitor.call('GET /get-session', {})).body.user.emailVerified).toBe(true)
    await visitor.call('POST /delete-user', { body: {} })
    expect((await open((await mails.next()).url, visitor, html)).location).toBe('/')
    expect(await app.db.selectFrom('user').selectAll().execute()).toEqual([])
  })
})

describe('POST /verify-email', () => {
  test('changes the email address, and says when the new one must still confirm', async () => {
    const { mails, visitor, verify } = await withAnn()
    await verify()
    await visitor.call('POST /change-email', { body: { newEmail: 'new@example.com' } })
    const changed = await visitor.call('POST /verify-email', {
      body: { token: (await mails.next()).token, callbackURL: '/done' },
    })
    expect([changed.status, changed.body]).toMatchObject([200, { user: { email: 'new@example.com' }, isPending: false }])
    expect(new URL((await mails.next()).url).searchParams.get('callbackURL')).toBe('/done')
    const quiet = await withAnn({ emailAndPassword: { enabled: true, antiEnumeration: true, requireEmailVerification: true } })
    await quiet.verify()
    const ours = quiet.browser()
    await ours.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
    await ours.call('POST /change-email', { body: { newEmail: 'new@example.com' } })
    const pending = await ours.call('POST /verify-email', { body: { token: (await quiet.mails.next()).token } })
    expect([pending.status, pending.body]).toMatchObject([200, { user: { email: ann.email }, isPending: true }])
  })

  test('fails with the codes of the link', async () => {
    const { browser, clock, mails, visitor, verify } = await withAnn()
    const post = async (token: string) => {
      const { status, body } = await browser().call('POST /verify-email', { body: { token } })
      return [status, body]
    }
    expect(await post('forged')).toEqual([401, { code: 'INVALID_TOKEN', message: 'invalid_token' }])
    await visitor.call('POST /send-verification-email', { body: { email: ann.email } })
    const { token } = await mails.next()
    await verify()
    await visitor.call('POST /change-email', { body: { newEmail: 'new@example.com' } })
    expect(await post((await mails.next()).token)).toEqual([401, { code: 'UNAUTHORIZED', message: 'unauthorized' }])
    clock.advance(3601)
    expect(await post(token)).toEqual([401, { code: 'TOKEN_EXPIRED', message: 'token_expired' }])
  })

  test('is counted together with the GET', async () => {
    const { browser } = await withAnn({ rateLimit: { enabled: true, max: 2 } })
    const token = 'forged'
    expect((await browser().call('GET /verify-email', { query: { token } })).status).toBe(401)
    expect((await browser().call('POST /verify-email', { body: { token } })).status).toBe(401)
    expect((await browser().call('GET /verify-email', { query: { token } })).status).toBe(429)
    expect((await browser().call('POST /verify-email', { body: { token } })).status).toBe(429)
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
