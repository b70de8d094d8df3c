/** Bans of users: by administrators and operators, and what ends or rejects them at a sign-in. */
import { type App, actorFor } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { recordEvent } from '../audit/index.ts'
import { sendBanNotice } from '../notices/index.ts'
import { bannedUser, revokeSessions } from '../sessions/index.ts'
import { holdUser, updateUser } from '../users/index.ts'
import { type Authority, changeUser, revokeImpersonationsBy } from './changes.ts'
import { errors } from './model.ts'

const bansBy = (administrator: UserRow | null): Authority => ({
  administrator,
  required: { user: ['ban'] },
  refusal: errors.YOU_ARE_NOT_ALLOWED_TO_BAN_USERS,
})

interface Ban {
  readonly userId: string
  /** Default: as configured. */
  readonly reason?: string | undefined
  /** Seconds. Default: as configured, else until it is lifted. */
  readonly expiresIn?: number | undefined
  /** In place of `expiresIn`. */
  readonly expiresAt?: Date | undefined
}

/** Whether a ban is in force. One that has expired is lifted at the next sign-in. */
export const isBanned = (
  { config, now }: Pick<App, 'config' | 'now'>,
  { banned, banExpires }: Pick<UserRow, 'banned' | 'banExpires'>,
): boolean => config.admin.enabled && banned === true && (banExpires === null || banExpires > now())

/**
 * Bans a user, revokes their sessions and notifies them, in one transaction.
 * @param administrator null: an operator
 * @returns the user, and how many sessions were revoked
 * @throws ApiError USER_NOT_FOUND, FAILED_TO_UPDATE_USER, YOU_CANNOT_BAN_YOURSELF, YOU_ARE_NOT_ALLOWED_TO_BAN_USERS
 */
export async function banUser(app: App, administrator: UserRow | null, { userId, reason, expiresIn, expiresAt }: Ban) {
  if (userId === administrator?.id) throw new ApiError(errors.YOU_CANNOT_BAN_YOURSELF)
  const { defaultBanReason, defaultBanExpiresIn } = app.config.admin
  const seconds = expiresIn || defaultBanExpiresIn
  const banExpires = expiresAt ?? (seconds === undefined ? null : new Date(app.now().getTime() + seconds * 1000))
  let sessionsRevoked = 0
  const user = await changeUser(app, bansBy(administrator), {
    userId,
    columns: { banned: true, banReason: reason || defaultBanReason, banExpires },
    finish: async (tx, user) => {
      sessionsRevoked = await revokeSessions(tx, { userId }, { recordedAs: 'none' })
      await revokeImpersonationsBy(tx, userId)
      await sendBanNotice(tx, user, user.banExpires)
    },
    event: (_, { banReason, banExpires }) => ({
      action: 'user.banned',
      target: { type: 'user', id: userId },
      details: { reason: banReason, expiresAt: banExpires, sessions: sessionsRevoked },
    }),
  })
  return { user, sessionsRevoked }
}

const noBan = { banned: false, banReason: null, banExpires: null }

/**
 * Lifts the ban of a user.
 * @param administrator null: an operator
 * @throws ApiError USER_NOT_FOUND, FAILED_TO_UPDATE_USER, YOU_ARE_NOT_ALLOWED_TO_BAN_USERS
 */
export const unbanUser = (app: App, administrator: UserRow | null, userId: string): Promise<UserRow> =>
  changeUser(app, bansBy(administrator), {
    userId,
    columns: noBan,
    event: () => ({ action: 'user.unbanned', target: { type: 'user', id: userId } }),
  })

/**
 * Rejects a banned user.
 * @param user as read before they authenticated: when they were banned since, the session is rejected for that
 * @throws ApiError BANNED_USER
 */
export function rejectBanned(app: App, user: UserRow): void {
  if (isBanned(app, user)) throw new ApiError(bannedUser(app.config.admin.bannedUserMessage))
}

/** Lifts the ban of a user who was admitted, because it has expired, in the transaction that creates their session. */
export async function liftExpiredBan(tx: App, { user }: { readonly user: UserRow }): Promise<void> {
  if (!user.banned) return
  // Without this lock, it could lift a new ban.
  if (!(await holdUser(tx, user))) return
  await updateUser(tx, user.id, { ...noBan, updatedAt: tx.now() })
  await recordEvent(tx, {
    action: 'user.unbanned',
    target: { type: 'user', id: user.id },
    details: { reason: 'expired' },
    actor: actorFor(tx, 'admin.bans'),
  })
}
