import { createMemoryRateLimits } from '../../src/adapters/rate-limit/local-rate-limit.ts'
import { rateLimitStoreSuite } from './rate-limit-store.ts'

rateLimitStoreSuite(
  'memory',
  async (now) => {
    const store = createMemoryRateLimits({ now })
    return { stores: [store], close: () => store.close() }
  },
  { isShared: false },
)
