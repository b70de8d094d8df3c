/** Configurations that let everyone in do not start. */
import { describe, expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../../features/index.ts'
import { coversStrangers } from '../../lib/ip.ts'
import { originMatcher } from '../../lib/url.ts'
import { configParser } from './parse-config.ts'

const parse = configParser(featureList)

const secret = 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c'
const token = 'pw92kd83js74hf65dg56sa47'

function issues(more: ConfigFile): string[] {
  const base = { secret, database: { url: 'sqlite::memory:' }, baseURL: 'https://auth.acme.test' }
  const parsed = parse({ ...base, ...more })
  return 'issues' in parsed ? parsed.issues.map(({ id, path }) => `${id} ${path}`) : []
}
const social = (trusted: string[], socialProviders: ConfigFile['socialProviders']): ConfigFile => ({
  socialProviders,
  account: { accountLinking: { trustedProviders: trusted } },
})
const app = { clientId: 'id', clientSecret: 'a client secret' }
const guid = '72f988bf-86f1-41af-91ab-2d7cd011db47'

type Refused = [name: string, config: ConfigFile, issue: string]
const refused: Refused[] = [
  ['a default role of administrators', { admin: { defaultRole: 'admin' } }, 'default-role-administrator admin.defaultRole'],
  ['adminRoles with the default role', { admin: { adminRoles: ['user'] } }, 'default-role-administrator admin.defaultRole'],
  [
    'a default role that permits one action of administrators',
    { admin: { roles: { admin: {}, user: { user: ['set-role'] } } } },
    'default-role-administrator admin.defaultRole',
  ],
  [
    'a seeded role in place of the default one',
    { admin: true, seed: { roles: { user: { event: ['list'] } } } },
    'default-role-administrator admin.defaultRole',
  ],
  [
    'a default role that permits what ac repeats',
    { admin: { ac: { user: ['create', 'set-role'] }, roles: { admin: {}, user: { user: ['set-role'] } } } },
    'default-role-administrator admin.defaultRole',
  ],
  [
    'the same by access-control statements',
    {
      admin: {
        ac: { statements: { user: ['impersonate'] } },
        roles: { admin: {}, user: { statements: { user: ['impersonate'] } } },
      },
    },
    'default-role-administrator admin.defaultRole',
  ],
  ['a default role that nothing declares', { admin: { defaultRole: 'later' } }, 'default-role-unknown admin.defaultRole'],
  ['equal private tokens', { server: { private: { token, api: { port: 5000, token } } } }, 'secret-reused server.private.token'],
  ['a private token that is the secret', { server: { private: { token: secret } } }, 'secret-reused secret'],
  [
    'a client secret that is the secret',
    { socialProviders: { github: { ...app, clientSecret: secret } } },
    'secret-reused secret',
  ],
  [
    'a former secret as a token',
    { secret: [`${secret}2`, token.repeat(2)], server: { private: { token: token.repeat(2) } } },
    'secret-reused secret.1',
  ],
  ['the secret in the database URL', { database: { url: `mysql://root:${secret}@127.0.0.1:3306/a` } }, 'secret-reused secret'],
  [
    'private tokens that are equal without spaces',
    { server: { private: { token: ` ${token}`, api: { port: 5000, token } } } },
    'secret-reused server.private.token',
  ],
  ['a token that no header can have', { server: { private: { token: `${token} ` } } }, 'private-token-weak server.private.token'],
  ['a secret that is a placeholder', { secret: 'CHANGE_ME_change_me_0123456789-abcdefgh' }, 'secret-weak secret'],
  ['a token of one character', { server: { private: { token: 'a'.repeat(30) } } }, 'private-token-weak server.private.token'],
  ['trust in Reddit', social(['reddit'], { reddit: app }), 'trusted-provider-unverified account.accountLinking.trustedProviders'],
  [
    'trust in Facebook',
    social(['facebook'], { facebook: app }),
    'trusted-provider-unverified account.accountLinking.trustedProviders',
  ],
  [
    'trust in every tenant',
    social(['microsoft'], { microsoft: app }),
    'trusted-provider-unverified account.accountLinking.trustedProviders',
  ],
  ...[
    'https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration',
    'https://www.facebook.com/.well-known/x',
  ].map(
    (discoveryUrl): Refused => [
      `trust in the generic provider ${discoveryUrl}`,
      { ...social(['own'], {}), genericOAuth: { config: [{ ...app, providerId: 'own', discoveryUrl }] } },
      'trusted-provider-unverified account.accountLinking.trustedProviders',
    ],
  ),
  ...['co.uk', 'acme.test', 'com'].map(
    (domain): Refused => [
      `cookies for ${domain}`,
      { baseURL: 'https://auth.acme.co.uk', advanced: { crossSubDomainCookies: { enabled: true, domain } } },
      'cookie-domain advanced.crossSubDomainCookies.domain',
    ],
  ),
  [
    'one cookie for a public suffix',
    { baseURL: 'https://acme.github.io', advanced: { cookies: { session_token: { attributes: { domain: '.github.io' } } } } },
    'cookie-domain advanced.cookies.session_token.attributes.domain',
  ],
  ...['https://*.co.jp', '*.com.au', 'https://*.github.io', 'https://*.vercel.app:8443', 'https://*acme.co.uk'].map(
    (origin): Refused => [`the origin ${origin}`, { trustedOrigins: [origin] }, 'trusted-origins-everything trustedOrigins'],
  ),
  ['a wildcard in baseURL', { baseURL: 'https://*.acme.test' }, 'base-url-form baseURL'],
  [
    'keys in the header of cookies',
    { apiKey: { apiKeyHeaders: ['x-api-key', 'Cookie'] } },
    'config-value apiKey.apiKeyHeaders.1',
  ],
  [
    'keys in the header of bearer tokens',
    { apiKey: { apiKeyHeaders: 'Authorization' }, bearer: true },
    'api-key-header apiKey.apiKeyHeaders',
  ],
  [
    'halves of the internet',
    { server: { trustedProxies: ['0.0.0.0/1', '128.0.0.0/1'] } },
    'trusted-proxies-everything server.trustedProxies',
  ],
]
test.each(refused)('rejects %s', (_, config, issue) => expect(issues(config)).toContain(issue))

test.each<[name: string, config: ConfigFile]>([
  [
    'a default role with actions of the application',
    { admin: { ac: { report: ['read'] }, roles: { admin: {}, user: { report: ['read'] } } } },
  ],
  ['a seeded default role', { admin: { defaultRole: 'guest' }, seed: { roles: { guest: {} } } }],
  ['different tokens', { server: { private: { token, api: { port: 5000, token: `${token}2x` } } } }],
  ['trust in one tenant', social(['microsoft'], { microsoft: { ...app, tenantId: guid } })],
  ['trust in Google', social(['google'], { google: app })],
  [
    'trust in one tenant by its URLs',
    {
      ...social(['own'], {}),
      genericOAuth: {
        config: [
          {
            ...{
              ...app,
              providerId: 'own',
              discoveryUrl: `https://login.microsoftonline.com/${guid}/v2.0/.well-known/openid-configuration`,
            },
            userInfoUrl: 'https://graph.microsoft.com/oidc/userinfo',
          },
        ],
      },
    },
  ],
  [
    'cookies for a domain of its own under a public suffix',
    { baseURL: 'https://auth.acme.co.uk', advanced: { crossSubDomainCookies: { enabled: true, domain: 'acme.co.uk' } } },
  ],
  [
    'cookies of a host that is a public suffix',
    { baseURL: 'https://acme.vercel.app', advanced: { crossSubDomainCookies: { enabled: true } } },
  ],
  ['origins below a domain of its own', { trustedOrigins: ['https://*.acme.co.uk', 'https://*.acme.vercel.app', '*.acme.test'] }],
  ['keys in a header of its own', { apiKey: { apiKeyHeaders: ['x-api-key', 'Authorization'] } }],
])('accepts %s', (_, config) => expect(issues(config)).toEqual([]))

describe('trusted origins', () => {
  test.each([
    'localhost:5173',
    'http://localhost:5173/app',
    'https://app.acme.test/?x=1',
    'https://u@app.acme.test',
    'app.acme.test',
    'https://',
    '',
    'https://*.acme.test/app',
    'ftp*://acme.test',
    'http://…',
  ])('%j matches nothing, and is rejected', (origin) =>
    expect(issues({ trustedOrigins: [origin] })).toEqual(['trusted-origin-form trustedOrigins.0']),
  )
  test.each([
    'HTTP://LOCALHOST:5173',
    'https://app.acme.test/',
    'https://app.acme.test:443',
    'https://*.acme.test',
    '*.acme.test',
    'https://*.acme.test:8443/',
    'myapp://',
    'exp://192.168.0.2:8081',
    'http://[::1]:5173',
  ])('%j is accepted', (origin) => expect(issues({ trustedOrigins: [origin] })).toEqual([]))
  test('are compared in one form', () => {
    expect(originMatcher('HTTPS://App.Acme.Test:443/')('https://app.acme.test')).toBe(true)
    expect(originMatcher('HTTP://LOCALHOST:5173')('http://localhost:5173')).toBe(true)
  })
  test('of a wrong type say what is expected', () => {
    const parsed = parse({
      secret,
      database: { url: 'sqlite::memory:' },
      trustedOrigins: 'http://localhost:5173',
    })
    expect(parsed).toMatchObject({
      issues: [{ path: 'trustedOrigins', message: 'Expected array or a function', hint: expect.any(String) }],
    })
  })
})

describe('networks of proxies', () => {
  test.each([
    [['0.0.0.0/0']],
    [['::/0']],
    [['::ffff:0:0/96']],
    [['::/80']],
    [['64:ff9b::/96']],
    [['::/1', '8000::/1']],
    [['::ffff:0.0.0.0/97', '::ffff:128.0.0.0/97']],
    [['2000::/4', '3000::/4']],
    [Array.from({ length: 256 }, (_, at) => `${at}.0.0.0/8`)],
    [Array.from({ length: 256 }, (_, at) => `${at >> 1}.${(at & 1) * 128}.0.0/9`)],
  ])('%j include strangers', (networks) => expect(coversStrangers(networks)).toBe(true))
  test.each([
    [[]],
    [['127.0.0.1', '::1']],
    [['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', 'fc00::/7']],
    [['104.16.0.0/13', '104.24.0.0/14', '172.64.0.0/13', '162.158.0.0/15', '2606:4700::/32', '2400:cb00::/32', '2a06:98c0::/29']],
    [Array.from({ length: 300 }, () => '17.0.0.0/8')],
  ])('%j do not', (networks) => expect(coversStrangers(networks)).toBe(false))
})
