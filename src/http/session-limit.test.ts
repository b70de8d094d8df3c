/** An app's server reads the sessions of its visitors from one IP address. */
import { expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { Browser } from '../../tests/kit/browser.ts'

async function withVisitors(count: number, bearer = false) {
  const kit = await testApp({ rateLimit: { enabled: true, customRules: { '/sign-up/email': false } }, bearer })
  const visitors: Browser[] = []
  for (let at = 0; at < count; at++) {
    const visitor = kit.browser()
    const body = { name: 'Ann', email: `ann${at}@example.com`, password: 'correct horse battery' }
    expect((await visitor.call('POST /sign-up/email', { body })).status).toBe(200)
    visitors.push(visitor)
  }
  return { ...kit, visitors }
}

const firstRejected = (statuses: readonly number[]) => statuses.indexOf(429)

test('150 page views of 15 visitors from one address are served, and one visitor is limited', async () => {
  const { visitors } = await withVisitors(15)
  for (let view = 0; view < 150; view++)
    expect((await visitors[view % 15]?.call('GET /get-session', {}))?.body).toMatchObject({ user: { name: 'Ann' } })
  const statuses: number[] = []
  for (let view = 0; view < 95; view++) statuses.push((await visitors[0]?.call('GET /get-session', {}))?.status ?? 0)
  expect(firstRejected(statuses)).toBe(90)
  expect((await visitors[1]?.call('GET /list-sessions', {}))?.status).toBe(200)
})

test.each(['forged', 'revoked'])(
  '150 requests with %s cookies are limited from the 101st, and leave visitors alone',
  async (kind) => {
    const { visitors, browser, app, log } = await withVisitors(4)
    const statuses: number[] = []
    const cookies = visitors.map(({ cookies }) => cookies.get('latchkey.session_token') ?? '')
    if (kind === 'revoked') for (const visitor of visitors.slice(1)) await visitor.call('POST /sign-out', { body: {} })
    for (let at = 0; at < 150; at++) {
      const visitor = browser()
      const forged = `${app.random.token(32)}.${'A'.repeat(43)}%3D`
      visitor.cookies.set('latchkey.session_token', kind === 'forged' ? forged : (cookies[1 + (at % 3)] ?? ''))
      statuses.push((await visitor.call('GET /get-session', {})).status)
    }
    expect([firstRejected(statuses), statuses.filter((status) => status === 200)]).toEqual([100, Array(100).fill(200)])
    expect((await visitors[0]?.call('GET /get-session', {}))?.status).toBe(200)
    expect(log.filter((line) => line.includes('A rate limit was reached'))).toHaveLength(1)
  },
)

test('raw bearer tokens count for the address', async () => {
  const { browser } = await withVisitors(1, true)
  const statuses: number[] = []
  for (let at = 0; at < 105; at++)
    statuses.push(
      (await browser().request('/get-session', { headers: { authorization: `Bearer ${'x'.repeat(30)}${at}` } })).status,
    )
  expect(firstRejected(statuses)).toBe(100)
})
