/**
 * The first verification of an email address in another browser than that of its user ends the access from before: an attacker
 * may have signed up with the address of another person.
 */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import type { ConfigFile } from '../index.ts'
import { setPasswordForUser } from '../password-change/index.ts'
import { findUserByEmail } from '../users/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const credentials = { email: ann.email, password: ann.password }
const newPassword = 'another horse entirely'
const mustReplace = { code: 'PASSWORD_MUST_BE_REPLACED', message: 'Password must be replaced' }

/** `squatter` has signed up with the email address of Ann, who gets the link. */
async function withSquatter(config: ConfigFile = {}) {
  const links = captureMails()
  const resets = captureMails()
  const kit = await testApp({
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
  return { ...kit, links, resets, squatter, signedUp, verify, signIn, user }
}
/** The token of the reset link that a sign-in has sent. */
const tokenOf = async ({ resets }: Awaited<ReturnType<typeof withSquatter>>) => (await resets.next()).token

describe('the first verification in another browser', () => {
  test('revokes every session and cached copy, and requires a new password, which a reset link sets', async () => {
    const kit = await withSquatter({ session: { cookieCache: { enabled: true } }, dashboard: { enabled: false } })
    const { browser, resets, squatter, verify, signIn } = kit
    expect(await nameOf(squatter)).toBe('Ann')
    const opened = await verify(browser())
    expect([opened.status, opened.body, opened.setCookie]).toEqual([200, { status: true, user: null }, []])
    expect(await nameOf(squatter)).toBeNull()
    const response = await signIn()
    expect([response.status, response.body, response.setCookie]).toEqual([403, mustReplace, []])
    const mail = await resets.next()
    expect(mail.user.email).toBe(ann.email)
    const followed = await browser().request(new URL(mail.url).pathname.replace('/api/auth', '') + new URL(mail.url).search)
    const page = new URL(followed.headers.get('location') ?? '')
    expect(page.pathname).toBe('/api/auth/set-up')
    const form = await browser().request(`/set-up${page.search}`)
    expect(form.body).toContain('Set your password')
    const set = await browser().call('POST /set-up', { body: { token: mail.token, newPassword } })
    expect([set.status, set.body]).toEqual([200, { status: true }])
    expect((await signIn()).status).toBe(401)
    expect((await signIn(newPassword)).status).toBe(200)
    expect((await browser().call('POST /set-up', { body: { token: mail.token, newPassword } })).body.code).toBe('INVALID_TOKEN')
  })

  test('looks to a wrong password like any other', async () => {
    const { browser, resets, verify, signIn } = await withSquatter()
    const before = await signIn('a wrong password')
    await verify(browser())
    const after = await signIn('a wrong password')
    expect([after.status, after.body, after.setCookie]).toEqual([before.status, before.body, before.setCookie])
    expect(resets.sent).toEqual([])
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

  test('with autoSignInAfterVerification signs the owner in, who can change the password', async () => {
    const { browser, squatter, verify, signIn } = await withSquatter({ emailVerification: { autoSignInAfterVerification: true } })
    const owner = browser()
    await verify(owner)
    expect([await nameOf(owner), await nameOf(squatter)]).toEqual(['Ann', null])
    const change = { currentPassword: ann.password, newPassword }
    expect((await owner.call('POST /change-password', { body: change })).status).toBe(200)
    expect((await signIn(newPassword)).status).toBe(200)
  })

  test.each([
    ['a reset', async (kit) => kit.browser().call('POST /reset-password', { body: { token: await tokenOf(kit), newPassword } })],
    ['an operator', async ({ app, user }) => setPasswordForUser(app, await user(), newPassword)],
  ] as readonly [string, (kit: Awaited<ReturnType<typeof withSquatter>>) => Promise<unknown>][])(
    'requires the password until %s has set another',
    async (_, replace) => {
      const kit = await withSquatter()
      await kit.verify(kit.browser())
      for (let time = 0; time < 2; time += 1) expect((await kit.signIn()).status).toBe(403)
      await kit.resets.next()
      await replace(kit)
      expect((await kit.signIn(newPassword)).status).toBe(200)
    },
  )

  test('requires a new password also when no reset link can be sent', async () => {
    const { browser, verify, signIn, resets } = await withSquatter({ emailAndPassword: { sendResetPassword: false } })
    await verify(browser())
    expect((await signIn()).status).toBe(403)
    expect(resets.sent).toEqual([])
  })

  test('does nothing with revokeEarlierAccess: false', async () => {
    const { browser, squatter, signedUp, verify, signIn } = await withSquatter({
      emailVerification: { revokeEarlierAccess: false },
    })
    expect(signedUp.setCookie).toHaveLength(1)
    await verify(browser())
    expect(await nameOf(squatter)).toBe('Ann')
    expect((await signIn()).status).toBe(200)
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
    const { browser, links, squatter, verify } = await withSquatter({ user: { changeEmail } })
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
    emailAndPassword: { enabled: true, requireEmailVerification: true },
  })
  const eve = browser()
  await eve.call('POST /sign-up/email', { body: { ...ann, email: 'eve@example.com' } })
  const [own = '', others = ''] = [squatter.cookies.get('latchkey.sign_up'), eve.cookies.get('latchkey.sign_up')]
  squatter.cookies.set('latchkey.sign_up', change(own, others))
  await verify(squatter)
  expect((await signIn()).body).toEqual(mustReplace)
})
