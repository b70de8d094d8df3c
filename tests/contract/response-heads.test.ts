/** The largest head of a response, which a proxy in front must accept: nginx responds with 502 to one above `proxy_buffer_size`. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { testApp } from '../kit/app.ts'
import type { Answer } from '../kit/browser.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }

/** Bytes as HTTP/1.1 sends them. */
const headOf = ({ headers }: Answer): number =>
  [...headers].reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(`${name}: ${value}\r\n`),
    Buffer.byteLength('HTTP/1.1 200 OK\r\n\r\n'),
  )

test('the head of a sign-in with the longest cached copy fits the buffer of the nginx that we ship', async () => {
  const conf = await readFile('deploy/nginx.conf', 'utf8')
  const size = Number(/proxy_buffer_size (\d+)k;/.exec(conf)?.[1]) * 1024
  const { browser } = await testApp({
    baseURL: 'https://accounts.example.com',
    session: { cookieCache: { enabled: true } },
    attempts: { enabled: true, deviceCookie: true },
    multiSession: true,
    bearer: true,
    jwt: true,
    advanced: { cookiePrefix: 'a-prefix.of-an-app', crossSubDomainCookies: { enabled: true, domain: 'example.com' } },
  })
  const visitor = browser()
  const origin = { origin: 'https://accounts.example.com' }
  await visitor.call('POST /sign-up/email', { body: { ...ann, image: 'i'.repeat(2000) } }, origin)
  const own = [...visitor.cookies].map(([name, value]) => `${name}=${value}`)
  const cached = own.find((cookie) => cookie.includes('session_data='))
  expect(cached?.length).toBeGreaterThan(3500)
  // Each cookie twice, as after a change of their domain: the copies with the former one are deleted.
  const headers = { ...origin, cookie: [...own, ...own].join('; ') }
  const signedIn = await visitor.call('POST /sign-in/email', { body: { email: ann.email, password: ann.password } }, headers)
  const read = await visitor.call('GET /get-session', {}, { ...origin, ...headers })
  const heads = [signedIn, read].map(headOf)
  expect([signedIn.status, read.status]).toEqual([200, 200])
  expect(Math.max(...heads)).toBeGreaterThan(4096)
  expect(Math.max(...heads)).toBeLessThan(size * 0.75)
})
