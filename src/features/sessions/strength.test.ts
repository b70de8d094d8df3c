/** How a session says how its user was authenticated, and how long it counts as authenticated with two factors. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { signUp } from '../../../tests/kit/members.ts'
import { verify, withAnn } from '../../../tests/kit/second-factor.ts'
import { recordStatements } from '../../../tests/kit/statements.ts'
import type { ConfigFile } from '../index.ts'

const two = 'urn:latchkey:acr:2'
const one = 'urn:latchkey:acr:1'

const read = async (browser: Browser, query: object = {}) => (await browser.call('GET /get-session', { query })).body.session
const acrOf = async (browser: Browser) => (await read(browser)).acr

const exposing = (session: NonNullable<ConfigFile['session']> = {}) =>
  withAnn({ session: { exposeAuthentication: true, ...session } })

describe('session.exposeAuthentication', () => {
  test('is off: the session has the members of better-auth only', async () => {
    const { ann } = await withAnn()
    expect(Object.keys(await read(ann))).not.toEqual(expect.arrayContaining(['acr']))
    expect(await read(ann)).not.toHaveProperty('amr')
    expect(await read(ann)).not.toHaveProperty('authenticatedAt')
  })

  test.each([false, true])('says how and when the user was authenticated, with cached copies: %s', async (enabled) => {
    const kit = await exposing({ cookieCache: { enabled } })
    const { ann, app } = kit
    const proven = await read(ann)
    expect(proven).toMatchObject({ acr: two, amr: expect.arrayContaining(['pwd', 'otp', 'mfa']) })
    expect(await read(ann)).toEqual(proven)
    expect(new Date(proven.authenticatedAt).getTime()).toBe(app.now().getTime() - 30_000)
    const { browser: bob } = await signUp(kit, 'Bob')
    expect(await read(bob)).toMatchObject({ acr: one, amr: ['pwd'], authenticatedAt: app.now().toISOString() })
  })

  test('is in no other response, and not of an API key', async () => {
    const kit = await testApp({ session: { exposeAuthentication: true }, apiKey: true })
    const { browser } = await signUp(kit, 'Ann')
    expect((await browser.call('GET /list-sessions', {})).body[0]).not.toHaveProperty('acr')
    const { body } = await browser.call('POST /api-key/create', { body: {} })
    const byKey = await kit.browser().call('GET /get-session', {}, { 'x-api-key': body.key })
    expect(byKey.body.session).toMatchObject({ acr: one, amr: [], authenticatedAt: null })
  })
})

describe('session.strong', () => {
  test('is off: a session stays as strong as its proof', async () => {
    const { ann, clock } = await exposing()
    clock.advance(6 * 86_400)
    expect(await acrOf(ann)).toBe(two)
  })

  test.each([false, true])('maxAge: the user stays signed in with one factor, with cached copies: %s', async (enabled) => {
    const { ann, clock, code } = await exposing({ strong: { maxAge: 3600 }, cookieCache: { enabled, maxAge: 1800 } })
    clock.advance(3569)
    expect(await acrOf(ann)).toBe(two)
    clock.advance(1)
    expect(await acrOf(ann)).toBe(one)
    expect((await ann.call('GET /two-factor/status', {})).body.session.acr).toBe(one)
    // The password does not count as a second factor.
    expect((await ann.call('POST /verify-password', { body: { password: 'correct horse battery' } })).status).toBe(200)
    expect(await acrOf(ann)).toBe(one)
    expect((await verify(ann, code())).status).toBe(200)
    expect(await acrOf(ann)).toBe(two)
  })

  test.each([false, true])('idle: a session that is used stays strong, with cached copies: %s', async (enabled) => {
    const { ann, clock } = await exposing({ strong: { idle: 600 }, cookieCache: { enabled, maxAge: 3600 } })
    for (let at = 0; at < 10; at++) {
      clock.advance(250)
      expect(await acrOf(ann)).toBe(two)
    }
    clock.advance(601)
    expect(await acrOf(ann)).toBe(one)
    // It stays weak, however often it is used then.
    clock.advance(10)
    expect(await acrOf(ann)).toBe(one)
  })

  test('a use is written once a minute, and only for strong sessions with a limit', async () => {
    const kit = await exposing({ strong: { idle: 3600 } })
    const { ann, clock } = kit
    const { browser: bob } = await signUp(kit, 'Bob')
    const recorder = recordStatements(kit)
    const writes = async (browser: Browser) => {
      const { statements } = await recorder.record(() => read(browser))
      return statements.filter((statement) => statement.startsWith('update')).length
    }
    clock.advance(60)
    expect([await writes(ann), await writes(ann), await writes(bob)]).toEqual([1, 0, 0])
    clock.advance(59)
    expect(await writes(ann)).toBe(0)
    clock.advance(1)
    expect(await writes(ann)).toBe(1)
  })
})
