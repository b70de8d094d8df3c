/**
 * The first verification of an email address in another browser than that of its user, by a call alone (contract 01 §4). It changes
 * nothing else, unless `revokeEarlierAccess` is on: then it ends the access from before, because an attacker may have signed up with
 * the address of another person.
 */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import type { MethodNotice } from '../notices/index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { findUserByEmail } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }
const newPassword = 'another horse entirely'
const wrong = { code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' }
const strict: ConfigFile = { emailVerification: { revokeEarlierAccess: true } }

/** `squatter` has signed up with the email address of Ann, who gets the link. */
async function withSquatter(config: ConfigFile = strict) {
  const links = captureMails()
  const resets = captureMails()
  const removed = captureMails<MethodNotice>()
  const kit = await testApp({
    notices: { sendSignInMethodRemoved: removed.send },
    ...config,
    emailAndPassword: { enabled: true, sendResetPassword: resets.send, ...config.emailAndPassword },
    emailVerification: { sendVerificationEmail: links.send, sendOnSignUp: true, ...config.emailVerification },
  })
  const squatter = kit.browser()
  const signedUp = await squatter.call('POST /sign-up/email', { body: ann })
  const { token } = await links.next()
  const verify = (browser: Browser, query: { token: string } = { token }) => browser.call('GET /verify-email', { query })
  const signIn = (password = ann.password, browser = kit.browser()) =>
    browser.call('POST /sign-in/email', { body: { ...credentials, password } })
  const user = async () => (await findUserByEmail(kit.app, ann.email)) ?? expect.fail('no user')
  return { ...kit, token, links, resets, removed, squatter, signedUp, verify, signIn, user }
}

describe('the first verification in another browser', () => {
  test.each([
    ['GET', (browser: Browser, token: string) => browser.call('GET /verify-email', { query: { token } })],
    ['POST', (browser: Browser, token: string) => browser.call('POST /verify-email', { body: { token } })],
  ])('changes nothing else, by a %s', async (_, verify) => {
    const { browser, token, squatter, signIn, user, resets } = await withSquatter({})
    expect((await verify(browser(), token)).status).toBe(200)
    expect((await user()).emailVerified).toBe(true)
    expect(await nameOf(squatter)).toBe('Ann')
    expect((await signIn()).status).toBe(200)
    expect(resets.sent).toEqual([])
  })
})

describe('with revokeEarlierAccess, the first verification in another browser', () => {
  test('revokes every session and cached copy, and removes the password, until a reset sets another', async () => {
    const kit = await withSquatter({ ...strict, session: { cookieCache: { enabled: true } }, dashboard: { enabled: false } })
    const { browser, removed, resets, squatter, verify, signIn } = kit
    expect(await nameOf(squatter)).toBe('Ann')
    const opened = await verify(browser())
    expect([opened.status, opened.body, opened.setCookie]).toEqual([200, { status: true, user: null }, []])
    expect(await nameOf(squatter)).toBeNull()
    const response = await signIn()
    expect([response.status, response.body, response.setCookie]).toEqual([401, wrong, []])
    expect(await removed.next()).toMatchObject({ providerId: 'credential', reason: 'email-verified', user: { email: ann.email } })
    await browser().call('POST /request-password-reset', { body: { email: ann.email } })
    const { token } = await resets.next()
    expect((await browser().call('POST /reset-password', { body: { token, newPassword } })).status).toBe(200)
    expect((await signIn()).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
  })

  test('leaves a user who is like one that never had a password', async () => {
    const { browser, verify } = await withSquatter({
      emailVerification: { ...strict.emailVerification, autoSignInAfterVerification: true },
    })
    const owner = browser()
    await verify(owner)
    expect((await owner.call('GET /list-accounts', {})).body).toEqual([])
    const change = { currentPassword: ann.password, newPassword }
    expect((await owner.call('POST /change-password', { body: change })).body.code).toBe('CREDENTIAL_ACCOUNT_NOT_FOUND')
  })

  test('rejects a sign-in that is verifying the earlier password at that moment', async () => {
    const { app, browser, replaceHasher, verify, signIn } = await withSquatter()
    const { verify: verifyPassword } = app.hasher
    replaceHasher({
      verify: async (stored, password) => {
        const isRight = await verifyPassword(stored, password)
        if (password === ann.password) await verify(browser())
        return isRight
      },
    })
    expect((await signIn()).body.code).toBe('FAILED_TO_CREATE_SESSION')
    expect(await app.db.selectFrom('session').select('id').execute()).toEqual([])
  })

  test('signs the owner in with autoSignInAfterVerification', async () => {
    const { browser, squatter, verify } = await withSquatter({
      emailVerification: { ...strict.emailVerification, autoSignInAfterVerification: true },
    })
    const owner = browser()
    await verify(owner)
    expect([await nameOf(owner), await nameOf(squatter)]).toEqual(['Ann', null])
  })

  test('lets an operator set another password', async () => {
    const { app, browser, user, verify, signIn } = await withSquatter()
    await verify(browser())
    await setPasswordForUser(app, await user(), newPassword)
    expect((await signIn(newPassword)).status).toBe(200)
  })

  test('happens once: a later link in another browser changes nothing', async () => {
    const { browser, links, squatter, verify, signIn } = await withSquatter()
    await squatter.call('POST /send-verification-email', { body: { email: ann.email } })
    const later = await links.next()
    await verify(squatter)
    await verify(browser(), { token: later.token })
    expect(await nameOf(squatter)).toBe('Ann')
    expect((await signIn()).status).toBe(200)
  })

  test('happens for a new email address too', async () => {
    const changes = captureMails()
    const changeEmail = { enabled: true, sendChangeEmailVerification: changes.send }
    const { browser, links, squatter, verify } = await withSquatter({ ...strict, user: { changeEmail } })
    await verify(squatter)
    await squatter.call('POST /change-email', { body: { newEmail: 'ceo@example.com' } })
    await verify(squatter, await changes.next())
    const { token } = await links.next()
    expect(await nameOf(squatter)).toBe('Ann')
    await verify(browser(), { token })
    expect(await nameOf(squatter)).toBeNull()
  })
})

describe('a user keeps their access', () => {
  test('when they open the link in the browser in which they are signed in', async () => {
    const { squatter: visitor, verify, signIn } = await withSquatter()
    await verify(visitor)
    expect(await nameOf(visitor)).toBe('Ann')
    expect((await signIn()).status).toBe(200)
  })

  test.each([
    ['requireEmailVerification', { requireEmailVerification: true }],
    ['autoSignIn: false', { autoSignIn: false }],
    ['antiEnumeration', { requireEmailVerification: true, antiEnumeration: true }],
  ])('when they open it in the browser in which they signed up, with %s', async (_, emailAndPassword) => {
    const {
      squatter: visitor,
      signedUp,
      verify,
      signIn,
    } = await withSquatter({
      ...strict,
      emailAndPassword: { enabled: true, ...emailAndPassword },
    })
    expect(signedUp.setCookie).toEqual([
      expect.stringMatching(/^latchkey\.sign_up=\w{32}\.[\w%]+; Max-Age=3600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
    expect(await nameOf(visitor)).toBeNull()
    await verify(visitor)
    expect((await signIn()).status).toBe(200)
  })

  test('when they open it in a browser in which they gave the right password', async () => {
    const { browser, links, verify, signIn } = await withSquatter({
      ...strict,
      emailAndPassword: { enabled: true, requireEmailVerification: true },
    })
    const other = browser()
    expect((await signIn(ann.password, other)).body.code).toBe('EMAIL_NOT_VERIFIED')
    await verify(other, await links.next())
    expect((await signIn()).status).toBe(200)
  })
})

test.each([
  ['of another user', (value: string, other: string) => other && value && other],
  ['that is forged', (value: string) => `${value.slice(0, -8)}AAAA%3D`],
])('a sign-up cookie %s is worthless', async (_, change) => {
  const { browser, squatter, verify, signIn } = await withSquatter({
    ...strict,
    emailAndPassword: { enabled: true, requireEmailVerification: true },
  })
  const eve = browser()
  await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
  const [own = '', others = ''] = [squatter.cookies.get('latchkey.sign_up'), eve.cookies.get('latchkey.sign_up')]
  squatter.cookies.set('latchkey.sign_up', change(own, others))
  await verify(squatter)
  expect((await signIn()).body).toEqual(wrong)
})
