/** Columns, errors and events of locked accounts. */

import { defineErrors } from '../../core/errors.ts'
import { event } from '../../core/events.ts'
import { ofAccount } from '../../core/feature.ts'
import { hidden, id, index, internal, nullable, references, secret, string, timestamp, unique } from '../../core/table.ts'

/**
 * `lockEmail`: the email address whose owner may open the account with a password reset; null: administrators and operators only.
 * `lockLink.email`: the address to which the link was sent; null: by text message. It names the user and not the address, so that it works after a change.
 */
export const tables = {
  user: {
    lockedAt: hidden(nullable(timestamp())),
    lockReason: hidden(nullable(string({ length: 500 }))),
    lockEmail: internal(nullable(string({ length: 320 }))),
  },
  lockLink: {
    id: id(),
    userId: references('user'),
    tokenHash: secret(unique(string({ length: 64 }))),
    email: hidden(nullable(string({ length: 320 }))),
    expiresAt: timestamp(),
    usedAt: nullable(timestamp()),
  },
}

export const indexes = {
  user: [index('lockedAt', 'id'), index('lockReason', 'id')],
  lockLink: [index('userId'), index('expiresAt')],
}

export const secretUses = { lockLinks: { table: 'lockLink', column: 'tokenHash', noun: 'lock link' } } as const

export const errors = defineErrors({
  YOU_ARE_NOT_ALLOWED_TO_LOCK_USERS: [403, 'You are not allowed to lock users'],
  YOU_CANNOT_LOCK_YOURSELF: [400, 'You cannot lock yourself'],
})

/** What a lock ends, other than sessions. */
export interface PendingCounts {
  readonly apiKeys: number
  readonly linksAndCodes: number
  readonly linkedAccounts: number
  readonly trustedBrowsers: number
}

export interface EndedByLock extends PendingCounts {
  readonly sessions: number
}

export const events = {
  /**
   * An account is locked, in the transaction that has locked the user. Listeners end what authenticates as the user, or could do so later,
   * and return how much it was. `isPreview`: outside a transaction; they only count it.
   */
  'account.locking': event<{ readonly userId: string; readonly isPreview: boolean }, Partial<PendingCounts>>(),
}

export const auditActions = {
  'user.locked': ofAccount(
    'An account was locked, and everything that signs in to it was ended; `by` is `link`, `administrator` or `operator`, and `opensByReset` says whether a password reset opens it',
  ),
  'user.unlocked': ofAccount('A locked account was opened; `by` is `reset`, `administrator` or `operator`'),
}
