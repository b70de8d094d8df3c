/** Requirements for every call, tested from the declarations. */
import { describe, expect, test } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { featureList } from '../../src/features/index.ts'
import { mountRoutes } from '../../src/http/routing.ts'
import { testApp } from '../kit/app.ts'

const everything = {
  admin: true,
  apiKey: true,
  bearer: true,
  multiSession: true,
  oneTimeToken: true,
  anonymous: true,
  jwt: true,
  openAPI: true,
  mail: { catch: true },
  genericOAuth: true,
  organization: { teams: true },
  username: true,
  phoneNumber: true,
}
/** All calls but those of the server itself, which no client can send. */
const keys = Object.values(featureList).flatMap(({ routes = {} }) =>
  Object.entries(routes).flatMap(([key, { declaration }]) => (declaration.access.kind === 'server' ? [] : [key])),
)
/** Of their bodies, all members are optional and others than these: nothing can be wrong but the whole. */
const withoutThese = [
  'POST /update-session',
  'POST /organization/set-active',
  'POST /admin/retry-mail',
  'POST /admin/reset-limits',
]
/** The contract makes it a GET. Its token is of no use to a page that cannot read the response. */
const creating = ['GET /one-time-token/generate']
const pathOf = (key: string) => (key.split(' ')[1] ?? '').replaceAll(/:\w+/g, 'x')

async function mounted(key: string, config = {}) {
  const kit = await testApp({ ...everything, ...config })
  const route = new Map(mountRoutes(kit.app)).get(key)
  if (!route) throw new Error(`${key} is not mounted`)
  return { ...kit, route }
}

async function dump(app: App): Promise<string> {
  const tables = ['user', 'session', 'account', 'verification', 'role', 'organization', 'member', 'invitation', 'team'] as const
  return JSON.stringify(await Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().execute())))
}

describe.each(keys)('%s', (key) => {
  const [method = ''] = key.split(' ')

  test('rejects input of the wrong shape without repeating it', async () => {
    const { browser, route } = await mounted(key)
    const secret = 'hunter2-hunter2'
    const headers = { 'content-type': 'application/json' }
    const members = { email: [secret], password: { secret }, token: 7, newPassword: [secret], name: 1, code: [secret] }
    const wrong = JSON.stringify(withoutThese.includes(key) ? [members] : members)
    const answer = await browser().request(pathOf(key), method === 'POST' ? { method, headers, body: wrong } : {})
    expect(String(JSON.stringify(answer.body))).not.toContain(secret)
    if (route.body)
      expect(answer.body).toEqual({
        code: 'VALIDATION_ERROR',
        message: 'Invalid body parameters',
        details: { parameters: expect.any(Array) },
      })
    expect(answer.status).toBeLessThan(500)
  })

  test('rejects one call of one more than its limit', async () => {
    const { browser, route } = await mounted(key, { rateLimit: { enabled: true, max: 5 } })
    const max = route.rateLimit?.max ?? (/^\/(sign-(in|up)|change-(password|email))/.test(route.pattern) ? 3 : 5)
    const calls = Array.from({ length: max + 1 }, () => browser().request(pathOf(key), { method }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test.runIf(method === 'GET' && !creating.includes(key))('changes nothing', async () => {
    const { app, browser } = await mounted(key)
    const visitor = browser()
    await visitor.call('POST /sign-up/email', {
      body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' },
    })
    const before = await dump(app)
    await visitor.request(`${pathOf(key)}?token=unknown&error=x`)
    expect(await dump(app)).toBe(before)
  })

  test('changes nothing for a cross-site form', async () => {
    const { app, browser } = await mounted(key)
    const visitor = browser()
    await visitor.call('POST /sign-up/email', {
      body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' },
    })
    const before = await dump(app)
    const headers = { origin: 'https://evil.test', 'content-type': 'text/plain' }
    const answer = await visitor.request(pathOf(key), { method: 'POST', headers, body: '{"a":"b"}' })
    // A provider posts its callback from its own page: the state guards it.
    const posted = new Map(mountRoutes(app)).get(key.replace('GET', 'POST'))
    expect(posted?.declaration.origin === 'cross-site' ? [302] : [403, 404]).toContain(answer.status)
    expect(await dump(app)).toBe(before)
  })
})
