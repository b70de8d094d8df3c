/** Browsers that users trust, and what ends the trust (contract 11 §7). */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, password, signUp } from '../../../tests/kit/members.ts'
import { enable, enrol, hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import { socialApp } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'
import { revokeInBatches } from '../sessions/index.ts'

const cookie = 'latchkey.trust_device'
const newPassword = 'another horse entirely'

/** Ann with an app, and a browser that she trusts, signed out. */
async function open(config: ConfigFile = {}) {
  const resets = captureMails()
  const changes = captureMails()
  const kit = await testApp({
    twoFactor: true,
    admin: true,
    mail: { catch: true },
    emailAndPassword: { enabled: true, sendResetPassword: resets.send },
    user: { changeEmail: { enabled: true, sendChangeEmailVerification: changes.send } },
    ...config,
  })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  await kit.app.db.updateTable('user').set({ emailVerified: true }).where('id', '=', userId).execute()
  const { code, backupCodes } = await enrol(kit, ann)
  const trusted = kit.browser()
  await trust(trusted, code())
  kit.clock.advance(30)
  const rows = () => kit.app.db.selectFrom('trustedDevice').selectAll().execute()
  return { ...kit, ann, userId, code, backupCodes, trusted, rows, resets, changes }
}
type Kit = Awaited<ReturnType<typeof open>>

async function trust(browser: Browser, code: string, name = 'Ann') {
  await signInAs(browser, name)
  expect(outcome(await verify(browser, code, { trustDevice: true }))).toBe('200')
  await browser.call('POST /sign-out', {})
}

/** @returns whether a sign-in in this browser needs no second factor */
const isTrusted = async (browser: Browser, given: object = {}) => hasSession(await signInAs(browser, 'Ann', given))

describe('a trusted browser', () => {
  test('has a cookie for 30 days, and its session has one factor only', async () => {
    const { trusted, code, browser } = await open()
    const other = browser()
    await signInAs(other, 'Ann')
    const proven = await verify(other, code(), { trustDevice: true })
    expect(proven.setCookie.find((header) => header.startsWith(cookie))).toMatch(
      /^latchkey\.trust_device=trust-device-[\w-]{32}\.[^;]+; Max-Age=2592000;/,
    )
    expect(await isTrusted(trusted)).toBe(true)
    const { body } = await trusted.call('GET /two-factor/status', {})
    expect(body).toMatchObject({ trustedDevices: 2, session: { acr: 'urn:latchkey:acr:1', amr: ['pwd'] } })
  })

  test('is trusted by its own user only, and by each of two for themselves', async () => {
    const kit = await open()
    const { browser: bob } = await signUp(kit, 'Bob')
    const bobs = await enrol(kit, bob)
    expect((await signInAs(kit.trusted, 'Bob')).body.twoFactorRedirect).toBe(true)
    expect(outcome(await verify(kit.trusted, bobs.code(), { trustDevice: true }))).toBe('200')
    await kit.trusted.call('POST /sign-out', {})
    for (const name of ['Ann', 'Bob', 'Ann', 'Bob']) {
      expect([name, hasSession(await signInAs(kit.trusted, name))]).toEqual([name, true])
      await kit.trusted.call('POST /sign-out', {})
      kit.clock.advance(120)
    }
  })

  test('is accepted with the former cookie for a minute', async () => {
    const { trusted, browser, clock } = await open()
    const copy = browser()
    copy.cookies.set(cookie, trusted.cookies.get(cookie) ?? '')
    expect(await isTrusted(trusted)).toBe(true)
    clock.advance(60)
    expect(await isTrusted(copy)).toBe(true)
  })

  test('whose cookie was copied is not trusted any more, and its user is notified', async () => {
    const { trusted, browser, clock, rows, app } = await open()
    const copy = browser()
    copy.cookies.set(cookie, trusted.cookies.get(cookie) ?? '')
    expect(await isTrusted(trusted)).toBe(true)
    clock.advance(61)
    expect(await isTrusted(copy)).toBe(false)
    expect(await rows()).toEqual([])
    expect(await isTrusted(trusted)).toBe(false)
    const mails = await app.db.selectFrom('outbox').select('kind').execute()
    expect(mails.filter(({ kind }) => kind === 'trusted-browser-copied')).toHaveLength(1)
  })

  test('notices a copy also after it has replaced its cookie several times, and alarms about none within a minute', async () => {
    const { trusted, browser, clock, rows, app } = await open()
    const copy = browser()
    copy.cookies.set(cookie, trusted.cookies.get(cookie) ?? '')
    for (let time = 0; time < 3; time += 1) {
      clock.advance(86_400)
      expect(await isTrusted(trusted)).toBe(true)
    }
    expect([await isTrusted(copy), (await rows()).length]).toEqual([false, 1])
    clock.advance(61)
    expect([await isTrusted(copy), await rows()]).toEqual([false, []])
    const mails = await app.db.selectFrom('outbox').select('kind').execute()
    expect(mails.filter(({ kind }) => kind === 'trusted-browser-copied')).toHaveLength(1)
  })

  test('whose cookie is from before browsers had a part of it that stays is trusted, and its copies are noticed', async () => {
    const { trusted, browser, clock, rows, app } = await open()
    await app.db.updateTable('trustedDevice').set({ browserKey: null }).execute()
    const copy = browser()
    copy.cookies.set(cookie, trusted.cookies.get(cookie) ?? '')
    for (let time = 0; time < 2; time += 1) {
      clock.advance(86_400)
      expect(await isTrusted(trusted)).toBe(true)
    }
    clock.advance(86_400)
    expect([await isTrusted(copy), await rows()]).toEqual([false, []])
  })

  test.each(['email', 'totp'])('that trusts a second user after a code by %s is trusted by both later', async (method) => {
    const codes = captureMails<{ otp: string }>()
    const otpOptions = { channels: ['email' as const], sendOTP: codes.send }
    const kit = await open({ twoFactor: { enabled: true, otpOptions } })
    const { browser: bob } = await signUp(kit, 'Bob')
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    const bobs = await enrol(kit, bob)
    expect(outcome(await enable(bob, { method: 'otp', channel: 'email' }))).toBe('200')
    await signInAs(kit.trusted, 'Bob')
    if (method === 'email') {
      await kit.trusted.call('POST /two-factor/send-otp', { body: {} })
      const body = { code: (await codes.next()).otp, trustDevice: true }
      expect(outcome(await kit.trusted.call('POST /two-factor/verify-otp', { body }))).toBe('200')
    } else expect(outcome(await verify(kit.trusted, bobs.code(), { trustDevice: true }))).toBe('200')
    await kit.trusted.call('POST /sign-out', {})
    for (const name of ['Bob', 'Ann', 'Bob']) {
      kit.clock.advance(86_400)
      expect([name, hasSession(await signInAs(kit.trusted, name))]).toEqual([name, true])
      await kit.trusted.call('POST /sign-out', {})
    }
    expect(await kit.rows()).toHaveLength(2)
  })

  test('with a forged, expired or unknown cookie is challenged, and loses the cookie', async () => {
    const { trusted, browser, clock, rows, app } = await open()
    const value = trusted.cookies.get(cookie) ?? ''
    const forged = browser()
    forged.cookies.set(cookie, value.replace('trust-device-', 'trust-device-x'))
    expect([await isTrusted(forged), forged.cookies.has(cookie)]).toEqual([false, false])
    expect(await rows()).toHaveLength(1)
    clock.advance(30 * 86_400)
    expect([await isTrusted(trusted), trusted.cookies.has(cookie)]).toEqual([false, false])
    await app.db.deleteFrom('trustedDevice').execute()
    const unknown = browser()
    unknown.cookies.set(cookie, value)
    expect([await isTrusted(unknown), unknown.cookies.has(cookie)]).toEqual([false, false])
  })

  test('ends 30 days after the proof, however often it is used', async () => {
    const { trusted, clock } = await open()
    for (let day = 0; day < 29; day += 1) {
      clock.advance(86_400)
      expect(await isTrusted(trusted)).toBe(true)
    }
    clock.advance(86_400)
    expect(await isTrusted(trusted)).toBe(false)
  })

  test('is not one after a backup code, nor when trustDeviceMaxAge is 0', async () => {
    const kit = await open()
    const visitor = kit.browser()
    await signInAs(visitor, 'Ann')
    await visitor.call('POST /two-factor/verify-backup-code', { body: { code: kit.backupCodes[0] ?? '', trustDevice: true } })
    expect(visitor.cookies.has(cookie)).toBe(false)
    const off = await testApp({ twoFactor: { enabled: true, trustDeviceMaxAge: 0 } })
    const { browser: ann } = await signUp(off, 'Ann')
    const { code } = await enrol(off, ann)
    const other = off.browser()
    expect((await signInAs(other, 'Ann')).body.challenge.trustDevice).toBe(false)
    expect(outcome(await verify(other, code(), { trustDevice: true }))).toBe('200')
    expect(other.cookies.has(cookie)).toBe(false)
  })

  test('is trusted for a social sign-in, and not for a phone code', async () => {
    const texts = captureMails<{ code: string }>()
    const phoneNumber = '+491701234567'
    const kit = await socialApp({ twoFactor: true, phoneNumber: true, sms: { send: texts.send } })
    const { browser: ann } = await signUp(kit, 'Ann')
    await kit.app.db.updateTable('user').set({ emailVerified: true, phoneNumber, phoneNumberVerified: true }).execute()
    await kit.signIn(ann, 'google', undefined, { start: 'POST /link-social' })
    const { code } = await enrol(kit, ann)
    expect(await texts.next()).toMatchObject({ kind: 'two-factor-enabled' })
    const visitor = kit.browser()
    await trust(visitor, code())
    expect(hasSession(await kit.signIn(visitor, 'google'))).toBe(true)
    await visitor.call('POST /sign-out', {})
    await visitor.call('POST /phone-number/send-otp', { body: { phoneNumber } })
    const byPhone = await visitor.call('POST /phone-number/verify', { body: { phoneNumber, code: (await texts.next()).code } })
    expect(byPhone.body.twoFactorRedirect).toBe(true)
  })

  test('is listed, and can be ended alone or with all others, but not by another user', async () => {
    const kit = await open()
    const other = kit.browser()
    await trust(other, kit.code())
    await signInAs(kit.trusted, 'Ann')
    const { body: devices } = await kit.trusted.call('GET /two-factor/list-trusted-devices', {})
    expect(devices).toHaveLength(2)
    expect(devices.filter(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toHaveLength(1)
    expect(Object.keys(devices[0]).sort()).toEqual(['createdAt', 'expiresAt', 'id', 'isCurrent', 'lastUsedAt', 'name'])
    const { browser: bob } = await signUp(kit, 'Bob')
    const current = devices.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)
    const end = (browser: Browser) => browser.call('POST /two-factor/revoke-trusted-device', { body: { id: current.id } })
    expect((await end(bob)).body).toEqual({ status: true })
    expect(await kit.rows()).toHaveLength(2)
    expect((await end(kit.ann)).body).toEqual({ status: true })
    expect([await isTrusted(kit.trusted), await isTrusted(other)]).toEqual([false, true])
    await kit.ann.call('POST /two-factor/revoke-trusted-devices', {})
    expect([await isTrusted(other), await kit.rows()]).toEqual([false, []])
  })
})

/** @returns the password from then on */
const ends: Readonly<Record<string, (kit: Kit) => Promise<unknown>>> = {
  'a change of the password': async ({ ann }) => {
    const body = { currentPassword: password, newPassword }
    expect(outcome(await ann.call('POST /change-password', { body }))).toBe('200')
    return newPassword
  },
  'a reset of the password': async ({ browser, resets }) => {
    await browser().call('POST /request-password-reset', { body: { email: 'ann@example.com' } })
    const { token } = await resets.next()
    expect(outcome(await browser().call('POST /reset-password', { body: { token, newPassword } }))).toBe('200')
    return newPassword
  },
  'a password that an administrator sets': async (kit) => {
    const root = await administrator(kit)
    const body = { userId: kit.userId, newPassword }
    expect(outcome(await root.call('POST /admin/set-user-password', { body }))).toBe('200')
    return newPassword
  },
  'the end of the second factor': async (kit) => {
    expect(outcome(await kit.ann.call('POST /two-factor/disable', { body: { password } }))).toBe('200')
    await enrol(kit, kit.ann)
  },
  'revoke-sessions': async ({ ann }) => {
    expect(outcome(await ann.call('POST /revoke-sessions', {}))).toBe('200')
  },
  'the revocation of all sessions by an administrator': async (kit) => {
    const root = await administrator(kit)
    expect(outcome(await root.call('POST /admin/revoke-user-sessions', { body: { userId: kit.userId } }))).toBe('200')
  },
  'the revocation of all sessions of a user who has none': async (kit) => {
    await kit.ann.call('POST /sign-out', {})
    const root = await administrator(kit)
    expect(outcome(await root.call('POST /admin/revoke-user-sessions', { body: { userId: kit.userId } }))).toBe('200')
  },
  'a ban of a user without sessions': async (kit) => {
    await kit.ann.call('POST /sign-out', {})
    const root = await administrator(kit)
    expect(outcome(await root.call('POST /admin/ban-user', { body: { userId: kit.userId } }))).toBe('200')
    expect(outcome(await root.call('POST /admin/unban-user', { body: { userId: kit.userId } }))).toBe('200')
  },
  'the revocation of all sessions of a user by an operator': async ({ app, userId }) => {
    await revokeInBatches(app, { userId, signal })
  },
  'the revocation of all sessions of all users by an operator': async ({ app, ann }) => {
    await ann.call('POST /sign-out', {})
    await revokeInBatches(app, { signal })
  },
  'the revocation of the sessions from before a time that is after the proof': async ({ app, clock }) => {
    await revokeInBatches(app, { before: clock.now(), signal })
  },
  'a ban': async (kit) => {
    const root = await administrator(kit)
    expect(outcome(await root.call('POST /admin/ban-user', { body: { userId: kit.userId } }))).toBe('200')
    expect(outcome(await root.call('POST /admin/unban-user', { body: { userId: kit.userId } }))).toBe('200')
  },
}

const { signal } = new AbortController()

async function administrator(kit: Kit): Promise<Browser> {
  const { browser, userId } = await signUp(kit, 'Root')
  await kit.app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', userId).execute()
  return browser
}

describe('trust ends with', () => {
  test.each(Object.entries(ends))('%s', async (_, end) => {
    const kit = await open()
    const given = (await end(kit)) ?? password
    expect(await isTrusted(kit.trusted, { password: given })).toBe(false)
    expect(await kit.rows()).toEqual([])
  })

  test.each([
    ['of a user', true],
    ['of all users', false],
  ])('a revocation of all sessions %s, and with it sign-ins that wait', async (_, isOne) => {
    const { app, code, browser, userId } = await open()
    const visitor = browser()
    await signInAs(visitor, 'Ann')
    await revokeInBatches(app, { userId: isOne ? userId : undefined, signal })
    expect(outcome(await verify(visitor, code()))).toBe('401 INVALID_TWO_FACTOR_COOKIE')
  })

  test('a change of the email address', async () => {
    const { ann, changes, trusted, rows } = await open()
    expect(outcome(await ann.call('POST /change-email', { body: { newEmail: 'anna@example.com' } }))).toBe('200')
    const { token } = await changes.next()
    await ann.call('GET /verify-email', { query: { token } })
    const second = changes.sent.length > 1 ? await changes.next() : null
    if (second) await ann.call('GET /verify-email', { query: { token: second.token } })
    const answer = await signInAs(trusted, 'Anna')
    expect([answer.status, answer.body.twoFactorRedirect, await rows()]).toEqual([200, true, []])
  })

  test('the deletion of the user', async () => {
    const { app, userId, rows } = await open()
    await app.db.deleteFrom('user').where('id', '=', userId).execute()
    expect(await rows()).toEqual([])
    expect(await app.db.selectFrom('twoFactor').selectAll().execute()).toEqual([])
    expect(await app.db.selectFrom('backupCode').selectAll().execute()).toEqual([])
  })

  test('none of these: a sign-out, the end of other sessions or of those before the proof, a new name', async () => {
    const { ann, trusted, app, clock } = await open()
    await revokeInBatches(app, { before: new Date(clock.now().getTime() - 86_400_000), signal })
    await ann.call('POST /revoke-other-sessions', {})
    await ann.call('POST /update-user', { body: { name: 'Anna' } })
    await ann.call('POST /sign-out', {})
    expect(await isTrusted(trusted)).toBe(true)
  })
})
