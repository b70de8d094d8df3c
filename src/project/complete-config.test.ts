import { describe, expect, test } from 'vitest'
import { completeConfig, valueAt } from './environment.ts'
import type { ConfigOverride } from './load-config.ts'

const complete = (file: object, env: Record<string, string> = {}, overrides: readonly ConfigOverride[] = []) => {
  const { input, origins } = completeConfig({ ...file }, { env, directory: '/project', overrides })
  return { at: (path: string) => valueAt(input, path), origins }
}

describe('the environment', () => {
  test('fills missing options and records the origin', () => {
    const { at, origins } = complete(
      {},
      { DATABASE_URL: 'mysql://h/d', LATCHKEY_SECRET: 's', LATCHKEY_BASE_URL: 'https://a.test' },
    )
    expect([at('database.url'), at('secret'), at('baseURL')]).toEqual(['mysql://h/d', 's', 'https://a.test'])
    expect(origins.get('database.url')).toBe('environment DATABASE_URL')
  })
  test('does not replace what the file says', () => {
    const { at, origins } = complete(
      { secret: 'mine', database: { url: 'mysql://h/mine' } },
      { DATABASE_URL: 'mysql://h/other', LATCHKEY_SECRET: 's' },
    )
    expect([at('database.url'), at('secret')]).toEqual(['mysql://h/mine', 'mine'])
    expect(origins.size).toBe(0)
  })
  test('counts as not set when it is empty', () => {
    expect(complete({}, { LATCHKEY_SECRET: '', AUTH_SECRET: 'third' }).at('secret')).toBe('third')
  })
  test.each([
    ['secret', ['LATCHKEY_SECRET', 'BETTER_AUTH_SECRET', 'AUTH_SECRET']],
    [
      'baseURL',
      [
        'LATCHKEY_BASE_URL',
        'BETTER_AUTH_URL',
        'NEXT_PUBLIC_BETTER_AUTH_URL',
        'PUBLIC_BETTER_AUTH_URL',
        'NUXT_PUBLIC_BETTER_AUTH_URL',
        'NUXT_PUBLIC_AUTH_URL',
        'BASE_URL',
      ],
    ],
  ])('has several names for %s, of which the first that is set counts', (path, names) => {
    names.forEach((name, position) => {
      const env = Object.fromEntries(names.slice(position).map((each) => [each, `value of ${each}`]))
      expect(complete({}, env).at(path)).toBe(`value of ${name}`)
    })
  })
  test('ignores a BASE_URL that is only a slash', () => {
    expect(complete({}, { BASE_URL: '/' }).at('baseURL')).toBeUndefined()
  })
  test.each([
    ['production', 'production'],
    ['development', 'development'],
    ['test', 'development'],
    ['staging', undefined],
  ])('NODE_ENV %s means %s', (name, environment) => {
    expect(complete({}, { NODE_ENV: name }).at('environment')).toBe(environment)
  })
})

describe('Redis', () => {
  const env = { REDIS_URL: 'redis://h:6379' }
  test.each([
    ['left out', {}],
    ['switched on', { redis: true }],
    ['given without an address', { redis: { keyPrefix: 'x:' } }],
  ])('is filled when it is %s', (_, file) => {
    expect(complete(file, env).at('redis.url')).toBe('redis://h:6379')
  })
  test.each([
    ['switched off', { redis: false }],
    ['off in its section', { redis: { enabled: false } }],
    ['a cluster', { redis: { cluster: ['redis://n:1'] } }],
    ['behind sentinels', { redis: { sentinel: { nodes: ['redis://n:1'], name: 'm' } } }],
  ])('is left alone when it is %s', (_, file) => {
    expect(complete(file, env).at('redis.url')).toBeUndefined()
  })
})

describe('trusted origins of the environment', () => {
  const env = { BETTER_AUTH_TRUSTED_ORIGINS: 'https://a.test, https://b.test,' }
  test('are added to a list', () => {
    expect(complete({ trustedOrigins: ['https://own.test'] }, env).at('trustedOrigins')).toEqual([
      'https://own.test',
      'https://a.test',
      'https://b.test',
    ])
  })
  test('stand alone without one', () => {
    expect(complete({}, env).at('trustedOrigins')).toEqual(['https://a.test', 'https://b.test'])
  })
  test('are added to what a function answers', async () => {
    const wrapped = complete({ trustedOrigins: (request: Request) => [new URL(request.url).origin] }, env).at('trustedOrigins')
    if (typeof wrapped !== 'function') throw new Error('no function')
    expect(await wrapped(new Request('https://c.test/x'))).toEqual(['https://c.test', 'https://a.test', 'https://b.test'])
  })
})

test('a flag wins over the file and the environment', () => {
  const overrides = [
    { path: 'server.port', value: 1, origin: '--port' },
    { path: 'database.url', value: 'mysql://h/flag', origin: '--database' },
  ]
  const { at, origins } = complete({ server: { port: 2, host: 'h' } }, { DATABASE_URL: 'mysql://h/env' }, overrides)
  expect([at('server.port'), at('server.host'), at('database.url')]).toEqual([1, 'h', 'mysql://h/flag'])
  expect(origins.get('server.port')).toBe('--port')
})

test.each([
  ['brand/logo.svg', '/project/brand/logo.svg'],
  ['/srv/logo.svg', '/srv/logo.svg'],
  ['https://cdn.example.com/logo.svg', 'https://cdn.example.com/logo.svg'],
  ['data:image/png,x', 'data:image/png,x'],
  ['dots', 'dots'],
])('the brand image %s is %s, from whichever folder a command is typed', (given, anchored) => {
  expect(complete({ dashboard: { branding: { cover: given } } }).at('dashboard.branding.cover')).toBe(anchored)
})

test('what the file exports is not changed, even when it is frozen', () => {
  const file = Object.freeze({ database: Object.freeze({ poolSize: 3 }) })
  expect(complete(file, { DATABASE_URL: 'mysql://h/d' }).at('database')).toEqual({ poolSize: 3, url: 'mysql://h/d' })
  expect(file.database).toEqual({ poolSize: 3 })
})

test.each([
  ['sqlite:./a.db', 'sqlite:/project/a.db'],
  ['sqlite:a.db', 'sqlite:/project/a.db'],
  ['sqlite:///srv/a.db', 'sqlite:/srv/a.db'],
  ['sqlite::memory:', 'sqlite::memory:'],
  ['mysql://h/d', 'mysql://h/d'],
])('the database %s is %s, from whichever folder a command is typed', (given, anchored) => {
  expect(complete({ database: { url: given } }).at('database.url')).toBe(anchored)
})
