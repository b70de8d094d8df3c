/** The ways to a Redis: plain, by TLS, to a cluster, through sentinels. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createRedisKeyValue } from '../../src/adapters/key-value/redis.ts'
import { createRedisRateLimits } from '../../src/adapters/rate-limit/redis.ts'
import { openRedis, type RedisConnection, type RedisOptions } from '../../src/adapters/redis.ts'
import { freePort, type Server, startRedis } from '../kit/servers/index.ts'
import { getBinary, redis as redisPart } from '../kit/servers/packages.ts'
import { pingRedis } from '../kit/servers/redis.ts'
import { startServer } from '../kit/servers/server.ts'
import { certificate, certificateKey } from './localhost-certificate.ts'
import { silentLog } from './ports.ts'

const now = () => new Date(1_760_000_000_000)

function open(options: Partial<RedisOptions>): RedisConnection {
  const redis = openRedis({ commandTimeout: 2000, ...options }, silentLog)
  onTestFinished(() => redis.close())
  return redis
}

/** Key-value store and rate limits both work over the connection. */
async function expectToWork(redis: RedisConnection): Promise<void> {
  const kv = createRedisKeyValue({ redis, keyPrefix: 'test:' })
  await kv.ping()
  for (const key of ['a', 'b', 'c']) await kv.set(key, `value of ${key}`, 60)
  expect(await kv.get(['a', 'none', 'b', 'c'])).toEqual(['value of a', null, 'value of b', 'value of c'])
  await kv.delete('a')
  for (const entry of 'abcdefgh') await kv.append('log', entry, { first: 1, above: 0, ttl: 60 })
  expect(await kv.readLog('log', 1)).toEqual({ last: 8, entries: [...'bcdefgh'] })
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

  test('a certificate of the given authority is accepted, whichever way TLS was asked for', async () => {
    const ca = join(folder, 'cert.pem')
    await expectToWork(open({ url: `rediss://localhost:${port}`, ca }))
    await expectToWork(open({ url: `redis://localhost:${port}/1`, tls: 'verify', ca }))
  })
  test('a certificate that nobody vouches for is refused', async () => {
    expect(await reasonOf(open({ url: `rediss://localhost:${port}` }))).toContain('self-signed certificate')
  })
  test('a certificate for another name is refused', async () => {
    expect(await reasonOf(open({ url: `rediss://127.0.0.1:${port}`, ca: join(folder, 'cert.pem') }))).toContain('altnames')
  })
  test('a file of authorities that cannot be read is an error at the start', () => {
    expect(() => open({ url: `rediss://localhost:${port}`, ca: join(folder, 'none.pem') })).toThrow('ENOENT')
  })
})

test('a plain connection that would leave this machine is not even tried', () => {
  expect(() => open({ url: 'redis://:hunter22@192.0.2.1' })).toThrow(
    /^The connection to Redis would cross the network unprotected/,
  )
  expect(() => open({ url: 'redis://:hunter22@192.0.2.1' })).not.toThrow('hunter22')
})

test('user and password are those of the address, and a wrong one is the reason that is told', async () => {
  const server = await started(startRedis())
  const client = new Redis(server.url)
  await client.call('ACL', 'SETUSER', 'app', 'on', '>p@ss', '~test:*', '+@all')
  client.disconnect()
  await expectToWork(open({ url: `redis://app:p%40ss@127.0.0.1:${server.port}` }))
  expect(await reasonOf(open({ url: `redis://app:wrong@127.0.0.1:${server.port}` }))).toContain('WRONGPASS')
})

async function startCluster(announcedAddress: string): Promise<Server> {
  const ports = ['--cluster-port', String(await freePort()), '--cluster-announce-ip', announcedAddress]
  const server = await started(startRedis(['--cluster-enabled', 'yes', ...ports]))
  const client = new Redis(server.url)
  await client.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  await expect.poll(() => client.call('CLUSTER', 'INFO'), { timeout: 15_000 }).toContain('cluster_state:ok')
  client.disconnect()
  return server
}

describe('to a cluster', () => {
  test('keys in all slots are reached', async () => {
    const server = await startCluster('127.0.0.1')
    await expectToWork(open({ cluster: [server.url] }))
  })
  test('a plain connection is not led away from this machine', async () => {
    const server = await startCluster('192.0.2.1')
    await expectToWork(open({ cluster: [server.url] }))
  })
  test('commands are refused quickly when no node answers', async () => {
    const server = await startCluster('127.0.0.1')
    const kv = createRedisKeyValue({ redis: open({ cluster: [server.url], commandTimeout: 500 }), keyPrefix: '' })
    await kv.ping()
    await server.kill()
    const begin = performance.now()
    for (let call = 0; call < 5; call += 1) await expect(kv.get(['a', 'b'])).rejects.toThrow('Redis does not answer')
    expect(performance.now() - begin).toBeLessThan(5000)
  })
})

test('through sentinels the master is found', async () => {
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
