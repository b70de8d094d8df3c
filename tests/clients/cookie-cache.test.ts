/** The published functions with which a server reads the cached session from the cookies of a request, without a call. */
import { getCookieCache } from 'better-auth/cookies'
import { getCookieCache as getNewestCookieCache } from 'better-auth-newest/cookies'
import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../kit/app.ts'

const ann = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
const secret = 'a secret of the tests, 0123456789 abcdefghij'

test.each([
  ['1.2.12', getCookieCache],
  ['the newest version', getNewestCookieCache],
])('getCookieCache of %s reads the signed copy of the session', async (_, read) => {
  const { app, browser, clock } = await testApp({ secret, session: { cookieCache: { enabled: true } } })
  vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
  onTestFinished(() => void vi.useRealTimers())
  const visitor = browser()
  await visitor.call('POST /sign-up/email', { body: ann })
  const headers = new Headers({ cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const options = { cookiePrefix: app.config.advanced.cookiePrefix, isSecure: false, secret }
  const cached = await read(headers, options)
  const shown = (await visitor.call('GET /get-session', {})).body
  expect(cached).toMatchObject({ session: { id: shown.session.id }, user: { email: ann.email } })
  expect(await read(headers, { ...options, secret: 'another secret of the tests, 0123456789' })).toBeNull()
})
