/** The test vectors of contract 00 §13, through the product. */
import { describe, expect, test } from 'vitest'
import { signCookie } from '../../src/lib/cookie.ts'
import { createKeyring } from '../../src/lib/keyring.ts'
import { decodeSessionData, encodeSessionData } from '../../src/lib/session-data.ts'
import { testApp } from '../kit/app.ts'

type Case = readonly [trustedOrigins: readonly string[], url: string, isTrusted: boolean]

const app = 'https://app.example.com'
const cases: readonly Case[] = [
  [['*.example.com'], app, true],
  [['*.example.com'], `${app}/x?y`, true],
  [['*.example.com'], 'http://a.b.example.com', true],
  [['*.example.com'], 'https://example.com', false],
  [['*.example.com'], `${app}:8080/x`, false],
  [['*.example.com'], 'https://evil.com#.example.com', false],
  [['*.example.com'], `${app}.evil.com`, false],
  [['*.example.com:8080'], `${app}:8080/x`, true],
  // Ours: a pattern with a protocol is compared with the whole origin.
  [['https://*.example.com'], `${app}/x`, true],
  [['https://*.example.com'], 'http://app.example.com', false],
  [[app], `${app}/x?y`, true],
  [[app], `${app}:8080`, false],
  // Ours: origins are compared without a trailing slash.
  [[`${app}/`], `${app}/x`, true],
  [['myapp://'], 'myapp://foo/bar', true],
  [['*.example.com', app, 'myapp://'], 'javascript:alert(1)', false],
  ...['/a', '/a?b=c&d=%20', '/a/../b', ''].map((url): Case => [[], url, true]),
  ...['/a#x', '/a:b', '/é', '//e', '/\\e', '/%2fe', '/%5Ce', '/a b', '/a?u=http://x.y', 'dash'].map(
    (url): Case => [[], url, false],
  ),
]

const credentials = { email: 'ann@example.com', password: 'correct horse battery' }

describe('a callbackURL', () => {
  test.each(cases)('with trustedOrigins %j: %j is trusted: %j', async (trustedOrigins, callbackURL, isTrusted) => {
    const { browser } = await testApp({ trustedOrigins: [...trustedOrigins] })
    const answer = await browser().call('POST /sign-in/email', { body: { ...credentials, callbackURL } })
    expect([answer.status, answer.body.code]).toEqual(
      isTrusted ? [401, 'INVALID_EMAIL_OR_PASSWORD'] : [403, 'INVALID_CALLBACKURL'],
    )
  })
})

// Ours: an origin without a scheme is not a value of the list, because no page has it. A function may return it, and trusts nothing by it.
test.each(['https://example.com', 'http://example.com', 'example.com', app])(
  'with "example.com" as a trusted origin: %j is not trusted',
  async (callbackURL) => {
    await expect(testApp({ trustedOrigins: ['example.com'] })).rejects.toThrow('trusted-origin-form')
    const { browser } = await testApp({ trustedOrigins: () => ['example.com'] })
    const answer = await browser().call('POST /sign-in/email', { body: { ...credentials, callbackURL } })
    expect([answer.status, answer.body.code]).toEqual([403, 'INVALID_CALLBACKURL'])
  },
)

describe('the sender of a call with cookies', () => {
  test.each([
    [{ origin: 'null' }, 403],
    [{ origin: 'http://localhost:3000' }, 401],
    [{ origin: 'http://localhost:3000/' }, 401],
    [{ origin: 'http://LOCALHOST:3000' }, 401],
    [{ referer: 'http://evil.com/p' }, 403],
    [{}, 401],
  ])('%j: %i', async (headers, status) => {
    const { browser } = await testApp()
    const sent = { 'content-type': 'application/json', cookie: 'a=b', ...headers }
    const answer = await browser().request('/sign-in/email', { method: 'POST', headers: sent, body: JSON.stringify(credentials) })
    expect(answer.status).toBe(status)
  })
})

describe('with the secret test-secret-1', () => {
  const keyring = createKeyring(['test-secret-1'])

  test('signs a cookie', () => {
    const value = 'abcDEF0123456789abcDEF0123456789'
    expect(signCookie(value, keyring)).toBe(`${value}.UMNnlSdubQ9icbluuuVFtOoRs1kepnS59ptE9MGo%2FKQ%3D`)
  })

  test('signs and reads session_data', () => {
    const session = { id: 's1', token: 't1', expiresAt: '2030-01-01T00:00:00.000Z' }
    const data = { session, user: { id: 'u1', email: 'a@b.co' } }
    const value = encodeSessionData(data, 1_893_456_000_000, keyring)
    expect(JSON.parse(Buffer.from(value, 'base64url').toString())).toEqual({
      session: data,
      expiresAt: 1_893_456_000_000,
      signature: 'BVwV0B-2bDWyInH16Cb5pGbihKqAHHa6twMdSoShuFY',
    })
    expect(decodeSessionData(value, keyring)).toMatchObject({ state: 'valid', data })
  })
})

test('verifies a password of the reference', async () => {
  const kit = await testApp()
  const visitor = kit.browser()
  const ann = { name: 'Ann', email: 'ann@example.com', password: 'another horse battery' }
  await visitor.call('POST /sign-up/email', { body: ann })
  const password =
    '00112233445566778899aabbccddeeff:752487a9705449a0ea89a9896b272c8b165de88ba8fb2f1aefce908b9187a65024435b92fc8deac3a5316dfebab68a262104481f8f67364c36d49caac6f6eff2'
  await kit.app.db.updateTable('account').set({ password }).execute()
  const signIn = async (given: string) =>
    (await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: given } })).status
  expect(await signIn('pässWord2')).toBe(401)
  expect(await signIn('pässWord1')).toBe(200)
})
