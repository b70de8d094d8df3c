/** Configurations that let everyone in do not start. */
import { describe, expect, test } from 'vitest'
import { type ConfigFile, featureList } from '../features/index.ts'
import { coversStrangers } from '../lib/ip.ts'
import { parseConfig } from './parse-config.ts'

const secret = 'kq83hd92jf7s6d5f4g3h2j1k0l9z8x7c'
const token = 'pw92kd83js74hf65dg56sa47'

function issues(more: ConfigFile): string[] {
  const base = { secret, database: { url: 'sqlite::memory:' }, baseURL: 'https://auth.acme.test' }
  const parsed = parseConfig(featureList, { ...base, ...more })
  return 'issues' in parsed ? parsed.issues.map(({ id, path }) => `${id} ${path}`) : []
}
const social = (trusted: string[], socialProviders: ConfigFile['socialProviders']): ConfigFile => ({
  socialProviders,
  account: { accountLinking: { trustedProviders: trusted } },
})
const app = { clientId: 'id', clientSecret: 'a client secret' }
const guid = '72f988bf-86f1-41af-91ab-2d7cd011db47'

const refused: [name: string, config: ConfigFile, issue: string][] = [
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
])('accepts %s', (_, config) => expect(issues(config)).toEqual([]))

describe('networks of proxies', () => {
  test.each([
    [['0.0.0.0/0']],
    [['::/0']],
    [['::ffff:0:0/96']],
    [['::/80']],
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
