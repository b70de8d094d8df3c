/** A proof that works once is used in the transaction of the session or the challenge: neither is written without the other. */
// Also on servers: a transaction is undone and repeated there in their own ways.
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createAuthenticator } from '../../../tests/kit/authenticator.ts'
import { type Answer, type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { captureMails } from '../../../tests/kit/mails.ts'
import { outcome, signUp } from '../../../tests/kit/members.ts'
import { plantedChallenge } from '../../../tests/kit/planted/challenge.ts'
import { enrol, hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import { featureList } from '../index.ts'

const email = 'ann@example.com'
/** As a database fails that has chosen a transaction to be repeated. */
const deadlock = Object.assign(new Error('database is locked'), { errcode: 5, errno: 1213, code: 'ER_LOCK_DEADLOCK' })

/** Ann, and an app in which a sign-in fails after the use of its proof, as often as `times` says. */
async function arrive(hasHook: boolean) {
  const state = { at: '', times: 0, error: new Error('The database is gone'), demands: false, hooks: 0 }
  const failAt = (place: string) => {
    if (state.at !== place || state.times === 0) return
    state.times -= 1
    throw state.error
  }
  const planted = plantedChallenge(() => state.demands, 'code', ['first-factor', 'new-user'])
  const { demand } = planted.challenge
  const challenge: typeof planted.challenge = {
    ...planted.challenge,
    demand: async (...given) => {
      const demanded = await demand(...given)
      failAt('challenge')
      return demanded
    },
  }
  const [links, codes] = [captureMails<{ token: string }>(), captureMails<{ otp: string }>()]
  const before = () => {
    state.hooks += 1
    failAt('hook')
    return undefined
  }
  const kit = await testApp(
    {
      ...{ twoFactor: true, passkey: true, admin: true },
      magicLink: { sendMagicLink: links.send },
      emailOTP: { sendVerificationOTP: codes.send },
      ...(hasHook && { databaseHooks: { session: { create: { before } } } }),
    },
    {
      features: {
        ...featureList,
        planted: { ...planted, challenge },
        failing: { on: { 'session.creating': () => failAt('session') } },
      },
    },
  )
  const { browser: owner } = await signUp(kit, 'Ann')
  return { ...kit, state, links, codes, owner }
}
type Kit = Awaited<ReturnType<typeof arrive>>

const ask = async ({ links }: Kit, browser: Browser, to = email) => {
  await browser.call('POST /sign-in/magic-link', { body: { email: to } })
  const { token } = await links.next()
  return () => browser.call('POST /magic-link/verify', { body: { token } })
}
const askCode = async ({ codes }: Kit, browser: Browser, to = email) => {
  await browser.call('POST /email-otp/send-verification-otp', { body: { email: to, type: 'sign-in' } })
  const { otp } = await codes.next()
  return () => browser.call('POST /sign-in/email-otp', { body: { email: to, otp } })
}

/** Each gets a proof that works once, and returns what uses it. */
const ways: Readonly<Record<string, (kit: Kit, browser: Browser) => Promise<() => Promise<Answer>>>> = {
  'a magic link': (kit, browser) => ask(kit, browser),
  'a magic link of a new user': (kit, browser) => ask(kit, browser, 'bob@example.com'),
  'a magic link to a verified address': async (kit, browser) => {
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    return ask(kit, browser)
  },
  'a code by email': (kit, browser) => askCode(kit, browser),
  'a code by email of a new user': (kit, browser) => askCode(kit, browser, 'bob@example.com'),
  'a passkey': async ({ owner }, browser) => {
    const device = createAuthenticator({ backupEligible: false, backedUp: false })
    const { body } = await owner.call('GET /passkey/generate-register-options', { query: {} })
    await owner.call('POST /passkey/verify-registration', { body: { response: { ...device.create(body) } } })
    const { body: options } = await browser.call('POST /passkey/generate-authenticate-options', {})
    const response = { ...device.get(options, { counter: 7 }) }
    return () => browser.call('POST /passkey/verify-authentication', { body: { response } })
  },
  'an authenticator app': async (kit, browser) => {
    const { code } = await enrol(kit, kit.owner)
    expect((await signInAs(browser, 'Ann')).body.twoFactorRedirect).toBe(true)
    return () => verify(browser, code())
  },
  'a backup code': async (kit, browser) => {
    const { backupCodes } = await enrol(kit, kit.owner)
    await signInAs(browser, 'Ann')
    return () => browser.call('POST /two-factor/verify-backup-code', { body: { code: backupCodes[0] ?? '' } })
  },
}
const each = Object.entries(ways)

const tables = [
  ...(['user', 'account', 'session', 'verification', 'oneTimeCode', 'usedChallenge'] as const),
  ...(['passkey', 'signInChallenge', 'twoFactor', 'backupCode', 'knownDevice', 'outbox'] as const),
]

/** What is stored, but for the number of attempts to answer a challenge, which counts failures too. */
async function rows({ app }: Kit) {
  const events = await app.db.selectFrom('auditEvent').select('id').orderBy('id').execute()
  const all: unknown[] = [events]
  for (const table of tables) {
    const found = await app.db.selectFrom(table).selectAll().orderBy('id').execute()
    all.push(found.map((row) => ({ ...row, failures: undefined })))
  }
  return all
}

describe('a sign-in that fails after the use of its proof costs nothing', () => {
  const places = [
    ['the session', 'session', false],
    ['the session, after the hook', 'session', true],
    ['the hook', 'hook', true],
    ['the challenge', 'challenge', false],
  ] as const
  for (const [name, at, hasHook] of places)
    test.each(each)(`at ${name}, with %s`, async (_, prepare) => {
      const kit = await arrive(hasHook)
      const browser = kit.browser()
      const use = await prepare(kit, browser)
      await kit.settled()
      const before = await rows(kit)
      const sent = new Map(browser.cookies)
      Object.assign(kit.state, { at, times: 1, demands: at === 'challenge' })
      const failed = await use()
      expect([failed.status, hasSession(failed)]).toEqual([500, false])
      await kit.settled()
      expect(await rows(kit)).toEqual(before)
      expect(new Map(browser.cookies)).toEqual(sent)
      kit.state.demands = false
      const done = await use()
      expect([outcome(done), hasSession(done)]).toEqual(['200', true])
      expect(await nameOf(browser)).not.toBeNull()
    })
})

const answer = (browser: Browser) =>
  browser.request('/planted/code', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: 'right' }),
  })

describe('what is used stays so', () => {
  test.each(each)('when a challenge follows, with %s; the hook is called after its answer', async (_, prepare) => {
    const kit = await arrive(true)
    const browser = kit.browser()
    const use = await prepare(kit, browser)
    Object.assign(kit.state, { demands: true, hooks: 0 })
    expect((await use()).body).toEqual({ codeRequired: '/code' })
    kit.state.demands = false
    const again = await use()
    expect([again.status >= 400, hasSession(again), kit.state.hooks]).toEqual([true, false, 0])
    expect((await answer(browser)).status).toBe(200)
    expect([await nameOf(browser), kit.state.hooks]).toEqual([expect.any(String), 1])
  })

  test('when a second factor is demanded after a link', async () => {
    const kit = await arrive(false)
    await enrol(kit, kit.owner)
    await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
    const use = await ask(kit, kit.browser())
    expect((await use()).body.twoFactorRedirect).toBe(true)
    expect(outcome(await use())).toBe('400 INVALID_TOKEN')
    expect(await kit.app.db.selectFrom('signInChallenge').select('id').execute()).toHaveLength(1)
  })

  test.each([true, false])('when the user is banned, with a hook: %s', async (hasHook) => {
    const kit = await arrive(hasHook)
    const use = await ask(kit, kit.browser())
    const ban = (banned: boolean) => kit.app.db.updateTable('user').set({ banned }).execute()
    await ban(true)
    expect(outcome(await use())).toBe('403 BANNED_USER')
    await ban(false)
    expect(outcome(await use())).toBe('400 INVALID_TOKEN')
  })
})

describe('a transaction that is repeated', () => {
  const events = ({ app }: Kit, action: string) =>
    app.db.selectFrom('auditEvent').select('id').where('action', '=', action).execute()

  for (const hasHook of [true, false])
    test.each(each)(`leaves one session, with %s, and a hook: ${hasHook}`, async (_, prepare) => {
      const kit = await arrive(hasHook)
      const browser = kit.browser()
      const use = await prepare(kit, browser)
      const before = await events(kit, 'user.signed-in')
      Object.assign(kit.state, { at: 'session', times: 2, error: deadlock, hooks: 0 })
      expect(outcome(await use())).toBe('200')
      expect([kit.state.times, kit.state.hooks]).toEqual([0, hasHook ? 1 : 0])
      expect(await events(kit, 'user.signed-in')).toHaveLength(before.length + 1)
      expect(await nameOf(browser)).not.toBeNull()
    })

  test.each(each)('leaves one challenge and its cookie, with %s', async (_, prepare) => {
    const kit = await arrive(false)
    const browser = kit.browser()
    const use = await prepare(kit, browser)
    Object.assign(kit.state, { at: 'challenge', times: 2, error: deadlock, demands: true })
    const challenged = await use()
    expect([challenged.body, kit.state.times]).toEqual([{ codeRequired: '/code' }, 0])
    expect(challenged.setCookie.filter((header) => header.startsWith('code='))).toHaveLength(1)
    const stored = kit.app.db.selectFrom('verification').select('value').execute()
    expect((await stored).filter(({ value }) => value.includes('accessRevision'))).toHaveLength(1)
    expect((await answer(browser)).status).toBe(200)
    expect(await nameOf(browser)).not.toBeNull()
  })
})
