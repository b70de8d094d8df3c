import { setImmediate as turn } from 'node:timers/promises'
import { createCustomRateLimits } from '../../src/adapters/rate-limit/custom-rate-limit.ts'
import type { StoredRateLimit } from '../../src/core/ports.ts'
import { rateLimitStoreSuite } from './rate-limit-store.ts'

rateLimitStoreSuite(
  "the installation's own",
  async (now) => {
    const records = new Map<string, StoredRateLimit>()
    const storage = {
      get: async (key: string) => {
        await turn()
        return records.get(key)
      },
      set: async (key: string, value: StoredRateLimit) => {
        await turn()
        records.set(key, value)
      },
    }
    const store = createCustomRateLimits({ storage, now })
    return { stores: [store], close: () => store.close() }
  },
  { isShared: false },
)
