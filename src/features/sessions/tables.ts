import { additionalColumns } from '../../core/additional-fields.ts'
import { hidden, id, index, nullable, references, string, type Tables, text, timestamp, unique } from '../../core/table.ts'
import type { Config } from '../index.ts'

/**
 * Contract 08, but for the token: the row holds a keyed hash of it, so that a leaked table signs nobody in.
 * `authenticatedAt` is set only by a real authentication and decides freshness; a renewal leaves it alone.
 */
export const tables = {
  session: {
    id: id(),
    expiresAt: timestamp(),
    tokenHash: hidden(unique(string({ length: 64 }))),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    ipAddress: nullable(string({ length: 64 })),
    userAgent: nullable(text()),
    userId: references('user'),
    authenticatedAt: hidden(nullable(timestamp())),
  },
}

export const indexes = { session: [index('userId'), index('expiresAt')] }

export const configuredTables = ({ session }: Pick<Config, 'session'>): Tables => ({
  session: additionalColumns(session.additionalFields),
})
