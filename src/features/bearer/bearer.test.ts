/** Session tokens in the header `Authorization`, and `set-auth-token` in responses (contract 00 §5). */
import { describe, expect, test } from 'vitest'
import { withAdmin } from '../../../tests/kit/administration.ts'
import { baseURL, testApp } from '../../../tests/kit/app.ts'
import type { Answer, Browser } from '../../../tests/kit/browser.ts'
import { password } from '../../../tests/kit/members.ts'
import { startFlow } from '../../../tests/kit/provider-stand-in.ts'
import { ann as person, socialApp, target } from '../../../tests/kit/social.ts'
import type { ConfigFile } from '../index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const signedOf = ({ headers }: Answer): string => headers.get('set-auth-token') ?? ''
const nameIn = ({ body }: Answer): string | null => body?.user?.name ?? null

/** A client that stores no cookies. */
async function withAnn(config: ConfigFile = {}) {
  const kit = await testApp({ bearer: true, ...config })
  const send: Browser['call'] = (...given) => kit.browser().call(...given)
  const entered = await send('POST /sign-up/email', { body: ann })
  const raw = String(entered.body.token)
  return { ...kit, send, entered, raw, signed: signedOf(entered) }
}

describe('a request with a token', () => {
  test.each([
    ['raw', ({ raw }: Sent) => `Bearer ${raw}`],
    ['signed, as the response has it', ({ signed }: Sent) => `Bearer ${signed}`],
    ['signed and URL-decoded', ({ signed }: Sent) => `Bearer ${decodeURIComponent(signed)}`],
    ['with the scheme in another case', ({ raw }: Sent) => `bEARER ${raw}`],
    ['with more spaces', ({ raw }: Sent) => `Bearer   ${raw}  `],
  ])('%s is one of the session', async (_, headerOf) => {
    const kit = await withAnn()
    const answer = await kit.send('GET /get-session', {}, { authorization: headerOf(kit) })
    expect([nameIn(answer), answer.setCookie]).toEqual(['Ann', []])
    expect((await kit.send('GET /list-sessions', {}, { authorization: headerOf(kit) })).body).toMatchObject([{ token: kit.raw }])
  })
  type Sent = Awaited<ReturnType<typeof withAnn>>

  test('whose signature is not ours is anonymous, and no cookie changes', async () => {
    const { send, signed, raw } = await withAnn()
    const forged = `${raw}.${Buffer.alloc(32).toString('base64')}`
    for (const token of [forged, encodeURIComponent(forged), `${signed}.x`, 'a.b.c', `.${raw}`]) {
      const answer = await send('GET /get-session', {}, bearer(token))
      expect([answer.body, answer.setCookie, answer.headers.get('set-auth-token')]).toEqual([null, [], null])
      expect((await send('GET /list-sessions', {}, bearer(token))).status).toBe(401)
    }
  })

  test('that is unknown is one of a session that ended: all three cookies are cleared', async () => {
    const { send, app } = await withAnn()
    const { id } = await app.db.selectFrom('session').select('id').executeTakeFirstOrThrow()
    for (const token of ['unknown', id]) {
      const answer = await send('GET /get-session', {}, bearer(token))
      expect(answer.body).toBeNull()
      expect(answer.setCookie.map((header) => header.split(';', 2).join())).toEqual([
        'latchkey.session_token=, Max-Age=0',
        'latchkey.session_data=, Max-Age=0',
        'latchkey.dont_remember=, Max-Age=0',
      ])
      expect(answer.headers.get('set-auth-token')).toBeNull()
    }
  })

  test('is anonymous with another scheme, without a token, and with one that is too long', async () => {
    const { send, raw } = await withAnn()
    for (const authorization of [`Basic ${raw}`, raw, 'Bearer', 'Bearer ', `Bearer ${raw} ${raw}`, `Bearer ${'x'.repeat(501)}`]) {
      const answer = await send('GET /get-session', {}, { authorization })
      expect([answer.body, answer.setCookie]).toEqual([null, []])
    }
  })

  test.each([
    ['valid', ({ raw }: Sent) => raw],
    ['signed', ({ signed }: Sent) => signed],
    ['unknown', () => 'unknown'],
    ['ignored', () => 'a.b.c'],
  ])('that is %s gives way to a signed session cookie', async (_, tokenOf) => {
    const kit = await withAnn()
    const bob = kit.browser()
    await bob.call('POST /sign-up/email', { body: { ...ann, name: 'Bob', email: 'bob@example.com' } })
    const answer = await bob.call('GET /get-session', {}, bearer(tokenOf(kit)))
    expect([nameIn(answer), answer.setCookie]).toEqual(['Bob', []])
  })

  test('counts next to a session cookie whose signature is not ours', async () => {
    const { send, raw } = await withAnn()
    const cookie = `latchkey.session_token=${raw}.${encodeURIComponent(Buffer.alloc(32).toString('base64'))}`
    expect(nameIn(await send('GET /get-session', {}, { ...bearer(raw), cookie }))).toBe('Ann')
  })

  test('must be signed with requireSignature', async () => {
    const { send, raw, signed } = await withAnn({ bearer: { requireSignature: true } })
    const answer = await send('GET /get-session', {}, bearer(raw))
    expect([answer.body, answer.setCookie]).toEqual([null, []])
    expect(nameIn(await send('GET /get-session', {}, bearer(signed)))).toBe('Ann')
  })

  test('is ignored while the feature is off, and responses have no token in a header', async () => {
    const { send, raw, entered } = await withAnn({ bearer: false })
    expect((await send('GET /get-session', {}, bearer(raw))).body).toBeNull()
    expect(entered.headers.get('set-auth-token')).toBeNull()
  })

  test('changes data without an origin, and not from an untrusted one', async () => {
    const { send, raw } = await withAnn()
    const rename = (headers: object) => send('POST /update-user', { body: { name: 'Anna' } }, { ...bearer(raw), ...headers })
    expect((await rename({})).status).toBe(200)
    expect((await rename({ origin: 'https://evil.example' })).body.code).toBe('INVALID_ORIGIN')
    expect((await rename({ 'sec-fetch-site': 'cross-site' })).body.code).toBe('INVALID_ORIGIN')
  })

  test('works with each call that changes sessions', async () => {
    const { send, raw, app } = await withAnn({
      organization: true,
      session: { additionalFields: { theme: { type: 'string', required: false } } },
    })
    const updated = await send('POST /update-session', { body: { theme: 'dark' } }, bearer(raw))
    expect(updated.body.session).toMatchObject({ theme: 'dark', token: raw })
    const created = await send('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } }, bearer(raw))
    const set = { organizationId: created.body.id }
    expect((await send('POST /organization/set-active', { body: set }, bearer(raw))).status).toBe(200)
    const other = await send('POST /sign-in/email', { body: { email: ann.email, password } })
    expect((await send('POST /revoke-session', { body: { token: other.body.token } }, bearer(raw))).status).toBe(200)
    expect((await send('GET /get-session', {}, bearer(other.body.token))).body).toBeNull()
    expect((await send('POST /sign-out', {}, bearer(raw))).body).toEqual({ success: true })
    expect(await app.db.selectFrom('session').selectAll().execute()).toEqual([])
    expect((await send('POST /sign-out', {}, bearer('a.b.c'))).body.code).toBe('FAILED_TO_GET_SESSION')
  })

  test('that signs in again ends the session that it presents', async () => {
    const { send, raw } = await withAnn()
    const again = await send('POST /sign-in/email', { body: { email: ann.email, password } }, bearer(raw))
    expect((await send('GET /get-session', {}, bearer(raw))).body).toBeNull()
    expect(nameIn(await send('GET /get-session', {}, bearer(again.body.token)))).toBe('Ann')
  })
})

describe('the header set-auth-token', () => {
  test('is the value of the session cookie, as encoded there', async () => {
    const { entered, signed } = await withAnn()
    const cookie = entered.setCookie.find((header) => header.startsWith('latchkey.session_token='))
    expect(signed).toMatch(/^\w{32}\.[\w%]+%3D$/)
    expect(cookie?.split(/[=;]/)[1]).toBe(signed)
    expect(entered.headers.get('access-control-expose-headers')).toBe('set-auth-token')
  })

  test('can be read by scripts of trusted origins, once', async () => {
    const { send } = await withAnn({ trustedOrigins: ['https://app.example.com'] })
    const body = { email: ann.email, password }
    const answer = await send('POST /sign-in/email', { body }, { origin: 'https://app.example.com' })
    expect(signedOf(answer)).not.toBe('')
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ') ?? []
    expect(exposed.filter((name) => name === 'set-auth-token')).toHaveLength(1)
    expect(exposed).toContain('x-retry-after')
  })

  test('is absent when the cookie is cleared or stays as it is', async () => {
    const { send, raw } = await withAnn()
    for (const answer of [
      await send('GET /get-session', {}, bearer(raw)),
      await send('POST /sign-out', {}, bearer(raw)),
      await send('GET /get-session', {}, bearer(raw)),
    ])
      expect(answer.headers.get('set-auth-token')).toBeNull()
  })

  test('comes with each renewal, of any call', async () => {
    const { send, raw, clock } = await withAnn()
    clock.advance(86_400)
    const renewed = await send('GET /list-sessions', {}, bearer(raw))
    expect(decodeURIComponent(signedOf(renewed)).startsWith(`${raw}.`)).toBe(true)
    expect(nameIn(await send('GET /get-session', {}, bearer(signedOf(renewed))))).toBe('Ann')
  })

  test('comes with an error that sets the cookie', async () => {
    const { send, raw, clock } = await withAnn()
    clock.advance(86_400)
    const failed = await send('POST /revoke-session', { body: { token: 'unknown' } }, bearer(raw))
    expect([failed.status, signedOf(failed).split('.')[0]]).toEqual([400, raw])
  })

  test('comes with a redirect that signs in', async () => {
    const kit = await socialApp({ bearer: true })
    const browser = kit.browser()
    const url = await startFlow(browser, 'google', { body: { callbackURL: '/in' } })
    const query = new URLSearchParams({ code: kit.codeFor(person), state: url.searchParams.get('state') ?? '' })
    const answer = await browser.request(`/callback/google?${query}`)
    expect([answer.status, target(answer)]).toEqual([302, '/in'])
    expect(nameIn(await kit.browser().call('GET /get-session', {}, bearer(signedOf(answer))))).toBe(person.name)
  })

  test('of a session that ends with the browser is never renewed', async () => {
    const { send, clock } = await withAnn()
    const answer = await send('POST /sign-in/email', { body: { email: ann.email, password, rememberMe: false } })
    clock.advance(80_000)
    const later = await send('GET /get-session', {}, bearer(signedOf(answer)))
    expect([nameIn(later), later.setCookie]).toEqual(['Ann', []])
    clock.advance(6400)
    expect((await send('GET /get-session', {}, bearer(signedOf(answer)))).body).toBeNull()
  })

  test('with exposeToken: false is sent to clients that are not browsers only', async () => {
    const { send, entered } = await withAnn({ session: { exposeToken: false } })
    expect(entered.body.token).not.toBe(signedOf(entered).split('.')[0])
    expect(nameIn(await send('GET /get-session', {}, bearer(signedOf(entered))))).toBe('Ann')
    const body = { email: ann.email, password }
    for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { origin: baseURL }, { cookie: 'a=b', origin: baseURL }]) {
      const answer = await send('POST /sign-in/email', { body }, headers)
      expect([answer.status, answer.headers.get('set-auth-token')]).toEqual([200, null])
    }
  })

  test('with a cookie cache, the cookie has a copy of the session of the token', async () => {
    const { browser, raw } = await withAnn({ session: { cookieCache: { enabled: true } } })
    const client = browser()
    expect(nameIn(await client.call('GET /get-session', {}, bearer(raw)))).toBe('Ann')
    expect([...client.cookies.keys()]).toEqual(['latchkey.session_data'])
    expect((await client.call('GET /get-session', {})).body).toBeNull()
    expect(nameIn(await client.call('GET /get-session', {}, bearer(raw)))).toBe('Ann')
    client.cookies.set('latchkey.session_data', Buffer.from('{"session":{}}').toString('base64url'))
    const forged = await client.call('GET /get-session', {}, bearer(raw))
    expect([forged.body, [...client.cookies.keys()]]).toEqual([null, []])
  })
})

test('impersonating with a token gives one of the impersonation; its own one stays, and signing out ends the impersonation only', async () => {
  const kit = await withAdmin({}, { bearer: true })
  const send: Browser['call'] = (...given) => kit.browser().call(...given)
  const own = (await send('POST /sign-in/email', { body: { email: kit.ada.email, password } })).body.token
  const started = await send('POST /admin/impersonate-user', { body: { userId: kit.uma.userId } }, bearer(own))
  const token = signedOf(started)
  expect(nameIn(await send('GET /get-session', {}, bearer(token)))).toBe('Uma')
  expect(nameIn(await send('GET /get-session', {}, bearer(own)))).toBe('Ada')
  // The session to return to is in a cookie, which this client does not have.
  expect((await send('POST /admin/stop-impersonating', {}, bearer(token))).body.code).toBe('FAILED_TO_FIND_ADMIN_SESSION')
  expect((await send('POST /sign-out', {}, bearer(token))).status).toBe(200)
  expect((await send('GET /get-session', {}, bearer(token))).body).toBeNull()
  expect(nameIn(await send('GET /get-session', {}, bearer(own)))).toBe('Ada')
})
