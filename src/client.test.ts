import { expect, expectTypeOf, test } from 'vitest'
import { testApp } from '../tests/kit/app.ts'
import { ClientError, createClient } from './client.ts'
import { createServer } from './http/server.ts'

async function client() {
  const { app } = await testApp()
  const server = createServer(app, { reasons: async () => [] })
  return createClient({
    baseURL: 'http://localhost:3000/api/auth',
    fetch: async (url, init) => server.request(String(url), init),
  })
}
const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

test('the client has the types of the declarations and returns the response', async () => {
  const call = await client()
  const { token, user } = await call('POST /sign-up/email', { body: ann })
  expectTypeOf(token).toEqualTypeOf<string | null>()
  expectTypeOf(user.createdAt).toEqualTypeOf<string>()
  expect([token?.length, user.email]).toEqual([32, 'ann@example.com'])
  expect(await call('GET /get-session', { query: { disableRefresh: 'true' } })).toBeNull()
})

test('an error response is thrown with its status, code and message', async () => {
  const call = await client()
  const refused = await call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } }).catch(
    (error: unknown) => error,
  )
  expect(refused).toBeInstanceOf(ClientError)
  expect(refused).toMatchObject({ status: 401, code: 'INVALID_EMAIL_OR_PASSWORD', message: 'Invalid email or password' })
})
