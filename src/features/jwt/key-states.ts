/** The state of each signing key at a time, which follows from its row and the rows of newer keys. */
import type { Selectable } from 'kysely'
import { id, integer, nullable, secret, string, text, timestamp, unique } from '../../core/table.ts'
import type { Database } from '../index.ts'

/**
 * Contract 08, and what a rotation needs. `sequence` is the place of a key among all: of processes that create a key at the same
 * time, the unique key lets one succeed. `tokenLifetime`: the longest lifetime in seconds of tokens that the key signs.
 */
export const tables = {
  jwks: {
    id: id(),
    publicKey: text(),
    privateKey: secret(text()),
    createdAt: timestamp(),
    algorithm: string({ length: 16 }),
    sequence: unique(integer()),
    /** From then on it signs. Before, it is published only, so that verifiers know it. */
    activatesAt: timestamp(),
    /** From then on it does not sign; null until it is retired. A newer key that signs ends its use too. */
    retiredAt: nullable(timestamp()),
    tokenLifetime: integer(),
  },
}

export type KeyRow = Selectable<Database['jwks']>
export type KeyStatus = 'upcoming' | 'current' | 'retired'

export interface SigningKey {
  readonly row: KeyRow
  readonly status: KeyStatus
  /** When it has signed, or will sign, its last token; null: no end is known. */
  readonly endsAt: Date | null
  /** Until when it is published: no token that it signed is valid any more. */
  readonly publishedUntil: Date | null
}

/** A key that signs in less than this time counts as signing: the clocks of machines differ. */
const clockSlackMs = 60_000

/** Whether a key has not signed yet, by any clock. */
export const isUpcoming = ({ activatesAt, retiredAt }: KeyRow, now: Date): boolean =>
  retiredAt === null && activatesAt.getTime() > now.getTime() + clockSlackMs

/** When a newer key takes over, or the key itself is retired. */
function endOf(row: KeyRow, rows: readonly KeyRow[]): Date | null {
  const newer = rows.filter(({ sequence }) => sequence > row.sequence).map(({ activatesAt }) => activatesAt)
  const ends = [...newer, ...(row.retiredAt ? [row.retiredAt] : [])].map((end) => end.getTime())
  return ends.length > 0 ? new Date(Math.min(...ends)) : null
}

/**
 * The keys in the order of their creation.
 * @param gracePeriod seconds
 */
export function describeKeys(rows: readonly KeyRow[], gracePeriod: number, now: Date): SigningKey[] {
  return rows
    .toSorted((one, other) => one.sequence - other.sequence)
    .map((row): SigningKey => {
      const endsAt = endOf(row, rows)
      const publishedMs = (row.tokenLifetime + gracePeriod) * 1000
      const publishedUntil = endsAt && new Date(endsAt.getTime() + publishedMs)
      const hasEnded = endsAt !== null && endsAt <= now
      const status = hasEnded ? 'retired' : row.activatesAt > now ? 'upcoming' : 'current'
      return { row, status, endsAt, publishedUntil }
    })
}

export const isPublished = ({ publishedUntil }: SigningKey, now: Date): boolean => publishedUntil === null || publishedUntil > now

/**
 * The key that signs now.
 * @param canOpen whether its private key can be decrypted: of keys that cannot, others take the place
 */
export function findSigningKey(rows: readonly KeyRow[], now: Date, canOpen: (row: KeyRow) => boolean): KeyRow | undefined {
  const newest = rows
    .filter((row) => row.activatesAt <= now && canOpen(row))
    .reduce<KeyRow | undefined>((best, row) => (best && best.sequence > row.sequence ? best : row), undefined)
  return newest && newest.retiredAt === null ? newest : undefined
}
