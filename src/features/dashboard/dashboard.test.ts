import { describe, expect, test } from 'vitest'
import { testApp } from '../../../tests/kit/app.ts'
import { createServer } from '../../http/server.ts'
import { parseConfig } from '../../project/config/parse-config.ts'
import { type ConfigFile, featureList, type PublicSettings } from '../index.ts'

async function settingsOf(config: ConfigFile = {}): Promise<PublicSettings> {
  const { browser } = await testApp(config)
  return (await browser().call('GET /public-settings', {})).body
}

describe('public settings', () => {
  test('describe what is enabled', async () => {
    const keys = {
      ...{ configId: 'default', header: 'X-Key', name: { minLength: 1, maxLength: 32 } },
      prefix: { minLength: 1, maxLength: 32, default: 'acme_' },
      expiration: { isCustom: true, minDays: 1, maxDays: 365, defaultDays: 10 },
    }
    const settings = await settingsOf({
      appName: 'Acme',
      openAPI: true,
      mail: { catch: true },
      emailAndPassword: { enabled: true, requireEmailVerification: true, minPasswordLength: 15 },
      session: { freshAge: 600 },
      user: { changeEmail: { enabled: true }, deleteUser: { enabled: true, sendDeleteAccountVerification: true } },
      captcha: { provider: 'hcaptcha', secretKey: 'secret', siteKey: 'site', endpoints: ['/sign-up/email'] },
      organization: { teams: true, allowUserToCreateOrganization: false, invitationExpiresIn: 3600 },
      dashboard: { locales: ['de', 'en'], environment: 'staging' },
      apiKey: { apiKeyHeaders: ['X-Key', 'X-Other'], defaultPrefix: 'acme_', keyExpiration: { defaultExpiresIn: 864_000 } },
    })
    expect(settings).toEqual({
      admin: null,
      appName: 'Acme',
      isDevelopment: true,
      environment: 'staging',
      jwt: false,
      branding: {
        ...{ accent: null, logo: null, logoDark: null, favicon: null, cover: null, radius: null, font: null },
        ...{ privacyURL: null, termsURL: null, helpURL: null, supportEmail: null, footerLinks: [] },
      },
      locales: ['de', 'en'],
      texts: {},
      signUp: { mode: 'open', invitationsPass: false },
      ...{ inviteLinks: false, waitingList: false, terms: null },
      emailPassword: {
        signUp: true,
        autoSignIn: true,
        requiresVerification: true,
        minPasswordLength: 15,
        maxPasswordLength: 128,
        blocksCommonPasswords: false,
        blocksPersonalPasswords: false,
      },
      passwordReset: true,
      passwordResetEnds: { sessions: true, apiKeys: true },
      phoneNumber: null,
      passkey: null,
      emailCodes: null,
      magicLink: null,
      socialProviders: [],
      emailVerification: true,
      emailResendAfter: 30,
      emailChange: { confirmedByEmail: true, requiresFreshSession: true },
      accountDeletion: { confirmedByEmail: true },
      userFields: [],
      userLocale: false,
      username: null,
      captcha: { provider: 'hcaptcha', siteKey: 'site', isScored: false, endpoints: ['/sign-up/email'] },
      session: { freshAge: 600 },
      signIn: { methods: ['password'], challenges: [], page: 'all', order: [], rememberAccount: false },
      mailbox: true,
      multiSession: null,
      twoFactor: null,
      openAPI: true,
      organization: {
        teams: true,
        ownRoles: false,
        canCreate: false,
        canDelete: true,
        creatorRole: 'owner',
        requiresVerifiedEmail: true,
        membershipLimit: 100,
        invitationExpiresIn: 3600,
        secondFactorPolicies: null,
        sendsInvitations: true,
      },
      apiKeys: { ...keys, maximum: 100, sets: [keys] },
      organizationApiKeys: null,
    })
  })

  test('say what is disabled', async () => {
    const settings = await settingsOf({ emailAndPassword: { enabled: false }, passwordRules: true })
    expect(settings).toMatchObject({
      emailPassword: null,
      passwordReset: false,
      phoneNumber: null,
      passkey: null,
      emailVerification: false,
      emailChange: null,
      accountDeletion: null,
      organization: null,
      multiSession: null,
      captcha: null,
      mailbox: false,
      openAPI: false,
    })
  })

  test('contain the password rules', async () => {
    const rules = { blockCommon: true, contextWords: false }
    expect((await settingsOf({ passwordRules: rules })).emailPassword).toMatchObject({
      blocksCommonPasswords: true,
      blocksPersonalPasswords: false,
    })
  })

  test('describe the fields that users set themselves', async () => {
    const additionalFields = {
      companyName: { type: 'string', label: { en: 'Company', de: 'Firma' } },
      plan: { type: ['free', 'paid'], defaultValue: 'free' },
      birth_date: { type: 'date', required: false },
      credit: { type: 'number', input: false },
    } satisfies NonNullable<ConfigFile['user']>['additionalFields']
    expect((await settingsOf({ user: { additionalFields } })).userFields).toEqual([
      {
        name: 'companyName',
        type: 'string',
        required: true,
        label: { en: 'Company', de: 'Firma' },
        isOnSignUp: true,
        isEditable: true,
      },
      { name: 'plan', type: ['free', 'paid'], required: false, label: 'Plan', isOnSignUp: true, isEditable: true },
      { name: 'birth_date', type: 'date', required: false, label: 'Birth date', isOnSignUp: true, isEditable: true },
    ])
  })

  test('may be cached for a minute, and contain no secret', async () => {
    const secrets = {
      secret: 'a secret of this test, 9876543210 abcdef',
      mail: { from: 'a@b.example', smtp: 'smtp://u:hunter2@127.0.0.1:1' },
    }
    const { browser } = await testApp({ ...secrets, captcha: { provider: 'hcaptcha', secretKey: 'hunter3', siteKey: 'site' } })
    const { headers, body } = await browser().call('GET /public-settings', {})
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(JSON.stringify(body)).not.toMatch(/hunter|a secret of/)
  })
})

test.each([
  'https://cdn.example;script-src/logo.svg',
  'https://cdn.example,default-src/logo.svg',
  'https://*/logo.svg',
  "https://'self'/logo.svg",
  'http://cdn.example/logo.svg',
  'javascript:alert(1)',
])('the logo %s is rejected, because its origin becomes part of the content security policy', (logo) => {
  const given = { secret: 'x'.repeat(40), environment: 'development', database: { url: 'sqlite::memory:' } }
  const parsed = parseConfig(featureList, { ...given, dashboard: { branding: { logo } } })
  expect(parsed).toMatchObject({ issues: [{ path: 'dashboard.branding.logo' }] })
})

test.each(['/..', '/account/..', '/.', '/.well-known', '//accounts', '/account/', 'account', '/a;b', '/a%2fb'])(
  'the path %s is rejected',
  (path) => {
    const given = { secret: 'x'.repeat(40), environment: 'development', database: { url: 'sqlite::memory:' } }
    expect(parseConfig(featureList, { ...given, dashboard: { path } })).toMatchObject({ issues: [{ path: 'dashboard.path' }] })
  },
)

describe('GET /continue', () => {
  test('redirects to a trusted origin, and to a path of this one', async () => {
    const { browser } = await testApp({ trustedOrigins: ['https://app.example.com'] })
    for (const callbackURL of ['https://app.example.com/home?a=b', '/account']) {
      const { status, headers } = await browser().call('GET /continue', { query: { callbackURL } })
      expect([status, headers.get('location')]).toEqual([302, callbackURL])
    }
  })

  test.each(['https://evil.example', '//evil.example', 'javascript:alert(1)', '/\\evil.example'])(
    'rejects %s',
    async (callbackURL) => {
      const { browser } = await testApp()
      const { status, body, headers } = await browser().call('GET /continue', { query: { callbackURL } })
      expect([status, body.code, headers.get('location')]).toEqual([403, 'INVALID_CALLBACKURL', null])
    },
  )

  test('requires a target', async () => {
    const { browser } = await testApp()
    for (const path of ['/continue', '/continue?callbackURL=']) expect((await browser().request(path)).status).toBe(400)
  })
})

describe('GET /development', () => {
  const administrator = { email: 'admin@localhost.test', password: 'correct horse battery' }

  test('returns the administrator to pages of this origin only', async () => {
    const { browser } = await testApp({}, { development: { administrator } })
    expect((await browser().call('GET /development', {})).body).toEqual({ administrator })
    const from = (site: string) => browser().call('GET /development', {}, { 'sec-fetch-site': site })
    expect((await from('same-origin')).status).toBe(200)
    for (const site of ['same-site', 'cross-site']) expect((await from(site)).status).toBe(403)
    // Of browsers that send only an origin, to a server that trusts the page.
    const origin = 'http://localhost:5173'
    const { browser: trusting } = await testApp({ trustedOrigins: [origin] }, { development: { administrator } })
    expect((await trusting().call('GET /development', {}, { origin })).status).toBe(403)
  })

  test('exists in development only', async () => {
    const production = await testApp({ environment: 'production' }, { development: { administrator } })
    expect((await production.browser().request('/development')).status).toBe(404)
    const plain = await testApp()
    expect((await plain.browser().call('GET /development', {})).body).toEqual({ administrator: null })
  })

  test('has the pages of the documentation, in development only', async () => {
    const { browser } = await testApp()
    const found = await browser().request('/development/docs/quickstart.md')
    expect([found.status, found.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    expect(found.body).toContain('# Quickstart')
    const statusOf = async (page: string) => (await browser().request(`/development/docs/${page}`)).status
    expect(await statusOf('nothing.md')).toBe(404)
    for (const page of ['..%2FREADME.md', 'images%2Fsign-in.png', 'Quickstart.md']) expect(await statusOf(page)).toBe(400)
    const production = await testApp({ environment: 'production' })
    expect((await production.browser().request('/development/docs/quickstart.md')).status).toBe(404)
  })

  test('rejects names that are not of this machine', async () => {
    const { app } = await testApp({}, { development: { administrator } })
    const server = createServer(app, { reasons: async () => [] })
    const ask = (host: string) => server.request(`http://${host}/api/auth/development`)
    expect((await ask('localhost:4000')).status).toBe(200)
    expect((await ask('rebind.evil.test:4000')).status).toBe(403)
  })
})
