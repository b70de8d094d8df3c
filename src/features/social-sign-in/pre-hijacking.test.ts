/**
 * A user whose email address was never verified may be a trap: another person signed up with it and waits for its owner. What a
 * first sign-in of the owner with a verifying provider ends (docs/compatibility.md, `unverifiedUsers`).
 */
import { describe, expect, test } from 'vitest'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { accountsOf, ann, type ProviderUser, socialApp, target } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'
import { createVerification } from '../verifications/index.ts'

const email = 'ann@example.com'
const password = 'correct horse battery'
const newPassword = 'another horse entirely'
const eve: ProviderUser = { sub: 'eve', name: 'Eve', email, email_verified: false }

/** Eve has signed up with the email address of Ann, and has a password and a GitHub account. */
async function withTrap(config: ConfigFile = {}) {
  const resets = captureMails()
  const links = captureMails()
  const kit = await socialApp({
    ...config,
    emailAndPassword: { enabled: true, sendResetPassword: resets.send },
    emailVerification: { sendVerificationEmail: links.send, ...config.emailVerification },
  })
  const attacker = kit.browser()
  await kit.signIn(attacker, 'github', eve)
  await kit.browser().call('POST /request-password-reset', { body: { email } })
  const first = await resets.next()
  await attacker.call('POST /reset-password', { body: { token: first.token, newPassword: password } })
  await kit.app.db.updateTable('user').set({ emailVerified: false }).execute()
  await kit.signIn(attacker, 'github', eve)
  const byPassword = (given = password, browser: Browser = kit.browser()) =>
    browser.call('POST /sign-in/email', { body: { email, password: given } })
  return { ...kit, attacker, resets, links, byPassword }
}

describe('unverifiedUsers: revoke, the default', () => {
  test('revokes sessions and other accounts, removes the password, and signs the owner in', async () => {
    const kit = await withTrap({ apiKey: true, session: { cookieCache: { enabled: true } } })
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github']])
    const owner = kit.browser()
    expect((await kit.attacker.call('POST /api-key/create', { body: { name: 'eve' } })).status).toBe(200)
    expect(target(await kit.signIn(owner, 'google'))).toBe('/dashboard')
    expect(await kit.app.db.selectFrom('apikey').select('id').execute()).toEqual([])
    expect([await nameOf(owner), await nameOf(kit.attacker)]).toEqual(['Eve', null])
    expect(await accountsOf(kit, email)).toEqual(['google'])
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(1)
    const rejected = await kit.byPassword()
    expect([rejected.status, rejected.body.code, rejected.setCookie]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD', []])
    expect((await owner.call('GET /get-session', {})).body.user.emailVerified).toBe(true)
  })

  test('the other account can no longer sign in, and a reset sets a new password', async () => {
    const kit = await withTrap()
    await kit.signIn(kit.browser(), 'google')
    expect(target(await kit.signIn(kit.attacker, 'github', eve))).toMatch(/error=account_not_linked$/)
    expect((await kit.byPassword()).status).toBe(401)
    await kit.browser().call('POST /request-password-reset', { body: { email } })
    const { token } = await kit.resets.next()
    await kit.browser().call('POST /reset-password', { body: { token, newPassword } })
    expect([(await kit.byPassword(newPassword)).status, (await kit.byPassword()).status]).toEqual([200, 401])
  })

  test('deletes open reset links and setup links', async () => {
    const kit = await withTrap()
    await kit.browser().call('POST /request-password-reset', { body: { email } })
    const reset = await kit.resets.next()
    const user = (await findUserByEmail(kit.app, email)) ?? expect.fail('no user')
    const setup = 'setup'.repeat(5)
    await createVerification(kit.app, { purpose: 'set-up', token: setup, value: user.id, subject: user.id, expiresIn: 3600 })
    expect((await kit.browser().call('POST /set-up/check', { body: { token: setup } })).status).toBe(200)
    await kit.signIn(kit.browser(), 'google')
    const tries = [
      await kit.browser().call('POST /reset-password', { body: { token: reset.token, newPassword } }),
      await kit.browser().call('POST /set-up', { body: { token: setup, newPassword } }),
    ]
    expect(tries.map(({ status }) => status)).toEqual([400, 400])
  })

  test('happens once: the next provider of the owner revokes nothing', async () => {
    const kit = await withTrap()
    const owner = kit.browser()
    await kit.signIn(owner, 'google')
    await kit.signIn(kit.browser(), 'acme')
    expect(await nameOf(owner)).toBe('Eve')
    expect(await accountsOf(kit, email)).toEqual(['acme', 'google'])
  })

  test('happens for a trusted provider that has not verified the address, which stays unverified', async () => {
    const kit = await withTrap({ account: { accountLinking: { trustedProviders: ['google'] } } })
    const owner = kit.browser()
    await kit.signIn(owner, 'google', { ...ann, email_verified: false })
    expect([await nameOf(owner), await nameOf(kit.attacker)]).toEqual(['Eve', null])
    expect((await owner.call('GET /get-session', {})).body.user.emailVerified).toBe(false)
    expect(await accountsOf(kit, email)).toEqual(['google'])
  })

  test('changes nothing when a hook rejects the link', async () => {
    const create = {
      before: ({ providerId }: { providerId?: unknown }) => (providerId === 'google' ? (false as const) : undefined),
    }
    const kit = await withTrap({ databaseHooks: { account: { create } } })
    expect(target(await kit.signIn(kit.browser(), 'google'))).toMatch(/error=unable_to_link_account$/)
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github']])
    expect((await kit.byPassword()).status).toBe(200)
  })

  test('changes nothing for a user whose address is verified', async () => {
    const kit = await withTrap()
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    await kit.signIn(kit.browser(), 'google')
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github', 'google']])
    expect((await kit.byPassword()).status).toBe(200)
  })
})

test('notifies the owner of what was removed, and why', async () => {
  const linked = captureMails<{ provider: string; hasRevoked: boolean }>()
  const removed = captureMails<{ reason: string }>()
  const kit = await withTrap({
    account: { accountLinking: { sendAccountLinked: linked.send } },
    notices: { sendSignInMethodRemoved: removed.send },
  })
  await kit.signIn(kit.browser(), 'google')
  expect(await linked.next()).toMatchObject({ provider: 'Google', hasRevoked: true })
  expect(await removed.next()).toMatchObject({ reason: 'email-verified' })
  await kit.signIn(kit.browser(), 'acme')
  expect(await linked.next()).toMatchObject({ hasRevoked: false })
})

describe('in an app that sends no verification emails', () => {
  const none = { sendVerificationEmail: false as const }

  test('linking keeps the password and the sessions of a user, because no user can be verified', async () => {
    const kit = await withTrap({ emailVerification: none })
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe('/dashboard')
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github', 'google']])
    expect((await kit.byPassword()).status).toBe(200)
  })

  test('unverifiedUsers: revoke revokes them nevertheless', async () => {
    const kit = await withTrap({ emailVerification: none, account: { accountLinking: { unverifiedUsers: 'revoke' } } })
    await kit.signIn(kit.browser(), 'google')
    expect([await nameOf(kit.attacker), (await kit.byPassword()).status]).toEqual([null, 401])
  })
})

test('unverifiedUsers: reject links nothing until the address is verified', async () => {
  const kit = await withTrap({ account: { accountLinking: { unverifiedUsers: 'reject', trustedProviders: ['google'] } } })
  expect(target(await kit.signIn(kit.browser(), 'google'))).toMatch(/error=account_not_linked$/)
  expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github']])
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  expect(target(await kit.signIn(kit.browser(), 'google'))).toBe('/dashboard')
})

test('unverifiedUsers: keep links, and revokes nothing', async () => {
  const kit = await withTrap({ account: { accountLinking: { unverifiedUsers: 'keep' } } })
  const owner = kit.browser()
  expect(target(await kit.signIn(owner, 'google'))).toBe('/dashboard')
  expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github', 'google']])
  expect((await kit.byPassword()).status).toBe(200)
  expect((await owner.call('GET /get-session', {})).body.user.emailVerified).toBe(true)
})

describe('a password reset of a user whose address was never verified', () => {
  const reset = async (kit: Awaited<ReturnType<typeof withTrap>>, browser: Browser) => {
    await kit.browser().call('POST /request-password-reset', { body: { email } })
    const { token } = await kit.resets.next()
    return browser.call('POST /reset-password', { body: { token, newPassword } })
  }

  test('unlinks social accounts, because the owner of the address may not be the user who signed up', async () => {
    const kit = await withTrap()
    expect((await reset(kit, kit.browser())).status).toBe(200)
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual([null, ['credential']])
    expect(target(await kit.signIn(kit.attacker, 'github', eve))).toMatch(/error=account_not_linked$/)
    expect((await kit.byPassword(newPassword)).status).toBe(200)
  })

  test.each([
    ['in the browser of the user', false, false],
    ['when the address is verified', true, true],
  ] as const)('keeps them %s', async (_, emailVerified, isElsewhere) => {
    const kit = await withTrap()
    await kit.app.db.updateTable('user').set({ emailVerified }).execute()
    expect((await reset(kit, isElsewhere ? kit.browser() : kit.attacker)).status).toBe(200)
    expect(await accountsOf(kit, email)).toEqual(['credential', 'github'])
  })
})

describe('a social sign-up with an unverified address', () => {
  const config: ConfigFile = { emailVerification: { sendOnSignUp: true, revokeEarlierAccess: true } }

  test('loses its account and sessions when the owner verifies the address in another browser', async () => {
    const kit = await withTrap(config)
    const { token } = await kit.links.next()
    await kit.browser().call('GET /verify-email', { query: { token } })
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual([null, []])
    expect(target(await kit.signIn(kit.attacker, 'github', eve))).toMatch(/error=account_not_linked$/)
    expect((await kit.byPassword()).status).toBe(401)
  })

  test('keeps them when it is verified in the browser that signed up', async () => {
    const kit = await withTrap(config)
    const { token } = await kit.links.next()
    await kit.attacker.call('GET /verify-email', { query: { token } })
    expect([await nameOf(kit.attacker), await accountsOf(kit, email)]).toEqual(['Eve', ['credential', 'github']])
  })
})
