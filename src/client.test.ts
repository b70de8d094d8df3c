import { expect, expectTypeOf, test } from 'vitest'
import { testApp } from '../tests/kit/app.ts'
import { ClientError, createClient, type Output } from './client.ts'
import type { Api, ConfigFile } from './features/index.ts'
import { createServer } from './http/server.ts'

async function client(config: ConfigFile = {}) {
  const { app } = await testApp(config)
  const server = createServer(app, { reasons: async () => [] })
  return createClient({
    baseURL: 'http://localhost:3000/api/auth',
    fetch: async (url, init) => server.request(String(url), init),
  })
}
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('the client has the types of the declarations and returns the response', async () => {
  const call = await client()
  const signedUp = await call('POST /sign-up/email', { body: ann })
  if (!('user' in signedUp)) throw new Error('The sign-up waits for terms')
  const { token, user } = signedUp
  expectTypeOf(token).toEqualTypeOf<string | null>()
  expectTypeOf(user.createdAt).toEqualTypeOf<string>()
  expect([token?.length, user.email]).toEqual([32, 'ann@example.com'])
  expect(await call('GET /get-session', { query: { disableRefresh: 'true' } })).toBeNull()
})

test('a call that signs in may respond with the challenge of a feature', () => {
  type Challenge = { readonly codeRequired: true }
  type TokenOf<T> = T extends { readonly token: infer Token } ? Token : never
  type SignIn = Output<Api['POST /sign-in/email'], Challenge>
  expectTypeOf<Extract<SignIn, Challenge>>().toEqualTypeOf<Challenge>()
  expectTypeOf<TokenOf<SignIn>>().toEqualTypeOf<string>()
  expectTypeOf<Extract<Output<Api['POST /sign-out'], Challenge>, Challenge>>().toEqualTypeOf<never>()
})

test('an error response is thrown with its status, code and message', async () => {
  const call = await client()
  const refused = await call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } }).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(ClientError)
  expect(refused).toMatchObject({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
  expect(refused).toMatchObject({ requestId: expect.stringMatching(/^[\w-]{20}$/), retryAfter: undefined })
})

test('a list in the query is sent as one parameter per value', async () => {
  const sent: string[] = []
  const call = createClient({
    baseURL: 'http://localhost:3000/api/auth',
    fetch: async (url) => {
      sent.push(String(url))
      return Response.json({ members: [], total: 0, hasMore: false, next: null })
    },
  })
  await call('GET /organization/list-members', { query: { filterValue: ['a', 'b'], search: undefined } })
  expect(sent).toEqual(['http://localhost:3000/api/auth/organization/list-members?filterValue=a&filterValue=b'])
})

test('an error response says when the call may be repeated', async () => {
  const call = await client({ rateLimit: { enabled: true, max: 1, window: 30 } })
  const ok = () => call('GET /ok', {}).catch((error: unknown) => error)
  expect(await ok()).toEqual({ ok: true })
  expect(await ok()).toMatchObject({ status: 429, retryAfter: 30 })
})

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'x-retry-after': '5', 'retry-after': '7' }, 5],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, undefined],
  [{}, undefined],
])('the headers %j mean a wait of %s', async (headers, retryAfter) => {
  const fetch = async () => new Response('Unavailable', { status: 503, headers: { ...headers } })
  const call = createClient({ baseURL: 'http://localhost:3000/api/auth', fetch })
  const error = await call('GET /ok', {}).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ status: 503, code: 'UNKNOWN', retryAfter, requestId: undefined })
})

test('a call can be aborted', async () => {
  const fetch = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  const call = createClient({ baseURL: 'http://localhost:3000/api/auth', fetch })
  const controller = new AbortController()
  const running = call('GET /ok', {}, { signal: controller.signal })
  controller.abort(new Error('left the page'))
  await expect(running).rejects.toThrow('left the page')
})
