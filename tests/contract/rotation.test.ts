/**
 * Rotation of the secret: with both secrets everything that depends on the former one works, and new values use the newer one.
 * With the newer one alone, what depends on the former one is rejected like unknown values, and nothing fails.
 */
import { describe, expect, test } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { jobs, listMails, retryMails } from '../../src/features/outbox/index.ts'
import { seed } from '../../src/features/setup/index.ts'
import { readSignedCookie } from '../../src/lib/cookie.ts'
import { createKeyring } from '../../src/lib/keyring.ts'
import { decodeSessionData } from '../../src/lib/session-data.ts'
import { testApp } from '../kit/app.ts'
import { createAuthenticator } from '../kit/authenticator.ts'
import type { Browser } from '../kit/browser.ts'
import { followLink } from '../kit/mails.ts'
import { hasSession, signInAs, verify, withAnn } from '../kit/second-factor.ts'

const former = 'the former secret, 0123456789 abcdefghijk'
const newer = 'the newer secret, 9876543210 kjihgfedcba'
const password = 'correct horse battery'
const newPassword = 'another horse entirely'
const failures = 9
const never = new AbortController().signal
const byNewer = createKeyring([newer])
const [newerId = ''] = byNewer.hash('session', 'x').split('.')

const names = ['ann', 'bob', 'carl', 'dora', 'erik', 'fay', 'greg', 'hans'] as const
type Name = (typeof names)[number]
const emailOf = (name: string) => `${name}@example.com`
const options = { dryRun: false, prune: false, readSecret: () => undefined }

interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Everything that hangs on a secret, made with the former one. */
async function before() {
  const letters: Letter[] = []
  let isUnavailable = true
  const send = async (mail: Letter) => {
    letters.push(mail)
    if (isUnavailable) throw new Error('away')
  }
  const kit = await testApp({
    secret: former,
    emailAndPassword: { enabled: true, revokeSessionsOnPasswordReset: false },
    emailVerification: { sendOnSignUp: true },
    session: { cookieCache: { enabled: true } },
    attempts: { enabled: true, deviceCookie: true },
    rateLimit: { enabled: true, customRules: { '/ok': { window: 600, max: 3 }, '*': false, '/**': false } },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true, sendDeleteAccountVerification: true } },
    mail: { from: 'a@b.co', send },
    seed: { roles: { admin: {} }, admins: [{ email: emailOf('root'), name: 'Root' }] },
  })
  const browsers = {} as Record<Name, Browser>
  for (const name of names) {
    browsers[name] = kit.browser()
    const answer = await browsers[name].call('POST /sign-up/email', { body: { name, email: emailOf(name), password } })
    expect(answer.status).toBe(200)
  }
  browsers.bob = kit.browser()
  await browsers.bob.call('POST /sign-in/email', { body: { email: emailOf('bob'), password, rememberMe: false } })
  await browsers.hans.call('POST /sign-in/email', { body: { email: emailOf('hans'), password } })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).where('name', '=', 'carl').execute()
  await browsers.carl.call('POST /change-email', { body: { newEmail: emailOf('charles') } })
  await browsers.dora.call('POST /delete-user', { body: {} })
  await kit.browser().call('POST /request-password-reset', { body: { email: emailOf('erik') } })
  for (let failure = 0; failure < failures; failure += 1) await guess(kit.browser(), 'greg')
  for (let call = 0; call < 3; call += 1) expect((await kit.browser().call('GET /ok', {})).status).toBe(200)
  const [root] = (await seed(kit.app, options)).filter(({ kind }) => kind === 'admin')
  const mails = names.length + 3
  // Each was tried once: a mail waits before its first delivery, too.
  await expect.poll(() => letters.length).toBe(mails)
  await expect.poll(() => states(kit.app)).toEqual(Array.from({ length: mails }, () => 'waiting'))
  const linkTo = async (name: string, subject: RegExp) => {
    const found = letters.find(({ to, subject: of }) => to === emailOf(name) && subject.test(of))
    return new URL(await followLink(kit.browser(), found?.text ?? ''))
  }
  const tokens = {
    verify: (await linkTo('fay', /your email/)).searchParams.get('token') ?? '',
    change: (await linkTo('carl', /new email/)).searchParams.get('token') ?? '',
    delete: (await linkTo('dora', /deletion/)).searchParams.get('token') ?? '',
    reset: (await linkTo('erik', /password/)).pathname.split('/').at(-1) ?? '',
    setUp: new URL(root?.setupLink ?? '').searchParams.get('token') ?? '',
  }
  expect(Object.values(tokens).every((token) => token.length > 20)).toBe(true)
  const sendAgain = () => {
    isUnavailable = false
    letters.length = 0
  }
  return { ...kit, browsers, letters, tokens, sendAgain }
}
type Before = Awaited<ReturnType<typeof before>>

const guess = (browser: Browser, name: Name, word = 'a wrong password') =>
  browser.call('POST /sign-in/email', { body: { email: emailOf(name), password: word } })

async function states(app: App): Promise<string[]> {
  const found: string[] = []
  for await (const { state } of listMails(app, { dead: false })) found.push(state)
  return found
}

/** The daemon of before, started again with other secrets; users keep their cookies. */
async function restart(kit: Before, secret: string | readonly string[]) {
  const next = await kit.another({ secret: secret as string })
  const moved = (name: Name) => {
    const browser = next.browser()
    for (const [cookie, value] of kit.browsers[name].cookies) browser.cookies.set(cookie, value)
    return browser
  }
  const follow = {
    verify: (by = moved('fay')) => by.call('GET /verify-email', { query: { token: kit.tokens.verify } }),
    change: (by = moved('carl')) => by.call('GET /verify-email', { query: { token: kit.tokens.change } }),
    delete: (by = moved('dora')) => by.call('GET /delete-user/callback', { query: { token: kit.tokens.delete } }),
    reset: () => next.browser().call('POST /reset-password', { body: { token: kit.tokens.reset, newPassword } }),
    setUp: () => next.browser().call('POST /set-up', { body: { token: kit.tokens.setUp, newPassword } }),
  }
  return { ...next, moved, follow }
}

const show = (browser: Browser) => browser.call('GET /get-session', {})

describe('with the new secret and the previous one', () => {
  const start = async () => {
    const kit = await before()
    return { kit, ...(await restart(kit, [newer, former])) }
  }

  test('keeps users signed in, and moves a session to the new secret when it is renewed', async () => {
    const { kit, clock, moved, app } = await start()
    const here = moved('ann')
    await app.db.updateTable('user').set({ image: 'changed' }).execute()
    const copied = await show(here)
    expect([copied.body.user.name, copied.body.user.image, copied.setCookie]).toEqual(['ann', null, []])
    clock.advance(86_401)
    const renewed = await show(here)
    expect([renewed.body.user.image, renewed.setCookie.length]).toEqual(['changed', 2])
    const row = await app.db
      .selectFrom('session')
      .select('tokenHash')
      .where('id', '=', renewed.body.session.id)
      .executeTakeFirstOrThrow()
    expect(row.tokenHash.split('.')[0]).toBe(newerId)
    expect(readSignedCookie(here.cookies.get('latchkey.session_token'), byNewer)).toBe(renewed.body.session.token)
    expect(decodeSessionData(here.cookies.get('latchkey.session_data') ?? '', byNewer).state).toBe('valid')
    const alone = (await restart({ ...kit, browsers: { ...kit.browsers, ann: here } }, newer)).moved('ann')
    expect((await show(alone)).body.user.name).toBe('ann')
  })

  test('keeps session-only cookies and known devices', async () => {
    const { moved } = await start()
    const bob = moved('bob')
    const answer = await bob.call('POST /update-user', { body: { name: 'bob' } })
    expect(answer.setCookie.filter((cookie) => /session_token|dont_remember/.test(cookie))).toHaveLength(2)
    expect(answer.setCookie.filter((cookie) => !cookie.includes('session_data')).join()).not.toContain('Max-Age')
    expect(readSignedCookie(bob.cookies.get('latchkey.dont_remember'), byNewer)).toBe('true')
  })

  test('accepts links', async () => {
    const { follow, app } = await start()
    for (const name of ['verify', 'change', 'delete', 'reset', 'setUp'] as const)
      expect([name, (await follow[name]()).status]).toEqual([name, 200])
    const users = await app.db.selectFrom('user').select(['name', 'email', 'emailVerified']).execute()
    const named = new Map(users.map((user) => [user.name, user]))
    expect([named.get('fay')?.emailVerified, named.get('carl')?.email, named.has('dora')]).toEqual([
      true,
      emailOf('charles'),
      false,
    ])
  })

  test('continues failure counts and rate limits, and admits a known device', async () => {
    const { browser, moved } = await start()
    for (let failure = failures; failure < 10; failure += 1) expect((await guess(browser(), 'greg')).status).toBe(401)
    expect((await guess(browser(), 'greg')).status).toBe(429)
    const hans = moved('hans')
    await hans.call('POST /sign-out', {})
    for (let failure = 0; failure < 60; failure += 1) await guess(browser(), 'hans')
    expect((await guess(browser(), 'hans', password)).status).toBe(429)
    expect((await guess(hans, 'hans', password)).status).toBe(200)
  })

  test('counts rate limits by IP address without the secret', async () => {
    const { browser } = await start()
    const { status } = await browser().call('GET /ok', {})
    // Without Redis and without a table each daemon counts for itself.
    expect(status).toBe(429)
  })

  test('sends waiting mails, and encrypts new ones with the new secret', async () => {
    const { kit, app, clock, browser } = await start()
    await browser().call('POST /request-password-reset', { body: { email: emailOf('ann') } })
    const contents = (await app.db.selectFrom('outbox').select('content').execute()).map(({ content }) => content ?? '')
    expect(contents.filter((content) => content.startsWith(`${newerId}.`))).toHaveLength(1)
    kit.sendAgain()
    clock.advance(31)
    await jobs.outbox.run(app, never)
    expect(new Set(await states(app))).toEqual(new Set(['sent']))
    expect(kit.letters).toHaveLength(names.length + 4)
  })

  test('signs with the new secret', async () => {
    const { kit, app, browser } = await start()
    kit.sendAgain()
    const visitor = browser()
    const email = emailOf('zoe')
    const { body } = await visitor.call('POST /sign-up/email', { body: { name: 'zoe', email, password } })
    expect(readSignedCookie(visitor.cookies.get('latchkey.session_token'), byNewer)).toBe(body.token)
    await browser().call('POST /request-password-reset', { body: { email } })
    await expect.poll(() => kit.letters.length).toBe(2)
    const alone = await restart(kit, newer)
    const urls = (await Promise.all(kit.letters.map(({ text }) => followLink(alone.browser(), text)))).join('\n')
    const token = urls.match(/verify-email\?token=([\w.-]+)/)?.[1] ?? ''
    expect((await alone.browser().call('GET /verify-email', { query: { token } })).status).toBe(200)
    const reset = urls.match(/reset-password\/(\w+)/)?.[1] ?? ''
    expect((await alone.browser().call('POST /reset-password', { body: { token: reset, newPassword } })).status).toBe(200)
    const rows = await app.db.selectFrom('attempt').select('key').execute()
    await guess(browser(), 'fay')
    const more = await app.db.selectFrom('attempt').select('key').execute()
    const known = new Set(rows.map(({ key }) => key))
    const added = more.filter(({ key }) => !known.has(key))
    expect(added.length).toBeGreaterThan(0)
    for (const { key } of added) expect(key.split('.')[0]).toBe(newerId)
  })
})

describe('with the new secret alone', () => {
  const start = async () => {
    const kit = await before()
    return { kit, ...(await restart(kit, newer)) }
  }

  test('rejects previous sessions, and users can sign in again', async () => {
    const { moved, browser } = await start()
    for (const name of ['ann', 'bob'] as const) {
      const here = moved(name)
      expect([(await show(here)).status, (await show(here)).body]).toEqual([200, null])
      expect((await here.call('GET /list-sessions', {})).status).toBe(401)
      expect((await here.call('POST /sign-out', {})).body.code).toBe('FAILED_TO_GET_SESSION')
    }
    expect((await guess(browser(), 'ann', password)).status).toBe(200)
    // Failures counted with the previous secret are gone: no user is admitted or locked out by that.
    expect((await guess(browser(), 'greg')).status).toBe(401)
  })

  test('rejects links like unknown ones', async () => {
    const { moved, follow, browser } = await start()
    const dora = moved('dora')
    expect((await guess(dora, 'dora', password)).status).toBe(200)
    const outcomeOf = async (answer: Promise<{ status: number; body: { code: string } }>) => [
      (await answer).status,
      (await answer).body.code,
    ]
    expect(await outcomeOf(follow.verify())).toEqual([401, 'INVALID_TOKEN'])
    expect(await outcomeOf(follow.change())).toEqual([401, 'INVALID_TOKEN'])
    expect(await outcomeOf(follow.delete(dora))).toEqual([404, 'INVALID_TOKEN'])
    expect(await outcomeOf(follow.reset())).toEqual([400, 'INVALID_TOKEN'])
    expect(await outcomeOf(follow.setUp())).toEqual([400, 'INVALID_TOKEN'])
    expect((await browser().call('POST /set-up/check', { body: { token: 'x' } })).status).toBe(400)
  })

  test('creates a setup link again when the previous one is unusable', async () => {
    const { app, kit } = await start()
    const [root] = (await seed(app, options)).filter(({ kind }) => kind === 'admin')
    expect(root?.setupLink).toMatch(/set-up\?token=\w{32}$/)
    expect(root?.setupLink).not.toContain(kit.tokens.setUp)
    expect((await seed(app, options)).map(({ outcome }) => outcome)).toEqual(['unchanged'])
  })

  test('marks previous mails as failed with the reason, delays no others, and sends them when the secret is back', async () => {
    const { kit, app, clock, browser, log } = await start()
    kit.sendAgain()
    clock.advance(31)
    await jobs.outbox.run(app, never)
    await browser().call('POST /request-password-reset', { body: { email: emailOf('ann') } })
    await expect.poll(() => kit.letters.map(({ to }) => to)).toEqual([emailOf('ann')])
    await expect.poll(() => states(app)).toContain('sent')
    for (const pause of [121, 601]) {
      clock.advance(pause)
      await jobs.outbox.run(app, never)
    }
    const dead: (string | null)[] = []
    for await (const { lastError } of listMails(app, { dead: true })) dead.push(lastError)
    expect(dead).toEqual(Array.from({ length: names.length + 3 }, () => 'SECRET_UNKNOWN'))
    expect(
      log.filter((line) => line.includes('Mail delivery failed permanently') && line.includes('SECRET_UNKNOWN')),
    ).toHaveLength(dead.length)
    expect(kit.letters).toHaveLength(1)
    const both = await restart(kit, [newer, former])
    expect(await retryMails(both.app, null)).toEqual({ found: dead.length, sent: dead.length })
    expect(kit.letters).toHaveLength(1 + dead.length)
  })

  test('causes no error', async () => {
    const { counted, moved, follow } = await start()
    for (const name of names) await show(moved(name))
    for (const use of Object.values(follow)) await use()
    expect(counted).not.toContain('unexpected_error')
  })
})

// The provider cannot be reached: its code is rejected, once the state is accepted.
test.each([
  ['the previous one', [newer, former], 'invalid_code'],
  ['no other', newer, 'please_restart_the_process'],
] as const)('a social sign-in that was started before, with the new secret and %s', async (_, secret, code) => {
  const github = { clientId: 'id', clientSecret: 'client-secret', tokenEndpoint: 'http://127.0.0.1:1/token' }
  const kit = await testApp({ secret: former, socialProviders: { github } })
  const [browser, moved] = [kit.browser(), (await kit.another({ secret: secret as string })).browser()]
  const { body } = await browser.call('POST /sign-in/social', { body: { provider: 'github' } })
  for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
  const state = new URL(body.url).searchParams.get('state') ?? ''
  const { headers } = await moved.call('GET /callback/:id', { params: { id: 'github' }, query: { code: 'code', state } })
  expect(headers.get('location')).toMatch(new RegExp(`error=${code}$`))
})

describe('passkeys', () => {
  async function started() {
    const kit = await testApp({
      secret: former,
      passkey: { byEmail: true, signUp: true },
      mail: { from: 'a@b.co', send: () => {} },
    })
    const owner = kit.browser()
    await owner.call('POST /sign-up/email', { body: { name: 'ann', email: emailOf('ann'), password } })
    /** The daemon with other secrets, and a browser there with the cookies of this one. */
    const restarted = async (secret: string | readonly string[]) => {
      const next = await kit.another({ secret: secret as string })
      const moved = next.browser()
      for (const [name, value] of owner.cookies) moved.cookies.set(name, value)
      return { ...next, moved }
    }
    return { ...kit, owner, restarted }
  }
  const register = (browser: Browser) => browser.call('GET /passkey/generate-register-options', { query: {} })
  const add = (browser: Browser, response: object) =>
    browser.call('POST /passkey/verify-registration', { body: { response: { ...response } } })

  test('that are being added are added, with the handle that the authenticator got', async () => {
    const { owner, restarted } = await started()
    const device = createAuthenticator()
    const { body } = await register(owner)
    const response = device.create(body)
    const { moved, browser } = await restarted([newer, former])
    expect((await add(moved, response)).status).toBe(200)
    const visitor = browser()
    const { body: offered } = await visitor.call('GET /passkey/generate-authenticate-options', {})
    const signedIn = await visitor.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(offered) } } })
    expect(signedIn.status).toBe(200)
    expect((await register(moved)).body.user.id).toBe(body.user.id)
  })

  test('sign in by options from before', async () => {
    const { owner, restarted } = await started()
    const device = createAuthenticator()
    await add(owner, device.create((await register(owner)).body))
    // With a session, the challenge is for its user.
    const { body } = await owner.call('GET /passkey/generate-authenticate-options', {})
    const { moved } = await restarted([newer, former])
    const { status } = await moved.call('POST /passkey/verify-authentication', { body: { response: { ...device.get(body) } } })
    expect(status).toBe(200)
  })

  // While the new secret moves to the front of the list, daemon by daemon: each has what the other one has issued.
  test.each([
    ['the former secret', [former, newer], [newer, former]],
    ['the newer secret', [newer, former], [former, newer]],
  ] as const)('begun at a daemon that signs with %s end at one that signs with the other', async (_, here, there) => {
    const resolveUser = ({ context }: { readonly context: string | null }) => ({ id: context ?? '', name: 'bob' })
    const passkey = { registration: { requireSession: false, resolveUser } }
    const kit = await testApp({ secret: here as unknown as string, passkey })
    const other = await kit.another({ secret: there as unknown as string })
    const moved = (from: Browser) => {
      const browser = other.browser()
      for (const [name, value] of from.cookies) browser.cookies.set(name, value)
      return browser
    }
    const signUp = async (browser: Browser, name: 'ann' | 'bob') =>
      (await browser.call('POST /sign-up/email', { body: { name, email: emailOf(name), password } })).body.user.id
    const [owner, visitor, guest] = [kit.browser(), kit.browser(), kit.browser()]
    await signUp(owner, 'ann')
    const device = createAuthenticator()
    const { body: own } = await register(owner)
    expect((await add(moved(owner), device.create(own))).status).toBe(200)
    // Whom the application has named travels in the cookie.
    const query = { context: String(await signUp(kit.browser(), 'bob')) }
    const { body: named } = await visitor.call('GET /passkey/generate-register-options', { query })
    expect((await add(moved(visitor), createAuthenticator().create(named))).body.userId).toBe(query.context)
    const { body } = await guest.call('GET /passkey/generate-authenticate-options', {})
    const use = { body: { response: { ...device.get(body) } } }
    expect((await moved(guest).call('POST /passkey/verify-authentication', use)).status).toBe(200)
    const again = await guest.call('POST /passkey/verify-authentication', use)
    expect([again.status, again.body.code]).toEqual([400, 'CHALLENGE_NOT_FOUND'])
  })

  test('of an unknown email address stay the same', async () => {
    const { browser, restarted } = await started()
    const offered = async (visitor: Browser) =>
      (await visitor.call('POST /passkey/generate-authenticate-options', { body: { email: emailOf('unknown') } })).body
        .allowCredentials
    const next = await restarted([newer, former])
    expect(await offered(next.browser())).toEqual(await offered(browser()))
  })

  test('that are being added are rejected with the new secret alone, without an error', async () => {
    const { owner, restarted } = await started()
    const response = createAuthenticator().create((await register(owner)).body)
    const { moved, counted } = await restarted(newer)
    expect((await add(moved, response)).status).toBe(401)
    expect(counted).not.toContain('unexpected_error')
  })
})

describe('second factors', () => {
  const useBackup = (browser: Browser, code = '') => browser.call('POST /two-factor/verify-backup-code', { body: { code } })

  async function enrolled() {
    const kit = await withAnn({ secret: former })
    /** The daemon with other secrets, and a browser there with the cookies of this one. */
    const restarted = async (secret: string | readonly string[]) => {
      const next = await kit.another({ secret: secret as string })
      const moved = (from?: Browser) => {
        const browser = next.browser()
        for (const [cookie, value] of from?.cookies ?? []) browser.cookies.set(cookie, value)
        return browser
      }
      return { ...next, moved }
    }
    return { ...kit, restarted }
  }

  test('work with both secrets, and move to the new one when they are used', async () => {
    const kit = await enrolled()
    const [pending, trusted] = [kit.browser(), kit.browser()]
    await signInAs(trusted, 'Ann')
    await verify(trusted, kit.code(), { trustDevice: true })
    await trusted.call('POST /sign-out', {})
    kit.clock.advance(30)
    await signInAs(pending, 'Ann')
    const { moved, restarted } = { ...kit, ...(await kit.restarted([newer, former])) }
    expect((await verify(moved(pending), kit.code())).status).toBe(200)
    const [there, other] = [moved(trusted), moved()]
    expect(hasSession(await signInAs(there, 'Ann'))).toBe(true)
    await there.call('POST /sign-out', {})
    await signInAs(other, 'Ann')
    expect((await useBackup(other, kit.backupCodes[0])).status).toBe(200)
    kit.clock.advance(30)
    const alone = await restarted(newer)
    const last = alone.moved()
    await signInAs(last, 'Ann')
    expect((await verify(last, kit.code())).status).toBe(200)
    expect(hasSession(await signInAs(alone.moved(there), 'Ann'))).toBe(true)
  })

  test('are wrong with the new secret alone, and fail no call', async () => {
    const kit = await enrolled()
    const { moved } = await kit.restarted(newer)
    const visitor = moved()
    await signInAs(visitor, 'Ann')
    expect((await verify(visitor, kit.code())).body.code).toBe('INVALID_CODE')
    expect((await useBackup(visitor, kit.backupCodes[0])).body.code).toBe('INVALID_BACKUP_CODE')
  })
})
