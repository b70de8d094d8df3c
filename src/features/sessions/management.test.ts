import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const bob = { ...ann, name: 'Bob', email: 'bob@example.com' }
const day = 86_400

/** Ann, signed in with two browsers, and Bob with one. */
async function threeSessions(config = {}) {
  const kit = await testApp(config)
  const [here, there, bobs] = [kit.browser(), kit.browser(), kit.browser()]
  await here.call('POST /sign-up/email', { body: ann })
  kit.clock.advance(1)
  const { body } = await there.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } })
  await bobs.call('POST /sign-up/email', { body: bob })
  return { ...kit, here, there, bobs, thereToken: body.token as string }
}

const list = async (browser: Browser) => (await browser.call('GET /list-sessions', {})).body
const isSignedIn = async (browser: Browser) => (await browser.call('GET /get-session', {})).body !== null

describe('GET /list-sessions', () => {
  test('lists the sessions of the current user only, oldest first, with the keys of get-session', async () => {
    const { here, there } = await threeSessions()
    const current = (await here.call('GET /get-session', {})).body.session
    const sessions = await list(here)
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toEqual(current)
    expect(sessions[1].id).toBe((await there.call('GET /get-session', {})).body.session.id)
    expect(Object.keys(sessions[1]).sort()).toEqual(Object.keys(current).sort())
  })

  test('says how each session was authenticated when it is asked, and nothing of it otherwise', async () => {
    const { app, here, clock } = await threeSessions()
    const [, other] = await list(here)
    const stronger = { acr: 'urn:latchkey:acr:2', amr: '["pwd","otp","mfa"]' }
    await app.db.updateTable('session').set(stronger).where('id', '=', other.id).execute()
    const asked = (await here.call('GET /list-sessions', { query: { authentication: 'true' } })).body
    const [first, second] = [-1000, 0].map((ms) => new Date(clock.now().getTime() + ms).toISOString())
    expect(asked).toMatchObject([
      { acr: 'urn:latchkey:acr:1', amr: ['pwd'], authenticatedAt: first },
      { acr: 'urn:latchkey:acr:2', amr: ['pwd', 'otp', 'mfa'], authenticatedAt: second },
    ])
    const known = asked.map(({ acr: _acr, amr: _amr, authenticatedAt: _at, ...rest }: Record<string, unknown>) => rest)
    expect(await list(here)).toStrictEqual(known)
  })

  test('returns the token of the current session, and the id for every other', async () => {
    const { browser, here, there, thereToken } = await threeSessions()
    const { token } = (await here.call('GET /get-session', {})).body.session
    const [own, other] = (await list(here)).map((session: { token: string }) => session.token)
    expect(own).toBe(token)
    expect(other).not.toBe(thereToken)
    expect(other).toMatch(/^[\w-]{16,}$/)
    expect((await list(here))[1].token).toBe(other)
    const thief = browser()
    const cookie = here.cookies.get('latchkey.session_token') ?? ''
    for (const value of [other, cookie.replace(token, other)]) {
      thief.cookies.set('latchkey.session_token', value)
      expect(await isSignedIn(thief)).toBe(false)
    }
    expect(await isSignedIn(there)).toBe(true)
  })

  test('omits expired sessions, also by the absolute limit', async () => {
    const { app, clock, here, browser } = await threeSessions({ session: { absoluteMaxAge: 8 * day } })
    const unremembered = browser()
    await unremembered.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password, rememberMe: false } })
    expect(await list(here)).toHaveLength(3)
    clock.advance(day)
    const [, other, ...more] = await list(here)
    expect(more).toEqual([])
    const began = new Date(clock.now().getTime() - 8 * day * 1000)
    await app.db.updateTable('session').set({ createdAt: began }).where('id', '=', other.id).execute()
    expect(await list(here)).toHaveLength(1)
  })

  test('lists any number of sessions', async () => {
    const { app, here } = await threeSessions()
    const [row] = await app.db.selectFrom('session').selectAll().where('ipAddress', '=', '127.0.0.1').execute()
    const { userId } = (await list(here))[0]
    const rows = Array.from({ length: 250 }, (_, count) => ({ ...row, id: `copy-${count}`, tokenHash: `copy-${count}`, userId }))
    await app.db
      .insertInto('session')
      .values(rows as never)
      .execute()
    expect(await list(here)).toHaveLength(252)
    await here.call('POST /revoke-other-sessions', {})
    expect(await list(here)).toHaveLength(1)
  })
})

describe('POST /revoke-session', () => {
  const revoke = (browser: Browser, token: string) => browser.call('POST /revoke-session', { body: { token } })

  test('accepts the id from a list', async () => {
    const { here, there } = await threeSessions()
    const response = await revoke(here, (await list(here))[1].token)
    expect([response.status, response.body, response.setCookie]).toEqual([200, { status: true }, []])
    expect([await isSignedIn(here), await isSignedIn(there)]).toEqual([true, false])
  })

  test('accepts a token, also of the current session, and leaves the cookies', async () => {
    const { here, there, thereToken } = await threeSessions()
    expect((await revoke(here, thereToken)).body).toEqual({ status: true })
    expect(await isSignedIn(there)).toBe(false)
    const { token } = (await here.call('GET /get-session', {})).body.session
    const response = await revoke(here, token)
    expect([response.body, response.setCookie]).toEqual([{ status: true }, []])
    expect(await isSignedIn(here)).toBe(false)
  })

  test('succeeds for an expired session while its row exists', async () => {
    const { app, clock, here } = await threeSessions()
    const handle = (await list(here))[1].token
    await app.db.updateTable('session').set({ expiresAt: clock.now() }).where('id', '=', handle).execute()
    expect((await revoke(here, handle)).body).toEqual({ status: true })
  })

  test.each(['unknown', '', 'ü', 'a'.repeat(70_000)])('rejects a token of no session: %.10s', async (token) => {
    const { here } = await threeSessions()
    const response = await revoke(here, token)
    expect([response.status, response.statusText]).toEqual([400, 'BAD_REQUEST'])
    expect(response.body).toEqual({ code: 'SESSION_NOT_FOUND', message: 'Session not found' })
  })

  test('rejects the session of another user, by id and by token', async () => {
    const { here, bobs } = await threeSessions()
    const { session } = (await bobs.call('GET /get-session', {})).body
    for (const name of [session.id, session.token]) {
      const response = await revoke(here, name)
      expect([response.status, response.body]).toEqual([401, { code: 'UNAUTHORIZED', message: 'Unauthorized' }])
    }
    expect(await isSignedIn(bobs)).toBe(true)
  })

  test('with quietRevocation responds alike to any text, and revokes sessions of the current user only', async () => {
    const { here, there, bobs } = await threeSessions({ session: { quietRevocation: true } })
    const { session } = (await bobs.call('GET /get-session', {})).body
    for (const name of ['unknown', '', session.id, session.token, (await list(here))[1].token]) {
      const response = await revoke(here, name)
      expect([response.status, response.body]).toEqual([200, { status: true }])
    }
    expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(bobs)]).toEqual([true, false, true])
  })
})

test('POST /revoke-sessions revokes all sessions of the current user only, and leaves the cookies', async () => {
  const { here, there, bobs } = await threeSessions()
  const response = await here.call('POST /revoke-sessions', {})
  expect([response.status, response.body, response.setCookie]).toEqual([200, { status: true }, []])
  expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(bobs)]).toEqual([false, false, true])
})

test('POST /revoke-other-sessions revokes all but the current session', async () => {
  const { here, there, bobs } = await threeSessions()
  const response = await here.call('POST /revoke-other-sessions', {})
  expect([response.status, response.body]).toEqual([200, { status: true }])
  expect([await isSignedIn(here), await isSignedIn(there), await isSignedIn(bobs)]).toEqual([true, false, true])
})

test('POST /revoke-other-sessions from two sessions concurrently leaves at most one, and neither call fails', async () => {
  const { here, there } = await threeSessions()
  const calls = Array.from({ length: 32 }, () => [here, there]).flat()
  const statuses = (await Promise.all(calls.map((browser) => browser.call('POST /revoke-other-sessions', {})))).map(
    ({ status }) => status,
  )
  expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([])
  expect([await isSignedIn(here), await isSignedIn(there)].filter(Boolean).length).toBeLessThanOrEqual(1)
})
