/** Several sessions in one browser: contract 06 §12, and the cookies of 00 §5. */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { password, signUp } from '../../../tests/kit/members.ts'
import { many, openRacers, places, race, tally } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'

const emailOf = (name: string) => `${name.toLowerCase()}@example.com`
const prefix = 'latchkey.session_token_multi-'
const invalid = { code: 'INVALID_SESSION_TOKEN', message: 'Invalid session token' }

const enter = (browser: Browser, name: string, more: object = {}) =>
  browser.call('POST /sign-in/email', { body: { email: emailOf(name), password, ...more } })
const list = async (browser: Browser) => (await browser.call('GET /multi-session/list-device-sessions', {})).body
const names = async (browser: Browser): Promise<string[]> =>
  (await list(browser)).map(({ user }: { user: { name: string } }) => user.name)
const activate = (browser: Browser, sessionToken: string) =>
  browser.call('POST /multi-session/set-active', { body: { sessionToken } })
const revoke = (browser: Browser, sessionToken: string) => browser.call('POST /multi-session/revoke', { body: { sessionToken } })
const deviceCookies = (browser: Browser) => [...browser.cookies.keys()].filter((name) => name.startsWith(prefix))
const copyOf = (browser: Browser, open: () => Browser) => {
  const copy = open()
  for (const [name, value] of browser.cookies) copy.cookies.set(name, value)
  return copy
}

/** Users who exist, and a browser in which they sign in one after another. */
async function withUsers(users: readonly string[], config: ConfigFile = {}) {
  const kit = await testApp({ multiSession: true, ...config })
  for (const name of users) await signUp(kit, name)
  await kit.app.db.deleteFrom('session').execute()
  const browser = kit.browser()
  const tokens: Record<string, string> = {}
  for (const name of users) {
    tokens[name] = String((await enter(browser, name)).body.token)
    kit.clock.advance(1)
  }
  const sessions = () => kit.app.db.selectFrom('session').selectAll().execute()
  return { ...kit, browser, open: kit.browser, tokens, sessions }
}

describe('signing in', () => {
  test('adds a cookie of the session, with the value and attributes of the session cookie', async () => {
    const { browser, tokens } = await withUsers(['Ann'])
    const { setCookie, body } = await enter(browser, 'Ann')
    const [current, device] = ['latchkey.session_token=', `${prefix}${body.token.toLowerCase()}=`].map((start) =>
      setCookie.find((header) => header.startsWith(start))?.slice(start.length),
    )
    expect(device).toMatch(/^\w{32}\.[\w%]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(device).toBe(current)
    expect(body.token).not.toBe(tokens.Ann)
  })

  test('keeps the session of another user, and replaces that of the same user', async () => {
    const { browser, sessions } = await withUsers(['Ann', 'Bob'])
    expect(await names(browser)).toEqual(['Bob', 'Ann'])
    await enter(browser, 'Ann')
    expect(await names(browser)).toEqual(['Ann', 'Bob'])
    expect([(await sessions()).length, deviceCookies(browser).length]).toEqual([2, 2])
    await enter(browser, 'Ann')
    expect([(await sessions()).length, deviceCookies(browser).length]).toEqual([2, 2])
  })

  test('keeps a session from before the feature was on', async () => {
    const kit = await withUsers(['Ann', 'Bob'])
    const browser = kit.open()
    await enter(browser, 'Ann')
    for (const name of deviceCookies(browser)) browser.cookies.delete(name)
    expect(await names(browser)).toEqual(['Ann'])
    await enter(browser, 'Bob')
    expect([await names(browser), deviceCookies(browser).length]).toEqual([['Bob', 'Ann'], 2])
  })

  test('above the maximum gives no cookie; such a session ends when another one takes its place', async () => {
    const { browser, sessions, tokens } = await withUsers(['Ann', 'Bob', 'Eve'], { multiSession: { maximumSessions: 2 } })
    expect([deviceCookies(browser).length, (await sessions()).length, await nameOf(browser)]).toEqual([2, 3, 'Eve'])
    expect(await names(browser)).toEqual(['Eve', 'Ann', 'Bob'])
    expect((await activate(browser, tokens.Ann ?? '')).status).toBe(200)
    expect([await names(browser), (await sessions()).length]).toEqual([['Ann', 'Bob'], 2])
  })

  test('with revokePreviousOnSignIn: false revokes nothing', async () => {
    const { browser, sessions } = await withUsers(['Ann', 'Bob'], { session: { revokePreviousOnSignIn: false } })
    await enter(browser, 'Ann')
    expect([await names(browser), (await sessions()).length, deviceCookies(browser).length]).toEqual([['Ann', 'Bob'], 3, 2])
  })

  test('without the feature revokes the former session, and sets no further cookie', async () => {
    const { browser, sessions } = await withUsers(['Ann', 'Bob'], { multiSession: false })
    expect([[...browser.cookies.keys()], (await sessions()).length]).toEqual([['latchkey.session_token'], 1])
    expect((await browser.call('GET /multi-session/list-device-sessions', {})).status).toBe(404)
  })
})

describe('GET /multi-session/list-device-sessions', () => {
  test('returns sessions and users with the tokens that the browser presented; with exposeToken: false their IDs', async () => {
    const { browser, tokens } = await withUsers(['Ann', 'Bob'])
    const [bob, ann] = await list(browser)
    expect([bob.session.token, ann.session.token]).toEqual([tokens.Bob, tokens.Ann])
    expect(Object.keys(ann.user)).toEqual(expect.arrayContaining(['id', 'email', 'name', 'image']))
    expect(JSON.stringify(ann)).not.toContain('accessRevision')
    const hidden = await withUsers(['Ann', 'Bob'], { session: { exposeToken: false } })
    for (const { session } of await list(hidden.browser)) expect(session.token).toBe(session.id)
  })

  test('is empty without cookies, and for cookies that are forged or of another name', async () => {
    const { browser, open, tokens } = await withUsers(['Ann', 'Bob'])
    expect(await list(open())).toEqual([])
    const name = `${prefix}${tokens.Ann?.toLowerCase()}`
    const value = browser.cookies.get(name) ?? ''
    const forgeries: [string, string][] = [
      [name, value.replace(/^./, (first) => (first === 'a' ? 'b' : 'a'))],
      [name, tokens.Ann ?? ''],
      [`${prefix}another`, value],
      [`other.session_token_multi-${tokens.Ann?.toLowerCase()}`, value],
    ]
    for (const [forgedName, forged] of forgeries) {
      const thief = open()
      thief.cookies.set(forgedName, forged)
      expect(await list(thief)).toEqual([])
    }
  })

  test('leaves out sessions that were revoked or expired and those of banned users, and clears their cookies', async () => {
    const kit = await administrate(await testApp({ multiSession: true, admin: true }))
    for (const name of ['Ann', 'Bob', 'Eve']) await signUp(kit, name)
    const browser = kit.browser()
    await enter(browser, 'Ann', { rememberMe: false })
    for (const name of ['Bob', 'Eve', 'Uma']) await enter(browser, name)
    expect(await names(browser)).toEqual(['Uma', 'Ann', 'Bob', 'Eve'])
    const [, , bob, eve] = await list(browser)
    await kit.ada.browser.call('POST /admin/revoke-user-sessions', { body: { userId: bob.user.id } })
    await kit.ada.browser.call('POST /admin/ban-user', { body: { userId: eve.user.id } })
    kit.clock.advance(86_400)
    expect(await names(browser)).toEqual(['Uma'])
    expect(deviceCookies(browser)).toHaveLength(1)
  })

  test('reads a bounded number of cookies', async () => {
    const { browser, open, app, tokens } = await withUsers(['Ann'])
    const { signCookie } = await import('../../lib/cookie.ts')
    const many = open()
    for (let count = 0; count < 60; count += 1) many.cookies.set(`${prefix}x${count}`, signCookie(`x${count}`, app.keyring))
    for (const [name, value] of browser.cookies) if (name.startsWith(prefix)) many.cookies.set(name, value)
    const { setCookie } = await many.call('GET /multi-session/list-device-sessions', {})
    expect(setCookie.length).toBeLessThanOrEqual(20)
    expect(tokens.Ann).toBeDefined()
  })
})

describe('POST /multi-session/set-active', () => {
  test.each([
    ['the token', ({ tokens }: Kit) => tokens.Ann ?? ''],
    ['the ID', async ({ browser }: Kit) => (await list(browser))[1].session.id],
  ])('switches by %s, and returns session and user', async (_, given) => {
    const kit = await withUsers(['Ann', 'Bob'])
    const { browser, tokens, sessions } = kit
    const answer = await activate(browser, await given(kit))
    expect([answer.status, answer.body.session.token, answer.body.user.name]).toEqual([200, tokens.Ann, 'Ann'])
    expect([await nameOf(browser), await names(browser), (await sessions()).length]).toEqual(['Ann', ['Ann', 'Bob'], 2])
    expect((await activate(browser, tokens.Bob ?? '')).body.user.name).toBe('Bob')
  })
  type Kit = Awaited<ReturnType<typeof withUsers>>

  test('rejects a session of another browser, by token and by ID', async () => {
    const { browser, open } = await withUsers(['Ann', 'Bob'])
    const other = open()
    const { token } = (await enter(other, 'Ann')).body
    const { id } = (await list(other))[0].session
    for (const given of [token, id, 'unknown', '']) expect((await activate(browser, given)).body).toEqual(invalid)
    expect(await nameOf(browser)).toBe('Bob')
  })

  test('rejects a session that ended, and clears its cookie; needs a session', async () => {
    const { browser, app, tokens, open } = await withUsers(['Ann', 'Bob'])
    const ann = (await list(browser))[1].session.id
    await app.db.deleteFrom('session').where('id', '=', ann).execute()
    const answer = await activate(browser, tokens.Ann ?? '')
    expect([answer.status, answer.body]).toEqual([401, invalid])
    expect(answer.setCookie).toEqual([`${prefix}${tokens.Ann?.toLowerCase()}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`])
    expect((await activate(open(), tokens.Bob ?? '')).body.code).toBe('UNAUTHORIZED')
  })

  test('keeps of each session whether it ends with the browser', async () => {
    const { browser, tokens, open } = await withUsers(['Ann', 'Bob'])
    const fresh = open()
    const brief = (await enter(fresh, 'Ann', { rememberMe: false })).body.token
    const added = await enter(fresh, 'Bob')
    expect(added.setCookie.some((header) => header.startsWith('latchkey.dont_remember=; Max-Age=0'))).toBe(true)
    const toBrief = await activate(fresh, brief)
    expect(toBrief.setCookie.find((header) => header.startsWith('latchkey.session_token='))).not.toContain('Max-Age')
    expect(fresh.cookies.has('latchkey.dont_remember')).toBe(true)
    const back = await activate(fresh, added.body.token)
    expect(back.setCookie.find((header) => header.startsWith('latchkey.session_token='))).toContain('Max-Age=6')
    expect(fresh.cookies.has('latchkey.dont_remember')).toBe(false)
    expect([await names(browser), tokens.Bob]).toBeDefined()
  })

  test('writes the cached copy of the other session', async () => {
    const { browser, tokens } = await withUsers(['Ann', 'Bob'], { session: { cookieCache: { enabled: true } } })
    await browser.call('GET /get-session', {})
    await activate(browser, tokens.Ann ?? '')
    expect(browser.cookies.has('latchkey.session_data')).toBe(true)
    expect(await nameOf(browser)).toBe('Ann')
  })

  test('renews the cookie of the session together with its session', async () => {
    const { browser, tokens, clock } = await withUsers(['Ann', 'Bob'])
    clock.advance(86_400)
    const { setCookie } = await browser.call('GET /get-session', {})
    const device = setCookie.find((header) => header.startsWith(`${prefix}${tokens.Bob?.toLowerCase()}`))
    expect(device).toContain('Max-Age=604800')
  })
})

describe('POST /multi-session/revoke', () => {
  test('ends one session; of the current one, the next takes its place', async () => {
    const { browser, tokens, sessions } = await withUsers(['Ann', 'Bob', 'Eve'])
    expect((await revoke(browser, tokens.Ann ?? '')).body).toEqual({ status: true })
    expect([await nameOf(browser), await names(browser)]).toEqual(['Eve', ['Eve', 'Bob']])
    const eve = (await list(browser))[0].session.id
    expect((await revoke(browser, eve)).body).toEqual({ status: true })
    expect([await nameOf(browser), await names(browser), (await sessions()).length]).toEqual(['Bob', ['Bob'], 1])
    await revoke(browser, tokens.Bob ?? '')
    expect([[...browser.cookies.keys()], await sessions()]).toEqual([[], []])
  })

  test('rejects a session of another browser', async () => {
    const { browser, open, sessions } = await withUsers(['Ann', 'Bob'])
    const other = open()
    const { token } = (await enter(other, 'Ann')).body
    const { id } = (await list(other))[0].session
    for (const given of [token, id, 'unknown']) expect((await revoke(browser, given)).body).toEqual(invalid)
    expect(await sessions()).toHaveLength(3)
  })

  test('of a session that ended succeeds', async () => {
    const { browser, app, tokens } = await withUsers(['Ann', 'Bob'])
    await app.db
      .deleteFrom('session')
      .where('id', '=', (await list(browser))[1].session.id)
      .execute()
    expect((await revoke(browser, tokens.Ann ?? '')).body).toEqual({ status: true })
    expect([await nameOf(browser), deviceCookies(browser).length]).toEqual(['Bob', 1])
  })
})

describe('POST /sign-out', () => {
  test('ends all sessions of the browser and clears all cookies, and records each user', async () => {
    const { browser, open, sessions, app } = await withUsers(['Ann', 'Bob', 'Eve'])
    await enter(open(), 'Ann')
    expect((await browser.call('POST /sign-out', {})).status).toBe(200)
    expect([(await sessions()).length, [...browser.cookies.keys()]]).toEqual([1, []])
    const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'user.signed-out').execute()
    expect(new Set(events.map(({ actorId }) => actorId)).size).toBe(3)
  })

  test('also when the current session has ended', async () => {
    const { browser, sessions } = await withUsers(['Ann', 'Bob'])
    browser.cookies.delete('latchkey.session_token')
    expect((await browser.call('POST /sign-out', {})).status).toBe(400)
    expect([await sessions(), [...browser.cookies.keys()]]).toEqual([[], []])
  })

  test('leaves the sessions of a copied cookie without our signature', async () => {
    const { browser, open, tokens, sessions } = await withUsers(['Ann', 'Bob'])
    const thief = copyOf(browser, open)
    for (const name of thief.cookies.keys()) thief.cookies.set(name, `${tokens.Ann}.forged`)
    await thief.call('POST /sign-out', {})
    expect(await sessions()).toHaveLength(2)
  })
})

describe('an impersonation', () => {
  test('is not a session of the browser, and does not switch to one', async () => {
    const kit = await administrate(await testApp({ multiSession: true, admin: true }))
    const browser = kit.browser()
    const own = (await enter(browser, 'Uma')).body.token
    await enter(browser, 'Ada')
    const eve = await signUp(kit, 'Eve')
    await browser.call('POST /admin/impersonate-user', { body: { userId: eve.userId } })
    await browser.call('POST /update-user', { body: { name: 'Eva' } })
    expect([await nameOf(browser), await names(browser)]).toEqual(['Eva', ['Uma', 'Ada']])
    for (const call of [activate, revoke])
      expect((await call(browser, own)).body.code).toBe('NOT_ALLOWED_WHILE_IMPERSONATING_A_USER')
    await browser.call('POST /admin/stop-impersonating', {})
    expect([await nameOf(browser), await names(browser)]).toEqual(['Ada', ['Ada', 'Uma']])
    expect((await activate(browser, own)).body.user.name).toBe('Uma')
  })

  test('ends when someone signs in, and all sessions of the browser by signing out', async () => {
    const kit = await administrate(await testApp({ multiSession: true, admin: true }))
    const { browser } = await kit.signIn(kit.ada.email)
    await browser.call('POST /admin/impersonate-user', { body: { userId: kit.uma.userId } })
    const impersonation = copyOf(browser, kit.browser)
    const eve = await signUp(kit, 'Eve')
    await enter(browser, 'Eve')
    expect([await nameOf(impersonation), await names(browser)]).toEqual([null, ['Eve', 'Ada']])
    await browser.call('POST /sign-out', {})
    expect([await kit.sessionsOf(eve.userId), [...browser.cookies.keys()]]).toEqual([[expect.anything()], []])
    expect(await kit.sessionsOf(kit.ada.userId)).toHaveLength(1)
  })
})

describe.each(places)('64 concurrent calls at %s', (place) => {
  async function withTwo() {
    const kit = await openRacers(place, { multiSession: true })
    for (const name of ['Ann', 'Bob']) await signUp(kit, name)
    await kit.app.db.deleteFrom('session').execute()
    const browser = kit.browser()
    const ann = String((await enter(browser, 'Ann')).body.token)
    await enter(browser, 'Bob')
    const sessions = () => kit.app.db.selectFrom('session').selectAll().execute()
    return { ...kit, browser, ann, sessions }
  }

  test('revoke one session once, and it is recorded once', async () => {
    const kit = await withTwo()
    const answers = await race(kit.browsers(kit.browser), (browser) => revoke(browser, kit.ann))
    expect(tally(answers)).toEqual({ 200: many })
    const events = await kit.app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'user.signed-out').execute()
    expect([(await kit.sessions()).length, events.length]).toEqual([1, 1])
  })

  test('switch to a session that is revoked at the same time: each has it or is rejected, and no call fails', async () => {
    const kit = await withTwo()
    const answers = await race(kit.browsers(kit.browser), (browser, count) =>
      count % 2 === 0 ? revoke(browser, kit.ann) : activate(browser, kit.ann),
    )
    const { 200: succeeded = 0, '401 INVALID_SESSION_TOKEN': rejected = 0, ...others } = tally(answers)
    expect([succeeded + rejected, others, (await kit.sessions()).length]).toEqual([many, {}, 1])
  })

  test('sign out of one browser: every session ends', async () => {
    const kit = await withTwo()
    const answers = await race(kit.browsers(kit.browser), (browser) => browser.call('POST /sign-out', {}))
    expect([tally(answers), await kit.sessions()]).toEqual([{ 200: many }, []])
  })
})
