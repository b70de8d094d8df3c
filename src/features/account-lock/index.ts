/**
 * Locks accounts that another person may have taken over: by the link of a notice ("This wasn't me"), without signing in, or by
 * administrators and operators. Only a password reset to the address of the link, an administrator or an operator opens one again.
 */
import { z } from 'zod'
import { group } from '../../core/config.ts'
import type { Listeners } from '../../core/events.ts'
import type { Feature, Job } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { mailTemplates } from '../outbox/index.ts'
import { lockedAccount } from '../sessions/index.ts'
import { adminRoutes } from './admin-routes.ts'
import { createLockLink } from './lock-links.ts'
import { openByReset, rejectLocked } from './locks.ts'
import { type LockNotice, mails, type UnlockNotice } from './mails.ts'
import { linkRoutes } from './routes.ts'

export { lockAccount, opensByReset, previewLock, unlockAccount } from './locks.ts'
export { auditActions, type EndedByLock, errors, events, indexes, secretUses, tables } from './model.ts'
export { mails }

export const area = 'User profile'

export const config = {
  ...mailTemplates<{ 'account-locked': LockNotice; 'account-unlocked': UnlockNotice }>({
    'account-locked': 'that says that the account is locked',
    'account-unlocked': 'that says that a locked account was opened',
  }),
  notices: group('Notices to verified email addresses about what happens to an account', {
    lockLink: z
      .boolean()
      .default(true)
      .describe('Add a link to notices with which their reader locks the account without signing in'),
    lockLinkExpiresIn: z
      .int()
      .min(3600)
      .max(31_536_000)
      .default(604_800)
      .describe('Lifetime of such a link in seconds; default: 7 days'),
    lockPage: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .optional()
      .describe(
        'URL of a page of your application to which the link leads, with the parameter `token`. Default: the hosted page',
      ),
  }),
}

/** In addition to those of other features, which roles may be given too (contract 05 §1). */
export const permissions = { user: ['lock'] } as const

export const routes = { ...linkRoutes, ...adminRoutes }

export const admits: NonNullable<Feature['admits']> = rejectLocked

export const on: Listeners = {
  'notice.delivering': async (app, notice) => ({ lockURL: await createLockLink(app, notice) }),
  'password.changed': openByReset,
}

/** Calls that set a password are rejected for a locked account, except the reset that opens it. */
export const rejections = Object.fromEntries(
  ['/reset-password', '/set-up', '/email-otp/reset-password', '/phone-number/reset-password'].map((path) => [
    `POST ${path}`,
    [lockedAccount()],
  ]),
)

const sweepLinks: Job['run'] = (app, signal) => sweepEnded(app, signal, { table: 'lockLink', column: 'expiresAt' })

export const jobs = { lockLinks: { every: 3600, run: sweepLinks } }
