/** One-time tokens (contract 06 §13): they transfer a session to another browser, once. */
import { describe, expect, test } from 'vitest'
import { administrate } from '../../../tests/kit/administration.ts'
import { testApp } from '../../../tests/kit/app.ts'
import { type Browser, nameOf } from '../../../tests/kit/browser.ts'
import { password, signUp } from '../../../tests/kit/members.ts'
import { expectOneWinner, openRacers, places, race } from '../../../tests/kit/race.ts'
import type { ConfigFile } from '../index.ts'

const generate = (browser: Browser, headers = {}) => browser.call('GET /one-time-token/generate', {}, headers)
const tokenOf = async (browser: Browser): Promise<string> => (await generate(browser)).body.token
const verify = (browser: Browser, token: string) => browser.call('POST /one-time-token/verify', { body: { token } })
const invalid = [400, { code: 'INVALID_TOKEN', message: 'Invalid token' }]

async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp({ oneTimeToken: true, ...config })
  const { browser: ann, userId } = await signUp(kit, 'Ann')
  return { ...kit, ann, userId, open: kit.browser }
}

describe('a token', () => {
  test('gives session and user to another browser, once, with its cookie', async () => {
    const { ann, open, app } = await withAnn()
    const token = await tokenOf(ann)
    expect(token).toMatch(/^[\w-]{32}$/)
    const browser = open()
    const answer = await verify(browser, token)
    const own = (await ann.call('GET /get-session', {})).body
    expect([answer.status, answer.body]).toEqual([200, own])
    expect(answer.setCookie.find((header) => header.startsWith('latchkey.session_token='))).toContain('Max-Age=604')
    expect([await nameOf(browser), await nameOf(ann)]).toEqual(['Ann', 'Ann'])
    const again = await verify(open(), token)
    expect([again.status, again.body]).toEqual(invalid)
    const events = await app.db.selectFrom('auditEvent').selectAll().where('action', '=', 'session.transferred').execute()
    expect(events).toMatchObject([{ targetId: own.session.id, userId: own.user.id }])
  })

  test.each(['', 'unknown', 'x'.repeat(200)])('%j is invalid', async (token) => {
    const answer = await verify((await withAnn()).open(), token)
    expect([answer.status, answer.body, answer.setCookie]).toEqual([...invalid, []])
  })

  test('above 200 characters is rejected before it is hashed', async () => {
    expect((await verify((await withAnn()).open(), 'x'.repeat(201))).body.code).toBe('VALIDATION_ERROR')
  })

  test('expires after the minutes of the configuration', async () => {
    const { ann, open, clock } = await withAnn({ oneTimeToken: { expiresIn: 0.5 } })
    const [first, second] = [await tokenOf(ann), await tokenOf(ann)]
    clock.advance(29)
    expect((await verify(open(), first)).status).toBe(200)
    clock.advance(1)
    expect((await verify(open(), second)).body).toEqual({ code: 'TOKEN_EXPIRED', message: 'Token expired' })
    expect((await verify(open(), second)).body).toEqual(invalid[1])
  })

  test('of a session that ended is rejected', async () => {
    const { ann, open } = await withAnn()
    const token = await tokenOf(ann)
    await ann.call('POST /sign-out', {})
    const answer = await verify(open(), token)
    expect([answer.status, answer.body]).toEqual([400, { code: 'SESSION_NOT_FOUND', message: 'Session not found' }])
    expect(answer.setCookie).toEqual([])
  })

  test('of a session that ends with the browser gives one that does', async () => {
    const { open } = await withAnn()
    const brief = open()
    await brief.call('POST /sign-in/email', { body: { email: 'ann@example.com', password, rememberMe: false } })
    const browser = open()
    const { setCookie } = await verify(browser, await tokenOf(brief))
    expect(setCookie.find((header) => header.startsWith('latchkey.session_token='))).not.toContain('Max-Age')
    expect(browser.cookies.has('latchkey.dont_remember')).toBe(true)
  })

  test('replaces the session that the browser had, but not the one that it transfers', async () => {
    const { ann, open, app, browser } = await withAnn()
    const { browser: bob } = await signUp({ browser }, 'Bob')
    await verify(bob, await tokenOf(ann))
    expect([await nameOf(bob), await nameOf(ann)]).toEqual(['Ann', 'Ann'])
    await verify(ann, await tokenOf(ann))
    expect([await nameOf(ann), (await app.db.selectFrom('session').selectAll().execute()).length]).toEqual(['Ann', 1])
    expect(open).toBeDefined()
  })

  test('adds an account with multiSession', async () => {
    const { ann, browser } = await withAnn({ multiSession: true })
    const { browser: bob } = await signUp({ browser }, 'Bob')
    await verify(bob, await tokenOf(ann))
    const listed = (await bob.call('GET /multi-session/list-device-sessions', {})).body
    expect(listed.map(({ user }: { user: { name: string } }) => user.name)).toEqual(['Ann', 'Bob'])
  })

  test('needs a session, and cannot be created or used during an impersonation', async () => {
    const kit = await administrate(await testApp({ oneTimeToken: true, admin: true }))
    expect((await generate(kit.browser())).status).toBe(401)
    await kit.ada.browser.call('POST /admin/impersonate-user', { body: { userId: kit.uma.userId } })
    expect((await generate(kit.ada.browser)).body.code).toBe('NOT_ALLOWED_WHILE_IMPERSONATING_A_USER')
    await kit.ada.browser.call('POST /admin/stop-impersonating', {})
    const token = await tokenOf(kit.ada.browser)
    await kit.app.db.updateTable('session').set({ impersonatedBy: kit.uma.userId }).where('userId', '=', kit.ada.userId).execute()
    expect((await verify(kit.browser(), token)).body.code).toBe('SESSION_NOT_FOUND')
  })

  test('is in no row, and neither is the session token', async () => {
    const { ann, app } = await withAnn()
    const token = await tokenOf(ann)
    const session = (await ann.call('GET /get-session', {})).body.session.token
    const rows = JSON.stringify(await app.db.selectFrom('verification').selectAll().execute())
    expect([rows.includes(token), rows.includes(session), rows.length > 100]).toEqual([false, false, true])
  })

  test('with exposeToken: false returns no session token', async () => {
    const { ann, open } = await withAnn({ session: { exposeToken: false } })
    const { session } = (await verify(open(), await tokenOf(ann))).body
    expect(session.token).toBe(session.id)
  })
})

describe('oneTimeToken.disableClientRequest', () => {
  test('rejects browsers, and lets servers create tokens', async () => {
    const { ann, open, browser } = await withAnn({ bearer: true, oneTimeToken: { disableClientRequest: true } })
    expect((await generate(ann)).body).toEqual({ code: 'CLIENT_REQUESTS_ARE_DISABLED', message: 'Client requests are disabled' })
    const session = (await ann.call('GET /get-session', {})).body.session.token
    const authorization = `Bearer ${session}`
    for (const more of [{ origin: 'http://localhost:3000' }, { 'sec-fetch-site': 'none' }, { cookie: 'a=b' }])
      expect((await generate(browser(), { authorization, ...more })).status).toBe(400)
    const { body } = await generate(browser(), { authorization })
    expect((await verify(open(), body.token)).body.user.name).toBe('Ann')
  })
})

describe('oneTimeToken.generateToken', () => {
  test('makes the token', async () => {
    const seen: object[] = []
    const generateToken = (owner: object) => {
      seen.push(owner)
      return 'a token of our own, 1'
    }
    const { ann, open, userId } = await withAnn({ oneTimeToken: { generateToken } })
    expect(await tokenOf(ann)).toBe('a token of our own, 1')
    expect(seen).toMatchObject([{ user: { id: userId, name: 'Ann' }, sessionId: expect.any(String) }])
    expect((await verify(open(), 'a token of our own, 1')).status).toBe(200)
  })

  test.each(['', 'too short', 'x'.repeat(201), 7 as never])('fails when it returns %j', async (made) => {
    const { ann, log } = await withAnn({ oneTimeToken: { generateToken: () => made } })
    expect((await generate(ann)).body.code).toBe('INTERNAL_SERVER_ERROR')
    expect(log.join()).toContain('oneTimeToken.generateToken must return')
  })
})

test.each(places)('one of 64 concurrent uses of a token gets the session, at %s', async (place) => {
  const kit = await openRacers(place, { oneTimeToken: true })
  const { browser } = await signUp(kit, 'Ann')
  const token = await tokenOf(browser)
  expectOneWinner(await race(kit.browsers(), (other) => verify(other, token)), '400 INVALID_TOKEN')
})
