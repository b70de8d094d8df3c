/** Verification of ID tokens: given by apps, and from the token endpoint in the redirect flow. */
import { exportSPKI, importJWK, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import type { Browser } from '../../../tests/kit/browser.ts'
import { flow, respondWith, signingKey, standIn } from '../../../tests/kit/provider-stand-in.ts'
import { many, race, tally } from '../../../tests/kit/race.ts'

const clientSecret = 'a client secret of at least 32 characters'
const profile = { sub: '42', email: 'ann@example.com', email_verified: true, name: 'Ann' }

async function open(more: object = {}) {
  const google = await standIn()
  const clientId = 'our-client'
  const options = { clientId, clientSecret, jwksUri: `${google.origin}/keys`, tokenEndpoint: `${google.origin}/token` }
  const kit = await testApp({ socialProviders: { google: { ...options, ...more } } })
  const key = await signingKey(kit.clock.now)
  google.set({ 'GET /keys': key.jwks })
  const now = Math.floor(kit.clock.now().getTime() / 1000)
  const claims = { ...profile, iss: 'https://accounts.google.com', aud: clientId }
  return { ...kit, google, key, claims, now }
}
type Opened = Awaited<ReturnType<typeof open>>

const signIn = (browser: Browser, token: string, more: object = {}) =>
  browser.call('POST /sign-in/social', { body: { provider: 'google', idToken: { token, ...more } } })

const invalid = { status: 401, body: { code: 'INVALID_TOKEN', message: 'invalid token' } }

/** Keys are fetched again after ten minutes, and for an unknown key ID after half a minute, both by the real clock. */
function moveRealClock(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 })
  onTestFinished(() => void vi.useRealTimers())
}

const keyRequests = ({ google }: Opened) => google.requests.filter(({ url }) => url.pathname === '/keys').length

describe.each(['by an app', 'from the token endpoint'])('an ID token %s', (way) => {
  /** Whether it signs in. */
  async function isAccepted({ browser, google, log }: Opened, token: string): Promise<boolean> {
    const visitor = browser()
    if (way === 'by an app') {
      const { status, body } = await signIn(visitor, token)
      if (status !== 200) expect({ status, body }).toMatchObject(invalid)
    } else {
      google.set({ 'POST /token': { access_token: 'access-1', token_type: 'Bearer', id_token: token } })
      const { headers } = await flow(visitor, 'google')
      expect(headers.get('location')).toBe(
        visitor.cookies.has('latchkey.session_token')
          ? '/dashboard'
          : 'http://localhost:3000/api/auth/error?error=unable_to_get_user_info',
      )
    }
    expect(log.join()).not.toContain(token)
    return (await visitor.call('GET /get-session', {})).body !== null
  }

  test.each<[string, (opened: Opened) => object, boolean]>([
    ['is complete', () => ({}), true],
    ['has the other issuer of Google', () => ({ iss: 'accounts.google.com' }), true],
    ['has another issuer', () => ({ iss: 'https://accounts.google.com.evil.test' }), false],
    ['has no issuer', () => ({ iss: undefined }), false],
    ['has an empty issuer', () => ({ iss: '' }), false],
    ['is for another client', () => ({ aud: 'another-client' }), false],
    ['is for another client, authorized for ours', () => ({ aud: 'another-client', azp: 'our-client' }), false],
    ['has no audience', () => ({ aud: undefined }), false],
    ['is for several clients, and issued to ours', () => ({ aud: ['other', 'our-client'], azp: 'our-client' }), true],
    ['is for several clients, and issued to another', () => ({ aud: ['other', 'our-client'], azp: 'other' }), false],
    ['is for several clients, and issued to none', () => ({ aud: ['other', 'our-client'] }), false],
    ['is for a list of our client', () => ({ aud: ['our-client'] }), true],
    ['has just expired, within the tolerance', ({ now }) => ({ exp: now - 59 }), true],
    ['has expired', ({ now }) => ({ exp: now - 61 }), false],
    ['never expires', () => ({ exp: undefined }), false],
    ['expires at a text', () => ({ exp: 'never' }), false],
    ['is valid soon, within the tolerance', ({ now }) => ({ nbf: now + 59 }), true],
    ['is not valid yet', ({ now }) => ({ nbf: now + 61 }), false],
    ['was issued soon, within the tolerance', ({ now }) => ({ iat: now + 59 }), true],
    ['was issued in the future', ({ now }) => ({ iat: now + 61 }), false],
    ['is long, as for a member of 400 groups', () => ({ groups: 'x'.repeat(40_000) }), true],
    ['has no time of issue', () => ({ iat: undefined }), false],
    ['has no subject', () => ({ sub: undefined }), false],
    ['has an empty subject', () => ({ sub: '' }), false],
  ])('that %s', async (_, change, accepted) => {
    const opened = await open()
    expect(await isAccepted(opened, await opened.key.sign({ ...opened.claims, ...change(opened) }))).toBe(accepted)
  })

  test.each<[string, (opened: Opened) => Promise<string> | string]>([
    ['is not signed', ({ claims, now }) => new UnsecuredJWT({ ...claims, iat: now, exp: now + 60 }).encode()],
    [
      'is signed with the client secret',
      ({ claims, now }) =>
        new SignJWT({ ...claims, iat: now, exp: now + 60 })
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
          .sign(new TextEncoder().encode(clientSecret)),
    ],
    [
      'is signed with the public key as a secret',
      async ({ claims, now, key }) => {
        const publicKey = await importJWK({ ...key.jwks.keys[0] }, 'RS256', { extractable: true })
        const text = publicKey instanceof Uint8Array ? '' : await exportSPKI(publicKey)
        return new SignJWT({ ...claims, iat: now, exp: now + 60 })
          .setProtectedHeader({ alg: 'HS256', kid: 'key-1' })
          .sign(new TextEncoder().encode(text))
      },
    ],
    [
      'is signed with another key of this ID',
      async ({ claims, clock }) => (await signingKey(clock.now, { isOther: true })).sign(claims),
    ],
    [
      'has another algorithm than its key',
      async ({ claims, clock }) => (await signingKey(clock.now, { alg: 'ES256' })).sign(claims),
    ],
    ['was changed', async ({ claims, key }) => changeClaims(await key.sign(claims), { ...claims, sub: '43' })],
    ['has no signature', async ({ claims, key }) => `${(await key.sign(claims)).split('.').slice(0, 2).join('.')}.`],
    ['is encrypted', () => 'eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d'],
    ['is an access token (RFC 9068)', ({ claims, key }) => key.sign(claims, { typ: 'at+jwt' })],
    ['is a logout token', ({ claims, key }) => key.sign(claims, { typ: 'application/logout+JWT' })],
    ['is a logout token without a type', ({ claims, key }) => key.sign({ ...claims, events: {} })],
    ['is not a JWT', () => 'not-a-token'],
    ['is not text of this alphabet', () => 'é😀.\0.x'],
  ])('is rejected when it %s', async (_, make) => {
    const opened = await open()
    const token = await make(opened)
    expect(await isAccepted(opened, token)).toBe(false)
    expect(opened.counted).not.toContain('unexpected_error')
  })

  test.each(['PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'RS512'])('is accepted with the algorithm %s', async (alg) => {
    const opened = await open()
    const key = await signingKey(opened.clock.now, { alg })
    opened.google.set({ 'GET /keys': key.jwks })
    expect(await isAccepted(opened, await key.sign(opened.claims))).toBe(true)
  })

  test.each(['JWT', 'jwt', 'application/jwt'])('is accepted with the type %s', async (typ) => {
    const opened = await open()
    expect(await isAccepted(opened, await opened.key.sign(opened.claims, { typ }))).toBe(true)
  })

  test('is accepted without a key ID when there is one key', async () => {
    const opened = await open()
    expect(await isAccepted(opened, await opened.key.sign(opened.claims, { kid: undefined }))).toBe(true)
  })

  test('is accepted after the provider has rotated its keys, and a removed key is not', async () => {
    const opened = await open()
    expect(await isAccepted(opened, await opened.key.sign(opened.claims))).toBe(true)
    const rotated = await signingKey(opened.clock.now, { kid: 'key-2', isOther: true })
    opened.google.set({ 'GET /keys': rotated.jwks })
    moveRealClock(60)
    expect(await isAccepted(opened, await rotated.sign(opened.claims))).toBe(true)
    expect(keyRequests(opened)).toBe(2)
    expect(await isAccepted(opened, await opened.key.sign(opened.claims))).toBe(false)
  })

  test.each<[string, Parameters<typeof respondWith> | 'hangs up']>([
    ['responds with HTML', [200, '<html></html>', 'text/html']],
    ['responds with other JSON', [200, '{"keys":"none"}']],
    ['responds with keys that are not keys', [200, '{"keys":[{"kid":"key-1","kty":"RSA"}]}']],
    ['has no keys', [200, '{"keys":[]}']],
    ['fails', [503, '{}']],
    ['responds with 10 MiB', [200, `{"keys":["${'x'.repeat(10 * 1_048_576)}"]}`]],
    ['hangs up', 'hangs up'],
  ])('is rejected while the key server %s, and accepted afterwards', async (_, response) => {
    const opened = await open()
    const failing =
      response === 'hangs up'
        ? (_: unknown, { socket }: { socket: { destroy(): void } | null }) => void socket?.destroy()
        : respondWith(...response)
    opened.google.set({ 'GET /keys': failing })
    const token = await opened.key.sign(opened.claims)
    expect(await isAccepted(opened, token)).toBe(false)
    expect(opened.counted).not.toContain('unexpected_error')
    opened.google.set({ 'GET /keys': opened.key.jwks })
    moveRealClock(601)
    expect(await isAccepted(opened, token)).toBe(true)
  })
})

/** The same header and signature for other claims. */
function changeClaims(token: string, claims: object): string {
  const [header, , signature] = token.split('.')
  return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
}

test.each([
  [{ nonce: 'n-1' }, 'n-1', 200],
  [{ nonce: 'n-1' }, 'n-2', 401],
  [{}, 'n-1', 401],
  [{ nonce: 'n-1' }, undefined, 200],
])('compares the nonce of the token with the given one: %j and %j', async (claims, nonce, status) => {
  const { browser, key, claims: all } = await open()
  const response = await signIn(browser(), await key.sign({ ...all, ...claims }), nonce === undefined ? {} : { nonce })
  expect(response.status).toBe(status)
})

test('rejects a token when disableIdTokenSignIn is set', async () => {
  const { browser, key, claims } = await open({ disableIdTokenSignIn: true })
  expect(await signIn(browser(), await key.sign(claims))).toMatchObject(invalid)
})

test.each<[string, (token: string, nonce?: string) => unknown, number]>([
  ['returns true', (token, nonce) => token.startsWith('ey') && nonce === 'n-1', 200],
  ['returns false', () => false, 401],
  ['returns a truthy value', () => 'yes', 401],
  ['throws', () => Promise.reject(new Error('no')), 401],
])('uses verifyIdToken in place of the own verification: %s', async (_, verifyIdToken, status) => {
  const { browser, key, claims } = await open({ verifyIdToken })
  const token = await key.sign({ ...claims, aud: 'checked by the function' })
  expect((await signIn(browser(), token, { nonce: 'n-1' })).status).toBe(status)
})

test('fetches the keys once for concurrent sign-ins', async () => {
  const opened = await open()
  const token = await opened.key.sign(opened.claims)
  const browsers = Array.from({ length: many }, opened.browser)
  expect(tally(await race(browsers, (browser) => signIn(browser, token)))).toEqual({ 200: many })
  expect(keyRequests(opened)).toBe(1)
})

test('fetches the keys once more for many unknown key IDs', async () => {
  const opened = await open()
  expect((await signIn(opened.browser(), await opened.key.sign(opened.claims))).status).toBe(200)
  moveRealClock(60)
  const forged = await signingKey(opened.clock.now, { isOther: true })
  for (let count = 0; count < 20; count += 1)
    expect(await signIn(opened.browser(), await forged.sign(opened.claims, { kid: `unknown-${count}` }))).toMatchObject(invalid)
  expect(keyRequests(opened)).toBe(2)
})
