import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { featureList } from '../../features/index.ts'
import { configParser, configShape } from './parse-config.ts'
import { documentedSchema } from './schema.ts'

const parse = configParser(featureList)

const valid = {
  secret: 'a secret of the tests, 0123456789 abcdefghij',
  baseURL: 'https://accounts.example.com',
  database: { url: 'mysql://latchkey@127.0.0.1/latchkey' },
}

function issues(input: object): { id: string; path: string; hint?: string }[] {
  const parsed = parse({ ...valid, ...input })
  return 'issues' in parsed ? parsed.issues.map(({ id, path, hint }) => ({ id, path, ...(hint && { hint }) })) : []
}

describe('a configuration', () => {
  test('is complete and frozen', () => {
    const parsed = parse(valid)
    if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
    expect(parsed.config.session.expiresIn).toBe(604_800)
    expect(parsed.config.emailAndPassword.enabled).toBe(false)
    expect(() => Object.assign(parsed.config.session, { expiresIn: 1 })).toThrow(TypeError)
  })

  test.each([
    [true, true],
    [false, false],
    [undefined, false],
    [{}, true],
    [{ enabled: false }, false],
  ])('a section that is %j is on: %s', (openAPI, enabled) => {
    const parsed = parse({ ...valid, openAPI })
    expect('config' in parsed && parsed.config.openAPI.enabled).toBe(enabled)
  })

  test.each([
    [{ trustedOrigin: [] }, 'trustedOrigin', 'Did you mean `trustedOrigins`?'],
    [{ session: { expireIn: 3 } }, 'session.expireIn', 'Did you mean `expiresIn`?'],
    [
      { advanced: { ipAddress: { ipAdressHeaders: [] } } },
      'advanced.ipAddress.ipAdressHeaders',
      'Did you mean `ipAddressHeaders`?',
    ],
    [{ advanced: { generateId: () => 'x' } }, 'advanced.generateId', 'Write `advanced: { database: { generateId } }`.'],
    [
      { advanced: { database: { useNumberId: true } } },
      'advanced.database.useNumberId',
      'IDs are strings. Set `advanced.database.generateId` to generate your own.',
    ],
    [
      { advanced: { database: { defaultFindManyLimit: 7 } } },
      'advanced.database.defaultFindManyLimit',
      'Lists are never truncated. Remove this option.',
    ],
    [
      { session: { storeSessionInDatabase: true } },
      'session.storeSessionInDatabase',
      'Sessions are always stored in the database. Remove this option.',
    ],
    [
      { session: { preserveSessionInDatabase: true } },
      'session.preserveSessionInDatabase',
      'A revoked session is always deleted from the database. Remove this option.',
    ],
    [
      { plugins: [] },
      'plugins',
      'Enable features by their sections, such as `openAPI: true`, instead of plugins; `genericOAuth({ config })` becomes `genericOAuth: { config: [ … ] }`.',
    ],
  ])('%j is reported with its path and a hint', (input, path, hint) => {
    expect(issues(input)).toEqual([{ id: 'config-unknown-option', path, hint }])
  })

  test.each(['oidcProvider', 'sso', 'scim', 'webhooks', 'oneTap'])('%s is reported as not available yet', (name) => {
    const [issue] = issues({ [name]: true })
    expect(issue).toMatchObject({ path: name, hint: expect.stringMatching(/: not available yet\. Remove this option\.$/) })
    // Below another option, the name is only misspelled.
    expect(issues({ session: { [name]: true } })[0]?.hint ?? '').not.toContain('not available')
  })

  test.each([
    ['cors', 'trustedOrigins'],
    ['port', 'server'],
    ['smtp', 'mail: { smtp'],
    ['organizations', 'organization: {'],
  ])('%s is reported with the option for it', (name, words) => {
    expect(issues({ [name]: {} })).toEqual([{ id: 'config-unknown-option', path: name, hint: expect.stringContaining(words) }])
  })

  test('gives no hint for a key that is similar to none', () => {
    expect(issues({ zzzzzzzz: 1 })).toEqual([{ id: 'config-unknown-option', path: 'zzzzzzzz' }])
  })

  test.each([
    [{ session: { expiresIn: 'a week' } }, 'session.expiresIn'],
    [{ server: { port: 70_000 } }, 'server.port'],
    [{ server: { trustedProxies: ['nonsense'] } }, 'server.trustedProxies.0'],
    [{ basePath: 'api' }, 'basePath'],
    [{ advanced: { database: { generateId: false } } }, 'advanced.database.generateId'],
  ])('%j: the path of the wrong value', (input, path) => {
    expect(issues(input)).toContainEqual({ id: 'config-value', path })
  })

  test.each([
    ['session', 'Write `session: { … }`.'],
    ['genericOAuth', 'Write `genericOAuth: { config: [ … ] }`.'],
  ])('%s: what to write instead of a list', (path, hint) => {
    expect(issues({ [path]: [] })).toContainEqual({ id: 'config-value', path, hint })
  })
})

describe('rejects at start', () => {
  test.each<[string, object]>([
    ['secret-missing', { secret: undefined }],
    ['secret-weak', { secret: 'short' }],
    ['secret-weak', { secret: 'a'.repeat(64) }],
    ['secret-weak', { secret: [valid.secret, 'better-auth-secret-123456789 and more'] }],
    ['base-url-missing', { baseURL: undefined }],
    ['base-url-plain-http', { baseURL: 'http://accounts.example.com' }],
    ['base-url-form', { baseURL: 'https://user@accounts.example.com' }],
    ...[
      '*',
      '**',
      '*.*',
      '*?',
      '*.com',
      '*.co.uk',
      'https://*',
      'https://*.*',
      'http*://*',
      '*://*',
      'https://**',
      'https://*:*',
      '*x*',
      'https://*.*:3000',
      'https://????????.???',
      'https://*.de',
      '*.xyz',
      'https://*.fr:*',
      'https://evil?.com',
      'https://10.0.*.*',
    ].map((origin): [string, object] => ['trusted-origins-everything', { trustedOrigins: ['https://app.example.com', origin] }]),
    ['cookie-host-prefix', { advanced: { cookiePrefix: '__Host-latchkey', crossSubDomainCookies: true } }],
    ['cookie-host-prefix', { advanced: { cookiePrefix: '__Host-latchkey', defaultCookieAttributes: { domain: 'example.com' } } }],
    ['cookie-host-prefix', { advanced: { cookiePrefix: '__Host-latchkey', defaultCookieAttributes: { path: '/api' } } }],
    [
      'cookie-host-prefix',
      { advanced: { cookies: { session_token: { name: '__Host-x', attributes: { domain: 'example.com' } } } } },
    ],
    ['cookie-host-prefix', { baseURL: 'http://localhost:3000', advanced: { cookiePrefix: '__Host-latchkey' } }],
    ...['oops', '//evil.test', '/\\evil.test', 'javascript:alert(1)', 'https://user:pass@example.com', 'ftp://a.example.com'].map(
      (errorURL): [string, object] => ['error-url', { onAPIError: { errorURL } }],
    ),
    ['cookie-domain', { advanced: { crossSubDomainCookies: { domain: 'other.com' } } }],
    ['cookie-domain', { advanced: { crossSubDomainCookies: { domain: 'com' } } }],
    [
      'cookie-secure-over-http',
      { baseURL: 'http://a.example.com', server: { allowPlainHTTP: true }, advanced: { useSecureCookies: true } },
    ],
    ['cookie-same-site-none', { baseURL: 'http://localhost:3000', advanced: { defaultCookieAttributes: { sameSite: 'none' } } }],
    [
      'cookie-same-site-none',
      { baseURL: 'http://localhost:3000', advanced: { cookies: { session_token: { attributes: { sameSite: 'none' } } } } },
    ],
    [
      'cookie-same-site-none',
      {
        baseURL: 'https://accounts.example.com',
        advanced: { cookies: { session_token: { attributes: { sameSite: 'None', secure: false } } } },
      },
    ],
    ['cookie-max-age', { advanced: { cookies: { session_token: { attributes: { maxAge: 40_000_000 } } } } }],
    ['cookie-domain-missing', { environment: 'development', baseURL: undefined, advanced: { crossSubDomainCookies: true } }],
    ['session-cookie-max-age', { session: { expiresIn: 40_000_000 } }],
    ['password-bounds', { emailAndPassword: { minPasswordLength: 100, maxPasswordLength: 99 } }],
    ['password-functions', { emailAndPassword: { password: { hash: () => 'x' } } }],
    ['password-functions', { emailAndPassword: { password: { verify: () => true } } }],
    ['attempts-delays', { attempts: { perAccount: { firstDelay: 61 } } }],
    ['captcha-provider', { captcha: { secretKey: 'x', siteKey: 'y' } }],
    ['captcha-secret', { captcha: { provider: 'hcaptcha', siteKey: 'y' } }],
    ['captcha-site-key', { captcha: { provider: 'hcaptcha', secretKey: 'x' } }],
    ['dashboard-path', { dashboard: { path: '/api/auth' } }],
    ['dashboard-path', { dashboard: { path: '/api/auth/pages' } }],
    ['dashboard-path', { dashboard: { path: '/livez' } }],
    ['dashboard-path', { baseURL: 'https://accounts.example.com/auth', dashboard: { path: '/auth' } }],
    ['branding-file', { dashboard: { branding: { logo: '/missing/logo.svg' } } }],
    ['config-value', { dashboard: { path: '/account/' } }],
    ['config-value', { dashboard: { branding: { accent: 'teal' } } }],
    ['config-value', { dashboard: { branding: { logo: 'http://example.com/logo.png' } } }],
    ['config-value', { dashboard: { branding: { logo: 'data:text/html,x' } } }],
    ['config-value', { dashboard: { branding: { favicon: 'https://example.com/icon.svg' } } }],
    ['config-value', { dashboard: { branding: { radius: 17 } } }],
    ['config-value', { dashboard: { branding: { footerLinks: [{ label: 'x', url: 'javascript:alert(1)' }] } } }],
    ['config-value', { dashboard: { branding: { footerLinks: Array(7).fill({ label: 'x', url: 'https://example.com' }) } } }],
    ['config-value', { dashboard: { branding: { supportEmail: 'support' } } }],
    ['config-value', { dashboard: { locales: ['de', 'de'] } }],
    ['database-missing', { database: {} }],
    ['database-scheme', { database: { url: 'postgres://localhost/x' } }],
    ['sqlite-workers', { database: { url: 'sqlite:./x.db' }, server: { workers: 2 } }],
    ['redis-place', { redis: {} }],
    ['redis-address', { redis: { url: 'http://localhost' } }],
    ['redis-tls', { redis: { url: 'rediss://localhost', tls: 'off' } }],
    ['redis-plain', { redis: { url: 'redis://cache.example.com' } }],
    ['rate-limit-storage', { rateLimit: { storage: 'secondary-storage' } }],
    ['private-listener-open', { server: { private: { port: 9000, host: '0.0.0.0' } } }],
    ['private-api-open', { server: { private: { api: { port: 9000 } } } }],
    ['seed-role-permission', { seed: { roles: { admin: { user: ['fly'] } } } }],
    ['seed-role-action', { seed: { roles: { admin: { user: ['ban', 'ban'] } } } }],
    ['seed-admin-role', { emailAndPassword: { enabled: true }, seed: { admins: [{ email: 'a@b.co', name: 'A' }] } }],
    ['seed-admins-without-passwords', { seed: { roles: { admin: {} }, admins: [{ email: 'a@b.co', name: 'A' }] } }],
    [
      'seed-admin-twice',
      {
        emailAndPassword: { enabled: true },
        seed: {
          roles: { admin: {} },
          admins: [
            { email: 'a@b.co', name: 'A' },
            { email: 'A@b.co', name: 'B' },
          ],
        },
      },
    ],
  ])('%s', (id, input) => {
    expect(issues(input).map((issue) => issue.id)).toEqual([id])
  })

  test.each([
    ['advanced.cookies.sesion_token', 'session_token', { advanced: { cookies: { sesion_token: {} } } }],
    ['advanced.cookies.known_device.nam', 'name', { advanced: { cookies: { known_device: { nam: 'x' } } } }],
    [
      'mail.templates.verificaton',
      'verification',
      { mail: { from: 'a@b.co', send: () => {}, templates: { verificaton: () => {} } } },
    ],
    ['rateLimit.customRules./sign-im/email', '/sign-in/email', { rateLimit: { customRules: { '/sign-im/email': false } } }],
    ['disabledPaths.0', '/sign-up/email', { disabledPaths: ['/sing-up/email'] }],
    ['disabledPaths.0', '/reset-password/:token', { disabledPaths: ['/reset-pasword/:token'] }],
    ['disabledPaths.0', '/reset-password/:token', { disabledPaths: ['/reset-password/:tokn'] }],
    ['disabledPaths.0', '/reset-password', { disabledPaths: ['/reset-password//'] }],
  ])('rejects %s and suggests %s', (path, name, input) => {
    expect(issues(input as object)).toEqual([expect.objectContaining({ path, hint: `Did you mean \`${name}\`?` })])
  })

  test.each<[name: string, input: object]>([
    [
      'wildcards below one domain',
      {
        trustedOrigins: [
          '*.example.com',
          'https://acme-*.vercel.app',
          'https://**.example.com',
          'http://localhost:*',
          'myapp://',
        ],
      },
    ],
    ['every origin in development', { environment: 'development', trustedOrigins: ['*'] }],
    ['__Host- with secure cookies', { advanced: { cookiePrefix: '__Host-latchkey' } }],
    [
      '__Host- without secure cookies in development',
      { environment: 'development', baseURL: 'http://localhost:3000', advanced: { cookiePrefix: '__Host-latchkey' } },
    ],
    [
      '__Host- for a cookie without the domain of the others',
      {
        advanced: {
          defaultCookieAttributes: { domain: 'example.com' },
          cookies: { session_token: { name: '__Host-x', attributes: { domain: undefined } } },
        },
      },
    ],
  ])('accepts %s', (_, input) => expect(issues(input)).toEqual([]))

  test('accepts paths of calls, their patterns, wildcards and a trailing slash', () => {
    const customRules = { '/sign-in/email': false, '/no-such/*': false, '/reset-password/abc': false } as const
    const disabledPaths = ['/sign-up/email', '/sign-out/', '/reset-password/:token', '/reset-password/abc']
    expect(issues({ disabledPaths, rateLimit: { customRules } })).toEqual([])
  })

  test('accepts valid options', () => {
    expect(issues({ baseURL: 'http://localhost:4000' })).toEqual([])
    for (const errorURL of ['/oops', '/oops?a=b', 'https://app.example.com/oops', 'http://localhost:3000'])
      expect(issues({ onAPIError: { errorURL } })).toEqual([])
    expect(issues({ baseURL: 'http://accounts.internal', server: { allowPlainHTTP: true } })).toEqual([])
    expect(issues({ advanced: { crossSubDomainCookies: { domain: 'example.com' } } })).toEqual([])
    const none = { session_token: { attributes: { sameSite: 'none', secure: true } } } as const
    expect(issues({ baseURL: 'http://localhost:3000', advanced: { cookies: none } })).toEqual([])
    expect(issues({ redis: { url: 'redis://cache.example.com', tls: 'off' } })).toEqual([])
    expect(issues({ redis: { url: 'rediss://cache.example.com' } })).toEqual([])
  })
})

test('every issue id is explained in the docs', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(core|lib|features)\b.*(?<!\.test)\.ts$/.test(name),
  )
  const ids = sources.flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/\bid: '([a-z-]+)', (?:path|message)|\bid: '([a-z]+-[a-z-]+)'/g)].map(
      ([, one, other]) => one ?? other ?? '',
    ),
  )
  const explained = readFileSync(fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url)), 'utf8')
  expect(ids.length).toBeGreaterThan(20)
  expect([...new Set(ids)].filter((id) => !explained.includes(`\`${id}\``))).toEqual([])
})

describe('an error message', () => {
  const folder = fileURLToPath(new URL('../..', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const literal = /(?<![\w`])'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g
  const textsOf = (code: string): string[] =>
    [...code.replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '').matchAll(literal)]
      .map(([, ...texts]) => texts.find((one) => one !== undefined) ?? '')
      // Sentences but no SQL, without the code in `${…}`.
      .map((one) => one.replaceAll(/\$\{[^}]*\}/g, '$'))
      .filter((one) => /^(?![A-Z]{2})[A-Z`].* /.test(one))
  const texts = sources.flatMap((name) => textsOf(readFileSync(`${folder}/${name}`, 'utf8')))
  // Files, hosts, and code nested in `${…}`.
  const isOther = (name: string) => /\.(?:ts|js|md|json|ndjson|gz|sql|yaml|db|com|example|length)$/.test(name)

  /** `advanced.database.generateId`, also as `advanced: { database: { generateId } }`. */
  const optionsIn = (sentence: string): string[] => {
    const dotted = [...sentence.matchAll(/(?<![\w./@:$-])[a-z]\w*(?:\.[a-z]\w*)+(?![\w/(@-])/g)].map(([name]) => name)
    const nested = [...sentence.matchAll(/(?<![\w.])[a-z]\w*(?:: \{ [a-z]\w*)+/g)].map(([name]) => name.replaceAll(': { ', '.'))
    return [...dotted.filter((name) => !isOther(name)), ...nested]
  }
  function isOption(path: string): boolean {
    let shape: unknown = configShape(featureList)
    for (const name of path.split('.')) {
      const option: unknown = Reflect.get(Object(shape), name)
      if (option === undefined) return false
      shape =
        option instanceof z.ZodType
          ? z.toJSONSchema(option, { io: 'input', unrepresentable: 'any' }).properties
          : { enabled: true, ...Object(option).shape }
    }
    return true
  }
  const found = new Set(texts.flatMap(optionsIn))
  // A permission, a variable of the environment, the result of a function, and what exports of other systems contain.
  const formerTables = ['auth.users', 'auth.identities', 'auth.mfa_factors', 'auth.user']
  const examples = new Set(['support.user', 'process.env', 'user.id', 'app_metadata.plan', ...formerTables])
  /** `openAPI: true`, also of a column. */
  const members = new Set(texts.flatMap((one) => [...one.matchAll(/`([a-z]\w*): [^{]/g)].map(([, name = '']) => name)))
  const schema = JSON.stringify(
    z.toJSONSchema(documentedSchema(configShape(featureList)), { io: 'input', unrepresentable: 'any' }),
  )

  test('names only options that exist', () => {
    const some = ['redis.url', 'advanced.database.generateId', 'mail.smtp', 'server.allowPlainHTTP']
    expect([...found]).toEqual(expect.arrayContaining(some))
    expect([...found].filter((path) => !examples.has(path) && !isOption(path))).toEqual([])
    expect([...members]).toContain('openAPI')
    expect([...members].filter((name) => !schema.includes(`"${name}":`))).toEqual([])
  })

  test('suggests `enabled` for a section, and has no words of the library that parses', () => {
    expect(issues({ emailAndPassword: { enable: true } })).toMatchObject([{ hint: 'Did you mean `enabled`?' }])
    const parsed = parse({ ...valid, server: { port: '4000', workers: 0 } })
    const messages = 'issues' in parsed ? parsed.issues.map(({ message }) => message) : []
    expect(messages).toEqual(['Expected number, received string', expect.stringMatching(/^Expected number to be >=1/)])
  })
})
