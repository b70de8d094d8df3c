/**
 * Notices to users about their accounts (ASVS 6.3.5, 6.3.7): a sign-in from a new device, a removed sign-in method, a ban, a deletion.
 * Features that change something send the notice of that change themselves, such as those of a new password or email address.
 */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { group } from '../../core/config.ts'
import type { Listeners } from '../../core/events.ts'
import type { UserRow } from '../../core/request.ts'
import { hidden, id, index, references, string, timestamp, unique } from '../../core/table.ts'
import { deferAfterCommit, transaction } from '../../core/transaction.ts'
import { nameInMail } from '../../lib/mail-name.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { Config } from '../index.ts'
import { canSend, defineMails, isFirstTime, type MailContent, mailSender, mailTemplates, sendMail } from '../outbox/index.ts'
import type { CreatedSession } from '../sessions/index.ts'
import { type DescribedUser, describeUser, findUserById } from '../users/index.ts'
import { deviceName, noteDevice, sweepDevices } from './known-devices.ts'

export interface AccountNotice {
  readonly user: DescribedUser
}

export interface SignInNotice extends AccountNotice {
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

export interface MethodNotice extends AccountNotice {
  /** ID of the provider; `credential` for the password. */
  readonly providerId: string
  /** `email-verified`: it was set before the owner of the email address verified it; `unlinked`: by the user or an administrator. */
  readonly reason: 'email-verified' | 'unlinked'
}

export interface BanNotice extends AccountNotice {
  /** ISO 8601; null: until it is lifted. */
  readonly expiresAt: string | null
}

export const config = {
  ...mailTemplates<{
    'new-sign-in': SignInNotice
    'session-limit': SessionLimitNotice
    'sign-in-method-removed': MethodNotice
    'account-banned': BanNotice
    'account-deleted': AccountNotice
  }>({
    'new-sign-in': 'that notifies of a sign-in from a new device or network',
    'session-limit': 'that notifies of sessions that ended because of `session.maxPerUser`',
    'sign-in-method-removed': 'that notifies of an unlinked account or a removed password',
    'account-banned': 'that notifies of a ban',
    'account-deleted': 'that notifies of the deletion of the account',
  }),
  notices: group('Notices to verified email addresses about what happens to an account', {
    sendNewSignIn: mailSender<SignInNotice>('notice of a sign-in from a new device or network'),
    sendSessionLimit: mailSender<SessionLimitNotice>(
      'notice of sessions that ended because a user signed in more than `session.maxPerUser` times, once a day at most',
    ),
    sendSignInMethodRemoved: mailSender<MethodNotice>('notice of a removed sign-in method'),
    sendAccountBanned: mailSender<BanNotice>('notice of a ban'),
    sendAccountDeleted: mailSender<AccountNotice>('notice of the deletion of an account'),
    deviceRetention: z
      .int()
      .min(86_400)
      .default(15_552_000)
      .describe('Seconds after its last sign-in for which a device is known; default: 180 days'),
  }),
}

/** `key` is a keyed hash of user, browser, system and network, so that no IP address is stored here. */
export const tables = {
  knownDevice: {
    id: id(),
    userId: references('user'),
    key: hidden(unique(string({ length: 64 }))),
    lastSignInAt: timestamp(),
  },
}

export const indexes = { knownDevice: [index('userId'), index('lastSignInAt')] }

export const jobs = { knownDevices: { every: 3600, run: sweepDevices } }

const ownAccess = "If this was you, you don't need to do anything."

export const mails = defineMails({
  'new-sign-in': {
    option: ({ notices }: Config) => notices.sendNewSignIn,
    render: (notice: SignInNotice, { config }: App): MailContent => {
      const page = hostedURL(config, '/account/sessions')
      return {
        subject: `New sign-in to your ${config.appName} account`,
        heading: 'New sign-in to your account',
        paragraphs: [
          `Your ${config.appName} account was signed in to from a new device or network.`,
          describeSignIn(notice),
          ...(notice.hasReplaced ? ['It ended the session that the same browser or program had before.'] : []),
        ],
        ...(page !== null && { action: { label: 'Review your sessions', url: page } }),
        footnote: `${ownAccess} If it wasn't, change your password and revoke the session: someone else has access to your account.`,
      }
    },
  },
  'session-limit': {
    option: ({ notices }: Config) => notices.sendSessionLimit,
    render: ({ sessionsEnded, maxSessions, ...signIn }: SessionLimitNotice, { config }: App): MailContent => {
      const page = hostedURL(config, '/account/sessions')
      const oldest = sessionsEnded === 1 ? 'your oldest session' : `your ${sessionsEnded} oldest sessions`
      return {
        subject: `A sign-in to your ${config.appName} account ended ${oldest}`,
        heading: `A sign-in ended ${oldest}`,
        paragraphs: [
          `Your ${config.appName} account has the maximum of ${maxSessions} sessions. A new sign-in ended ${oldest}, so a browser or program may have to sign in again.`,
          describeSignIn(signIn),
        ],
        ...(page !== null && { action: { label: 'Review your sessions', url: page } }),
        footnote: `If a program of yours signs in each time it runs, let it keep its session or use an API key. If you don't know this sign-in, change your password: someone else has access to your account.`,
      }
    },
  },
  'sign-in-method-removed': {
    option: ({ notices }: Config) => notices.sendSignInMethodRemoved,
    render: ({ providerId, reason }: MethodNotice, { config }: App): MailContent => {
      if (reason === 'email-verified') return passwordRemoved(config)
      const method = providerId === 'credential' ? 'the password' : providerId
      return {
        subject: `A sign-in method of your ${config.appName} account was removed`,
        heading: 'A sign-in method was removed',
        paragraphs: [`Your ${config.appName} account can no longer be used with this sign-in method: ${method}.`],
        footnote: `${ownAccess} If it wasn't, change your password now: someone else may have access to your account.`,
      }
    },
  },
  'account-banned': {
    option: ({ notices }: Config) => notices.sendAccountBanned,
    render: ({ expiresAt }: BanNotice, { config }: App): MailContent => ({
      subject: `Your ${config.appName} account was banned`,
      heading: 'Your account was banned',
      paragraphs: [
        `An administrator banned your ${config.appName} account, and its sessions were ended.`,
        expiresAt === null ? 'The ban has no end date.' : `The ban ends at ${readableTime(expiresAt)}.`,
      ],
      footnote: 'If you believe this is an error, contact support.',
    }),
  },
  'account-deleted': {
    option: ({ notices }: Config) => notices.sendAccountDeleted,
    render: (_: AccountNotice, { config }: App): MailContent => ({
      subject: `Your ${config.appName} account was deleted`,
      heading: 'Your account was deleted',
      paragraphs: [`Your ${config.appName} account and its data were deleted.`],
      footnote: "If you didn't expect this, contact support.",
    }),
  },
})

const passwordRemoved = ({ appName }: Config): MailContent => ({
  subject: `The password of your ${appName} account was removed`,
  heading: 'Your password was removed',
  paragraphs: [
    `Your ${appName} account had a password from before your email address was verified. Another person may have set it, so it no longer works.`,
  ],
  footnote: 'To sign in with a password again, request a password reset and choose a new one.',
})

const describeSignIn = ({ time, device, ipAddress }: Pick<SignInNotice, 'time' | 'device' | 'ipAddress'>): string =>
  [`Time: ${readableTime(time)}`, device && `Device: ${nameInMail(device)}`, ipAddress && `IP address: ${ipAddress}`]
    .filter(Boolean)
    .join('. ')

/** `2026-11-22 21:09 UTC` */
const readableTime = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`

/** An email address that is not verified may belong to another person, who must not get these. */
const isVerified = (user: UserRow | null): user is UserRow => user?.emailVerified === true

/** Notifies a user of a ban, in its transaction. */
export async function sendBanNotice(tx: App, user: UserRow, expiresAt: Date | null): Promise<void> {
  if (!isVerified(user)) return
  const data = { user: describeUser(tx, user), expiresAt: expiresAt?.toISOString() ?? null }
  await sendMail(tx, mails['account-banned'], user.email, data)
}

const noticeOf = (tx: App, { session, user, ended }: CreatedSession): SignInNotice => ({
  user: describeUser(tx, user),
  time: session.createdAt.toISOString(),
  device: deviceName(session.userAgent),
  ipAddress: session.ipAddress || null,
  hasReplaced: ended.replaced > 0,
})

async function sendSignInNotice(tx: App, signIn: CreatedSession): Promise<void> {
  if (isVerified(signIn.user)) await sendMail(tx, mails['new-sign-in'], signIn.user.email, noticeOf(tx, signIn), 'sign-in')
}

const daySeconds = 86_400

/** Once a day at most: a program may sign in each time it runs. */
async function sendLimitNotice(app: App, signIn: CreatedSession): Promise<void> {
  const { user, ended } = signIn
  const data = { ...noticeOf(app, signIn), sessionsEnded: ended.limit, maxSessions: app.config.session.maxPerUser }
  await transaction(app, async (tx) => {
    if (await isFirstTime(tx, `session limit ${user.id}`, daySeconds))
      await sendMail(tx, mails['session-limit'], user.email, data, 'sign-in')
  })
}

export const on: Listeners = {
  // After the response: a sign-in does not wait for it, and a failure does not undo it.
  'session.created': async (app, signIn) => {
    const { session, user, ended } = signIn
    if (session.impersonatedBy) return
    if (canSend(app, mails['new-sign-in']))
      await deferAfterCommit(app, (outer) => noteDevice(outer, session, user.lastSignInAt, (tx) => sendSignInNotice(tx, signIn)))
    if (ended.limit > 0 && isVerified(user) && canSend(app, mails['session-limit']))
      await deferAfterCommit(app, (outer) => sendLimitNotice(outer, signIn))
  },
  'account.unlinked': async (app, { userId, providerId }) => {
    const user = await findUserById(app, userId)
    if (!isVerified(user)) return
    await sendMail(app, mails['sign-in-method-removed'], user.email, {
      ...{ user: describeUser(app, user), providerId },
      reason: 'unlinked',
    })
  },
  // Also to an address that is not verified yet: its owner is verifying it now.
  'password.removed': async (app, { userId }) => {
    const user = await findUserById(app, userId)
    if (!user) return
    const data: MethodNotice = { user: describeUser(app, user), providerId: 'credential', reason: 'email-verified' }
    await sendMail(app, mails['sign-in-method-removed'], user.email, data)
  },
  'user.deleting': async (app, { userId }) => {
    const user = await findUserById(app, userId)
    if (isVerified(user)) await sendMail(app, mails['account-deleted'], user.email, { user: describeUser(app, user) })
  },
}
