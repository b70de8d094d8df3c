import { describe, expect, test } from 'vitest'
import { parseRedisAddress, redisAddressIssue } from './redis-address.ts'

describe('parseRedisAddress', () => {
  test.each([
    ['redis://localhost', { host: 'localhost', port: 6379, db: 0, isTLS: false, username: undefined, password: undefined }],
    ['rediss://cache.example.com:7000/3', { host: 'cache.example.com', port: 7000, db: 3, isTLS: true }],
    ['redis://:p%40ss@10.0.0.1', { username: undefined, password: 'p@ss' }],
    ['redis://app:pa:ss@[::1]:6380/', { host: '::1', port: 6380, username: 'app', password: 'pa:ss' }],
  ])('%s is understood', (text, expected) => expect(parseRedisAddress(text)).toMatchObject(expected))

  test.each([
    '',
    'localhost:6379',
    'http://localhost',
    'redis://',
    'redis:///1',
    'redis://h/x',
    'redis://h/1/2',
    'redis://h?db=1',
    'redis://:%@h',
    'redis://h:99999',
  ])('"%s" is none', (text) => expect(parseRedisAddress(text)).toBeNull())
})

describe('redisAddressIssue', () => {
  test.each([
    { url: 'redis://localhost' },
    { url: 'redis://127.0.0.1:6380/2' },
    { url: 'rediss://cache.example.com' },
    { url: 'redis://cache.example.com', tls: 'verify' as const },
    { url: 'redis://cache.example.com', tls: 'off' as const },
    { cluster: ['redis://[::1]:7001', 'redis://127.0.0.1:7002'] },
    { cluster: ['rediss://:x@a', 'rediss://:x@b'] },
    { sentinel: { nodes: ['rediss://a:26379', 'rediss://b:26379'], name: 'main' } },
  ])('%o is accepted', (place) => expect(redisAddressIssue(place)).toBeNull())

  test.each([
    [{}, 'redis-place', ''],
    [{ url: 'redis://localhost', cluster: ['redis://localhost'] }, 'redis-place', ''],
    [{ url: 'localhost:6379' }, 'redis-address', 'url'],
    [{ cluster: ['redis://localhost', 'nonsense'] }, 'redis-address', 'cluster'],
    [{ cluster: ['redis://localhost/1'] }, 'redis-address', 'cluster'],
    [{ cluster: ['rediss://a', 'redis://b'] }, 'redis-address', 'cluster'],
    [{ sentinel: { nodes: ['rediss://:x@a', 'rediss://:y@b'], name: 'main' } }, 'redis-address', 'sentinel.nodes'],
    [{ url: 'redis://cache.example.com' }, 'redis-plain', 'url'],
    [{ url: 'redis://10.0.0.1' }, 'redis-plain', 'url'],
    [{ cluster: ['redis://localhost', 'redis://10.0.0.1'] }, 'redis-plain', 'cluster'],
    [{ sentinel: { nodes: ['redis://s1'], name: 'main' } }, 'redis-plain', 'sentinel.nodes'],
    [{ url: 'rediss://localhost', tls: 'off' as const }, 'redis-tls', 'tls'],
  ])('%o is rejected', (place, id, path) => expect(redisAddressIssue(place)).toMatchObject({ id, path }))

  test('no message repeats a password', () => {
    expect(JSON.stringify(redisAddressIssue({ url: 'redis://:hunter22@cache.example.com' }))).not.toContain('hunter22')
  })
})
