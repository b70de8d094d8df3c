/** An app's server reads the sessions of its visitors from one IP address. */
import { describe, expect, test } from 'vitest'
import { testApp } from '../../tests/kit/app.ts'
import type { Browser } from '../../tests/kit/browser.ts'
import { recordStatements } from '../../tests/kit/statements.ts'
import type { ConfigFile } from '../features/index.ts'

async function withVisitors(count: number, config: ConfigFile = {}) {
  const rateLimit = { enabled: true, customRules: { '/sign-up/email': false as const } }
  const kit = await testApp({ rateLimit, ...config })
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

test.each([false, true])('150 page views of 15 visitors are served, and one visitor is limited; cache: %s', async (enabled) => {
  const { visitors } = await withVisitors(15, { session: { cookieCache: { enabled } } })
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

/** What an app's server sends for each of its visitors. */
type Send = (path: string, headers: Record<string, string>) => Promise<{ readonly status: number; readonly body: unknown }>

async function withHeaders(kind: 'bearer' | 'api-key', count: number) {
  const kit = await withVisitors(count, { bearer: true, apiKey: { rateLimit: { enabled: false } } })
  const headers = await Promise.all(
    kit.visitors.map(async (visitor): Promise<Record<string, string>> => {
      if (kind === 'api-key') return { 'x-api-key': (await visitor.call('POST /api-key/create', { body: {} })).body.key }
      const { body } = await visitor.call('GET /get-session', {})
      return { authorization: `Bearer ${body?.session.token}` }
    }),
  )
  const send: Send = (path, sent) => kit.browser().request(path, { headers: sent })
  const forge = (at: number) =>
    kind === 'api-key' ? { 'x-api-key': `${'x'.repeat(62)}${at}` } : { authorization: `Bearer ${'x'.repeat(30)}${at}` }
  return { ...kit, headers, send, forge }
}

describe.each(['bearer', 'api-key'] as const)('without a cookie, by %s', (kind) => {
  test('150 page views of 15 visitors are served, and one visitor is limited', async () => {
    const { headers, send } = await withHeaders(kind, 15)
    for (let view = 0; view < 150; view++)
      expect((await send('/get-session', headers[view % 15] ?? {})).body).toMatchObject({ user: { name: 'Ann' } })
    const statuses: number[] = []
    for (let view = 0; view < 95; view++) statuses.push((await send('/get-session', headers[0] ?? {})).status)
    expect(firstRejected(statuses)).toBe(90 - (kind === 'bearer' ? 1 : 0))
  })

  test('forged ones are limited for the address, before they are looked up', async () => {
    const { headers, send, forge, visitors, app } = await withHeaders(kind, 1)
    const statuses: number[] = []
    for (let at = 0; at < 105; at++) statuses.push((await send('/get-session', forge(at))).status)
    expect(firstRejected(statuses)).toBe(100)
    const { result, statements } = await recordStatements({ app }).record(() => send('/get-session', forge(999)))
    expect([result.status, statements]).toEqual([429, []])
    // Those whose form shows nothing wait too; a signed cookie does not.
    expect((await send('/get-session', headers[0] ?? {})).status).toBe(429)
    expect((await visitors[0]?.call('GET /get-session', {}))?.status).toBe(200)
  })
})

test('reads that find nothing do not count for the address', async () => {
  const { visitors, browser } = await withVisitors(15, { organization: true })
  for (let view = 0; view < 150; view++) {
    const { status, body } = (await visitors[view % 15]?.call('GET /organization/get-full-organization', {})) ?? {}
    expect([status, body]).toEqual([200, null])
  }
  expect((await browser().request('/organization/get-full-organization')).status).toBe(401)
})

test('lists of the sessions of 15 browsers are served', async () => {
  const { visitors } = await withVisitors(15, { multiSession: true })
  for (let view = 0; view < 150; view++) {
    const listed = await visitors[view % 15]?.call('GET /multi-session/list-device-sessions', {})
    expect([listed?.status, listed?.body]).toEqual([200, [expect.objectContaining({ user: expect.anything() })]])
  }
})

test('forged tokens are limited in calls that do not need one', async () => {
  const { browser } = await withVisitors(0, { bearer: true, admin: true })
  const statuses: number[] = []
  for (let at = 0; at < 105; at++) {
    const headers = { authorization: `Bearer ${'x'.repeat(30)}${at}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ role: 'user', permissions: { user: ['list'] } })
    statuses.push((await browser().request('/admin/has-permission', { method: 'POST', headers, body })).status)
  }
  expect([statuses[0], firstRejected(statuses)]).toEqual([200, 100])
})

test('150 checks of permissions for 15 visitors are served', async () => {
  const { visitors } = await withVisitors(15, { admin: true, organization: true })
  const created = await visitors[0]?.call('POST /organization/create', { body: { name: 'Acme', slug: 'acme' } })
  const permissions = { member: ['create'] }
  for (let view = 0; view < 150; view++) {
    const visitor = visitors[view % 15]
    expect((await visitor?.call('POST /admin/has-permission', { body: { permissions: { user: ['list'] } } }))?.status).toBe(200)
    const body = { organizationId: created?.body.id, permissions }
    expect((await visitor?.call('POST /organization/has-permission', { body }))?.status).not.toBe(429)
  }
})
