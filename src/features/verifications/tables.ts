import { hidden, id, index, nullable, string, text, timestamp, unique } from '../../core/table.ts'

/** `identifier` is a keyed hash of purpose and token: the row alone opens nothing. */
export const tables = {
  verification: {
    id: id(),
    identifier: hidden(unique(string({ length: 64 }))),
    subject: hidden(nullable(string({ length: 128 }))),
    value: hidden(text()),
    expiresAt: timestamp(),
    createdAt: nullable(timestamp()),
    updatedAt: nullable(timestamp()),
  },
}

export const indexes = { verification: [index('subject'), index('expiresAt')] }
