/** The table of rate limits when they are stored in the database. Counting is the business of the adapters. */

import type { Job } from '../../core/feature.ts'
import { bigint, id, integer, string, unique } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { sweepRateLimits } from './sweep.ts'

export const enabled = (config: Config) => config.rateLimit.storage === 'database'

export const tables = {
  rateLimit: {
    id: id(),
    key: unique(string({ length: 512 })),
    count: integer(),
    lastRequest: bigint(),
  },
}

export const jobs = { rateLimits: { every: 3600, run: sweepRateLimits } } satisfies Record<string, Job>
