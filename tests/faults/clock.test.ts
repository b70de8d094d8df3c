/** The clock of the machine is set back by an hour: no user is locked out, signed out or signed in, and nothing waits for an hour. */
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { jobs as outboxJobs, sendMail } from '../../src/features/outbox/index.ts'
import { mails as resetMails } from '../../src/features/password-reset/index.ts'
import { jobs as sessionJobs } from '../../src/features/sessions/index.ts'
import { testApp } from '../kit/app.ts'
import { captureMails, recipient } from '../kit/mails.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const hour = 3600
const never = new AbortController().signal

async function withAnn(config: ConfigFile = {}) {
  const mails = captureMails()
  const kit = await testApp({
    ...config,
    emailAndPassword: { enabled: true, sendResetPassword: mails.send },
    emailVerification: { sendVerificationEmail: mails.send },
  })
  const visitor = kit.browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  return { ...kit, mails, visitor }
}

describe('a clock set back by an hour', () => {
  test('keeps sessions, their freshness and their end', async () => {
    const { clock, visitor } = await withAnn({ session: { cookieCache: { enabled: true } } })
    clock.advance(-hour)
    const shown = await visitor.call('GET /get-session', {})
    expect(shown.body.user.email).toBe(ann.email)
    expect(shown.setCookie.filter((cookie) => cookie.includes('session_token'))).toEqual([])
    expect((await visitor.call('POST /unlink-account', { body: { providerId: 'none' } })).body.code).not.toBe(
      'SESSION_IS_NOT_FRESH',
    )
    clock.advance(hour + 604_800)
    expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  })

  test('keeps a session revoked, also while a cached copy of it is valid', async () => {
    const { browser, clock, visitor } = await withAnn({ session: { cookieCache: { enabled: true } } })
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    await other.call('GET /get-session', {})
    clock.advance(-hour)
    await visitor.call('POST /revoke-other-sessions', {})
    expect((await other.call('GET /get-session', {})).body).toBeNull()
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('creates, renews and expires new sessions by the new time', async () => {
    const { browser, clock } = await withAnn({ session: { updateAge: 60, expiresIn: 600 } })
    clock.advance(-hour)
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    clock.advance(61)
    expect((await other.call('GET /get-session', {})).setCookie).toHaveLength(1)
    clock.advance(601)
    expect((await other.call('GET /get-session', {})).body).toBeNull()
  })

  test('keeps links valid for one use', async () => {
    const { browser, clock, mails } = await withAnn()
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { token } = await mails.next()
    await browser().call('POST /send-verification-email', { body: { email: ann.email } })
    const { token: proof } = await mails.next()
    clock.advance(-hour)
    const reset = () => browser().call('POST /reset-password', { body: { token, newPassword: 'another horse entirely' } })
    expect([(await reset()).status, (await reset()).status]).toEqual([200, 400])
    expect((await browser().call('GET /verify-email', { query: { token: proof } })).status).toBe(200)
  })

  test.each(['memory', 'database', 'secondary-storage'] as const)('locks out no one by the limits in %s', async (storage) => {
    const rateLimit = { enabled: true, storage, customRules: { '/ok': { window: 60, max: 3 }, '/**': false } } as const
    const { browser, clock } = await withAnn({ rateLimit })
    const ok = async () => (await browser().call('GET /ok', {})).status
    expect([await ok(), await ok(), await ok(), await ok()]).toEqual([200, 200, 200, 429])
    clock.advance(-hour)
    expect([await ok(), await ok(), await ok(), await ok()]).toEqual([200, 200, 200, 429])
  })

  test('sends mails, and the janitor deletes nothing that is valid', async () => {
    const { app, clock, mails, visitor } = await withAnn()
    clock.advance(-hour)
    await sendMail(app, resetMails['reset-password'], ann, { user: recipient, url: 'http://localhost', token: 'x' })
    expect((await mails.next()).token).toBe('x')
    await outboxJobs.outbox.run(app, never)
    await sessionJobs.sessions.run(app, never)
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
    expect(mails.sent).toHaveLength(1)
  })
})
