import { hidden, id, index, integer, nullable, string, text, timestamp } from '../../core/table.ts'

/**
 * `content` is encrypted, since a mail holds links that open something, and erased when the mail is sent. `nextAttemptAt` is null
 * for what is sent or given up.
 */
export const tables = {
  outbox: {
    id: id(),
    kind: string({ length: 64 }),
    recipient: string({ length: 320 }),
    content: hidden(nullable(text())),
    attempts: integer({ default: 0 }),
    nextAttemptAt: nullable(timestamp()),
    claimedUntil: nullable(timestamp()),
    lastError: nullable(string()),
    createdAt: timestamp(),
    sentAt: nullable(timestamp()),
    failedAt: nullable(timestamp()),
  },
}

export const indexes = { outbox: [index('nextAttemptAt'), index('failedAt'), index('sentAt'), index('createdAt', 'id')] }
