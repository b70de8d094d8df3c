import { createPublicKey, verify as verifySignature } from 'node:crypto'
import { describe, expect, inject, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { claimsOf, headerOf, tokenService } from '../../../tests/kit/token-verifier.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const origin = 'http://localhost:3000'

async function open(config: ConfigFile = {}, jwt: ConfigFile['jwt'] = true) {
  const kit = await testApp({ jwt, ...config })
  const browser = kit.browser()
  const { body } = await browser.call('POST /sign-up/email', { body: ann })
  const service = tokenService(kit.browser(), kit.clock.now)
  const fetchToken = async () => String((await browser.call('GET /token', {})).body.token)
  return { ...kit, visitor: browser, userId: String(body.user.id), service, fetchToken }
}

describe('GET /token', () => {
  test('returns a token with the fields of the user, signed by a published key', async () => {
    const { visitor, fetchToken, service, clock, userId } = await open()
    const token = await fetchToken()
    await service.fetchKeys()
    const { user } = (await visitor.call('GET /get-session', {})).body
    const iat = clock.now().getTime() / 1000
    expect(service.verify(token)).toEqual({ ...user, iat, iss: origin, aud: origin, exp: iat + 900, sub: userId })
    expect(Object.keys(headerOf(token)).sort()).toEqual(['alg', 'kid'])
    clock.advance(901)
    expect(() => service.verify(token)).toThrow('expired')
  })

  test('rejects a client without a session', async () => {
    const { browser } = await open()
    expect((await browser().call('GET /token', {})).status).toBe(401)
  })

  test('contains no hidden column of the user', async () => {
    const { fetchToken } = await open({
      admin: true,
      user: {
        additionalFields: { secretNote: { type: 'string', returned: false, required: false, defaultValue: 'hidden note' } },
      },
    })
    const token = await fetchToken()
    expect(JSON.stringify(claimsOf(token))).not.toMatch(/hidden note|accessRevision|sortName|token/i)
    expect(claimsOf(token).role).toBe('user')
  })

  /** The claims of a token that an administrator gets while they impersonate the user. */
  async function impersonated(jwt: ConfigFile['jwt'] = true) {
    const { browser, app, userId } = await open({ admin: true }, jwt)
    const root = browser()
    const { body } = await root.call('POST /sign-up/email', { body: { ...ann, email: 'root@example.com' } })
    await app.db.updateTable('user').set({ role: 'admin' }).where('id', '=', body.user.id).execute()
    await root.call('POST /admin/impersonate-user', { body: { userId } })
    const { token } = (await root.call('GET /token', {})).body
    return { claims: claimsOf(token), userId, administrator: body.user.id }
  }

  test('names the administrator who impersonates the user', async () => {
    const { claims, userId, administrator } = await impersonated()
    expect(claims).toMatchObject({ sub: userId, act: { sub: administrator } })
  })

  test.each([[{ sub: 'another' }], [null]])(
    'a payload function that returns act %j cannot hide an impersonation',
    async (act) => {
      const { claims, administrator } = await impersonated({ jwt: { definePayload: () => ({ plan: 'pro', act }) } })
      expect(claims).toMatchObject({ plan: 'pro', act: { sub: administrator } })
    },
  )
})

describe('the header set-auth-jwt of get-session', () => {
  test('is a token of the current user', async () => {
    const { visitor, service, userId } = await open()
    const { headers } = await visitor.call('GET /get-session', {})
    await service.fetchKeys()
    expect(service.verify(headers.get('set-auth-jwt') ?? '').sub).toBe(userId)
    expect(headers.get('access-control-expose-headers')).toBe('set-auth-jwt')
  })

  test('is exposed to trusted origins with the other headers', async () => {
    const { visitor } = await open({ trustedOrigins: ['https://app.example.com'] })
    const { headers } = await visitor.call('GET /get-session', {}, { origin: 'https://app.example.com' })
    expect(headers.get('access-control-expose-headers')).toMatch(/set-auth-token, set-auth-jwt/)
    expect(headers.get('set-auth-jwt')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test('is missing without a session, and with an expired one', async () => {
    const { visitor, browser, clock } = await open()
    expect((await browser().call('GET /get-session', {})).headers.has('set-auth-jwt')).toBe(false)
    clock.advance(604_801)
    const { headers, body } = await visitor.call('GET /get-session', {})
    expect([body, headers.has('set-auth-jwt')]).toEqual([null, false])
  })

  // Without Redis the rows are read.
  test.runIf(inject('servers') !== null)('is there when the cached copy of the session is returned, too', async () => {
    const { visitor, app, service } = await open({ session: { cookieCache: { enabled: true } } })
    await app.db.updateTable('user').set({ image: 'changed' }).execute()
    const { headers, body } = await visitor.call('GET /get-session', {})
    await service.fetchKeys()
    const claims = service.verify(headers.get('set-auth-jwt') ?? '')
    expect([body.user.image, claims.image, claims.email]).toEqual([null, null, ann.email])
  })

  test('is left out when it would be too long, and /token returns the token', async () => {
    const { visitor, fetchToken, app, service } = await open()
    await app.db
      .updateTable('user')
      .set({ image: 'x'.repeat(6000) })
      .execute()
    const { headers, status } = await visitor.call('GET /get-session', {})
    expect([status, headers.has('set-auth-jwt')]).toEqual([200, false])
    const token = await fetchToken()
    await service.fetchKeys()
    expect(service.verify(token).email).toBe(ann.email)
  })

  test('is left out when the payload cannot be made, and the session is returned', async () => {
    const jwt = { jwt: { definePayload: () => Promise.reject(new Error('no payload')) } }
    const { visitor, counted, log } = await open({}, jwt)
    const { headers, body } = await visitor.call('GET /get-session', {})
    expect([body.user.email, headers.has('set-auth-jwt')]).toEqual([ann.email, false])
    expect(counted).toContain('unexpected_error')
    expect(log.join()).toContain('Signing a token failed')
    expect((await visitor.call('GET /token', {})).status).toBe(500)
  })
})

describe('GET /jwks', () => {
  test('returns the public key with its algorithm and id, for verifiers to cache', async () => {
    const { browser, app } = await open()
    const { body, headers } = await browser().call('GET /jwks', {})
    const [row] = await app.db.selectFrom('jwks').selectAll().execute()
    expect(body).toEqual({
      keys: [{ kty: 'OKP', crv: 'Ed25519', x: expect.any(String), kid: row?.id, alg: 'EdDSA', use: 'sig' }],
    })
    expect(headers.get('cache-control')).toBe('public, max-age=300')
  })

  test('verifies a token without any JWT library', async () => {
    const { browser, fetchToken } = await open()
    const [header = '', payload = '', signature = ''] = (await fetchToken()).split('.')
    const { keys } = (await browser().call('GET /jwks', {})).body
    const key = createPublicKey({ key: keys[0], format: 'jwk' })
    const isValid = (text: string) => verifySignature(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'))
    expect([isValid(`${header}.${payload}`), isValid(`${header}.x${payload}`)]).toEqual([true, false])
  })

  test('is unknown when jwt is off', async () => {
    const { browser } = await testApp()
    expect((await browser().call('GET /jwks', {})).status).toBe(404)
    expect((await browser().call('GET /get-session', {})).headers.has('set-auth-jwt')).toBe(false)
  })
})

describe('options', () => {
  const algorithms = [
    ['EdDSA', {}],
    ['ES256', {}],
    ['ES512', {}],
    ['RS256', { modulusLength: 3072 }],
    ['PS256', {}],
  ] as const
  // Keys do not depend on the database, and RSA takes long.
  test.skipIf(inject('servers') !== null).each(algorithms)('sign with %s', async (alg, more) => {
    const { fetchToken, service, userId } = await open({}, { jwks: { keyPairConfig: { alg, ...more } } })
    const token = await fetchToken()
    await service.fetchKeys()
    expect([service.verify(token).sub, headerOf(token).alg]).toEqual([userId, alg])
  })

  test('set issuer, audience, payload and subject', async () => {
    const jwt = {
      jwt: {
        issuer: 'https://id.example.com',
        audience: ['billing', 'shop'],
        definePayload: ({ user, session }: { user: { email: string }; session: Readonly<Record<string, unknown>> }) => ({
          email: user.email,
          has: Object.keys(session),
          sub: 'ignored',
          exp: 1,
        }),
        getSubject: async ({ user }: { user: { id: string } }) => `user:${user.id}`,
      },
    }
    const { fetchToken, browser, clock, userId } = await open({}, jwt)
    const service = tokenService(browser(), clock.now, { issuer: 'https://id.example.com', audience: 'shop' })
    await service.fetchKeys()
    const { has, ...claims } = service.verify(await fetchToken())
    const iat = clock.now().getTime() / 1000
    const parties = { iss: 'https://id.example.com', aud: ['billing', 'shop'] }
    expect(claims).toEqual({ email: ann.email, ...parties, iat, exp: iat + 900, sub: `user:${userId}` })
    expect(has).toContain('expiresAt')
    expect(has).not.toContain('token')
  })

  test.each([
    [60, 60],
    ['2 hours', 7200],
    ['1d', 86_400],
    [new Date('2026-01-31T13:00:00Z'), 3600],
  ])('set the lifetime to %s', async (expirationTime, seconds) => {
    const { fetchToken } = await open({}, { jwt: { expirationTime } })
    const { iat, exp } = claimsOf(await fetchToken())
    expect(exp - iat).toBe(seconds)
  })

  test.each([
    [{ jwt: { expirationTime: '0m' } }, 'Expected a lifetime'],
    [{ jwt: { expirationTime: '15 parsecs' } }, 'Expected a lifetime'],
    // A time since 1970, as better-auth takes numbers.
    [{ jwt: { expirationTime: 1_800_000_000 } }, 'expirationTime'],
    [{ jwks: { keyPairConfig: { alg: 'ECDH-ES' as const } } }, 'jwt-algorithm'],
    [{ jwks: { keyPairConfig: { alg: 'EdDSA' as const, crv: 'Ed448' } } }, 'jwt-curve'],
    [{ jwks: { keyPairConfig: { alg: 'ES256' as const, crv: 'P-256' } } }, 'jwt-curve'],
    [{ jwks: { keyPairConfig: { alg: 'ES256' as const, modulusLength: 2048 } } }, 'jwt-modulus-length'],
  ])('reject %j', async (jwt, issue) => {
    await expect(testApp({ jwt })).rejects.toThrow(issue)
  })
})
