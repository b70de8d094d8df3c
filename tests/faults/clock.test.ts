/** The clock of the machine is set back by an hour: nobody is locked out, signed out or let in, and nothing waits for the hour to pass. */
import { describe, expect, test } from 'vitest'
import type { ConfigFile } from '../../src/features/index.ts'
import { jobs as outboxJobs, sendMail } from '../../src/features/outbox/index.ts'
import { jobs as sessionJobs } from '../../src/features/sessions/index.ts'
import { testApp } from '../kit/app.ts'
import { captureMails } from '../kit/mails.ts'

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

describe('an hour back', () => {
  test('sessions go on, fresh ones are fresh, and they end when they would have', async () => {
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

  test('a revoked session stays ended, also while a copy of it lives', async () => {
    const { browser, clock, visitor } = await withAnn({ session: { cookieCache: { enabled: true } } })
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    await other.call('GET /get-session', {})
    clock.advance(-hour)
    await visitor.call('POST /revoke-other-sessions', {})
    expect((await other.call('GET /get-session', {})).body).toBeNull()
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
  })

  test('new sessions begin, are renewed and end by the new time', async () => {
    const { browser, clock } = await withAnn({ session: { updateAge: 60, expiresIn: 600 } })
    clock.advance(-hour)
    const other = browser()
    await other.call('POST /sign-in/email', { body: ann })
    clock.advance(61)
    expect((await other.call('GET /get-session', {})).setCookie).toHaveLength(1)
    clock.advance(601)
    expect((await other.call('GET /get-session', {})).body).toBeNull()
  })

  test('links stay good, and work once', async () => {
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

  test.each(['memory', 'database', 'secondary-storage'] as const)('limits in %s lock nobody out', async (storage) => {
    const rateLimit = { enabled: true, storage, customRules: { '/ok': { window: 60, max: 3 }, '/**': false } } as const
    const { browser, clock } = await withAnn({ rateLimit })
    const ok = async () => (await browser().call('GET /ok', {})).status
    expect([await ok(), await ok(), await ok(), await ok()]).toEqual([200, 200, 200, 429])
    clock.advance(-hour)
    expect([await ok(), await ok(), await ok(), await ok()]).toEqual([200, 200, 200, 429])
  })

  test('mails go out, and the janitor removes nothing that lives', async () => {
    const { app, clock, mails, visitor } = await withAnn()
    clock.advance(-hour)
    await sendMail(app, 'reset-password', ann.email, { user: ann, url: 'http://localhost', token: 'x' })
    expect((await mails.next()).token).toBe('x')
    await outboxJobs.outbox.run(app, never)
    await sessionJobs.sessions.run(app, never)
    expect((await visitor.call('GET /get-session', {})).body).not.toBeNull()
    expect(mails.sent).toHaveLength(1)
  })
})
