/** Impersonation: contract 05 §4, and what is not allowed during one. */
import { describe, expect, test } from 'vitest'
import { type AdminConfig, administrate, seen, withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { password } from '../../../tests/kit/members.ts'
import type { ConfigFile } from '../index.ts'

const blocked = [403, { code: 'NOT_ALLOWED_WHILE_IMPERSONATING_A_USER', message: 'Not allowed while impersonating a user' }]
const start = (browser: Browser, userId: string, reason?: string) =>
  browser.call('POST /admin/impersonate-user', { body: { userId, ...(reason !== undefined && { reason }) } })
const stop = (browser: Browser) => browser.call('POST /admin/stop-impersonating', {})
const who = async (browser: Browser) => (await browser.call('GET /get-session', {})).body?.user.name ?? null

/** Name and attributes of each cookie, without its value. */
const cookiesOf = ({ setCookie }: Answer) => setCookie.map((header) => header.replace(/^([^=]+)=[^;]+;/, '$1=*;'))
const attributes = 'Path=/; HttpOnly; SameSite=Lax'

async function impersonating(admin: AdminConfig = {}, config: ConfigFile = {}) {
  const kit = await withAdmin(admin, config)
  const answer = await start(kit.ada.browser, kit.uma.userId, 'Ticket 7')
  return { ...kit, answer }
}

describe('POST /admin/impersonate-user', () => {
  test('returns a session of the user that names the administrator and ends after an hour', async () => {
    const { answer, ada, uma, clock } = await impersonating()
    expect(seen(answer)).toMatchObject([
      200,
      {
        session: {
          userId: uma.userId,
          impersonatedBy: ada.userId,
          expiresAt: new Date(clock.now().getTime() + 3_600_000).toISOString(),
          token: expect.stringMatching(/^\w{32}$/),
        },
        user: { id: uma.userId, email: uma.email, role: 'user', banned: null },
      },
    ])
    expect(Object.keys(answer.body.session)).not.toContain('impersonatorSessionId')
    expect(await who(ada.browser)).toBe('Uma')
    clock.advance(3599)
    expect(await who(ada.browser)).toBe('Uma')
    clock.advance(1)
    expect(await who(ada.browser)).toBeNull()
  })

  test('sends the user a notice without names and reason, only if the configuration asks for it', async () => {
    const mails = captureMails<object>()
    const notices = { sendAccountImpersonated: mails.send }
    const { uma, ada, clock, app } = await withAdmin({ notifyOfImpersonation: true }, { notices })
    await app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', uma.userId).execute()
    await start(ada.browser, uma.userId, 'Ticket 7')
    const notice = await mails.next()
    const [time, endsAt] = [0, 3_600_000].map((later) => new Date(clock.now().getTime() + later).toISOString())
    expect(notice).toMatchObject({ user: { email: uma.email }, time, endsAt })
    expect(JSON.stringify(notice)).not.toMatch(/Ticket|Ada|ada@/)
    const quiet = await impersonating({}, { notices })
    expect(quiet.answer.status).toBe(200)
    expect(mails.sent).toHaveLength(1)
  })

  test('sets the cookies of the contract, in its order', async () => {
    const { answer } = await impersonating()
    expect(cookiesOf(answer)).toEqual([
      `latchkey.session_data=; Max-Age=0; ${attributes}`,
      `latchkey.admin_session=*; Max-Age=604800; ${attributes}`,
      `latchkey.session_token=*; ${attributes}`,
      `latchkey.dont_remember=*; ${attributes}`,
    ])
    const cookie = decodeURIComponent(answer.setCookie[1]?.split(/[=;]/)[1] ?? '')
    expect(cookie).toMatch(/^\w{32}:\./)
  })

  test('with a cookie cache, its copy comes last', async () => {
    const { answer } = await impersonating({}, { session: { cookieCache: { enabled: true } } })
    expect(cookiesOf(answer).map((header) => header.split('=')[0])).toEqual([
      'latchkey.admin_session',
      'latchkey.session_token',
      'latchkey.dont_remember',
      'latchkey.session_data',
    ])
  })

  test('is never renewed and never fresh', async () => {
    const { ada, clock } = await impersonating(
      { impersonationSessionDuration: 3600 },
      { session: { updateAge: 0, expiresIn: 100_000 } },
    )
    const before = (await ada.browser.call('GET /get-session', {})).body.session.expiresAt
    clock.advance(1800)
    expect((await ada.browser.call('GET /get-session', {})).body.session.expiresAt).toBe(before)
    const [row] = await (await impersonating()).app.db
      .selectFrom('session')
      .selectAll()
      .where('impersonatedBy', 'is not', null)
      .execute()
    expect(row?.authenticatedAt?.getTime()).toBeLessThanOrEqual(Number(row?.createdAt) - 86_400_000)
  })

  test('keeps the sessions of the administrator and all those of the user', async () => {
    const kit = await withAdmin({}, { session: { maxPerUser: 2 } })
    await kit.signIn(kit.uma.email)
    await start(kit.ada.browser, kit.uma.userId)
    const third = await kit.join('Eve', 'admin')
    await start(third.browser, kit.uma.userId)
    const rows = await kit.sessionsOf(kit.uma.userId)
    expect(rows.filter(({ impersonatedBy }) => impersonatedBy === null)).toHaveLength(2)
    expect(rows.filter(({ impersonatedBy }) => impersonatedBy !== null)).toHaveLength(2)
    // Nor does it count when the user signs in the next time.
    await kit.signIn(kit.uma.email)
    expect((await kit.sessionsOf(kit.uma.userId)).filter(({ impersonatedBy }) => impersonatedBy === null)).toHaveLength(2)
    expect(await kit.sessionsOf(kit.ada.userId)).toHaveLength(1)
    expect(await who(third.browser)).toBe('Uma')
  })

  test('the user does not see it in their list; the administrators do', async () => {
    const kit = await impersonating()
    const own = (await kit.uma.browser.call('GET /list-sessions', {})).body
    expect(own).toHaveLength(1)
    const eve = await kit.join('Eve', 'admin')
    const { body } = await eve.browser.call('POST /admin/list-user-sessions', { body: { userId: kit.uma.userId } })
    expect(body.sessions.map(({ impersonatedBy }: { impersonatedBy: string }) => impersonatedBy)).toEqual(
      expect.arrayContaining([null, kit.ada.userId]),
    )
  })

  test('fails for oneself, an unknown user, and another administrator', async () => {
    const { ada, join } = await withAdmin()
    const eve = await join('Eve', 'user,admin')
    expect(seen(await start(ada.browser, ada.userId))).toEqual([
      400,
      { code: 'YOU_CANNOT_IMPERSONATE_YOURSELF', message: 'You cannot impersonate yourself' },
    ])
    expect(seen(await start(ada.browser, 'unknown'))).toEqual([404, { code: 'USER_NOT_FOUND', message: 'User not found' }])
    expect(seen(await start(ada.browser, eve.userId))).toEqual([
      403,
      { code: 'YOU_CANNOT_IMPERSONATE_ADMINS', message: 'You cannot impersonate admins' },
    ])
    expect((await ada.browser.call('GET /list-accounts', {})).status).toBe(200)
  })

  test('of administrators is allowed by an option', async () => {
    const { ada, join } = await withAdmin({ allowImpersonatingAdmins: true })
    const eve = await join('Eve', 'admin')
    expect((await start(ada.browser, eve.userId)).status).toBe(200)
    expect(seen(await start(ada.browser, ada.userId))).toEqual(blocked)
  })

  test('needs a fresh session, unless the option is off', async () => {
    const stale = [403, { code: 'SESSION_IS_NOT_FRESH', message: 'Session is not fresh' }]
    const first = await withAdmin()
    first.clock.advance(86_400)
    expect(seen(await start(first.ada.browser, first.uma.userId))).toEqual(stale)
    const second = await withAdmin({ impersonationRequiresFreshSession: false })
    second.clock.advance(86_400)
    expect((await start(second.ada.browser, second.uma.userId)).status).toBe(200)
  })

  test('needs a reason only if the option is on', async () => {
    const { ada, uma } = await withAdmin({ requireImpersonationReason: true })
    const missing = [400, { code: 'REASON_IS_REQUIRED', message: 'Reason is required' }]
    for (const reason of [undefined, '', ' ']) expect(seen(await start(ada.browser, uma.userId, reason))).toEqual(missing)
    expect((await start(ada.browser, uma.userId, 'x'.repeat(501))).status).toBe(400)
    expect((await start(ada.browser, uma.userId, 'x'.repeat(500))).status).toBe(200)
  })

  test('lives as long as the option says', async () => {
    const { ada, clock } = await impersonating({ impersonationSessionDuration: 60 })
    clock.advance(59)
    expect(await who(ada.browser)).toBe('Uma')
    clock.advance(1)
    expect(await who(ada.browser)).toBeNull()
  })
})

describe('POST /admin/stop-impersonating', () => {
  test('returns to the session of the administrator and clears both cookies of the impersonation', async () => {
    const { ada, uma, sessionsOf } = await impersonating()
    const answer = await stop(ada.browser)
    expect(seen(answer)).toMatchObject([200, { session: { userId: ada.userId, impersonatedBy: null }, user: { id: ada.userId } }])
    expect([...cookiesOf(answer)].sort()).toEqual([
      `latchkey.admin_session=; Max-Age=0; ${attributes}`,
      `latchkey.dont_remember=; Max-Age=0; ${attributes}`,
      `latchkey.session_data=; Max-Age=0; ${attributes}`,
      `latchkey.session_token=*; Max-Age=604800; ${attributes}`,
    ])
    expect(await who(ada.browser)).toBe('Ada')
    expect(await sessionsOf(uma.userId)).toHaveLength(1)
    expect([...ada.browser.cookies.keys()]).toEqual(['latchkey.session_token'])
  })

  test('keeps a session that ends with the browser as it was', async () => {
    const kit = await withAdmin()
    const browser = kit.browser()
    await browser.call('POST /sign-in/email', { body: { email: kit.ada.email, password, rememberMe: false } })
    const started = await start(browser, kit.uma.userId)
    expect(decodeURIComponent(started.setCookie[1] ?? '')).toMatch(/admin_session=\w{32}:true\./)
    const answer = await stop(browser)
    expect(cookiesOf(answer)).toContain(`latchkey.session_token=*; ${attributes}`)
    expect(cookiesOf(answer)).toContain(`latchkey.dont_remember=*; ${attributes}`)
  })

  test('fails without an impersonation', async () => {
    const { ada, browser } = await withAdmin()
    expect(seen(await stop(ada.browser))).toEqual([
      400,
      { code: 'YOU_ARE_NOT_IMPERSONATING_ANYONE', message: 'You are not impersonating anyone' },
    ])
    expect(seen(await stop(browser()))).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
  })

  test('fails when the cookie is missing, forged, of another user or of a session of the user', async () => {
    const failed = [500, { code: 'FAILED_TO_FIND_ADMIN_SESSION', message: 'Failed to find admin session' }]
    const kit = await impersonating()
    const { ada } = kit
    const name = 'latchkey.admin_session'
    const own = ada.browser.cookies.get(name) ?? ''
    const eve = await kit.join('Eve', 'admin')
    await start(eve.browser, kit.uma.userId)
    const forged = own.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))
    for (const value of [undefined, forged, eve.browser.cookies.get(name), ada.browser.cookies.get('latchkey.session_token')]) {
      if (value === undefined) ada.browser.cookies.delete(name)
      else ada.browser.cookies.set(name, value)
      expect(seen(await stop(ada.browser))).toEqual(failed)
    }
    ada.browser.cookies.set(name, own)
    expect((await stop(ada.browser)).status).toBe(200)
  })
})

test('an impersonation does not return to another impersonation', async () => {
  const kit = await impersonating({ allowImpersonatingAdmins: true })
  const eve = await kit.join('Eve', 'admin')
  expect((await start(eve.browser, kit.ada.userId)).status).toBe(200)
  kit.ada.browser.cookies.set('latchkey.admin_session', eve.browser.cookies.get('latchkey.session_token') ?? '')
  expect(seen(await stop(kit.ada.browser))).toMatchObject([500, { code: 'FAILED_TO_FIND_ADMIN_SESSION' }])
})

describe('an impersonation ends', () => {
  test('when the administrator is banned, also after the session in which it started has expired', async () => {
    const kit = await impersonating()
    const eve = await kit.join('Eve', 'admin')
    // Expired rows are deleted without an event.
    await kit.app.db.deleteFrom('session').where('userId', '=', kit.ada.userId).execute()
    expect(await who(kit.ada.browser)).toBe('Uma')
    expect((await eve.browser.call('POST /admin/ban-user', { body: { userId: kit.ada.userId } })).status).toBe(200)
    expect(await who(kit.ada.browser)).toBeNull()
  })

  test('without signing the administrator out, when a call with its session is answered later', async () => {
    const { ada, app } = await impersonating()
    const former = new Map(ada.browser.cookies)
    const restored = (await stop(ada.browser)) && new Map(ada.browser.cookies)
    for (const [name, value] of former) ada.browser.cookies.set(name, value)
    const late = await ada.browser.call('GET /get-session', {})
    expect([late.body, late.setCookie]).toEqual([null, []])
    // As in every other case, when there is nothing to return to.
    await app.db.deleteFrom('session').execute()
    expect(cookiesOf(await ada.browser.call('GET /get-session', {}))).toHaveLength(3)
    expect(restored.get('latchkey.session_token')).not.toBe(former.get('latchkey.session_token'))
  })

  test('when the administrator loses their role, is removed, or signs out elsewhere', async () => {
    const kit = await withAdmin()
    const eve = await kit.join('Eve', 'admin')
    const begin = async () => {
      const { browser } = await kit.signIn(eve.email)
      expect((await start(browser, kit.uma.userId)).status).toBe(200)
      expect(await who(browser)).toBe('Uma')
      return browser
    }
    const first = await begin()
    await kit.ada.browser.call('POST /admin/set-role', { body: { userId: eve.userId, role: 'user' } })
    expect(await who(first)).toBeNull()
    await kit.ada.browser.call('POST /admin/set-role', { body: { userId: eve.userId, role: 'admin' } })
    const [second, third] = [await begin(), await begin()]
    // Revokes the sessions that started the two others.
    await eve.browser.call('POST /revoke-other-sessions', {})
    expect([await who(second), await who(third)]).toEqual([null, null])
    const fourth = await begin()
    await kit.ada.browser.call('POST /admin/remove-user', { body: { userId: eve.userId } })
    expect(await who(fourth)).toBeNull()
  })

  test('by signing out, which signs the administrator out too', async () => {
    const { ada, sessionsOf, uma } = await impersonating()
    const answer = await ada.browser.call('POST /sign-out', {})
    expect(cookiesOf(answer)).toContain(`latchkey.admin_session=; Max-Age=0; ${attributes}`)
    expect(await sessionsOf(ada.userId)).toEqual([])
    expect(await sessionsOf(uma.userId)).toHaveLength(1)
    expect([...ada.browser.cookies.keys()]).toEqual([])
  })

  test('immediately, also for a cached copy', async () => {
    const kit = await administrate(await testApp({ admin: true, session: { cookieCache: { enabled: true } } }))
    await start(kit.ada.browser, kit.uma.userId)
    expect(await who(kit.ada.browser)).toBe('Uma')
    const eve = await kit.join('Eve', 'admin')
    await eve.browser.call('POST /admin/ban-user', { body: { userId: kit.ada.userId } })
    expect(await who(kit.ada.browser)).toBeNull()
  })
})

describe('the audit log', () => {
  test('has start, reason and stop, and both identities in every event in between', async () => {
    const kit = await impersonating()
    kit.clock.advance(1)
    await kit.ada.browser.call('POST /change-password', {
      body: { currentPassword: password, newPassword: 'another horse battery' },
    })
    kit.clock.advance(1)
    await stop(kit.ada.browser)
    const started = await kit.events('user.impersonation-started', 'user.impersonation-stopped')
    expect(started).toMatchObject([
      { actorId: kit.ada.userId, impersonatedBy: null, targetId: kit.uma.userId, details: { reason: 'Ticket 7' } },
      { actorId: kit.uma.userId, impersonatedBy: kit.ada.userId, targetId: kit.uma.userId },
    ])
    const { flushDenials } = await import('../audit/index.ts')
    await flushDenials(kit.app)
    expect(await kit.events('access.denied')).toMatchObject([{ actorId: kit.uma.userId, impersonatedBy: kit.ada.userId }])
  })
})
