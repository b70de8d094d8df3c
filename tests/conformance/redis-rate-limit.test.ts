import { createRedisRateLimits } from '../../src/adapters/rate-limit/redis-rate-limit.ts'
import { openRedis } from '../../src/adapters/redis-connection.ts'
import { freshKeyspace } from '../kit/servers/index.ts'
import { silentLog } from './ports.ts'
import { rateLimitStoreSuite } from './rate-limit-store.ts'

rateLimitStoreSuite(
  'Redis',
  async (now, count) => {
    const keyspace = await freshKeyspace()
    const connections = Array.from({ length: count }, () => openRedis(keyspace.redis, silentLog))
    return {
      stores: connections.map((redis) => createRedisRateLimits({ redis, keyPrefix: keyspace.redis.keyPrefix, now })),
      close: async () => {
        for (const redis of connections) await redis.close()
        await keyspace.drop()
      },
    }
  },
  { isShared: true },
)
