/** The calls behind the page of a verification link. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { socialApp } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'
import type { PasswordNotice } from '../password-change/index.ts'
import { findUserByEmail } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const newPassword = 'another horse entirely'
const invalid = { code: 'INVALID_TOKEN', message: 'invalid_token' }

/** Someone has signed up with the email address of Ann, who gets the link. */
async function withLink(config: ConfigFile = {}) {
  const links = captureMails()
  const changes = captureMails()
  const kit = await testApp({
    apiKey: true,
    user: { changeEmail: { enabled: true, sendChangeEmailVerification: changes.send } },
    ...config,
    emailVerification: { sendVerificationEmail: links.send, sendOnSignUp: true, ...config.emailVerification },
  })
  const first = kit.browser()
  await first.call('POST /sign-up/email', { body: ann })
  const { token } = await links.next()
  const describeLink = (by: Browser, given = token) => by.call('POST /verification-link', { body: { token: given } })
  const prove = (by: Browser, password = ann.password, given = token) =>
    by.call('POST /verify-email/with-password', { body: { token: given, password } })
  const takeOver = (by: Browser, password = newPassword, given = token) =>
    by.call('POST /verify-email/with-new-password', { body: { token: given, newPassword: password } })
  const signIn = async (password: string) =>
    (await kit.browser().call('POST /sign-in/email', { body: { email: ann.email, password } })).status
  const isVerified = async () => (await findUserByEmail(kit.app, ann.email))?.emailVerified
  return { ...kit, first, links, changes, token, describeLink, prove, takeOver, signIn, isVerified }
}

describe('POST /verification-link', () => {
  test('asks in another browser, and changes nothing', async () => {
    const { browser, describeLink, isVerified } = await withLink()
    for (let time = 0; time < 2; time += 1) {
      const { status, body, setCookie } = await describeLink(browser())
      expect([status, setCookie]).toEqual([200, []])
      expect(body).toEqual({ email: ann.email, newEmail: null, step: 'prove', hasPassword: true, providers: [] })
    }
    expect(await isVerified()).toBe(false)
  })

  test.each([
    ['is signed in as the user', {}],
    ['signed up without a session', { emailAndPassword: { enabled: true, requireEmailVerification: true } }],
  ] as readonly [string, ConfigFile][])('does not ask in the browser that %s', async (_, config) => {
    const { first, describeLink } = await withLink(config)
    expect((await describeLink(first)).body.step).toBe('confirm')
  })

  test('does not ask when the email address is verified', async () => {
    const { browser, first, describeLink, token } = await withLink()
    await first.call('POST /verify-email', { body: { token } })
    expect((await describeLink(browser())).body.step).toBe('confirm')
  })

  test('names the providers of a user without a password', async () => {
    const links = captureMails()
    const kit = await socialApp({ emailVerification: { sendVerificationEmail: links.send, sendOnSignUp: true } })
    await kit.signIn(kit.browser(), 'github', { sub: 'eve', name: 'Eve', email: ann.email, email_verified: false })
    const { token } = await links.next()
    const { body } = await kit.browser().call('POST /verification-link', { body: { token } })
    expect(body).toMatchObject({ step: 'prove', hasPassword: false, providers: ['github'] })
  })

  test('asks for a sign-in before an email address is changed, and asks again for the new one', async () => {
    const { browser, first, describeLink, changes, links, token } = await withLink()
    await first.call('POST /verify-email', { body: { token } })
    await first.call('POST /change-email', { body: { newEmail: 'ceo@example.com' } })
    const change = (await changes.next()).token
    expect((await describeLink(browser(), change)).body).toMatchObject({ step: 'sign-in', newEmail: 'ceo@example.com' })
    expect((await describeLink(first, change)).body).toMatchObject({ step: 'confirm', email: ann.email })
    await first.call('POST /verify-email', { body: { token: change } })
    const second = (await links.next()).token
    expect((await describeLink(browser(), second)).body).toMatchObject({ step: 'prove', email: 'ceo@example.com' })
    expect((await describeLink(first, second)).body.step).toBe('confirm')
  })

  test.each([
    ['forged', async () => 'forged', 'INVALID_TOKEN'],
    [
      'expired',
      async ({ clock, token }: Awaited<ReturnType<typeof withLink>>) => {
        clock.advance(3601)
        return token
      },
      'TOKEN_EXPIRED',
    ],
  ] as const)('rejects a token that is %s', async (_, change, code) => {
    const kit = await withLink()
    const given = await change(kit)
    for (const call of [
      kit.describeLink(kit.browser(), given),
      kit.prove(kit.browser(), ann.password, given),
      kit.takeOver(kit.browser(), newPassword, given),
    ]) {
      const { status, body } = await call
      expect([status, body.code]).toEqual([401, code])
    }
  })
})

describe('POST /verify-email/with-password', () => {
  test('verifies, and changes nothing else', async () => {
    const { browser, first, prove, isVerified, signIn } = await withLink()
    const { status, body, setCookie } = await prove(browser())
    expect([status, body, setCookie]).toEqual([200, { status: true }, []])
    expect([await isVerified(), await nameOf(first), await signIn(ann.password)]).toEqual([true, 'Ann', 200])
    expect((await prove(browser())).status).toBe(200)
  })

  test('changes nothing else with revokeEarlierAccess either', async () => {
    const { browser, first, prove, signIn } = await withLink({ emailVerification: { revokeEarlierAccess: true } })
    expect((await prove(browser())).status).toBe(200)
    expect([await nameOf(first), await signIn(ann.password)]).toEqual(['Ann', 200])
  })

  test('signs in once with autoSignInAfterVerification', async () => {
    const { browser, prove } = await withLink({ emailVerification: { autoSignInAfterVerification: true } })
    const phone = browser()
    await prove(phone)
    expect(await nameOf(phone)).toBe('Ann')
    expect((await prove(browser())).setCookie).toEqual([])
  })

  test('counts a wrong password as a failed attempt at the account', async () => {
    const { browser, prove, isVerified } = await withLink({ attempts: { enabled: true, perNetwork: { failures: 3 } } })
    const wrong = await prove(browser(), 'a wrong password')
    expect([wrong.status, wrong.body.code]).toEqual([400, 'INVALID_PASSWORD'])
    for (let time = 0; time < 2; time += 1) await prove(browser(), 'a wrong password')
    expect((await prove(browser())).status).toBe(429)
    const signIn = { email: ann.email, password: ann.password }
    expect((await browser().call('POST /sign-in/email', { body: signIn })).status).toBe(429)
    expect(await isVerified()).toBe(false)
  })

  test('rejects the token of a change of email address', async () => {
    const { browser, first, changes, prove, takeOver, token } = await withLink()
    await first.call('POST /verify-email', { body: { token } })
    await first.call('POST /change-email', { body: { newEmail: 'ceo@example.com' } })
    const change = (await changes.next()).token
    expect((await prove(browser(), ann.password, change)).body).toEqual(invalid)
    expect((await takeOver(browser(), newPassword, change)).body).toEqual(invalid)
  })
})

describe('POST /verify-email/with-new-password', () => {
  test('verifies, sets the password, and ends everything from before', async () => {
    const notices = captureMails<PasswordNotice>()
    const emailAndPassword = { enabled: true, sendPasswordChanged: notices.send }
    const kit = await withLink({ emailAndPassword, session: { cookieCache: { enabled: true } } })
    const { app, browser, first, takeOver, isVerified, signIn } = kit
    await first.call('POST /api-key/create', { body: { name: 'attacker' } })
    expect(await nameOf(first)).toBe('Ann')
    const { status, body, setCookie } = await takeOver(browser())
    expect([status, body, setCookie]).toEqual([200, { status: true }, []])
    expect([await isVerified(), await nameOf(first)]).toEqual([true, null])
    expect([await signIn(ann.password), await signIn(newPassword)]).toEqual([401, 200])
    expect(await app.db.selectFrom('apikey').select('id').execute()).toEqual([])
    const ended = { sessionsEnded: 1, apiKeysEnded: 1, apiKeysLeft: 0 }
    expect(await notices.next()).toMatchObject({ by: 'verification-link', ...ended })
  })

  test('repeats its response for the same password only', async () => {
    const { browser, takeOver, signIn } = await withLink()
    await takeOver(browser())
    expect((await takeOver(browser())).status).toBe(200)
    const other = await takeOver(browser(), 'a third horse entirely')
    expect([other.status, other.body]).toEqual([401, invalid])
    expect(await signIn(newPassword)).toBe(200)
  })

  test('ends nothing once the email address is verified', async () => {
    const { browser, first, links, takeOver, token, signIn } = await withLink()
    await first.call('POST /send-verification-email', { body: { email: ann.email } })
    const later = (await links.next()).token
    await first.call('POST /verify-email', { body: { token } })
    for (const given of [token, later]) expect((await takeOver(browser(), newPassword, given)).status).toBe(401)
    expect([await nameOf(first), await signIn(ann.password)]).toEqual(['Ann', 200])
  })

  test('rejects a password that breaks the rules, and leaves the link usable', async () => {
    const { browser, takeOver, token } = await withLink()
    const missing = await browser().call('POST /verify-email/with-new-password', { body: { token } as never })
    expect([missing.status, missing.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect((await takeOver(browser(), 'short')).body.code).toBe('PASSWORD_TOO_SHORT')
    expect((await takeOver(browser())).status).toBe(200)
  })

  test('signs in with autoSignInAfterVerification', async () => {
    const { browser, takeOver } = await withLink({ emailVerification: { autoSignInAfterVerification: true } })
    const owner = browser()
    await takeOver(owner)
    expect(await nameOf(owner)).toBe('Ann')
  })

  test('rejects a sign-in that is verifying the earlier password at that moment', async () => {
    const { app, browser, replaceHasher, takeOver } = await withLink()
    const { verify } = app.hasher
    replaceHasher({
      verify: async (stored, password) => {
        const isRight = await verify(stored, password)
        if (password === ann.password) await takeOver(browser())
        return isRight
      },
    })
    const body = { email: ann.email, password: ann.password }
    expect((await browser().call('POST /sign-in/email', { body })).body.code).toBe('FAILED_TO_CREATE_SESSION')
    expect(await app.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('has one winner among concurrent requests with different passwords', async () => {
    const { browser, takeOver, signIn } = await withLink()
    const passwords = Array.from({ length: 8 }, (_, index) => `horse number ${index} entirely`)
    const answers = await Promise.all(passwords.map((password) => takeOver(browser(), password)))
    const won = passwords.filter((_, index) => answers[index]?.status === 200)
    expect(won).toHaveLength(1)
    expect(await signIn(won[0] ?? '')).toBe(200)
  })

  test('needs no password where users have none', async () => {
    const links = captureMails()
    const kit = await socialApp({
      emailAndPassword: { enabled: false },
      emailVerification: { sendVerificationEmail: links.send, sendOnSignUp: true },
    })
    const attacker = kit.browser()
    await kit.signIn(attacker, 'github', { sub: 'eve', name: 'Eve', email: ann.email, email_verified: false })
    const { token } = await links.next()
    const taken = await kit.browser().call('POST /verify-email/with-new-password', { body: { token } })
    expect([taken.status, await nameOf(attacker)]).toEqual([200, null])
    expect(await kit.app.db.selectFrom('account').select('id').execute()).toEqual([])
  })
})
