/** The notices as emails. */
import type { LockableNotice } from '../../core/message.ts'
import { defineMails } from '../outbox/index.ts'
import { type DescribedUser, exampleUser } from '../users/index.ts'
import { textsOf } from './texts.ts'

export interface AccountNotice {
  readonly user: DescribedUser
}

export interface SignInNotice extends AccountNotice, LockableNotice {
  /** ISO 8601. */
  readonly time: string
  /** Such as `Chrome 142 on Windows`; null when the client does not say. */
  readonly device: string | null
  readonly ipAddress: string | null
  /** Whether it ended the session that the same browser or program had before. */
  readonly hasReplaced: boolean
}

export interface SessionLimitNotice extends SignInNotice {
  /** How many sessions the sign-in has ended. */
  readonly sessionsEnded: number
  /** `session.maxPerUser` */
  readonly maxSessions: number
}

export interface MethodNotice extends AccountNotice, LockableNotice {
  /** ID of the provider; `credential` for the password. */
  readonly providerId: string
  /** `email-verified`: it was set before the owner of the email address verified it; `unlinked`: by the user or an administrator. */
  readonly reason: 'email-verified' | 'unlinked'
}

export interface BanNotice extends AccountNotice {
  /** ISO 8601; null: until it is lifted. */
  readonly expiresAt: string | null
}

/** An administrator acts as the user: neither who it is nor why. */
export interface ImpersonationNotice extends AccountNotice {
  /** ISO 8601: when it started. */
  readonly time: string
  /** ISO 8601: when it ends at the latest. */
  readonly endsAt: string
}

const exampleSignIn = (app: Parameters<typeof exampleUser>[0]): SignInNotice => ({
  user: exampleUser(app),
  ...{ time: app.now().toISOString(), device: 'Chrome 142 on Windows', ipAddress: '203.0.113.24', hasReplaced: false },
})

export const mails = defineMails(textsOf, {
  'new-sign-in': {
    isNotice: true,
    option: ({ notices }) => notices.sendNewSignIn,
    example: exampleSignIn,
  },
  'session-limit': {
    isNotice: true,
    option: ({ notices }) => notices.sendSessionLimit,
    example: (app) => ({ ...exampleSignIn(app), sessionsEnded: 1, maxSessions: 50 }),
  },
  'sign-in-method-removed': {
    isNotice: true,
    option: ({ notices }) => notices.sendSignInMethodRemoved,
    example: (app) => ({ user: exampleUser(app), providerId: 'github', reason: 'unlinked' }),
  },
  'account-banned': {
    option: ({ notices }) => notices.sendAccountBanned,
    example: (app) => ({ user: exampleUser(app), expiresAt: new Date(app.now().getTime() + 7 * 86_400_000).toISOString() }),
  },
  'account-deleted': {
    option: ({ notices }) => notices.sendAccountDeleted,
    example: (app) => ({ user: exampleUser(app) }),
  },
  'account-impersonated': {
    isNotice: true,
    option: ({ admin, notices }) => (admin.enabled && admin.notifyOfImpersonation ? notices.sendAccountImpersonated : false),
    example: (app) => ({
      ...{ user: exampleUser(app), time: app.now().toISOString() },
      endsAt: new Date(app.now().getTime() + 3_600_000).toISOString(),
    }),
  },
})
