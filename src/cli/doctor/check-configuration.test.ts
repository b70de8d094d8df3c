import { describe, expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { configParser } from '../../project/config/parse-config.ts'
import {
  checkAuditRetention,
  checkBaseURL,
  checkCookiePrefix,
  checkCookies,
  checkOrganizations,
  checkOwnServers,
  checkProtections,
  checkProxies,
  checkRecentSignIn,
  checkSigningKeys,
  checkVerification,
  siteOf,
} from './check-configuration.ts'

const parse = configParser(featureList)

function config(more: ConfigFile) {
  const parsed = parse({
    secret: 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c',
    database: { url: 'sqlite::memory:' },
    baseURL: 'https://auth.acme.test',
    ...more,
  })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  return parsed.config
}

test.each([
  ['accounts.example.com', 'example.com'],
  ['example.com', 'example.com'],
  ['a.b.example.co.uk', 'example.co.uk'],
  ['localhost', 'localhost'],
  ['192.0.2.7', '192.0.2.7'],
])('the site of %s is %s', (host, site) => {
  expect(siteOf(host)).toBe(site)
})

describe('cookies', () => {
  const statuses = (more: ConfigFile) => checkCookies(config(more)).map(({ status }) => status)
  test('reach an origin of the same site', () => {
    expect(statuses({ trustedOrigins: ['https://app.acme.test', 'https://*.acme.test'] })).toEqual(['ok', 'ok'])
  })
  test('do not reach another site, nor another protocol', () => {
    expect(statuses({ trustedOrigins: ['https://app.other.test', 'http://app.acme.test'] })).toEqual(['failed', 'failed'])
  })
  test('may be blocked by the browser on another site when SameSite is none', () => {
    const advanced = { defaultCookieAttributes: { sameSite: 'none' as const } }
    expect(statuses({ trustedOrigins: ['https://app.other.test'], advanced })).toEqual(['warning'])
  })
  test('are skipped for a function of origins and for origins that are not web pages', () => {
    expect(statuses({ trustedOrigins: () => [] })).toEqual(['skipped'])
    expect(statuses({ trustedOrigins: ['myapp://'] })).toEqual(['skipped'])
  })
})

test('protections that are off are warnings', () => {
  expect(checkProtections(config({}))).toMatchObject([{ status: 'ok' }])
  expect(checkProtections(config({ rateLimit: { enabled: false } }))).toEqual([
    {
      id: 'protection:limits-off:rateLimit.enabled',
      title: 'Protection',
      status: 'warning',
      message: expect.stringContaining('rateLimit.enabled: Nothing limits how often'),
      fix: 'Remove rateLimit.enabled, or set it to its default.',
    },
  ])
  expect(checkProtections(config({ environment: 'development' }))).toMatchObject([{ status: 'skipped' }])
})

test('the audit log is kept for 90 days or more', () => {
  expect(checkAuditRetention(config({}))).toMatchObject({ status: 'ok', message: 'Events are kept for 400 days' })
  expect(checkAuditRetention(config({ audit: { retention: 90 * 86_400 } })).status).toBe('ok')
  expect(checkAuditRetention(config({ audit: { retention: 86_400 } }))).toMatchObject({
    status: 'warning',
    message: 'Events are kept for only 1 day',
  })
})

describe('the base URL', () => {
  test('is fine with https:, and with http: on this machine', () => {
    expect(checkBaseURL(config({}), null).status).toBe('ok')
    expect(checkBaseURL(config({ baseURL: 'http://localhost:4000' }), null).status).toBe('ok')
  })
  test('is compared with the port of the running daemon, else with that of the configuration', () => {
    const local = config({ baseURL: 'http://localhost:4377' })
    expect(checkBaseURL(local, null)).toMatchObject({ status: 'warning', message: expect.stringContaining('port 4000') })
    expect(checkBaseURL(local, { port: 4377 }).status).toBe('ok')
    expect(checkBaseURL(local, { port: 4378 })).toMatchObject({
      status: 'warning',
      message: expect.stringContaining('port 4378'),
    })
  })
  test('is a warning with http: elsewhere', () => {
    expect(checkBaseURL(config({ baseURL: 'http://auth.acme.test', server: { allowPlainHTTP: true } }), null).status).toBe(
      'warning',
    )
  })
})

describe('proxies', () => {
  test('are missed when baseURL is https: and none is trusted', () => {
    expect(checkProxies(config({})).status).toBe('warning')
    expect(checkProxies(config({ server: { trustedProxies: ['127.0.0.1'] } })).status).toBe('ok')
  })
})

test.each<[more: ConfigFile['session'], status: string, text: string]>([
  [{}, 'ok', "Recommended: session.freshFor: 'sensitive'"],
  [{ freshFor: 'sensitive' }, 'ok', 'all dangerous calls'],
  [{ freshFor: 'sensitive', freshAge: 0 }, 'skipped', 'session.freshAge is 0'],
])('a recent sign-in: %j', (session, status, text) =>
  expect(checkRecentSignIn(config({ session }))).toMatchObject({ status, message: expect.stringContaining(text) }),
)

test.each<[name: string, more: ConfigFile, status: string, text: string]>([
  ['recommends __Host-', {}, 'ok', "Recommended: advanced.cookiePrefix: '__Host-latchkey'"],
  ['accepts __Host-', { advanced: { cookiePrefix: '__Host-acme' } }, 'ok', '__Host-acme.session_token'],
  ['accepts cookies for all subdomains', { advanced: { crossSubDomainCookies: true } }, 'ok', 'for all subdomains'],
  ['is skipped without TLS', { baseURL: 'http://localhost:3000' }, 'skipped', 'not secure'],
])('the cookie prefix: %s', (_, more, status, text) =>
  expect(checkCookiePrefix(config(more))).toMatchObject({ status, message: expect.stringContaining(text) }),
)

test('a rule for /get-session makes visitors of an app share one limit', () => {
  const own = (customRules: NonNullable<ConfigFile['rateLimit']>['customRules'], more: ConfigFile = {}) =>
    checkOwnServers(config({ rateLimit: { customRules }, ...more }))
  expect(own({})).toMatchObject({ status: 'ok', message: expect.stringContaining('each session counts by itself') })
  expect(own({ '/get-session': false, '/sign-in/*': { window: 10, max: 3 } }).status).toBe('ok')
  for (const path of ['/get-session', '/get-*', '/**'])
    expect(own({ [path]: { window: 10, max: 100 } })).toMatchObject({
      status: 'warning',
      message: expect.stringContaining(path),
      fix: expect.stringContaining('Remove the rule'),
    })
  expect(own({}, { environment: 'development' }).status).toBe('skipped')
})

describe('organizations', () => {
  const findings = (organization: NonNullable<ConfigFile['organization']>, more: ConfigFile = {}) =>
    checkOrganizations(config({ organization, emailVerification: { sendVerificationEmail: () => {} }, ...more })).map(
      ({ status }) => status,
    )
  test('are not mentioned while they are disabled', () => {
    expect(findings(false)).toEqual([])
  })
  test('need mail for invitations, a function, or false', () => {
    expect(findings(true)).toEqual(['warning'])
    expect(findings(true, { mail: { from: 'a@acme.test', smtp: 'smtp://127.0.0.1:25' } })).toEqual(['ok'])
    expect(findings({ sendInvitationEmail: () => {} })).toEqual(['ok'])
    expect(findings({ sendInvitationEmail: false })).toEqual(['ok'])
  })
  test('need verification emails, because an invitation is accepted with a verified email address', () => {
    const [finding] = checkOrganizations(config({ organization: { sendInvitationEmail: false } }))
    expect(finding).toMatchObject({ status: 'warning', message: expect.stringContaining('no user can accept one') })
    const relaxed = { sendInvitationEmail: false, requireEmailVerificationOnInvitation: false } as const
    expect(checkOrganizations(config({ organization: relaxed }))).toMatchObject([{ status: 'ok' }])
  })
  test('need the role that is the default of commands', () => {
    expect(findings({ sendInvitationEmail: false, roles: { owner: {} } })).toEqual(['warning'])
    expect(findings({ sendInvitationEmail: false, roles: { owner: {}, member: {} } })).toEqual(['ok'])
  })
})

describe('signing keys', () => {
  const now = new Date('2026-01-31T12:00:00Z')
  const examine = (jwt: ConfigFile['jwt']) => checkSigningKeys(config({ jwt }), now)
  test('are not examined while there are none', () => {
    expect(examine(false)).toEqual([])
  })
  test('are rotated, and sign short tokens', () => {
    expect(examine(true)).toMatchObject([{ status: 'ok', message: 'EdDSA, rotated every 90 days' }])
    const manual = examine({ jwks: { rotationInterval: 0 } })
    expect(manual).toMatchObject([{ status: 'ok', message: expect.stringContaining('keys rotate') }])
  })
  test('get a warning for private keys in plain text, and for tokens of more than a day', () => {
    expect(examine({ jwks: { disablePrivateKeyEncryption: true } })).toMatchObject([{ status: 'warning' }])
    expect(examine({ jwt: { expirationTime: '7d' } })).toMatchObject([
      { status: 'warning', message: expect.stringContaining('168 hours') },
    ])
    expect(examine({ jwt: { expirationTime: '1d' } })).toMatchObject([{ status: 'ok' }])
  })
})

test('verification: says what the strict behaviour costs honest users', () => {
  const unsent = checkVerification(config({ emailAndPassword: { enabled: true, requireEmailVerification: true } }))
  expect(unsent).toMatchObject({ status: 'warning', message: expect.stringContaining('no new user can sign in') })
  expect(checkVerification(config({}))).toMatchObject({ status: 'ok' })
  expect(checkVerification(config({ emailVerification: { revokeEarlierAccess: true } }))).toMatchObject({
    status: 'warning',
    message: expect.stringContaining('lose their password'),
  })
})
