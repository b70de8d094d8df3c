import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { featureList } from '../features/index.ts'
import { parseConfig } from './parse-config.ts'

const valid = {
  secret: 'a secret of the tests, 0123456789 abcdefghij',
  baseURL: 'https://accounts.example.com',
  database: { url: 'mysql://latchkey@127.0.0.1/latchkey' },
}

function faults(input: object): { id: string; path: string; hint?: string }[] {
  const parsed = parseConfig(featureList, { ...valid, ...input })
  return 'faults' in parsed ? parsed.faults.map(({ id, path, hint }) => ({ id, path, ...(hint && { hint }) })) : []
}

describe('a configuration', () => {
  test('is complete and frozen', () => {
    const parsed = parseConfig(featureList, valid)
    if ('faults' in parsed) throw new Error(JSON.stringify(parsed.faults))
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
    const parsed = parseConfig(featureList, { ...valid, openAPI })
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
      'Ids are texts; `generateId` may make others than ours.',
    ],
    [{ advanced: { database: { defaultFindManyLimit: 7 } } }, 'advanced.database.defaultFindManyLimit', 'No list ends silently.'],
    [{ session: { storeSessionInDatabase: true } }, 'session.storeSessionInDatabase', 'Sessions are always rows.'],
    [
      { session: { preserveSessionInDatabase: true } },
      'session.preserveSessionInDatabase',
      'Sessions are always rows, and a revoked one is removed.',
    ],
    [{ plugins: [] }, 'plugins', 'Features are sections here: write `organization: true` instead of a plugin.'],
  ])('%j: the path, and what was meant', (input, path, hint) => {
    expect(faults(input)).toEqual([{ id: 'config-unknown-option', path, hint }])
  })

  test('a key that resembles nothing gets no hint', () => {
    expect(faults({ zzzzzzzz: 1 })).toEqual([{ id: 'config-unknown-option', path: 'zzzzzzzz' }])
  })

  test.each([
    [{ session: { expiresIn: 'a week' } }, 'session.expiresIn'],
    [{ server: { port: 70_000 } }, 'server.port'],
    [{ server: { trustedProxies: ['nonsense'] } }, 'server.trustedProxies.0'],
    [{ basePath: 'api' }, 'basePath'],
    [{ session: [] }, 'session'],
    [{ advanced: { database: { generateId: false } } }, 'advanced.database.generateId'],
  ])('%j: the path of the wrong value', (input, path) => {
    expect(faults(input)).toContainEqual({ id: 'config-value', path })
  })
})

describe('a start is refused on', () => {
  test.each<[string, object]>([
    ['secret-missing', { secret: undefined }],
    ['secret-weak', { secret: 'short' }],
    ['secret-weak', { secret: 'a'.repeat(64) }],
    ['secret-weak', { secret: [valid.secret, 'better-auth-secret-123456789 and more'] }],
    ['base-url-missing', { baseURL: undefined }],
    ['base-url-plain-http', { baseURL: 'http://accounts.example.com' }],
    ['base-url-form', { baseURL: 'https://user@accounts.example.com' }],
    ['trusted-origins-everything', { trustedOrigins: ['*'] }],
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
    ['captcha-provider', { captcha: { secretKey: 'x' } }],
    ['captcha-secret', { captcha: { provider: 'hcaptcha' } }],
    ['database-missing', { database: {} }],
    ['database-scheme', { database: { url: 'postgres://localhost/x' } }],
    ['sqlite-workers', { database: { url: 'sqlite:./x.db' }, server: { workers: 2 } }],
    ['redis-place', { redis: {} }],
    ['redis-address', { redis: { url: 'http://localhost' } }],
    ['redis-tls', { redis: { url: 'rediss://localhost', tls: 'off' } }],
    ['redis-plain', { redis: { url: 'redis://cache.example.com' } }],
    ['rate-limit-storage', { rateLimit: { storage: 'secondary-storage' } }],
    ['private-listener-open', { server: { private: { port: 9000, host: '0.0.0.0' } } }],
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
    expect(faults(input).map((fault) => fault.id)).toEqual([id])
  })

  test('nothing that is fine', () => {
    expect(faults({ baseURL: 'http://localhost:4000' })).toEqual([])
    for (const errorURL of ['/oops', '/oops?a=b', 'https://app.example.com/oops', 'http://localhost:3000'])
      expect(faults({ onAPIError: { errorURL } })).toEqual([])
    expect(faults({ baseURL: 'http://accounts.internal', server: { allowPlainHTTP: true } })).toEqual([])
    expect(faults({ advanced: { crossSubDomainCookies: { domain: 'example.com' } } })).toEqual([])
    const none = { session_token: { attributes: { sameSite: 'none', secure: true } } } as const
    expect(faults({ baseURL: 'http://localhost:3000', advanced: { cookies: none } })).toEqual([])
    expect(faults({ redis: { url: 'redis://cache.example.com', tls: 'off' } })).toEqual([])
    expect(faults({ redis: { url: 'rediss://cache.example.com' } })).toEqual([])
  })
})

test('every id that a start may be refused with is explained', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url))
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /^(core|lib|features)\b.*(?<!\.test)\.ts$/.test(name),
  )
  const ids = sources.flatMap((name) =>
    [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/\bid: '([a-z-]+)', (?:path|message)|\bid: '([a-z]+-[a-z-]+)'/g)].map(
      ([, one, other]) => one ?? other ?? '',
    ),
  )
  const explained = readFileSync(fileURLToPath(new URL('../../docs/configuration.md', import.meta.url)), 'utf8')
  expect(ids.length).toBeGreaterThan(20)
  expect([...new Set(ids)].filter((id) => !explained.includes(`\`${id}\``))).toEqual([])
})
