/** Connections to Redis: plain, with TLS, to a cluster, through sentinels. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRedisKeyValue } from '../../src/adapters/key-value.ts'
import { createRedisRateLimits } from '../../src/adapters/rate-limit/redis-rate-limit.ts'
import type { RedisOptions } from '../../src/adapters/redis-client.ts'
import { openRedis, type RedisConnection } from '../../src/adapters/redis-connection.ts'
import { freePort, type Server, startRedis } from '../kit/servers/index.ts'
import { getBinary, redis as redisPart } from '../kit/servers/packages.ts'
import { pingRedis } from '../kit/servers/redis.ts'
import { startServer } from '../kit/servers/server.ts'
import { certificate, certificateKey } from './localhost-certificate.ts'
import { silentLog } from './ports.ts'

const now = () => new Date(1_760_000_000_000)

function open(options: Partial<RedisOptions>): RedisConnection {
  const redis = openRedis({ commandTimeout: 10_000, ...options }, silentLog)
  onTestFinished(() => redis.close())
  return redis
}

/** Key-value store and rate limits both work over the connection. */
async function expectToWork(redis: RedisConnection): Promise<void> {
  const kv = createRedisKeyValue({ redis, keyPrefix: 'test:' })
  await kv.ping()
  for (const key of ['a', 'b', 'c']) await kv.add(key, `value of ${key}`, 60)
  expect(await kv.get(['a', 'none', 'b', 'c'])).toEqual(['value of a', null, 'value of b', 'value of c'])
  await kv.delete(['a', 'c'])
  expect(await kv.get(['a', 'b', 'c'])).toEqual([null, 'value of b', null])
  const limits = createRedisRateLimits({ redis, keyPrefix: 'test:', now })
  const decisions = await Promise.all(Array.from({ length: 20 }, () => limits.take('a', { window: 60, max: 3 })))
  expect(decisions.filter((decision) => decision.allowed)).toHaveLength(3)
}

/** Why there is no connection, in the words of the last error. */
async function reasonOf(redis: RedisConnection): Promise<string> {
  const error: unknown = await createRedisKeyValue({ redis, keyPrefix: '' })
    .ping()
    .then(
      () => null,
      (reason: unknown) => reason,
    )
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
}

async function started(server: Promise<Server>): Promise<Server> {
  const running = await server
  onTestFinished(() => running.stop())
  return running
}

describe('by TLS', () => {
  let folder: string
  let port: number
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-redis-'))
    await writeFile(join(folder, 'cert.pem'), certificate)
    await writeFile(join(folder, 'key.pem'), certificateKey, { mode: 0o600 })
    port = await freePort()
    const files = ['--tls-cert-file', join(folder, 'cert.pem'), '--tls-key-file', join(folder, 'key.pem')]
    const server = await startRedis(['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'])
    return async () => {
      await server.stop()
      await rm(folder, { recursive: true })
    }
  })

  test('accepts a certificate of the configured authority, however TLS was enabled', async () => {
    const ca = join(folder, 'cert.pem')
    await expectToWork(open({ url: `rediss://localhost:${port}`, ca }))
    await expectToWork(open({ url: `redis://localhost:${port}/1`, tls: 'verify', ca }))
  })
  test('rejects a certificate of an unknown authority', async () => {
    expect(await reasonOf(open({ url: `rediss://localhost:${port}` }))).toContain('self-signed certificate')
  })
  test('rejects a certificate for another name', async () => {
    expect(await reasonOf(open({ url: `rediss://127.0.0.1:${port}`, ca: join(folder, 'cert.pem') }))).toContain('altnames')
  })
  test('fails at the start when the file of authorities cannot be read', () => {
    expect(() => open({ url: `rediss://localhost:${port}`, ca: join(folder, 'none.pem') })).toThrow('ENOENT')
  })
})

test('does not attempt a plain-text connection to another machine', () => {
  expect(() => open({ url: 'redis://:hunter22@192.0.2.1' })).toThrow(
    /^The connection to Redis would cross the network unencrypted/,
  )
  expect(() => open({ url: 'redis://:hunter22@192.0.2.1' })).not.toThrow('hunter22')
})

test('uses user and password of the URL, and reports a wrong one', async () => {
  const server = await started(startRedis())
  const client = new Redis(server.url)
  await client.call('ACL', 'SETUSER', 'app', 'on', '>p@ss', '~test:*', '+@all')
  client.disconnect()
  await expectToWork(open({ url: `redis://app:p%40ss@127.0.0.1:${server.port}` }))
  const wrong = open({ url: `redis://app:wrong@127.0.0.1:${server.port}` })
  expect(await reasonOf(wrong)).toContain('WRONGPASS')
  await expect(wrong.run(() => wrong.client.ping())).rejects.toThrow(
    new RegExp(`^Redis rejects the login at 127\\.0\\.0\\.1:${server.port}: WRONGPASS`),
  )
})

test('never uses another database than the one of the URL', async () => {
  const server = await started(startRedis())
  const admin = new Redis(server.url)
  onTestFinished(() => admin.disconnect())
  await admin.call('ACL', 'SETUSER', 'limited', 'on', '>password', '~*', '+@all', '-select')
  for (const [url, reason] of [
    [`redis://limited:password@127.0.0.1:${server.port}/1`, 'NOPERM'],
    [`redis://127.0.0.1:${server.port}/9999`, 'DB index is out of range'],
  ] as const) {
    const redis = open({ url })
    expect(await reasonOf(redis)).toContain(reason)
    const kv = createRedisKeyValue({ redis, keyPrefix: 'test:' })
    for (let call = 0; call < 20; call += 1)
      await expect(kv.add(`key ${call}`, 'value', 60)).rejects.toThrow('Redis does not respond')
  }
  expect(await admin.keys('*')).toEqual([])
})

async function startCluster(announcedAddress: string): Promise<Server> {
  const ports = ['--cluster-port', String(await freePort()), '--cluster-announce-ip', announcedAddress]
  const server = await started(startRedis(['--cluster-enabled', 'yes', ...ports]))
  const client = new Redis(server.url)
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await expect.poll(() => client.call('CLUSTER', 'INFO')).toContain('cluster_state:ok')
  client.disconnect()
  return server
}

describe('to a cluster', () => {
  test('reaches keys in all slots', async () => {
    const server = await startCluster('127.0.0.1')
    await expectToWork(open({ cluster: [server.url] }))
  })
  test('follows no plain-text redirect to another machine', async () => {
    const server = await startCluster('192.0.2.1')
    await expectToWork(open({ cluster: [server.url] }))
  })
  test('rejects commands quickly when no node responds', async () => {
    const server = await startCluster('127.0.0.1')
    const kv = createRedisKeyValue({ redis: open({ cluster: [server.url], commandTimeout: 500 }), keyPrefix: '' })
    await kv.ping()
    await server.kill()
    const begin = performance.now()
    for (let call = 0; call < 5; call += 1)
      await expect(kv.get(['a', 'b'])).rejects.toThrow(/^Redis does not respond at 127.0.0.1:\d+: ./)
    expect(performance.now() - begin).toBeLessThan(5000)
  })
})

test('finds the master through sentinels', async () => {
  const master = await started(startRedis())
  const binary = await getBinary(redisPart)
  const sentinel = await started(
    startServer({
      name: 'sentinel',
      url: (port) => `redis://127.0.0.1:${port}`,
      prepare: (folder) => writeFile(join(folder, 'sentinel.conf'), `sentinel monitor main 127.0.0.1 ${master.port} 1\n`),
      command: (folder, port) => [
        binary,
        join(folder, 'sentinel.conf'),
        '--sentinel',
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
      ],
      ping: pingRedis,
    }),
  )
  await expectToWork(open({ sentinel: { nodes: [sentinel.url], name: 'main' } }))
  expect(await reasonOf(open({ sentinel: { nodes: [`redis://127.0.0.1:${await freePort()}`], name: 'main' } }))).toContain(
    'sentinels are unreachable',
  )
})
