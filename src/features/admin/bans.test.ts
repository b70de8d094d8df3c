/** Bans: contract 05 §1 and §2. */
import { describe, expect, test } from 'vitest'
import { administrate, seen, withAdmin } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { places } from '../../../tests/kit/race.ts'
import { ann, socialApp, target } from '../../../tests/kit/social.ts'
import { flushDenials } from '../audit/index.ts'

const message = 'You have been banned from this application. Please contact support if you believe this is an error.'
const banned = [403, { code: 'BANNED_USER', message }]
const invalid = [
  400,
  { code: 'VALIDATION_ERROR', message: 'Invalid body parameters', details: { parameters: expect.any(Array) } },
]
type Kit = Awaited<ReturnType<typeof withAdmin>>

const ban = async ({ ada, uma }: Kit, more: object = {}, userId = uma.userId) =>
  seen(await ada.browser.call('POST /admin/ban-user', { body: { userId, ...more } }))
const unban = async ({ ada, uma }: Kit, userId = uma.userId) =>
  seen(await ada.browser.call('POST /admin/unban-user', { body: { userId } }))
const signIn = async ({ signIn, uma }: Kit) => seen((await signIn(uma.email)).answer)

describe('POST /admin/ban-user', () => {
  test('bans until it is lifted, with the default reason, and revokes all sessions', async () => {
    const kit = await withAdmin()
    const second = await kit.signIn(kit.uma.email)
    const user = { id: kit.uma.userId, banned: true, banReason: 'No reason', banExpires: null }
    expect(await ban(kit)).toMatchObject([200, { user, sessionsRevoked: 2 }])
    expect(await kit.sessionsOf(kit.uma.userId)).toEqual([])
    for (const browser of [kit.uma.browser, second.browser]) {
      expect((await browser.call('GET /get-session', {})).body).toBeNull()
      expect((await browser.call('GET /list-sessions', {})).status).toBe(401)
    }
    expect(await signIn(kit)).toEqual(banned)
    expect(await kit.sessionsOf(kit.uma.userId)).toEqual([])
  })

  test('a rejected sign-in names the user in the audit log', async () => {
    const kit = await withAdmin()
    await ban(kit)
    expect(await signIn(kit)).toEqual(banned)
    await flushDenials(kit.app)
    const events = kit.app.db.selectFrom('auditEvent').select(['userId', 'details']).where('action', '=', 'sign-in.failed')
    expect(await events.execute()).toMatchObject([{ userId: kit.uma.userId, details: { code: 'BANNED_USER' } }])
  })

  test('takes a reason and a duration, else those of the configuration', async () => {
    const kit = await withAdmin({ defaultBanReason: 'Abuse', defaultBanExpiresIn: 60, bannedUserMessage: 'Out' })
    const until = (seconds: number) => new Date(kit.clock.now().getTime() + seconds * 1000).toISOString()
    expect(await ban(kit)).toMatchObject([200, { user: { banReason: 'Abuse', banExpires: until(60) } }])
    expect(await ban(kit, { banExpiresIn: 0, banReason: '' })).toMatchObject([
      200,
      { user: { banReason: 'Abuse', banExpires: until(60) } },
    ])
    expect(await ban(kit, { banReason: 'Spam', banExpiresIn: 3600 })).toMatchObject([
      200,
      { user: { banReason: 'Spam', banExpires: until(3600) } },
    ])
    expect(await signIn(kit)).toEqual([403, { code: 'BANNED_USER', message: 'Out' }])
    for (const banExpiresIn of [-1, 1e12, 'x']) expect(await ban(kit, { banExpiresIn })).toEqual(invalid)
  })

  test('notifies the user at a verified email address, and at no other', async () => {
    const notices = captureMails<{ user: { email: string }; expiresAt: string | null }>()
    const kit = await withAdmin({}, { notices: { sendAccountBanned: notices.send } })
    const eve = await kit.join('Eve')
    await ban(kit, {}, eve.userId)
    await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', kit.uma.userId).execute()
    await ban(kit, { banExpiresIn: 60 })
    const expiresAt = new Date(kit.clock.now().getTime() + 60_000).toISOString()
    expect(await notices.next()).toMatchObject({ user: { email: kit.uma.email }, expiresAt })
    await ban(kit)
    expect(await notices.next()).toMatchObject({ user: { email: kit.uma.email }, expiresAt: null })
    expect(notices.sent).toHaveLength(2)
  })

  test('a second ban without a duration lasts until it is lifted, also after the first one has expired', async () => {
    const kit = await withAdmin()
    await ban(kit, { banExpiresIn: 60 })
    kit.clock.advance(61)
    expect(await ban(kit)).toMatchObject([200, { user: { banned: true, banExpires: null } }])
    expect(await signIn(kit)).toEqual(banned)
  })

  test('does not ban oneself, and answers 404 for an unknown user', async () => {
    const kit = await withAdmin()
    const own = [400, { code: 'YOU_CANNOT_BAN_YOURSELF', message: 'You cannot ban yourself' }]
    expect(await ban(kit, {}, kit.ada.userId)).toEqual(own)
    expect(await ban(kit, {}, 'unknown')).toEqual([404, { code: 'USER_NOT_FOUND', message: 'User not found' }])
    expect(await unban(kit, 'unknown')).toEqual([404, { code: 'USER_NOT_FOUND', message: 'User not found' }])
  })

  test('ends the impersonations that the banned administrator has started', async () => {
    const kit = await withAdmin()
    const eve = await kit.join('Eve', 'admin')
    await eve.browser.call('POST /admin/impersonate-user', { body: { userId: kit.uma.userId } })
    expect((await eve.browser.call('GET /list-accounts', {})).status).toBe(200)
    await ban(kit, {}, eve.userId)
    expect((await eve.browser.call('GET /list-accounts', {})).status).toBe(401)
  })

  test('records reason, expiry and the number of sessions', async () => {
    const kit = await withAdmin()
    await ban(kit, { banReason: 'Spam' })
    kit.clock.advance(1)
    await unban(kit)
    expect(await kit.events('user.banned', 'user.unbanned')).toMatchObject([
      {
        action: 'user.banned',
        actorId: kit.ada.userId,
        targetId: kit.uma.userId,
        details: { reason: 'Spam', expiresAt: null, sessions: 1 },
      },
      { action: 'user.unbanned', actorId: kit.ada.userId, targetId: kit.uma.userId },
    ])
  })
})

test('a banned user who opens a verification link gets no session from it', async () => {
  const links = captureMails()
  const emailVerification = { sendVerificationEmail: links.send, autoSignInAfterVerification: true }
  const kit = await withAdmin({}, { emailVerification })
  await ban(kit)
  await kit.browser().call('POST /send-verification-email', { body: { email: kit.uma.email } })
  const { token } = await links.next()
  const visitor = kit.browser()
  expect(seen(await visitor.call('GET /verify-email', { query: { token, callbackURL: '/in' } }))).toEqual(banned)
  expect((await visitor.call('GET /get-session', {})).body).toBeNull()
  expect(await kit.sessionsOf(kit.uma.userId)).toEqual([])
})

describe('the end of a ban', () => {
  test('POST /admin/unban-user clears it', async () => {
    const kit = await withAdmin()
    await ban(kit, { banReason: 'Spam', banExpiresIn: 60 })
    expect(await unban(kit)).toMatchObject([200, { user: { banned: false, banReason: null, banExpires: null } }])
    expect(await signIn(kit)).toMatchObject([200, { user: { email: kit.uma.email } }])
  })

  test('an expired ban is lifted at the next sign-in', async () => {
    const kit = await withAdmin()
    await ban(kit, { banExpiresIn: 60 })
    kit.clock.advance(59)
    expect(await signIn(kit)).toEqual(banned)
    kit.clock.advance(1)
    expect(await signIn(kit)).toMatchObject([200, {}])
    expect(await kit.userOf(kit.uma.userId)).toMatchObject({ banned: false, banReason: null, banExpires: null })
    expect(await kit.events('user.unbanned')).toMatchObject([{ actorKind: 'system', details: { reason: 'expired' } }])
  })
})

describe('every way to a session is closed to a banned user', () => {
  test('sign-in with the right password; a wrong one does not reveal the ban', async () => {
    const kit = await withAdmin()
    await ban(kit)
    const wrong = await kit.browser().call('POST /sign-in/email', { body: { email: kit.uma.email, password: 'wrong password' } })
    expect(wrong.body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' })
    expect(await signIn(kit)).toEqual(banned)
  })

  test('a verification link with automatic sign-in', async () => {
    const mails = captureMails()
    const kit = await withAdmin(
      {},
      { emailVerification: { sendVerificationEmail: mails.send, sendOnSignUp: true, autoSignInAfterVerification: true } },
    )
    // Each is sent after its response: that of the first sign-up may be the second.
    const sent = [await mails.next(), await mails.next()]
    const token = sent.find(({ user }) => user.email === kit.uma.email)?.token ?? ''
    await ban(kit)
    kit.uma.browser.cookies.delete('latchkey.session_token')
    const answer = await kit.uma.browser.call('GET /verify-email', { query: { token } })
    expect([answer.status, await kit.sessionsOf(kit.uma.userId)]).toEqual([403, []])
  })

  test('a social sign-in: the callbacks redirect to the error page, an ID token gets the error', async () => {
    const kit = await socialApp({ admin: true })
    for (const provider of ['google', 'acme'] as const) {
      await kit.app.db.updateTable('user').set({ banned: null }).execute()
      await kit.signIn(kit.browser(), provider)
      await kit.app.db.updateTable('user').set({ banned: true }).execute()
      const answer = await kit.signIn(kit.browser(), provider, ann, { body: { errorCallbackURL: '/oops' } })
      const description = encodeURIComponent(message)
      expect([answer.status, target(answer)]).toEqual([
        302,
        `http://localhost:3000/api/auth/error?error=banned&error_description=${description}`,
      ])
    }
    const body = { provider: 'google', idToken: { token: await kit.idToken() } }
    expect(seen(await kit.browser().call('POST /sign-in/social', { body }))).toEqual(banned)
  })

  test('a password reset, which sets the password only', async () => {
    const mails = captureMails()
    const kit = await withAdmin({}, { emailAndPassword: { enabled: true, sendResetPassword: mails.send } })
    await ban(kit)
    await kit.browser().call('POST /request-password-reset', { body: { email: kit.uma.email } })
    const { token } = await mails.next()
    await kit.browser().call('POST /reset-password', { body: { token, newPassword: 'another horse battery' } })
    expect(seen((await kit.signIn(kit.uma.email, 'another horse battery')).answer)).toEqual(banned)
  })

  test('an impersonation of them', async () => {
    const kit = await withAdmin()
    await ban(kit)
    const answer = await kit.ada.browser.call('POST /admin/impersonate-user', { body: { userId: kit.uma.userId } })
    expect(seen(answer)).toEqual(banned)
    expect(answer.setCookie).toEqual([])
  })

  test('a sign-in that verified the password before the ban', async () => {
    const kit = await withAdmin()
    let isBanned = false
    kit.replaceHasher({
      verify: async () => {
        if (!isBanned) await ban(kit)
        isBanned = true
        return true
      },
    })
    expect(await signIn(kit)).toMatchObject([403, { code: 'BANNED_USER' }])
    expect(await kit.sessionsOf(kit.uma.userId)).toEqual([])
  })
})

describe.each(places)('at %s', (place) => {
  test('a cookie-cache copy is worthless from the ban on', async () => {
    const kit = await administrate(await testApp({ admin: true, session: { cookieCache: { enabled: true } } }))
    const other = place === 'two daemons' ? (await kit.another()).browser() : kit.browser()
    expect((await kit.uma.browser.call('GET /get-session', {})).body).toMatchObject({ user: { name: 'Uma' } })
    for (const [name, value] of kit.uma.browser.cookies) other.cookies.set(name, value)
    expect((await other.call('GET /get-session', {})).body).toMatchObject({ user: { name: 'Uma' } })
    await ban(kit)
    for (const browser of [kit.uma.browser, other]) expect((await browser.call('GET /get-session', {})).body).toBeNull()
  })
})

test('a sign-in that lifts an expired ban keeps one that was made during it', async () => {
  const kit = await withAdmin()
  await ban(kit, { banExpiresIn: 60 })
  kit.clock.advance(61)
  const { verify } = kit.app.hasher
  let bans = 0
  // The user was read before the password is verified.
  const verifyAfterBan: typeof verify = async (...given) => {
    bans += 1
    if (bans === 1) await ban(kit, { banReason: 'Again' })
    return verify(...given)
  }
  kit.replaceHasher({ verify: verifyAfterBan })
  expect((await signIn(kit))[0]).not.toBe(200)
  expect(bans).toBeGreaterThan(0)
  expect(await kit.userOf(kit.uma.userId)).toMatchObject({ banned: true, banReason: 'Again' })
  expect(await kit.sessionsOf(kit.uma.userId)).toEqual([])
})
