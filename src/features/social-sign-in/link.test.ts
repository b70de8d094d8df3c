/** Linking a provider account to the current user, by redirect (contract 03 §5) and by ID token (contract 02 §7). */
import { describe, expect, test } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { openCallback, standIn, startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { expectOneWinner, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
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

const email = 'ann@example.com'
const password = 'correct horse battery'
const unverified: ProviderUser = { ...ann, email_verified: false }
const other: ProviderUser = { ...ann, email: 'other@example.com' }
const errorOf = (code: string) => `http://localhost:3000/api/auth/error?error=${code}`
const start = 'POST /link-social' as const

/** Ann is signed in with her password. */
async function fill<T extends SocialApp>(kit: T) {
  const own = kit.browser()
  await own.call('POST /sign-up/email', { body: { name: 'Ann Lee', email, password } })
  const link = (user = ann, browser: Browser = own) => kit.signIn(browser, 'google', user, { start })
  const linkByToken = async (user = ann, browser: Browser = own, claims: object = {}) =>
    browser.call('POST /link-social', { body: { provider: 'google', idToken: { token: await kit.idToken(user, claims) } } })
  return { ...kit, own, link, linkByToken }
}
const withAnn = async (config: ConfigFile = {}) => fill(await socialApp(config))
const linking = (accountLinking: object): ConfigFile => ({ account: { accountLinking } })

const notAllowed = ['unable_to_link_account', 401, 'ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED'] as const
const different = ['account_not_linked', 401, 'ACCOUNT_NOT_LINKED__DIFFERENT_EMAILS_NOT_ALLOWED'] as const
const failed = ['unable_to_link_account', 417, 'ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT'] as const
const otherUser = ['account_already_linked_to_different_user', 401, 'ACCOUNT_NOT_LINKED__LINKING_NOT_ALLOWED'] as const
type Outcome = readonly [code: string, status: number, errorCode: string] | null

/** Expects the same outcome by redirect and by ID token. @param outcome null: it is linked */
async function expectBoth(config: ConfigFile, user: ProviderUser, outcome: Outcome, prepare = async (_: SocialApp) => {}) {
  for (const isRedirect of [true, false]) {
    const kit = await withAnn(config)
    await prepare(kit)
    const response = await (isRedirect ? kit.link(user) : kit.linkByToken(user))
    const [code, status, errorCode] = outcome ?? []
    if (isRedirect) expect([response.status, target(response)]).toEqual([302, code ? errorOf(code) : '/dashboard'])
    else if (outcome) expect([response.status, response.body.code]).toEqual([status, errorCode])
    else expect([response.status, response.body]).toEqual([200, { url: '', redirect: false, status: true }])
    expect(response.setCookie.filter((cookie) => cookie.includes('session'))).toEqual([])
    expect(await accountsOf(kit, email)).toEqual(outcome ? ['credential'] : ['credential', 'google'])
  }
}

describe('an account', () => {
  test.each([
    ['with the same verified address', {}, ann, null],
    ['with the same address in other case', {}, { ...ann, email: 'ANN@Example.com' }, null],
    ['that is not verified', {}, unverified, notAllowed],
    ['that is not verified, of a trusted provider', linking({ trustedProviders: ['google'] }), unverified, null],
    ['when linking is disabled', linking({ enabled: false }), ann, notAllowed],
    [
      'of a trusted provider when linking is disabled',
      linking({ enabled: false, trustedProviders: ['google'] }),
      ann,
      notAllowed,
    ],
    ['with another address', {}, other, different],
    ['with another address and allowDifferentEmails', linking({ allowDifferentEmails: true }), other, null],
    [
      'with an unverified other address',
      linking({ allowDifferentEmails: true }),
      { ...other, email_verified: false },
      notAllowed,
    ],
    [
      'with another address that is checked after whether linking is allowed',
      {},
      { ...other, email_verified: false },
      notAllowed,
    ],
  ] as readonly [string, ConfigFile, ProviderUser, Outcome][])('%s', async (_, config, user, outcome) => {
    await expectBoth(config, user, outcome)
  })

  test('of another user', async () => {
    const config = linking({ allowDifferentEmails: true })
    await expectBoth(config, other, otherUser, async (kit) => void (await kit.signIn(kit.browser(), 'google', other)))
  })

  test('that a hook rejects', async () => {
    const create = {
      before: ({ providerId }: { providerId?: unknown }) => (providerId === 'google' ? (false as const) : undefined),
    }
    await expectBoth({ databaseHooks: { account: { create } } }, ann, failed)
  })

  test('that a hook rejects with its own message', async () => {
    const before = ({ providerId }: { providerId?: unknown }) => {
      if (providerId === 'google') throw refusal({ status: 403, message: 'No' })
      return undefined
    }
    await expectBoth({ databaseHooks: { account: { create: { before } } } }, ann, failed)
  })

  test('of another issuer', async () => {
    const kit = await withAnn()
    await kit.link()
    await kit.app.db.updateTable('account').set({ issuer: 'https://other.example' }).where('providerId', '=', 'google').execute()
    expect(target(await kit.link())).toBe(errorOf('account_already_linked_to_different_user'))
  })

  test('that is linked already updates its tokens by redirect, and nothing by ID token', async () => {
    const kit = await withAnn()
    const tokenOf = async () =>
      (await kit.own.call('POST /get-access-token', { body: { providerId: 'google' } })).body.accessToken
    await kit.link()
    const first = await tokenOf()
    expect(target(await kit.link())).toBe('/dashboard')
    const second = await tokenOf()
    expect(second).not.toBe(first)
    expect((await kit.linkByToken()).body.status).toBe(true)
    expect(await tokenOf()).toBe(second)
    expect(await accountsOf(kit, email)).toEqual(['credential', 'google'])
  })

  test('that is linked already is reported as such by ID token when linking is disabled since then', async () => {
    const kit = await withAnn(linking({ trustedProviders: ['google'] }))
    await kit.linkByToken(unverified)
    expect((await kit.linkByToken(unverified)).status).toBe(200)
  })
})

describe('the user', () => {
  test('is verified from then on, when the provider has verified the same address', async () => {
    const kit = await withAnn()
    await kit.link()
    expect((await kit.own.call('GET /get-session', {})).body.user).toMatchObject({ name: 'Ann Lee', emailVerified: true })
  })

  test.each([other, unverified])('is not verified by %j', async (user) => {
    const kit = await withAnn(linking({ allowDifferentEmails: true, trustedProviders: ['google'] }))
    await kit.link(user)
    expect((await kit.own.call('GET /get-session', {})).body.user.emailVerified).toBe(false)
  })

  test.each([true, false])('with updateUserInfoOnLink, by redirect: %j', async (isRedirect) => {
    const kit = await withAnn(linking({ updateUserInfoOnLink: true }))
    await (isRedirect ? kit.link() : kit.linkByToken())
    expect((await kit.own.call('GET /get-session', {})).body.user).toMatchObject({ name: 'Ann', image: ann.picture, email })
  })

  test('is linked although a hook rejects the update of name and image', async () => {
    const update = { before: ({ name }: { name?: unknown }) => (name ? (false as const) : undefined) }
    const kit = await withAnn({ ...linking({ updateUserInfoOnLink: true }), databaseHooks: { user: { update } } })
    expect(target(await kit.link())).toBe('/dashboard')
    expect((await kit.own.call('GET /get-session', {})).body.user.name).toBe('Ann Lee')
  })

  test('keeps sessions and password, and gets a notice', async () => {
    const notices = captureMails<{ user: { email: string }; provider: string }>()
    const kit = await withAnn(linking({ sendAccountLinked: notices.send }))
    const session = kit.browser()
    await session.call('POST /sign-in/email', { body: { email, password } })
    await kit.link()
    expect(await notices.next()).toMatchObject({ user: { email }, provider: 'Google' })
    expect([await nameOf(kit.own), await nameOf(session)]).toEqual(['Ann Lee', 'Ann Lee'])
    expect((await kit.browser().call('POST /sign-in/email', { body: { email, password } })).status).toBe(200)
  })

  test('gets the built-in notice, unless it is disabled', async () => {
    const mails: { subject: string; to: string; text: string }[] = []
    const mail = { from: 'a@example.com', send: (one: { subject: string; to: string; text: string }) => void mails.push(one) }
    for (const sendAccountLinked of [false, true]) {
      const kit = await withAnn({ ...linking({ sendAccountLinked }), mail })
      await kit.link()
    }
    await expect
      .poll(() => mails, { timeout: 15_000 })
      .toMatchObject([{ to: email, subject: expect.stringContaining('account was linked to Google') }])
  })
})

describe('a session that has ended since the flow was started', () => {
  test.each([
    ['revoked', ({ own }: Awaited<ReturnType<typeof withAnn>>) => own.call('POST /sign-out', {})],
    [
      'expired',
      async (kit: Awaited<ReturnType<typeof withAnn>>) =>
        kit.app.db.updateTable('session').set({ expiresAt: kit.clock.now() }).execute(),
    ],
  ])('links nothing: %s', async (_, end) => {
    const kit = await withAnn()
    const url = await startFlow(kit.own, 'google', { start })
    await end(kit)
    expect(target(await openCallback(kit.own, 'google', url))).toBe(errorOf('unable_to_link_account'))
    expect(await accountsOf(kit, email)).toEqual(['credential'])
  })

  test.each([true, false])('also when it ends while the provider or a hook responds, by redirect: %j', async (isRedirect) => {
    const revoke = { run: async () => {} }
    const before = async ({ providerId }: { providerId?: unknown }) => {
      if (providerId === 'google') await revoke.run()
      return undefined
    }
    const kit = await withAnn({ databaseHooks: { account: { create: { before } } } })
    revoke.run = async () => void (await kit.app.db.deleteFrom('session').execute())
    const response = await (isRedirect ? kit.link() : kit.linkByToken())
    if (isRedirect) expect(target(response)).toBe(errorOf('unable_to_link_account'))
    else expect([response.status, response.body.code]).toEqual([417, 'ACCOUNT_NOT_LINKED__UNABLE_TO_CREATE_ACCOUNT'])
    expect(await accountsOf(kit, email)).toEqual(['credential'])
  })
})

describe('by the generic path', () => {
  const generic = async (config: ConfigFile, user: ProviderUser) => {
    const kit = await withAnn(config)
    const started = await kit.own.call('POST /oauth2/link', {
      body: { providerId: 'acme', callbackURL: '/in', errorCallbackURL: '/oops' },
    })
    const state = new URL(started.body.url).searchParams.get('state') ?? ''
    return target(await kit.own.request(`/oauth2/callback/acme?${new URLSearchParams({ code: kit.codeFor(user), state })}`))
  }
  test.each([
    ['links', {}, ann, '/in'],
    ['has a code of its own for another address', {}, other, "/oops?error=email_doesn't_match"],
    ['links another address with allowDifferentEmails', linking({ allowDifferentEmails: true }), other, '/in'],
    ['links no unverified address', {}, unverified, '/oops?error=unable_to_link_account'],
  ] as readonly [string, ConfigFile, ProviderUser, string][])('%s', async (_, config, user, expected) => {
    expect(await generic(config, user)).toBe(expected)
  })

  test('requests the scopes of the request, or else those of the configuration', async () => {
    const kit = await withAnn({ genericOAuth: { config: [{ scopes: ['email', 'profile'] }] } } as never)
    const scopesOf = async (scopes?: string[]) => {
      const { body } = await kit.own.call('POST /oauth2/link', {
        body: { providerId: 'acme', callbackURL: '/in', ...(scopes && { scopes }) },
      })
      return new URL(body.url).searchParams.get('scope')
    }
    expect([await scopesOf(), await scopesOf(['calendar'])]).toEqual(['email profile', 'calendar'])
    const { body } = await kit.own.call('POST /sign-in/oauth2', { body: { providerId: 'acme', scopes: ['calendar'] } })
    expect(new URL(body.url).searchParams.get('scope')).toBe('calendar email profile')
  })
})

describe('POST /unlink-account', () => {
  test('unlinks a social account, but not the last account', async () => {
    const kit = await socialApp()
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    const unlink = () => browser.call('POST /unlink-account', { body: { providerId: 'google' } })
    expect((await unlink()).body.code).toBe('YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')
    await kit.signIn(browser, 'acme', ann, { start })
    expect((await unlink()).body).toEqual({ status: true })
    expect(await accountsOf(kit, email)).toEqual(['acme'])
  })

  test('an unlinked account signs in no more, unless its address links it again', async () => {
    const kit = await withAnn(linking({ allowDifferentEmails: true }))
    await kit.link(other)
    await kit.own.call('POST /unlink-account', { body: { providerId: 'google' } })
    const browser = kit.browser()
    await kit.signIn(browser, 'google', other)
    expect((await browser.call('GET /get-session', {})).body.user.email).toBe('other@example.com')
  })

  test.each(places)('concurrent ones leave one account, at %s', async (place) => {
    const provider = await standIn()
    const kit = await withProvider(provider, await openRacers(place, providerConfig(provider.origin)))
    const browser = kit.browser()
    await kit.signIn(browser, 'google')
    await kit.signIn(browser, 'acme', ann, { start })
    const answers = await race(kit.browsers(browser), (one, position) =>
      one.call('POST /unlink-account', { body: { providerId: position % 2 ? 'google' : 'acme' } }),
    )
    expectOneWinner(answers, '400 YOU_CANT_UNLINK_YOUR_LAST_ACCOUNT')
    expect(await accountsOf(kit, email)).toHaveLength(1)
  })
})

test.each(places)('concurrent links of one account by its ID token link it once, at %s', async (place) => {
  const provider = await standIn()
  const kit = await fill(await withProvider(provider, await openRacers(place, providerConfig(provider.origin))))
  const answers = await race(kit.browsers(kit.own), (browser) => kit.linkByToken(ann, browser))
  expect(tally(answers)).toEqual({ 200: answers.length })
  expect(await accountsOf(kit, email)).toEqual(['credential', 'google'])
})

test('a session that ends during its link changes nothing after it', async () => {
  const kit = await socialApp({
    ...linking({ updateUserInfoOnLink: true }),
    databaseHooks: { account: { create: { after: () => end() } } },
  })
  let end = () => {}
  const filled = await fill(kit)
  end = async () => void (await kit.app.db.deleteFrom('session').execute())
  expect(target(await filled.link({ ...ann, name: 'Eve' }))).toBe('/dashboard')
  expect(await kit.app.db.selectFrom('user').select('name').execute()).toEqual([{ name: 'Ann Lee' }])
})
