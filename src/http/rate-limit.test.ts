import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import { listLimitedCalls, rateLimitKey } from './rate-limit.ts'

const customRules = {
  '/get-session': false as const,
  '/list-*': { window: 60, max: 7 },
  '/ok': () => ({ window: 1, max: 1 }),
}

test('lists each call with its rule, and unknown paths together', async () => {
  const { app } = await testApp({ rateLimit: { enabled: true, window: 20, max: 50, customRules } })
  const all = listLimitedCalls(app, null)
  const find = (method: string | null, pattern: string | null) =>
    all.filter((call) => call.method === method && call.pattern === pattern)
  expect(find('GET', '/get-session')).toEqual([expect.objectContaining({ source: 'customRules', rule: false })])
  expect(find('GET', '/list-sessions')).toEqual([
    expect.objectContaining({ source: 'customRules', rule: { window: 60, max: 7 } }),
  ])
  expect(find('GET', '/ok')).toEqual([expect.objectContaining({ source: 'customRules', rule: expect.any(Function) })])
  expect(find('POST', '/sign-in/email')).toEqual([expect.objectContaining({ source: 'guessing', rule: { window: 10, max: 3 } })])
  expect(find('POST', '/request-password-reset')).toEqual([
    expect.objectContaining({ source: 'call', rule: { window: 60, max: 3 } }),
  ])
  expect(find('POST', '/sign-out')).toEqual([expect.objectContaining({ source: 'default', rule: { window: 20, max: 50 } })])
  expect(find(null, null)).toHaveLength(1)
  expect(new Set(all.map(({ method, pattern }) => `${method} ${pattern}`)).size).toBe(all.length)
})

test('lists the calls of one path, also of a path with parameters', async () => {
  const { app } = await testApp({ rateLimit: { enabled: true }, disabledPaths: ['/sign-out'] })
  expect(listLimitedCalls(app, '/reset-password/abc')).toMatchObject([{ method: 'GET', pattern: '/reset-password/:token' }])
  expect(listLimitedCalls(app, '/nowhere')).toMatchObject([{ method: null, pattern: null, source: 'default' }])
  expect(listLimitedCalls(app, '/sign-in/nowhere')).toMatchObject([{ method: null, pattern: null, source: 'guessing' }])
  expect(listLimitedCalls(app, '/sign-out')).toEqual([])
  expect(listLimitedCalls(app, null).some(({ pattern }) => pattern === '/sign-out')).toBe(false)
})

test('lists the keys under which calls are counted', async () => {
  const { app, browser } = await testApp({ rateLimit: { enabled: true } })
  const { request } = browser()
  await request('/reset-password/some-token?callbackURL=/')
  for (let call = 0; call < 2; call += 1) await request('/nowhere')
  for (let call = 0; call < 3; call += 1) await request('/get-session')
  const counts = async (path: string) => {
    const keys = listLimitedCalls(app, path).map(({ pattern }) => rateLimitKey('127.0.0.1', pattern))
    return (await app.rateLimits.find(keys)).map((counted) => counted?.count)
  }
  expect(await counts('/reset-password/some-token')).toEqual([1])
  expect(await counts('/elsewhere')).toEqual([2])
  expect(new Set(await counts('/get-session'))).toEqual(new Set([3]))
})
