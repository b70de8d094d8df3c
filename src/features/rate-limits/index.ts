/** The table of rate limits when they are stored in the database. Counting is the business of the adapters. */
import type { Config } from '../index.ts'
import { bigint, id, integer, string, unique } from '../../core/table.ts'

export const enabled = (config: Config) => config.rateLimit.storage === 'database'

export const tables = {
  rateLimit: {
    id: id(),
    key: unique(string({ length: 512 })),
    count: integer(),
    lastRequest: bigint(),
  },
}
