/** Which sign-ins demand a second factor, and which do not (contract 11 §2). */
import { describe, expect, test, vi } from 'vitest'
import type { Browser } from '../../../tests/kit/browser.ts'
import { nameOf } from '../../../tests/kit/browser.ts'
import { password } from '../../../tests/kit/members.ts'
import { authenticator, enable, enrol, hasSession, signInAs, verify } from '../../../tests/kit/second-factor.ts'
import { ann as annAtProvider, socialApp, target } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password }

/** Ann with a linked account of Google and an authenticator app. */
async function withAnn(twoFactor: Exclude<NonNullable<ConfigFile['twoFactor']>, boolean> = {}, config: ConfigFile = {}) {
  const kit = await socialApp({ twoFactor, ...config })
  const browser = kit.browser()
  await browser.call('POST /sign-up/email', { body: ann })
  await kit.app.db.updateTable('user').set({ emailVerified: true }).execute()
  await kit.signIn(browser, 'google', undefined, { start: 'POST /link-social' })
  return { ...kit, ann: browser, ...(await enrol(kit, browser)) }
}

describe('a social sign-in', () => {
  test('is challenged, and leads to the hosted page and back', async () => {
    const kit = await withAnn()
    const visitor = kit.browser()
    const answer = await kit.signIn(visitor, 'google')
    expect([answer.status, target(answer), hasSession(answer)]).toEqual([302, '/two-factor?callbackURL=%2Fdashboard', false])
    expect((await verify(visitor, kit.code())).body).toMatchObject({ redirect: true, url: '/dashboard' })
    expect((await visitor.call('GET /two-factor/status', {})).body.session.amr).toEqual(['fed', 'otp'])
  })

  test.each([
    [
      'the page of the application',
      { pageURL: 'https://app.example/code' },
      {},
      'https://app.example/code?callbackURL=%2Fdashboard',
    ],
    [
      'a page on an origin that a pattern trusts',
      { pageURL: 'https://login.app.example/code' },
      { trustedOrigins: ['https://*.app.example'] as string[] },
      'https://login.app.example/code?callbackURL=%2Fdashboard',
    ],
    ['an error, when there is no page', {}, { dashboard: { enabled: false } }, '/dashboard?error=two_factor_required'],
  ] as const)('leads to %s', async (_, twoFactor, config, expected) => {
    const kit = await withAnn(twoFactor, { trustedOrigins: ['https://app.example'], ...config })
    expect(target(await kit.signIn(kit.browser(), 'google'))).toBe(expected)
  })

  const byToken = async (kit: Awaited<ReturnType<typeof withAnn>>, browser: Browser, claims: object) =>
    browser.call('POST /sign-in/social', {
      body: { provider: 'google', idToken: { token: await kit.idToken(annAtProvider, claims) } },
    })

  test('of a provider that the configuration trusts is two factors', async () => {
    const kit = await withAnn({ trustProviders: ['google'] })
    const visitor = kit.browser()
    expect(hasSession(await byToken(kit, visitor, {}))).toBe(true)
    expect((await visitor.call('GET /two-factor/status', {})).body.session).toMatchObject({
      acr: 'urn:latchkey:acr:2',
      amr: ['fed', 'mfa'],
    })
  })

  test('of such a provider cancels a reset that waits, with a transaction only when one does', async () => {
    const kit = await withAnn({ trustProviders: ['google'] })
    const transactions = vi.spyOn(kit.app.db, 'transaction')
    const countTransactions = async () => {
      transactions.mockClear()
      expect(hasSession(await byToken(kit, kit.browser(), {}))).toBe(true)
      return transactions.mock.calls.length
    }
    await countTransactions()
    const without = await countTransactions()
    const { id: userId } = await kit.app.db.selectFrom('user').select('id').executeTakeFirstOrThrow()
    const asked = { requestedBy: 'administrator', administratorId: null, reason: null, factors: 'totp' }
    const times = { noticeAt: null, effectiveAt: kit.clock.now(), createdAt: kit.clock.now() }
    await kit.app.db
      .insertInto('factorReset')
      .values({ id: 'reset', userId, cancelKey: 'key', ...asked, ...times })
      .execute()
    expect((await countTransactions()) - without).toBe(1)
    expect(await kit.app.db.selectFrom('factorReset').select('id').execute()).toEqual([])
  })

  test.each([
    [['pwd', 'mfa'], true],
    [['pwd'], false],
    ['mfa', false],
    [undefined, false],
  ])('with the claim amr %j, where mfa is required, is two factors: %s', async (amr, isTrusted) => {
    const kit = await withAnn({ trustProviders: [{ id: 'google', when: { amr: 'mfa' } }] })
    expect(hasSession(await byToken(kit, kit.browser(), { amr }))).toBe(isTrusted)
  })
})

test('a sign-in that was under way when the second factor was enabled is challenged', async () => {
  const kit = await socialApp({ twoFactor: true })
  const browser = kit.browser()
  await browser.call('POST /sign-up/email', { body: ann })
  let enabling: Promise<unknown> | undefined
  const verifyPassword = kit.app.hasher.verify
  const thief = kit.browser()
  kit.replaceHasher({
    verify: async (stored, given) => {
      const isRight = await verifyPassword(stored, given)
      if (enabling === undefined) {
        enabling = Promise.resolve()
        await enrol(kit, browser)
      }
      return isRight
    },
  })
  const answer = await signInAs(thief, 'Ann')
  expect([answer.status, answer.body.twoFactorRedirect, hasSession(answer), await nameOf(thief)]).toEqual([
    200,
    true,
    false,
    null,
  ])
})

test('three consecutive codes of an earlier or later step say that the clock of the app is wrong; one of the right step ends it', async () => {
  const { ann, code, clock, ...kit } = await withAnn()
  const clockAfter = async (offset: number) => {
    // Each code is later than the one before.
    clock.advance(90)
    expect((await verify(ann, code(offset))).status).toBe(200)
    return (await ann.call('GET /two-factor/status', {})).body.methods[0].clock
  }
  const clocks = async (...offsets: number[]) => {
    const found: unknown[] = []
    for (const offset of offsets) found.push(await clockAfter(offset))
    return found
  }
  expect(await clocks(-1, -1, -1, -1, 0, -1, -1, 1, 1, 1, 0)).toEqual([
    ...[undefined, undefined, 'slow', 'slow', undefined],
    ...[undefined, undefined, undefined, undefined, 'fast', undefined],
  ])
  // Another app, on another device.
  await clocks(1, 1, 1)
  const { body } = await enable(ann)
  const other = authenticator(body.totpURI, kit.app)
  expect((await verify(ann, other())).status).toBe(200)
  expect((await ann.call('GET /two-factor/status', {})).body.methods).toEqual([expect.not.objectContaining({ clock: 'fast' })])
})

test('a reset of the password gives no session, and the next sign-in is challenged', async () => {
  const links: string[] = []
  const kit = await withAnn({}, { emailAndPassword: { enabled: true, sendResetPassword: ({ token }) => void links.push(token) } })
  await kit.browser().call('POST /request-password-reset', { body: { email: ann.email } })
  await expect.poll(() => links.length).toBe(1)
  const visitor = kit.browser()
  const reset = await visitor.call('POST /reset-password', { body: { token: String(links[0]), newPassword: password } })
  expect([reset.status, hasSession(reset)]).toEqual([200, false])
  expect((await signInAs(visitor, 'Ann')).body.twoFactorRedirect).toBe(true)
})

test('a change of the password that replaces all sessions keeps how strong this one is', async () => {
  const kit = await withAnn()
  const before = (await kit.ann.call('GET /two-factor/status', {})).body.session
  const change = { currentPassword: password, newPassword: 'another horse entirely', revokeOtherSessions: true }
  expect((await kit.ann.call('POST /change-password', { body: change })).body.token).toHaveLength(32)
  expect((await kit.ann.call('GET /two-factor/status', {})).body.session).toEqual(before)
})
