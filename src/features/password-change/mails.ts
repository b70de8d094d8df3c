/** The notice of a new password (ASVS 6.3.7). */
import type { LockableNotice } from '../../core/message.ts'
import type { PasswordSource } from '../accounts/index.ts'
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

export interface PasswordNotice extends LockableNotice {
  readonly user: DescribedUser
  /** What set the password; `session`: the user, who gave the former one. */
  readonly by: PasswordSource
  /** How many sessions and API keys ended with the former password, and how many API keys the user still has. */
  readonly sessionsEnded: number
  readonly apiKeysEnded: number
  readonly apiKeysLeft: number
}

export const mails = defineMails(textsOf, {
  'password-changed': {
    isNotice: true,
    option: ({ emailAndPassword }) => emailAndPassword.sendPasswordChanged,
    example: (app) => ({ user: exampleUser(app), by: 'reset-link', sessionsEnded: 2, apiKeysEnded: 0, apiKeysLeft: 1 }),
  },
})
