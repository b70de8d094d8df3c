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
import { deviceName } from '../../lib/device.ts'
import { canSend, isFirstTime, mailSender, mailTemplates, sendMail, withReader } from '../outbox/index.ts'
import type { CreatedSession } from '../sessions/index.ts'
import { describeUser, findUserById } from '../users/index.ts'
import { noteDevice, sweepDevices } from './known-devices.ts'
import {
  type AccountNotice,
  type BanNotice,
  type ImpersonationNotice,
  type MethodNotice,
  mails,
  type SessionLimitNotice,
  type SignInNotice,
} from './mails.ts'

export const config = {
  ...mailTemplates<{
    'new-sign-in': SignInNotice
    'session-limit': SessionLimitNotice
    'sign-in-method-removed': MethodNotice
    'account-banned': BanNotice
    'account-deleted': AccountNotice
    'account-impersonated': ImpersonationNotice
  }>({
    'new-sign-in': 'that notifies of a sign-in from a new device or network',
    'session-limit': 'that notifies of sessions that ended because of `session.maxPerUser`',
    'sign-in-method-removed': 'that notifies of an unlinked account or a removed password',
    'account-banned': 'that notifies of a ban',
    'account-deleted': 'that notifies of the deletion of the account',
    'account-impersonated': 'that notifies of an impersonation',
  }),
  notices: group('Notices to verified email addresses about what happens to an account', {
    sendNewSignIn: mailSender<SignInNotice>('notice of a sign-in from a new device or network'),
    sendSessionLimit: mailSender<SessionLimitNotice>(
      'notice of sessions that ended because a user signed in more than `session.maxPerUser` times, once a day at most',
    ),
    sendSignInMethodRemoved: mailSender<MethodNotice>('notice of a removed sign-in method'),
    sendAccountBanned: mailSender<BanNotice>('notice of a ban'),
    sendAccountDeleted: mailSender<AccountNotice>('notice of the deletion of an account'),
    sendAccountImpersonated: mailSender<ImpersonationNotice>('notice of an impersonation, with `admin.notifyOfImpersonation`'),
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

export { isKnownDevice } from './known-devices.ts'
export { type MethodNotice, mails, type SessionLimitNotice, type SignInNotice }

/** An email address that is not verified may belong to another person, who must not get these. */
const isVerified = (user: UserRow | null): user is UserRow => user?.emailVerified === true

/** Notifies a user of a ban, in its transaction. */
export async function sendBanNotice(tx: App, user: UserRow, expiresAt: Date | null): Promise<void> {
  if (!isVerified(user)) return
  const data = { user: describeUser(tx, user), expiresAt: expiresAt?.toISOString() ?? null }
  await sendMail(tx, mails['account-banned'], user, data)
}

/** Notifies a user that an administrator acts as them, in the transaction that starts it. */
export async function sendImpersonationNotice(
  tx: App,
  user: UserRow,
  { createdAt, expiresAt }: ImpersonationTimes,
): Promise<void> {
  if (!isVerified(user)) return
  const data = { user: describeUser(tx, user), time: createdAt.toISOString(), endsAt: expiresAt.toISOString() }
  await sendMail(tx, mails['account-impersonated'], user, data)
}

interface ImpersonationTimes {
  readonly createdAt: Date
  readonly expiresAt: Date
}

const noticeOf = (tx: App, { session, user, ended }: CreatedSession): SignInNotice => ({
  user: describeUser(tx, user),
  time: session.createdAt.toISOString(),
  device: deviceName(session.userAgent),
  ipAddress: session.ipAddress || null,
  hasReplaced: ended.replaced > 0,
})

async function sendSignInNotice(tx: App, signIn: CreatedSession): Promise<void> {
  if (isVerified(signIn.user)) await sendMail(tx, mails['new-sign-in'], signIn.user, noticeOf(tx, signIn), 'sign-in')
}

const daySeconds = 86_400

/** Once a day at most: a program may sign in each time it runs. */
async function sendLimitNotice(app: App, signIn: CreatedSession): Promise<void> {
  const { user, ended } = signIn
  const data = { ...noticeOf(app, signIn), sessionsEnded: ended.limit, maxSessions: app.config.session.maxPerUser }
  await transaction(app, async (tx) => {
    if (await isFirstTime(tx, `session limit ${user.id}`, daySeconds))
      await sendMail(tx, mails['session-limit'], user, data, 'sign-in')
  })
}

export const on: Listeners = {
  // After the response: a sign-in does not wait for it, and a failure does not undo it.
  'session.created': async (app, created) => {
    const { session, ended } = created
    if (session.impersonatedBy) return
    const user = withReader(app, created.user)
    const signIn = { ...created, user }
    if (canSend(app, mails['new-sign-in']))
      await deferAfterCommit(app, (outer) => noteDevice(outer, session, user.lastSignInAt, (tx) => sendSignInNotice(tx, signIn)))
    if (ended.limit > 0 && isVerified(user) && canSend(app, mails['session-limit']))
      await deferAfterCommit(app, (outer) => sendLimitNotice(outer, signIn))
  },
  'account.unlinked': async (app, { userId, providerId }) => {
    const user = await findUserById(app, userId)
    if (!isVerified(user)) return
    await sendMail(app, mails['sign-in-method-removed'], user, {
      ...{ user: describeUser(app, user), providerId },
      reason: 'unlinked',
    })
  },
  // Also to an address that is not verified yet: its owner is verifying it now.
  'password.removed': async (app, { userId, isAnnounced }) => {
    const user = isAnnounced ? null : await findUserById(app, userId)
    if (!user) return
    const data: MethodNotice = { user: describeUser(app, user), providerId: 'credential', reason: 'email-verified' }
    await sendMail(app, mails['sign-in-method-removed'], user, data)
  },
  'user.deleting': async (app, { userId }) => {
    const user = await findUserById(app, userId)
    if (isVerified(user)) await sendMail(app, mails['account-deleted'], user, { user: describeUser(app, user) })
  },
}
