/** Identity is provider and subject: what else a provider sends may be missing, invalid or too long (contract 03 §3). */
import { describe, expect, test } from 'vitest'
import { nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { respondWith } from '../../../tests/kit/provider-stand-in.ts'
import { accountsOf, ann, type SocialApp, socialApp, target } from '../../../tests/kit/social.ts'
import { isPlaceholderEmail, placeholderEmail } from '../../lib/placeholder-email.ts'
import type { ConfigFile } from '../index.ts'

const password = 'correct horse battery'
const link = 'POST /link-social' as const
const google = (options: object): ConfigFile => ({ socialProviders: { google: options } }) as ConfigFile
const account = ({ app }: SocialApp) => app.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
const users = ({ app }: SocialApp) => app.db.selectFrom('user').select(['email', 'emailVerified']).orderBy('email').execute()

describe.each([
  ['null', null],
  ['missing', undefined],
  ['empty', ''],
  ['a sentence', 'not an address'],
  ['a name', 'ann'],
  ['with a control character', 'ann@example.com\0'],
  ['too long', `${'a'.repeat(70_000)}@example.com`],
])('a user whose email address is %s this time', (_, email) => {
  const changed = { ...ann, email: email as string }

  test.each(['google', 'github', 'acme'] as const)('signs in with a known account of %s, and keeps their address', async (id) => {
    const kit = await socialApp({
      socialProviders: { google: { overrideUserInfoOnSignIn: true }, github: { overrideUserInfoOnSignIn: true } },
      genericOAuth: { config: [{ overrideUserInfo: true }] },
    } as ConfigFile)
    await kit.signIn(kit.browser(), id)
    const browser = kit.browser()
    expect(target(await kit.signIn(browser, id, changed))).toBe('/dashboard')
    expect(await nameOf(browser)).toBe('Ann')
    expect(await users(kit)).toEqual([{ email: 'ann@example.com', emailVerified: true }])
  })

  test('signs in with the ID token of an app, and links the account again', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    const idToken = { token: await kit.idToken(changed) }
    const signedIn = await kit.browser().call('POST /sign-in/social', { body: { provider: 'google', idToken } })
    const linked = await browser.call(link, { body: { provider: 'google', idToken } })
    expect([signedIn.status, linked.status]).toEqual([200, 200])
    expect(target(await kit.signIn(browser, 'google', changed, { start: link }))).toBe('/dashboard')
  })
})

describe('an account that is not known, without an email address', () => {
  const without = { ...ann, email: null }

  test('creates no user', async () => {
    const kit = await socialApp()
    expect(target(await kit.signIn(kit.browser(), 'google', without))).toContain('error=email_not_found')
    const idToken = { token: await kit.idToken(without) }
    const { status, body } = await kit.browser().call('POST /sign-in/social', { body: { provider: 'google', idToken } })
    expect([status, body]).toEqual([401, { code: 'USER_EMAIL_NOT_FOUND', message: 'User email not found' }])
    expect(await users(kit)).toEqual([])
  })

  test.each([[], ['google']])('is not linked to a user who is signed in (trusted: %j)', async (...trustedProviders) => {
    const accountLinking = { trustedProviders, allowDifferentEmails: true }
    const kit = await socialApp({ account: { accountLinking } })
    const browser = kit.browser()
    await browser.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    expect(target(await kit.signIn(browser, 'google', without, { start: link }))).toContain('error=email_not_found')
    const idToken = { token: await kit.idToken(without) }
    expect((await browser.call(link, { body: { provider: 'google', idToken } })).body.code).toBe('USER_EMAIL_NOT_FOUND')
    expect(await accountsOf(kit, 'ann@example.com')).toEqual(['credential'])
  })

  test('of another user is not linked', async () => {
    const kit = await socialApp()
    await kit.signIn(kit.browser(), 'google')
    const browser = kit.browser()
    await browser.call('POST /sign-up/email', { body: { name: 'Bob', email: 'bob@example.com', password } })
    const answer = await kit.signIn(browser, 'google', without, { start: link })
    expect(target(answer)).toContain('error=account_already_linked_to_different_user')
  })
})

describe('what is not an email address never counts as verified', () => {
  test.each(['ann', 'ann@localhost', 'ann@users.latchkey.invalid'])('%s', async (email) => {
    const kit = await socialApp(google({ overrideUserInfoOnSignIn: true }))
    await kit.signIn(kit.browser(), 'google', { ...ann, email })
    expect((await users(kit)).map(({ emailVerified }) => emailVerified)).toEqual(email.includes('invalid') ? [] : [false])
    await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'other' })
    await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'other', email })
    expect(await users(kit)).toContainEqual({ email: 'ann@example.com', emailVerified: true })
  })
})

test('a provider cannot give its user the placeholder of a user of another one', async () => {
  const kit = await socialApp({ account: { accountLinking: { trustedProviders: ['google'] } } })
  const email = placeholderEmail('reddit', 'of-another-user')
  const now = kit.clock.now()
  const row = { id: 'u', name: 'Redditor', email, emailVerified: false, createdAt: now, updatedAt: now }
  await kit.app.db.insertInto('user').values(row).execute()
  expect(target(await kit.signIn(kit.browser(), 'google', { ...ann, email }))).toContain('error=email_not_found')
  expect(await kit.app.db.selectFrom('account').select('id').execute()).toEqual([])
})

test('a user with a placeholder gets no email of any kind', async () => {
  const mails = captureMails()
  const kit = await socialApp({
    mail: { from: 'auth@example.com', send: mails.send as never },
    emailVerification: { sendOnSignUp: true },
    ...google({ mapProfileToUser: () => ({ email: placeholderEmail('google', 'ann-1') }) }),
  })
  const browser = kit.browser()
  await kit.signIn(browser, 'google')
  const [user] = await users(kit)
  const { email = '' } = user ?? {}
  expect(isPlaceholderEmail(email)).toBe(true)
  await kit.browser().call('POST /request-password-reset', { body: { email } })
  await browser.call('POST /send-verification-email', { body: { email } })
  expect(await kit.app.db.selectFrom('outbox').select('recipient').where('recipient', '!=', '').execute()).toEqual([])
  expect(mails.sent).toEqual([])
})

describe('client IDs in a list', () => {
  const ids = ['client-id', 'client-id-of-the-app', '']

  test('the first one starts sign-ins and gets tokens', async () => {
    const kit = await socialApp(google({ clientId: ids }))
    const browser = kit.browser()
    const { body } = await browser.call('POST /sign-in/social', { body: { provider: 'google' } })
    expect(new URL(body.url).searchParams.get('client_id')).toBe('client-id')
    expect(target(await kit.signIn(browser, 'google'))).toBe('/dashboard')
    expect(kit.provider.last('/google/token').form.get('client_id')).toBe('client-id')
  })

  test.each([
    ['client-id', undefined, 200],
    ['client-id-of-the-app', undefined, 200],
    ['client-id', 'the-client-of-android', 200],
    [['another-client', 'client-id-of-the-app'], 'client-id', 200],
    [['another-client', 'client-id-of-the-app'], 'another-client', 401],
    [['another-client', 'client-id-of-the-app'], undefined, 401],
    ['another-client', undefined, 401],
    ['', undefined, 401],
    [[], undefined, 401],
  ])('an ID token for %j, issued to %s, ends with %i', async (aud, azp, status) => {
    const kit = await socialApp(google({ clientId: ids }))
    const idToken = { token: await kit.idToken(ann, { aud, azp }) }
    expect((await kit.browser().call('POST /sign-in/social', { body: { provider: 'google', idToken } })).status).toBe(status)
  })

  test.each([[[]], [['']]])('an empty list counts as missing: %j', async (clientId) => {
    await expect(socialApp(google({ clientId }))).rejects.toThrow(/socialProviders\.google\.clientId/)
  })
})

describe('a token response', () => {
  const response = { access_token: 'access-1', refresh_token: 'refresh-1', token_type: 'Bearer', expires_in: 3600 }
  const stored = async (change: object) => {
    const kit = await socialApp()
    const browser = kit.browser()
    kit.provider.set({ 'POST /google/token': async () => ({ id_token: await kit.idToken(), ...response, ...change }) })
    expect(target(await kit.signIn(browser, 'google'))).toBe('/dashboard')
    return { kit, browser, row: await account(kit) }
  }

  test.each([
    ['expires_in', ['3600', 3600.5, '3600 s', 0, -1, null, 'never', {}, true]],
    ['token_type', ['bearer', 'BEARER', 'token', 'bot', 'mac', '', null, 7]],
    ['refresh_token', ['', null, 7, {}, []]],
    ['scope', ['', null, 7, {}, ['email', 7], 'a,b']],
    ['refresh_token_expires_in', ['600', null, 'x', {}]],
  ] as const)('signs in with any %s', async (member, values) => {
    for (const value of values) await stored({ [member]: value })
  })

  test.each(['', null, 7, {}])('signs in with the ID token %j of a provider with user info', async (id_token) => {
    const kit = await socialApp()
    kit.provider.set({ 'POST /token': { ...response, id_token }, 'GET /userinfo': ann })
    expect(target(await kit.signIn(kit.browser(), 'acme'))).toBe('/dashboard')
  })

  test('has its expiry as a text', async () => {
    const { kit, row } = await stored({ expires_in: '3600' })
    expect(row.accessTokenExpiresAt).toEqual(new Date(kit.clock.now().getTime() + 3_600_000))
  })

  const long = 'x'.repeat(50_000)

  test.each(['access_token', 'refresh_token'])(
    'whose %s is too long is stored without it, which one line of the log says',
    async (member) => {
      const name = member === 'access_token' ? 'accessToken' : 'refreshToken'
      const { kit, row } = await stored({ [member]: long })
      expect([row[name], row[`${name}ExpiresAt`]]).toEqual([null, null])
      const lines = kit.log.filter((line) => line.includes('were left out'))
      expect(lines).toEqual([expect.stringContaining(`"members":["${name}"]`)])
      expect(lines[0]).not.toContain('xxx')
    },
  )

  test('without the access token: another one is fetched with the refresh token', async () => {
    const { kit, browser } = await stored({ access_token: long })
    kit.provider.set({ 'POST /google/token': { ...response, access_token: 'access-2' } })
    const { status, body } = await browser.call('POST /get-access-token', { body: { providerId: 'google' } })
    expect([status, body.accessToken]).toEqual([200, 'access-2'])
  })

  test('a later one that is too long does not leave a former token in its place', async () => {
    const { kit, browser } = await stored({})
    const next = { ...response, access_token: long, refresh_token: long, id_token: await kit.idToken() }
    kit.provider.set({ 'POST /google/token': next })
    expect(target(await kit.signIn(browser, 'google'))).toBe('/dashboard')
    const { accessToken, refreshToken } = await account(kit)
    expect([accessToken, refreshToken]).toEqual([null, null])
    const refreshed = await browser.call('POST /refresh-token', { body: { providerId: 'google' } })
    expect([refreshed.status, refreshed.body.code]).toEqual([400, 'FAILED_TO_REFRESH_ACCESS_TOKEN'])
  })

  test('an ID token of an app for a member of 400 groups signs in, and is not stored', async () => {
    const kit = await socialApp()
    const token = await kit.idToken(ann, { groups: Array.from({ length: 400 }, (_, n) => `group-${n}-${'x'.repeat(80)}`) })
    const { status } = await kit.browser().call('POST /sign-in/social', { body: { provider: 'google', idToken: { token } } })
    expect([status, (await account(kit)).idToken]).toEqual([200, null])
  })
})

describe('further requests to a provider', () => {
  test.each<[string, Parameters<typeof respondWith>]>([
    ['are rejected', [403, '{"message":"Forbidden"}']],
    ['are limited', [429, '']],
    ['respond with HTML', [200, '<html></html>', 'text/html']],
    ['respond with 2 MiB', [200, `["${'x'.repeat(2 * 1_048_576)}"]`]],
    ['respond with another type', [200, '{"email":"ann@example.com","verified":true}']],
  ])('that %s leave the email address unverified', async (_, response) => {
    const kit = await socialApp()
    kit.provider.set({ 'GET /github/user/emails': respondWith(...response) })
    expect(target(await kit.signIn(kit.browser(), 'github'))).toBe('/dashboard')
    expect(await users(kit)).toEqual([{ email: 'ann@example.com', emailVerified: false }])
  })

  test('find the public address of GitHub in any case', async () => {
    const kit = await socialApp()
    kit.provider.set({ 'GET /github/user/emails': [{ email: ' ANN@example.com ', primary: 'true', verified: 1 }] })
    await kit.signIn(kit.browser(), 'github', { ...ann, email: 'Ann@Example.com ' })
    expect(await users(kit)).toEqual([{ email: 'ann@example.com', emailVerified: true }])
  })
})

test.each([
  ['a subject that is missing', { sub: undefined }, 'it is missing'],
  ['a subject that is too long', { sub: 'x'.repeat(256) }, 'it is too long'],
  ['a subject of another type', { sub: {} }, 'it is of the type object'],
])('one line of the log says what is wrong with a profile with %s', async (_, change, words) => {
  const kit = await socialApp()
  kit.provider.set({ 'GET /userinfo': { ...ann, ...change } })
  expect(target(await kit.signIn(kit.browser(), 'acme'))).toContain('error=unable_to_get_user_info')
  const { reason } = JSON.parse(kit.log.find((line) => line.includes('did not identify')) ?? '{}')
  expect(reason).toContain(words)
  expect(reason).not.toMatch(/[\n{]/)
})
