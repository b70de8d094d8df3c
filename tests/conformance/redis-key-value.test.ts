import { expect, onTestFinished, test } from 'vitest'
import { createRedisKeyValue } from '../../src/adapters/key-value/redis.ts'
import { openRedis } from '../../src/adapters/redis.ts'
import { freshKeyspace } from '../kit/servers/index.ts'
import { keyValueSuite } from './key-value.ts'
import { silentLog } from './ports.ts'

async function open() {
  const keyspace = await freshKeyspace()
  const redis = openRedis({ url: keyspace.url, commandTimeout: 5000 }, silentLog)
  const close = async () => {
    await redis.close()
    await keyspace.drop()
  }
  return { redis, prefix: keyspace.prefix, store: createRedisKeyValue({ redis, keyPrefix: keyspace.prefix }), close }
}

keyValueSuite('Redis', open)

test('installations with different prefixes share a Redis without seeing each other', async () => {
  const { redis, prefix, store, close } = await open()
  onTestFinished(close)
  const other = createRedisKeyValue({ redis, keyPrefix: `${prefix}other:` })
  await store.set('a', 'one', 60)
  expect(await other.get(['a'])).toEqual([null])
  await other.delete('a')
  expect(await store.get(['a'])).toEqual(['one'])
})

test('the answer of the server itself is not taken for its absence', async () => {
  const { redis, prefix, store, close } = await open()
  onTestFinished(close)
  await store.ping()
  await redis.client.set(`${prefix}kv:{log}`, 'text')
  await expect(store.append('log', 'x', { first: 1, above: 0, ttl: 60 })).rejects.toThrow('not an integer')
})
