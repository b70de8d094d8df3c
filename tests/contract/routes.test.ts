/** Requirements for every call, tested from the declarations. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../../src/core/app.ts'
import { featureList } from '../../src/features/index.ts'
import { type MountedRoute, mountRoutes } from '../../src/http/routing.ts'
import { type TestApp, testApp } from '../kit/app.ts'
import type { Browser } from '../kit/browser.ts'

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
  organization: { teams: true, dynamicAccessControl: true },
  username: true,
  phoneNumber: true,
  passkey: { signUp: true },
  twoFactor: true,
  emailOTP: true,
  magicLink: true,
  terms: true,
  signUp: { inviteLinks: { url: 'https://app.example.com/join' }, waitingList: { url: 'https://app.example.com/sign-up' } },
  trustedOrigins: ['myapp://'],
}
/** All calls but those of the server itself, which no client can send. */
const keys = Object.values(featureList).flatMap(({ routes = {} }) =>
  Object.entries(routes).flatMap(([key, { declaration }]) => (declaration.access.kind === 'server' ? [] : [key])),
)
/** Of their bodies, all members are optional and others than these: nothing can be wrong but the whole. */
const withoutThese = [
  'POST /update-session',
  'POST /organization/set-active',
  'POST /organization/set-active-team',
  'POST /organization/send-two-factor-reminders',
  'POST /admin/retry-mail',
  'POST /admin/reset-limits',
  'POST /admin/create-invite-link',
  'POST /admin/incident/preview',
  'POST /admin/incident/revoke',
  'POST /admin/incident/unfreeze',
  'POST /two-factor/send-otp',
  'POST /two-factor/cancel',
  ...['postpone', 'decline', 'cancel', 'delete-account'].map((name) => `POST /terms/${name}`),
  'POST /two-factor/send-reset-codes',
  'POST /two-factor/request-reset',
]
/** The contract makes it a GET. Its token is of no use to a page that cannot read the response. */
const creating = ['GET /one-time-token/generate']
const pathOf = (key: string) => (key.split(' ')[1] ?? '').replaceAll(/:\w+/g, 'x')

let kit: TestApp
let owner: Browser
let mounted: ReadonlyMap<string, MountedRoute>
const ends: (() => void | Promise<void>)[] = []

beforeAll(async () => {
  kit = await testApp(everything, { atEnd: (end) => ends.unshift(end) })
  mounted = new Map(mountRoutes(kit.app))
  owner = kit.browser()
  await owner.call('POST /sign-up/email', { body: { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' } })
})
afterAll(async () => {
  for (const end of ends) await end()
})

/** A browser in which Ann is signed in. */
function visit(): Browser {
  const visitor = kit.browser()
  for (const [name, value] of owner.cookies) visitor.cookies.set(name, value)
  return visitor
}

function routeOf(key: string): MountedRoute {
  const route = mounted.get(key)
  if (!route) throw new Error(`${key} is not mounted`)
  return route
}

async function dump(app: App): Promise<string> {
  const tables = ['user', 'session', 'account', 'verification', 'role', 'organization', 'member', 'invitation', 'team'] as const
  return JSON.stringify(await Promise.all(tables.map((table) => app.db.selectFrom(table).selectAll().execute())))
}

describe.each(keys)('%s', (key) => {
  const [method = ''] = key.split(' ')

  test('rejects input of the wrong shape without repeating it', async () => {
    const secret = 'hunter2-hunter2'
    const headers = { 'content-type': 'application/json' }
    const members = { email: [secret], password: { secret }, token: 7, newPassword: [secret], name: 1, code: [secret] }
    const wrong = JSON.stringify(withoutThese.includes(key) ? [members] : members)
    const answer = await kit.browser().request(pathOf(key), method === 'POST' ? { method, headers, body: wrong } : {})
    expect(String(JSON.stringify(answer.body))).not.toContain(secret)
    if (routeOf(key).body)
      expect(answer.body).toEqual({
        code: 'VALIDATION_ERROR',
        message: 'Invalid body parameters',
        details: { parameters: expect.any(Array) },
      })
    expect(answer.status).toBeLessThan(500)
  })

  test('rejects one call of one more than its limit', async () => {
    const { browser } = await testApp({ ...everything, rateLimit: { enabled: true, max: 5 } })
    const route = routeOf(key)
    const max = route.rateLimit?.max ?? (/^\/(sign-(in|up)|change-(password|email))/.test(route.pattern) ? 3 : 5)
    const calls = Array.from({ length: max + 1 }, () => browser().request(pathOf(key), { method }))
    const statuses = (await Promise.all(calls)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test.runIf(method === 'GET' && !creating.includes(key))('changes nothing', async () => {
    const before = await dump(kit.app)
    await visit().request(`${pathOf(key)}?token=unknown&error=x`)
    expect(await dump(kit.app)).toBe(before)
  })

  test('changes nothing for a cross-site form', async () => {
    const before = await dump(kit.app)
    const headers = { origin: 'https://evil.test', 'content-type': 'text/plain' }
    const answer = await visit().request(pathOf(key), { method: 'POST', headers, body: '{"a":"b"}' })
    // A provider posts its callback from its own page: the state guards it.
    const posted = mounted.get(key.replace('GET', 'POST'))
    expect(posted?.declaration.origin === 'cross-site' ? [302] : [403, 404]).toContain(answer.status)
    expect(await dump(kit.app)).toBe(before)
  })
})
