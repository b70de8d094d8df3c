/** Resets of second factors that wait: at most one per user, until it takes effect or is cancelled (contract 11 §12). */
import type { Selectable } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { deferAfterCommit, transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { sendMail } from '../outbox/index.ts'
import { describeUser, findUserById } from '../users/index.ts'
import { errors as tokenErrors } from '../verifications/index.ts'
import { textUser } from './added-texts.ts'
import { cancelURL, type Requester, type ResetNotice, resetMails } from './reset-mail.ts'
import { type ResetText, resetTexts } from './reset-texts.ts'

/** Passkeys are not reset unless they are named: who has lost one may still have another. */
export const resettable = ['totp', 'otp', 'passkeys', 'backup-codes'] as const
export type ResetFactor = (typeof resettable)[number]

/** What is reset, why, and who asked for it. */
export interface ResetOrder {
  readonly requestedBy: Requester
  readonly administratorId: string | null
  /** Kept in the audit log; null: a user who asked at sign-in needs none. */
  readonly reason: string | null
  readonly factors: readonly ResetFactor[]
}

export interface PendingReset extends ResetOrder {
  readonly createdAt: Date
  readonly effectiveAt: Date
}

export type ResetRow = Selectable<Database['factorReset']>

export const orderOf = ({ requestedBy, administratorId, reason, factors }: ResetRow): ResetOrder => ({
  requestedBy: requestedBy as Requester,
  ...{ administratorId, reason, factors: resettable.filter((factor) => factors.split(',').includes(factor)) },
})

/** The reset of a user that waits; null when there is none. */
export async function findPendingReset({ db }: App, userId: string): Promise<PendingReset | null> {
  const row = await db.selectFrom('factorReset').selectAll().where('userId', '=', userId).executeTakeFirst()
  return row ? { ...orderOf(row), createdAt: row.createdAt, effectiveAt: row.effectiveAt } : null
}

const purpose = 'cancellation of a reset'

/** Derived, so that all emails have the same link, although only a hash of its token is stored. */
export const tokenOf = ({ keyring }: App, id: string): string => {
  const hash = keyring.hash('link of a reset', id)
  // 192 bits, so that the link fits into a line of an email.
  return hash.slice(hash.indexOf('.') + 1).slice(0, 32)
}
export const cancelKeyOf = ({ keyring }: App, token: string): string => keyring.hash(purpose, token)

/** Writes a reset that waits, in place of another one of the user, and notifies the user. @returns when it takes effect */
export async function insertReset(tx: App, user: UserRow, order: ResetOrder, hours: number): Promise<Date> {
  const waitMs = hours * 3_600_000
  const now = tx.now().getTime()
  const id = tx.random.id()
  const effectiveAt = new Date(now + waitMs)
  const row = {
    ...{ id, userId: user.id, ...order, factors: order.factors.join(','), cancelKey: cancelKeyOf(tx, tokenOf(tx, id)) },
    ...{ noticeAt: new Date(now + waitMs / 2), effectiveAt, createdAt: tx.now() },
  }
  await tx.db.deleteFrom('factorReset').where('userId', '=', user.id).execute()
  await tx.db.insertInto('factorReset').values(row).execute()
  const { requestedBy, reason, factors } = order
  const details = { kinds: factors, reason, requestedBy, effectiveAt }
  await recordEvent(tx, { action: 'two-factor.reset-requested', target: { type: 'user', id: user.id }, details })
  await sendNotice(tx, user, noticeOf(tx, user, { stage: 'requested', order, effectiveAt, token: tokenOf(tx, id) }))
  tx.metrics.count('second_factor_reset', { by: requestedBy, outcome: 'requested' })
  return effectiveAt
}

interface About<S = ResetNotice['stage']> {
  readonly stage: S
  readonly order: ResetOrder
  readonly effectiveAt: Date
  readonly token: string | null
}

export const noticeOf = <S>(app: App, user: UserRow, { stage, order, effectiveAt, token }: About<S>) => ({
  user: describeUser(app, user),
  ...{ stage, requestedBy: order.requestedBy, factors: order.factors, effectiveAt: effectiveAt.toISOString() },
  ...{ url: token === null ? null : cancelURL(app.config, token), token },
})

/** By email only: an address that is not verified may belong to another person. */
export async function sendNotice(tx: App, user: UserRow, notice: ResetNotice): Promise<void> {
  if (user.emailVerified) await sendMail(tx, resetMails['two-factor-reset'], user, notice)
}

/**
 * Notifies the user by text message too. Outside of the transaction of the reset, which the limits of text messages must not stop.
 * @param networkAddress of the client that asked for the reset; absent: none
 */
export const textNotice = (app: App, user: UserRow, about: About<ResetText['stage']>, networkAddress = ''): Promise<void> =>
  textUser(app, resetTexts['two-factor-reset'], user, noticeOf(app, user, about), networkAddress)

/**
 * Cancels the reset of a user who has proven a factor, in the transaction of the proof. The delete decides between a cancellation and
 * the job that makes the reset take effect.
 */
export async function cancelReset(tx: App, userId: string): Promise<void> {
  const row = await tx.db.selectFrom('factorReset').selectAll().where('userId', '=', userId).executeTakeFirst()
  if (row) await endReset(tx, row, 'factor')
}

async function endReset(tx: App, row: ResetRow, by: 'factor' | 'link'): Promise<boolean> {
  const deleted = await tx.db.deleteFrom('factorReset').where('id', '=', row.id).executeTakeFirst()
  if (deleted.numDeletedRows === 0n) return false
  const target = { type: 'user', id: row.userId }
  await recordEvent(tx, { action: 'two-factor.reset-cancelled', target, details: { by, requestedBy: row.requestedBy } })
  tx.metrics.count('second_factor_reset', { by: row.requestedBy, outcome: 'cancelled' })
  await deferAfterCommit(tx, async (app) => {
    const user = await findUserById(app, row.userId)
    const about = { stage: 'cancelled', order: orderOf(row), effectiveAt: row.effectiveAt, token: null } as const
    if (user) await textNotice(app, user, about)
  })
  return true
}

/**
 * Cancels a reset by the link of its emails. Of concurrent calls one does.
 * @returns the user
 * @throws ApiError INVALID_TOKEN, also when it was cancelled or has taken effect
 */
export const cancelByToken = (app: App, token: string): Promise<string> =>
  transaction(app, async (tx) => {
    const keys = tx.keyring.hashes(purpose, token)
    const row = await tx.db.selectFrom('factorReset').selectAll().where('cancelKey', 'in', keys).executeTakeFirst()
    if (!row || !(await endReset(tx, row, 'link'))) throw new ApiError(tokenErrors.INVALID_TOKEN)
    return row.userId
  })
