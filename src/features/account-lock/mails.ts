/** The emails about a locked account. */
import type { LockableNotice } from '../../core/message.ts'
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import type { EndedByLock } from './model.ts'
import { textsOf } from './texts.ts'

/** What the lock has ended, and whether a password reset with this email address opens the account. */
export interface LockNotice extends EndedByLock {
  readonly user: DescribedUser
  readonly opensByReset: boolean
}

export interface UnlockNotice extends LockableNotice {
  readonly user: DescribedUser
}

export const mails = defineMails(textsOf, {
  'account-locked': {
    example: (app) => ({
      user: exampleUser(app),
      ...{ opensByReset: true, sessions: 3, apiKeys: 1, linksAndCodes: 2, linkedAccounts: 1, trustedBrowsers: 0 },
    }),
  },
  'account-unlocked': { isNotice: true, example: (app) => ({ user: exampleUser(app) }) },
})
