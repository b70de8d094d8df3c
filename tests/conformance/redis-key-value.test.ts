import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createRedisKeyValue } from '../../src/adapters/key-value.ts'
import { openRedis } from '../../src/adapters/redis-connection.ts'
import { freshKeyspace } from '../kit/servers/index.ts'
import { keyValueSuite } from './key-value.ts'
import { silentLog } from './ports.ts'

async function open() {
  const keyspace = await freshKeyspace()
  const redis = openRedis(keyspace.redis, silentLog)
  const { keyPrefix } = keyspace.redis
  const close = async () => {
    await redis.close()
    await keyspace.drop()
  }
  return { redis, prefix: keyPrefix, store: createRedisKeyValue({ redis, keyPrefix }), close }
}

keyValueSuite('Redis', open)

test('separates installations with different prefixes in one Redis', async () => {
  const { redis, prefix, store, close } = await open()
  onTestFinished(close)
  const other = createRedisKeyValue({ redis, keyPrefix: `${prefix}other:` })
  await store.add('a', 'one', 60)
  expect(await other.get(['a'])).toEqual([null])
  await other.delete(['a'])
  expect(await store.get(['a'])).toEqual(['one'])
})

test('reports an error of the server unchanged', async () => {
  const { store, close } = await open()
  onTestFinished(close)
  await expect(store.add('a', 'x', 0)).rejects.toThrow('invalid expire time')
})

test('has another connection number after a reconnect', async () => {
  const { redis, store, close } = await open()
  onTestFinished(close)
  await store.ping()
  const connection = store.connection()
  redis.client.disconnect(true)
  await once(redis.client, 'ready')
  expect(store.connection()).not.toBe(connection)
})
