import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { ConfigFile } from '../features/index.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const https = 'https://accounts.example.com'

test.each<[name: string, config: ConfigFile, cookie: RegExp]>([
  [
    'default',
    { baseURL: https },
    /^__Secure-latchkey\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
  [
    '__Host-',
    { baseURL: https, advanced: { cookiePrefix: '__Host-latchkey' } },
    /^__Host-latchkey\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
  [
    '__Secure-',
    { baseURL: https, advanced: { cookiePrefix: '__Secure-latchkey' } },
    /^__Secure-latchkey\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
  [
    '__Host- for one cookie',
    { baseURL: https, advanced: { cookies: { session_token: { name: '__Host-sid' } } } },
    /^__Host-sid=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  ],
  [
    '__Host- in development without TLS',
    { advanced: { cookiePrefix: '__Host-latchkey' } },
    /^latchkey\.session_token=[^;]+; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
  ],
])('the prefix of the session cookie: %s', async (_, config, cookie) => {
  const { browser } = await testApp(config)
  const visitor = browser()
  const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(ann) }
  const { setCookie } = await visitor.request('/sign-up/email', sent)
  expect(setCookie).toEqual([expect.stringMatching(cookie)])
  const headers = { origin: config.baseURL ?? 'http://localhost:3000' }
  expect((await visitor.request('/get-session', { headers })).body.user.email).toBe(ann.email)
  const { setCookie: cleared } = await visitor.request('/sign-out', { method: 'POST', headers })
  expect(cleared[0]).toMatch(/^[\w.-]+(?:session_token|sid)=; Max-Age=0; Path=\//)
})
