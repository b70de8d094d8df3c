/** What a freeze rejects, for whom, and until when. */
import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { everything } from '../../../tests/kit/everything.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { mountRoutes } from '../../http/routing.ts'
import { freeze, readFreezes, refreshFreezes, whileReadOnlyOf } from './index.ts'

const password = 'correct horse battery'
const eve = { name: 'Eve', email: 'eve@example.com', password }
const code = (name: string, status = 403) => ({ status, body: { code: name } })

describe('a freeze of sign-up', () => {
  test('rejects new users with the same response for known email addresses', async () => {
    const { app, browser, uma } = await withAdmin()
    await freeze(app, 'sign-up', { seconds: 600 })
    const refused = await browser().call('POST /sign-up/email', { body: eve })
    expect(refused).toMatchObject(code('SIGN_UP_FROZEN'))
    expect(refused.headers.get('retry-after')).toBe('600')
    const known = await browser().call('POST /sign-up/email', { body: { ...eve, email: uma.email } })
    expect(known.body).toEqual(refused.body)
  })

  test('rejects users that a sign-in would create, and leaves sign-ins of users', async () => {
    const mails = captureMails<{ otp: string }>()
    const { app, browser, ada, signIn, uma } = await withAdmin({}, { emailOTP: { sendVerificationOTP: mails.send } })
    await freeze(app, 'sign-up', {})
    const { email } = eve
    await browser().call('POST /email-otp/send-verification-otp', { body: { email, type: 'sign-in' } })
    const { otp } = await mails.next()
    expect(await browser().call('POST /sign-in/email-otp', { body: { email, otp } })).toMatchObject(code('SIGN_UP_FROZEN'))
    expect((await signIn(uma.email)).answer.status).toBe(200)
    expect((await ada.browser.call('POST /admin/create-user', { body: eve })).status).toBe(200)
  })
})

describe('a freeze of sign-in', () => {
  test('rejects new sessions, keeps those that there are, and lets in who may lift it', async () => {
    const { app, ada, uma, signIn } = await withAdmin()
    await freeze(app, 'sign-in', {})
    expect((await signIn(uma.email)).answer).toMatchObject(code('SIGN_IN_FROZEN'))
    expect((await signIn(uma.email, 'wrong')).answer).toMatchObject({ status: 401 })
    expect(await nameOf(uma.browser)).toBe('Uma')
    expect((await signIn(ada.email)).answer.status).toBe(200)
    const { body } = await ada.browser.call('POST /admin/impersonate-user', { body: { userId: uma.userId } })
    expect(body.user.id).toBe(uma.userId)
  })

  test('rejects the end of a sign-in that has begun before', async () => {
    const mails = captureMails<{ token: string }>()
    const { app, browser, uma } = await withAdmin({}, { magicLink: { sendMagicLink: mails.send } })
    await browser().call('POST /sign-in/magic-link', { body: { email: uma.email } })
    const { token } = await mails.next()
    await freeze(app, 'sign-in', {})
    const opened = await browser().call('POST /magic-link/verify', { body: { token } })
    expect(opened).toMatchObject(code('SIGN_IN_FROZEN'))
  })
})

describe('read-only mode', () => {
  /** POST calls that are served, and why. */
  const served: Readonly<Record<string, string>> = {
    'POST /sign-out': 'only signs out',
    'POST /revoke-session': 'only signs out',
    'POST /revoke-sessions': 'only signs out',
    'POST /revoke-other-sessions': 'only signs out',
    'POST /multi-session/revoke': 'only signs out',
    'POST /admin/revoke-user-session': 'only signs out',
    'POST /admin/revoke-user-sessions': 'only signs out',
    'POST /admin/stop-impersonating': 'only signs out of the impersonation',
    'POST /two-factor/cancel': 'only ends a pending sign-in',
    'POST /two-factor/revoke-trusted-device': 'only ends trust in a browser',
    'POST /two-factor/revoke-trusted-devices': 'only ends trust in browsers',
    'POST /organization/has-permission': 'only reads',
    'POST /organization/check-slug': 'only reads',
    'POST /is-username-available': 'only reads',
    'POST /set-up/check': 'only reads',
    'POST /reset-password/check': 'only reads',
    'POST /magic-link/preview': 'only reads',
    'POST /invite-link/preview': 'only reads',
    'POST /lock-account/check': 'only reads',
    'POST /admin/has-permission': 'only reads',
    'POST /admin/list-user-sessions': 'only reads',
    'POST /admin/preview-bulk-action': 'only reads',
    'POST /admin/preview-brand': 'only reads',
    'POST /admin/incident/preview': 'only reads',
    'POST /admin/incident/revoke': 'ends the incident',
    'POST /admin/incident/freeze': 'ends the incident',
    'POST /admin/incident/unfreeze': 'ends the incident',
  }
  /** Calls with which an administrator proves themselves before they lift it. */
  const operators = [
    'POST /passkey/verify-authentication',
    'POST /sign-in/email',
    'POST /two-factor/send-otp',
    'POST /two-factor/verify-otp',
    'POST /two-factor/verify-totp',
    'POST /verify-password',
  ]
  /** GET calls that change something, or sign in. */
  const changing = [
    'GET /callback/:id',
    'GET /delete-user/callback',
    'GET /magic-link/verify',
    'GET /oauth2/callback/:providerId',
    'GET /one-time-token/generate',
    'GET /verify-email',
  ]

  test('serves calls that read or sign out, and no others', async () => {
    const { app } = await testApp({ ...everything, magicLink: true })
    const calls = mountRoutes(app).map(([key, route]) => [key, whileReadOnlyOf(route)] as const)
    const keysOf = (method: string, mode: string) =>
      calls.flatMap(([key, found]) => (key.startsWith(`${method} `) && found === mode ? key : [])).sort()
    expect(keysOf('POST', 'served')).toEqual(Object.keys(served).sort())
    expect(keysOf('POST', 'operators')).toEqual(operators)
    expect(keysOf('GET', 'rejected')).toEqual(
      expect.arrayContaining(changing.filter((key) => calls.some(([one]) => one === key))),
    )
    expect(changing).toEqual(expect.arrayContaining(keysOf('GET', 'rejected')))
  })

  test('rejects every other call with one code, of every client', async () => {
    const kit = await testApp(everything)
    const uma = kit.browser()
    await uma.call('POST /sign-up/email', { body: { ...eve, callbackURL: '/' } })
    await freeze(kit.app, 'writes', { seconds: 90 })
    const keys = mountRoutes(kit.app).flatMap(([key, route]) => {
      const isRejected = whileReadOnlyOf(route) !== 'served' && route.method !== 'GET'
      return isRejected && route.declaration.access.kind !== 'server' ? [key] : []
    })
    expect(keys.length).toBeGreaterThan(100)
    for (const key of keys) {
      const path = (key.split(' ')[1] ?? '').replaceAll(/:\w+/g, 'github')
      const headers = { 'content-type': 'application/json', origin: 'http://localhost:3000' }
      for (const browser of [uma, kit.browser()]) {
        const { status, body, headers: sent } = await browser.request(path, { method: 'POST', headers, body: '{}' })
        expect([key, status, body.code, sent.get('retry-after')]).toEqual([key, 503, 'READ_ONLY', '90'])
      }
    }
  }, 60_000)

  test('keeps users signed in without renewing their sessions, and lets them sign out', async () => {
    const { app, clock, uma, sessionsOf } = await withAdmin()
    await freeze(app, 'writes', {})
    const [before] = await sessionsOf(uma.userId)
    clock.advance(3 * 86_400)
    const { headers, body } = await uma.browser.call('GET /get-session', {})
    expect([body.user.name, headers.get('x-frozen')]).toEqual(['Uma', 'writes'])
    expect(await sessionsOf(uma.userId)).toEqual([before])
    expect((await uma.browser.call('POST /sign-out', {})).status).toBe(200)
    expect(await sessionsOf(uma.userId)).toEqual([])
  })

  test('leads a browser that follows a link to the error page', async () => {
    const { app, browser } = await testApp()
    await freeze(app, 'writes', {})
    const link = '/verify-email?token=any'
    const { status, headers } = await browser().request(link, { headers: { accept: 'text/html' } })
    expect([status, headers.get('location')]).toEqual([302, 'http://localhost:3000/api/auth/error?error=READ_ONLY'])
    expect(await browser().request(link)).toMatchObject(code('READ_ONLY', 503))
  })

  test('lets administrators prove themselves and lift it, also after their session is not fresh any more', async () => {
    const { app, ada, uma, clock } = await withAdmin({ requireFreshSession: true })
    await freeze(app, 'writes', {})
    clock.advance(2 * 86_400)
    const lift = () => ada.browser.call('POST /admin/incident/unfreeze', { body: {} })
    expect(await lift()).toMatchObject(code('SESSION_IS_NOT_FRESH'))
    expect(await uma.browser.call('POST /verify-password', { body: { password } })).toMatchObject(code('READ_ONLY', 503))
    expect((await ada.browser.call('POST /verify-password', { body: { password } })).status).toBe(200)
    expect(await lift()).toMatchObject({ status: 200, body: [] })
    expect((await uma.browser.call('POST /update-user', { body: { name: 'Ursula' } })).status).toBe(200)
  })
})

describe('the end of a freeze', () => {
  test('comes by itself, also in a process that cannot read the database', async () => {
    const { app, browser, clock } = await testApp()
    await freeze(app, 'sign-up', { seconds: 60, reason: 'Bots' })
    expect(await readFreezes(app)).toMatchObject([{ kind: 'sign-up', reason: 'Bots' }])
    clock.advance(60)
    expect(await readFreezes(app)).toEqual([])
    const answer = await browser().call('POST /sign-up/email', { body: eve })
    expect([answer.status, answer.headers.get('x-frozen')]).toEqual([200, null])
  })

  test('does not come while the database does not respond', async () => {
    const { app, browser } = await testApp()
    await freeze(app, 'sign-up', {})
    const lost = () => {
      throw new Error('Connection lost')
    }
    const failing = Object.create(app, { db: { value: { selectFrom: lost } } })
    await expect(refreshFreezes(failing)).rejects.toThrow()
    expect(await browser().call('POST /sign-up/email', { body: eve })).toMatchObject(code('SIGN_UP_FROZEN'))
  })
})

test('events say who froze what, until when and why', async () => {
  const { ada, events } = await withAdmin()
  await ada.browser.call('POST /admin/incident/freeze', { body: { kind: 'sign-in', reason: 'Credential stuffing', seconds: 60 } })
  await ada.browser.call('POST /admin/incident/freeze', { body: { kind: 'sign-in' } })
  const { body } = await ada.browser.call('GET /admin/incident', {})
  expect(body.frozen).toMatchObject([{ kind: 'sign-in', by: ada.email, reason: null, expiresAt: null }])
  await ada.browser.call('POST /admin/incident/unfreeze', { body: { reason: 'Over' } })
  await ada.browser.call('POST /admin/incident/unfreeze', { body: {} })
  const found = await events('incident.frozen', 'incident.unfrozen')
  expect(found.map(({ action, actorId, details }) => [action, actorId === ada.userId, details])).toEqual([
    ['incident.frozen', true, { kind: 'sign-in', reason: 'Credential stuffing', expiresAt: expect.any(String) }],
    ['incident.frozen', true, { kind: 'sign-in' }],
    ['incident.unfrozen', true, { kind: 'sign-in', reason: 'Over' }],
  ])
})
