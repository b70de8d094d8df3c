import { bigint, id, index, integer, nullable, string, timestamp, unique } from '../../core/table.ts'

/**
 * Failures in a row, of one account from one network, from all networks, or from one device. Keyed hashes: neither addresses
 * of people nor of networks stand here. Milliseconds since 1970.
 */
export const tables = {
  attempt: {
    id: id(),
    key: unique(string({ length: 64 })),
    account: string({ length: 64 }),
    failures: integer(),
    blockedUntil: bigint(),
    lastFailureAt: bigint(),
    succeededAt: nullable(bigint()),
    expiresAt: timestamp(),
  },
}

export const indexes = { attempt: [index('account'), index('expiresAt')] }
