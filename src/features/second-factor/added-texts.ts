/**
 * Text messages about what was added to an account. Each channel that was verified before gets a notice, because a thief may have the
 * other one. Nothing is sent about what was removed: it signs no one in.
 */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { TextKind } from '../../core/message.ts'
import type { UserRow } from '../../core/request.ts'
import { deferAfterCommit, transaction } from '../../core/transaction.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { canSendText, defineTexts, sendText } from '../outbox/index.ts'
import { type DescribedUser, describeUser } from '../users/index.ts'
import { recipientOf } from './methods.ts'
import { textsOf } from './texts.ts'

export interface AddedText {
  readonly user: DescribedUser
  /** ISO 8601. */
  readonly time: string
}

export const addedTexts = defineTexts(textsOf, {
  'two-factor-enabled': { code: () => '' },
  'backup-codes-created': { code: () => '' },
})

/**
 * Notifies a user by text message, if they have a verified number and messages can be sent. Outside of the transaction of what it is
 * about, which the limits of text messages must not stop.
 * @param networkAddress of the client that caused it; empty: none
 */
export async function textUser<Data extends object>(
  app: App,
  kind: TextKind<Data>,
  user: UserRow,
  data: Data,
  networkAddress = '',
): Promise<void> {
  const canText = app.config.phoneNumber.enabled && canSendText(app.config, kind)
  const to = canText ? recipientOf(user, 'sms') : null
  if (to === null) return
  const address = { to, user, networkAddress, expiresAt: new Date(app.now().getTime() + dayMs) }
  await transaction(app, (tx) => sendText(tx, kind, address, data)).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.entry.status === 429)) throw error
  })
}

/** The same about what is added in the transaction of `tx`, once that is committed. */
export function textAddition(tx: App, kind: TextKind<AddedText>, user: UserRow): Promise<void> {
  const data = { user: describeUser(tx, user), time: tx.now().toISOString() }
  return deferAfterCommit(tx, (app) => textUser(app, kind, user, data))
}
