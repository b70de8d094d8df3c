/** The emails about a reset of second factors: requested, soon, done, and the code that requests one. */
import type { LockableNotice } from '../../core/message.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { codeLifetime } from './code-messages.ts'
import { textsOf } from './texts.ts'

export type Requester = 'administrator' | 'operator' | 'user'

/** What happens to the second factors of a user. */
export interface ResetNotice extends LockableNotice {
  readonly user: DescribedUser
  /** `requested`: it waits; `soon`: half of the time is over; `done`: it has taken effect. */
  readonly stage: 'requested' | 'soon' | 'done'
  readonly requestedBy: Requester
  /** `totp`, `otp`, `passkeys` and `backup-codes`. */
  readonly factors: readonly string[]
  /** ISO 8601. */
  readonly effectiveAt: string
  /** The page that cancels the reset; null when it is done, or the hosted pages are disabled. */
  readonly url: string | null
  /** For `POST /two-factor/cancel-reset`; null when it is done. */
  readonly token: string | null
}

const exampleToken = 'Zk2p0vXnq7Lw4tR9sYb1cE6hZk2p0vXn'

export const resetMails = defineMails(textsOf, {
  'two-factor-reset': {
    isNotice: true,
    example: (app) => ({
      user: exampleUser(app),
      ...{ stage: 'requested', requestedBy: 'user', factors: ['totp', 'backup-codes'] },
      effectiveAt: new Date(app.now().getTime() + 259_200_000).toISOString(),
      ...{ url: cancelURL(app.config, exampleToken), token: exampleToken },
    }),
  },
  'two-factor-reset-code': {
    lifetime: codeLifetime,
    example: (app) => ({ user: exampleUser(app), otp: '482913' }),
  },
})

/** The page that cancels a reset with one click. */
export const cancelURL = (config: Config, token: string): string | null => {
  const url = hostedURL(config, '/two-factor/cancel-reset')
  return url === null ? null : `${url}?token=${token}`
}
