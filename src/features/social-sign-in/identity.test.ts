/** Sign-in and sign-up with the identity of a provider (contract 03 §4). */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { flow, openCallback, standIn, startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { many, openRacers, places, race } from '../../../tests/kit/race.ts'
import {
  accountsOf,
  ann,
  type ProviderUser,
  providerConfig,
  type SocialApp,
  socialApp,
  target,
  withProvider,
} from '../../../tests/kit/social.ts'
import { refusal } from '../../core/errors.ts'
import type { ConfigFile } from '../index.ts'
import { findUserByEmail } from '../users/index.ts'

const password = 'correct horse battery'
const unverified: ProviderUser = { ...ann, email_verified: false }
const notLinked = 'http://localhost:3000/api/auth/error?error=account_not_linked'
const errorOf = (code: string) => `http://localhost:3000/api/auth/error?error=${code}`

/** Verification emails are sent, so that an unverified user may be another person. */
const verifying: ConfigFile = { emailVerification: { sendVerificationEmail: () => {} } }

const me = async (browser: Browser) => (await browser.call('GET /get-session', {})).body?.user ?? null
const user = async ({ app }: SocialApp, email = 'ann@example.com') => findUserByEmail(app, email)

/** Ann with a password, whose address is verified by default. */
async function withAnn(config: ConfigFile = {}, { emailVerified = true } = {}) {
  const kit = await socialApp(config)
  const own = kit.browser()
  const { body } = await own.call('POST /sign-up/email', { body: { name: 'Ann Lee', email: 'ann@example.com', password } })
  await kit.app.db.updateTable('user').set({ emailVerified }).execute()
  return { ...kit, own, userId: String(body.user.id) }
}

describe('a new user', () => {
  test('is created from the profile', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google', { ...ann, email: 'Ann@Example.COM' })
    expect(await me(browser)).toMatchObject({ name: 'Ann', email: 'ann@example.com', emailVerified: true, image: ann.picture })
    const row = await kit.app.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ providerId: 'google', accountId: ann.sub, issuer: 'https://accounts.google.com', scope: 'email' })
  })

  test.each([undefined, null, ''])('gets their email address as name when the provider has none: %j', async (name) => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'acme', { ...ann, ...(name !== undefined ? { name } : { name: null }) })
    expect((await me(browser)).name).toBe('ann@example.com')
  })

  test.each([
    [{}, '/dashboard', '/dashboard'],
    [{ newUserCallbackURL: '/welcome' }, '/welcome', '/dashboard'],
  ])('with %j goes to %s, and later to %s', async (body, first, later) => {
    const kit = await socialApp()
    const targets = [
      await kit.signIn(kit.browser(), 'google', ann, { body }),
      await kit.signIn(kit.browser(), 'google', ann, { body }),
    ]
    expect(targets.map(target)).toEqual([first, later])
  })

  test.each([
    [{ disableSignUp: true }, {}, errorOf('signup_disabled')],
    [{ disableSignUp: true }, { requestSignUp: true }, errorOf('signup_disabled')],
    [{ disableImplicitSignUp: true }, {}, errorOf('signup_disabled')],
    [{ disableImplicitSignUp: true }, { requestSignUp: false }, errorOf('signup_disabled')],
    [{ disableImplicitSignUp: true }, { requestSignUp: true }, '/dashboard'],
    [{ disableImplicitSignUp: true, disableSignUp: true }, { requestSignUp: true }, errorOf('signup_disabled')],
  ])('with %j and the request %j ends at %s', async (google, body, expected) => {
    const kit = await socialApp({ socialProviders: { google } } as ConfigFile)
    expect(target(await kit.signIn(kit.browser(), 'google', ann, { body }))).toBe(expected)
    expect((await user(kit)) !== null).toBe(expected === '/dashboard')
  })

  test('an existing user signs in although sign-up is disabled', async () => {
    const kit = await withAnn({ socialProviders: { google: { disableSignUp: true } } } as ConfigFile)
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe('/dashboard')
  })

  test.each([
    ['255 characters', 255, '/dashboard'],
    ['256 characters', 256, errorOf('unable_to_create_user')],
    ['1001 characters', 1001, errorOf('unable_to_create_user')],
  ])('with an email address of %s', async (_, length, expected) => {
    const kit = await socialApp()
    const email = `${'a'.repeat(length - '@example.com'.length)}@example.com`
    expect(target(await kit.signIn(kit.browser(), 'google', { ...ann, email }))).toBe(expected)
  })

  test.each([
    ['not verified', unverified, {}, 1],
    ['verified', ann, {}, 0],
    ['no address', { ...unverified, email: 'ann' }, {}, 0],
    ['not verified, and sendOnSignUp is off', unverified, { sendOnSignUp: false }, 0],
  ])('gets a verification email when the address is %s', async (_, profile, more, count) => {
    const links = captureMails()
    const kit = await socialApp({ emailVerification: { sendVerificationEmail: links.send, sendOnSignUp: true, ...more } })
    const browser = kit.browser()
    await kit.signIn(browser, 'google', profile)
    expect((await me(browser)).emailVerified).toBe(profile.email_verified)
    if (count > 0) expect(new URL((await links.next()).url).searchParams.get('callbackURL')).toBe('/dashboard')
    expect(links.sent).toHaveLength(count)
  })
})

describe('hooks', () => {
  test('see and change user, account and session', async () => {
    const seen: Record<string, object> = {}
    const hook = (name: string, data: object) => ({
      create: {
        before: (row: object) => {
          seen[name] = row
          return { data }
        },
      },
    })
    const kit = await socialApp({
      databaseHooks: {
        user: hook('user', { name: 'Changed' }),
        account: hook('account', { scope: 'changed' }),
        session: hook('session', { userAgent: 'changed' }),
      },
    } as ConfigFile)
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    expect(seen.account).toMatchObject({ providerId: 'google', accountId: ann.sub })
    expect(JSON.stringify(seen)).not.toMatch(/accessToken"|refreshToken"|idToken"|issuer/)
    expect((await me(browser)).name).toBe('Changed')
    const account = await kit.app.db.selectFrom('account').select('scope').executeTakeFirstOrThrow()
    const session = await kit.app.db.selectFrom('session').select('userAgent').executeTakeFirstOrThrow()
    expect([account.scope, session.userAgent]).toEqual(['changed', 'changed'])
  })

  test.each(['user', 'account', 'session'])('reject with their own message, which becomes the code: %s', async (table) => {
    const before = () => {
      throw refusal({ status: 403, message: 'Only for staff' })
    }
    const kit = await socialApp({ databaseHooks: { [table]: { create: { before } } } })
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe(errorOf('Only_for_staff'))
    expect(kit.counted).not.toContain('unexpected_error')
  })

  test.each(['account', 'user'])('that reject the update of a known %s do not prevent the sign-in', async (table) => {
    const update = { before: () => false as const }
    const google = { overrideUserInfoOnSignIn: true }
    const kit = await socialApp({ databaseHooks: { [table]: { update } }, socialProviders: { google } } as ConfigFile)
    await kit.signIn(kit.browser(), 'google')
    const browser = kit.browser()
    expect(target(await kit.signIn(browser, 'google', { ...ann, name: 'Anna' }))).toBe('/dashboard')
    expect((await me(browser)).name).toBe(table === 'user' ? 'Ann' : 'Anna')
  })

  test.each(['account', 'user'])('with a message of their own about the update of a known %s do prevent it', async (table) => {
    const before = () => Promise.reject(refusal({ status: 403, message: 'Only for staff' }))
    const google = { overrideUserInfoOnSignIn: true }
    const kit = await socialApp({ databaseHooks: { [table]: { update: { before } } }, socialProviders: { google } } as ConfigFile)
    await kit.signIn(kit.browser(), 'google')
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe(errorOf('Only_for_staff'))
  })
})

describe('a user with the same email address', () => {
  test.each([
    ['verified by the provider', ann, {}, true],
    ['verified, in other case', { ...ann, email: 'ANN@example.com' }, {}, true],
    ['not verified', unverified, {}, false],
    ['not verified, by a trusted provider', unverified, { trustedProviders: ['google'] }, true],
    ['not verified, while another provider is trusted', unverified, { trustedProviders: ['github'] }, false],
    ['verified, and linking is disabled', ann, { enabled: false }, false],
    ['by a trusted provider, and linking is disabled', unverified, { enabled: false, trustedProviders: ['google'] }, false],
  ])('%s', async (_, profile, accountLinking, isLinked) => {
    const kit = await withAnn({ account: { accountLinking } })
    const browser = kit.browser()
    expect(target(await kit.signIn(browser, 'google', profile))).toBe(isLinked ? '/dashboard' : notLinked)
    expect((await me(browser))?.id).toBe(isLinked ? kit.userId : undefined)
    expect(await accountsOf(kit, 'ann@example.com')).toEqual(isLinked ? ['credential', 'google'] : ['credential'])
    expect((await me(kit.own)).name).toBe('Ann Lee')
  })

  test('is not found by a name in place of an address, which never counts as verified', async () => {
    const kit = await socialApp()
    await kit.signIn(kit.browser(), 'github', { ...ann, email: 'ann' })
    expect(target(await kit.signIn(kit.browser(), 'google', { ...ann, email: 'ann' }))).toBe(notLinked)
  })

  test('gets the notice of a linked account', async () => {
    const notices = captureMails<{ user: { email: string }; provider: string }>()
    const kit = await withAnn({ account: { accountLinking: { sendAccountLinked: notices.send } } })
    await kit.signIn(kit.browser(), 'google')
    await kit.signIn(kit.browser(), 'google')
    expect(await notices.next()).toMatchObject({ user: { email: 'ann@example.com' }, provider: 'Google' })
    expect(notices.sent).toHaveLength(1)
  })

  test('is updated from the profile with overrideUserInfoOnSignIn', async () => {
    const kit = await withAnn({ socialProviders: { google: { overrideUserInfoOnSignIn: true } } } as ConfigFile)
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    expect(await me(browser)).toMatchObject({ name: 'Ann', image: ann.picture, emailVerified: true })
  })
})

describe('a known account', () => {
  test.each([
    [true, 'code-1'],
    [false, 'code-0'],
  ])('with updateAccountOnSignIn: %j', async (updateAccountOnSignIn, expected) => {
    const kit = await socialApp({ account: { updateAccountOnSignIn } })
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    await kit.signIn(browser, 'google')
    const { body } = await browser.call('POST /get-access-token', { body: { providerId: 'google' } })
    expect(body.accessToken).toBe(expected)
  })

  test('keeps the tokens that the provider does not send again', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    const first = { access_token: 'a', refresh_token: 'r', token_type: 'bearer', scope: 'one two' }
    kit.provider.set({ 'POST /token': first })
    await kit.signIn(browser, 'acme')
    kit.provider.set({ 'POST /token': { access_token: 'b', token_type: 'bearer' } })
    await kit.signIn(browser, 'acme')
    const { body: accounts } = await browser.call('GET /list-accounts', {})
    expect(accounts).toMatchObject([{ provider: 'acme', scopes: ['one', 'two'] }])
    const row = await kit.app.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
    expect(row.refreshToken).not.toBeNull()
    expect(JSON.stringify(row)).not.toMatch(/"(a|b|r)"/)
  })

  test('signs in its user also when the email address at the provider has changed', async () => {
    const kit = await socialApp()
    const [first, second] = [kit.browser(), kit.browser()]
    await kit.signIn(first, 'google')
    await kit.signIn(second, 'google', { ...ann, email: 'other@example.com' })
    expect(await me(second)).toMatchObject({ id: (await me(first)).id, email: 'ann@example.com' })
  })

  test('of another issuer is not signed in, also when the email address is the same', async () => {
    const kit = await socialApp()
    await kit.signIn(kit.browser(), 'google')
    await kit.app.db.updateTable('account').set({ issuer: 'https://other.example' }).execute()
    const browser = kit.browser()
    expect(target(await kit.signIn(browser, 'google'))).toBe(notLinked)
    expect(await me(browser)).toBeNull()
  })

  test('without an issuer, as imported, gets the issuer of its next sign-in', async () => {
    const kit = await socialApp()
    await kit.signIn(kit.browser(), 'google')
    await kit.app.db.updateTable('account').set({ issuer: null }).execute()
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe('/dashboard')
    const { issuer } = await kit.app.db.selectFrom('account').select('issuer').executeTakeFirstOrThrow()
    expect(issuer).toBe('https://accounts.google.com')
  })
})

test('an account from before its issuer was discovered has the origin, and keeps its user', async () => {
  const kit = await socialApp()
  await kit.signIn(kit.browser(), 'google')
  const issue = (issuer: string) => kit.app.db.updateTable('account').set({ issuer }).execute()
  await issue('https://accounts.google.com/realms/other')
  expect(target(await kit.signIn(kit.browser(), 'google'))).toBe(notLinked)
  await issue('https://accounts.google.com')
  expect(target(await kit.signIn(kit.browser(), 'google'))).toBe('/dashboard')
})

describe('overrideUserInfoOnSignIn', () => {
  const override = { socialProviders: { google: { overrideUserInfoOnSignIn: true } } } as ConfigFile
  const other = 'other@example.com'

  test.each([
    ['the same address, no longer verified', unverified, { email: 'ann@example.com', emailVerified: true }],
    ['another address', { ...ann, email: 'Other@Example.com' }, { email: other, emailVerified: true }],
    ['another address, not verified', { ...unverified, email: other }, { email: other, emailVerified: false }],
    ['another name, and no image', { sub: ann.sub, email: 'ann@example.com', name: 'Anna' }, { name: 'Anna', image: null }],
    ['no name', { sub: ann.sub, email: 'ann@example.com' }, { name: ann.name }],
    ['an address that is too long', { ...ann, email: `${'a'.repeat(250)}@example.com` }, { email: 'ann@example.com' }],
  ])('%s', async (_, profile, expected) => {
    const kit = await socialApp(override)
    await kit.signIn(kit.browser(), 'google')
    const browser = kit.browser()
    expect(target(await kit.signIn(browser, 'google', profile))).toBe('/dashboard')
    expect(await me(browser)).toMatchObject(expected)
  })

  test('never verifies the present address by an address that another user has', async () => {
    const kit = await socialApp(override)
    await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'other', email: other })
    await kit.signIn(kit.browser(), 'google', unverified)
    const browser = kit.browser()
    await kit.signIn(browser, 'google', { ...ann, name: 'Anna', email: other })
    expect(await me(browser)).toMatchObject({ name: 'Anna', email: 'ann@example.com', emailVerified: false })
  })
})

describe('mapProfileToUser', () => {
  test('that returns another email address does not verify it', async () => {
    const { own, ...kit } = await withAnn({
      socialProviders: { google: { mapProfileToUser: () => ({ email: 'ann@example.com' }) } },
    } as ConfigFile)
    const browser = kit.browser()
    expect(target(await kit.signIn(browser, 'google', { ...ann, sub: '7', email: 'evil@example.com' }))).toBe(notLinked)
    expect(await me(browser)).toBeNull()
  })

  const additionalFields = {
    team: { type: 'string', input: false, required: false },
    level: { type: 'number', required: false },
    code: { type: 'string', unique: true, required: false },
  } as const
  const mapped = (fields: object, more: object = {}) =>
    ({
      user: { additionalFields },
      socialProviders: { google: { mapProfileToUser: () => fields, ...more } },
    }) as ConfigFile

  test('replaces mapped fields, and sets additional ones, also those that no request may set', async () => {
    const kit = await socialApp(mapped({ name: 'Mapped', team: 'staff', level: 3, unknown: 1, isAdmin: true }))
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    expect(await me(browser)).toMatchObject({ name: 'Mapped', team: 'staff', level: 3, email: 'ann@example.com' })
  })

  test('with a value of the wrong type creates no user', async () => {
    const kit = await socialApp(mapped({ level: 'three' }))
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe(errorOf('unable_to_create_user'))
    expect(await user(kit)).toBeNull()
  })

  test.each([
    ['of the wrong type', { level: 'three' }],
    ['that another user has', { code: 'taken' }],
  ])('with a value %s does not prevent the sign-in of a known user, and is logged', async (_, fields) => {
    const result: Record<string, unknown> = { code: 'taken' }
    const mapProfileToUser = () => result
    const kit = await socialApp(mapped({}, { mapProfileToUser, overrideUserInfoOnSignIn: true }))
    await kit.signIn(kit.browser(), 'google', { ...ann, sub: 'other', email: 'other@example.com' })
    result.code = undefined
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    Object.assign(result, fields)
    expect(target(await kit.signIn(browser, 'google', { ...ann, name: 'Anna' }))).toBe('/dashboard')
    expect((await me(browser)).name).toBe('Ann')
    expect(kit.log.join('\n')).toContain('A user was not updated from the provider profile')
  })
})

test('a first sign-in slower than a sign-up and then than another first sign-in signs the user in', async () => {
  let [users, accounts] = [0, 0]
  const competitors = { signUp: async () => undefined, signIn: async () => undefined }
  const kit = await socialApp({
    ...verifying,
    databaseHooks: {
      user: { create: { before: async () => (++users === 1 ? competitors.signUp() : undefined) } },
      // First together with a new user, then to link it.
      account: {
        create: {
          before: async ({ providerId }: { providerId?: unknown }) =>
            providerId === 'google' && ++accounts === 2 ? competitors.signIn() : undefined,
        },
      },
    },
  })
  const [slow, other, eve] = [kit.browser(), kit.browser(), kit.browser()]
  competitors.signUp = async () => {
    await eve.call('POST /sign-up/email', { body: { name: 'Eve', email: 'ann@example.com', password } })
    return undefined
  }
  competitors.signIn = async () => {
    await kit.signIn(other, 'google')
    return undefined
  }
  expect(target(await kit.signIn(slow, 'google'))).toBe('/dashboard')
  expect((await me(slow)).emailVerified).toBe(true)
  expect((await me(other)).emailVerified).toBe(true)
  expect(await me(eve)).toBeNull()
  expect(await accountsOf(kit, 'ann@example.com')).toEqual(['google'])
})

describe.each(places)('at %s', (place) => {
  const open = async (config: ConfigFile = {}) => {
    const provider = await standIn()
    return withProvider(provider, await openRacers(place, providerConfig(provider.origin, { ...verifying, ...config })))
  }
  const startAll = async (kit: Awaited<ReturnType<typeof open>>) => {
    const browsers = kit.browsers()
    const urls = await Promise.all(browsers.map((browser) => startFlow(browser, 'google')))
    return {
      browsers,
      callback: (browser: Browser, position: number) => openCallback(browser, 'google', urls[position] ?? new URL('x:')),
    }
  }

  test('concurrent first sign-ins create one user', async () => {
    const kit = await open()
    const { browsers, callback } = await startAll(kit)
    const answers = await race(browsers, callback)
    expect(new Set(answers.map(target))).toEqual(new Set(['/dashboard']))
    expect(await kit.app.db.selectFrom('user').select('id').execute()).toHaveLength(1)
    expect(await kit.app.db.selectFrom('account').select('id').execute()).toHaveLength(1)
    expect(await kit.app.db.selectFrom('session').select('id').execute()).toHaveLength(many)
  })

  test.each([true, false])('concurrent first sign-ins link one account to a user (verified: %j)', async (emailVerified) => {
    const kit = await open()
    const own = kit.browser()
    await own.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password } })
    await kit.app.db.updateTable('user').set({ emailVerified }).execute()
    const { browsers, callback } = await startAll(kit)
    const answers = await race(browsers, callback)
    expect(new Set(answers.map(target))).toEqual(new Set(['/dashboard']))
    expect(await accountsOf(kit, 'ann@example.com')).toEqual(emailVerified ? ['credential', 'google'] : ['google'])
    expect((await me(own)) !== null).toBe(emailVerified)
  })

  test('a first sign-in concurrent with sign-ups of the same address ends in one user, who is verified', async () => {
    const kit = await open()
    const { browsers, callback } = await startAll(kit)
    const answers = await race(browsers, (browser, position) =>
      position % 2 === 0
        ? browser.call('POST /sign-up/email', { body: { name: 'Eve', email: 'ann@example.com', password } })
        : callback(browser, position),
    )
    const targets = answers.filter((_, position) => position % 2 === 1).map(target)
    expect(new Set(targets)).toEqual(new Set(['/dashboard']))
    const users = await kit.app.db.selectFrom('user').select(['email', 'emailVerified']).execute()
    expect(users).toMatchObject([{ email: 'ann@example.com' }])
    const ann = kit.browser()
    await flow(ann, 'google')
    expect((await me(ann)).emailVerified).toBe(true)
    for (const [position, browser] of browsers.entries()) expect((await me(browser)) === null).toBe(position % 2 === 0)
    const byPassword = await kit.browser().call('POST /sign-in/email', { body: { email: 'ann@example.com', password } })
    expect([401, 403]).toContain(byPassword.status)
  })
})
