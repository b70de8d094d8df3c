/** Notices to users about their second factors. */
import type { App } from '../../core/app.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { deviceName, userAgentOf } from '../../lib/device.ts'
import { isFirstTime, sendMail } from '../outbox/index.ts'
import { describeUser } from '../users/index.ts'
import { addedTexts, textAddition } from './added-texts.ts'
import type { FactorNotice } from './factor-notice.ts'
import { mails } from './mails.ts'

type Kind = Exclude<keyof typeof mails, 'two-factor-code'>
type About = Partial<Pick<FactorNotice, 'factor' | 'left'>> & {
  /** Whether no text message is needed. */
  readonly isTexted?: boolean
}

const isAddition = (kind: Kind): kind is keyof typeof addedTexts => Object.hasOwn(addedTexts, kind)

/** Where a call comes from, for a notice. */
export interface Origin {
  readonly device: string | null
  readonly ipAddress: string | null
}

export const originOf = ({ request }: CallContext): Origin => ({
  device: deviceName(userAgentOf(request)),
  ipAddress: request.address() || null,
})

/**
 * Notifies a user, in the transaction of what it is about: by email, and of what was added by text message too. An address or number that
 * is not verified may belong to another person.
 */
export async function notify(
  tx: App,
  kind: Kind,
  user: UserRow,
  origin: Origin,
  { isTexted = false, ...about }: About = {},
): Promise<void> {
  if (isAddition(kind) && !isTexted) await textAddition(tx, addedTexts[kind], user)
  if (!user.emailVerified) return
  const data = { user: describeUser(tx, user), time: tx.now().toISOString(), factor: null, left: null, ...origin, ...about }
  await sendMail(tx, mails[kind], user, data)
}

const daySeconds = 86_400

/** A right password without the second factor may be a thief's; once a day at most. */
export async function notifyOfKnownPassword(tx: App, user: UserRow, origin: Origin): Promise<void> {
  if (user.emailVerified && (await isFirstTime(tx, `known password ${user.id}`, daySeconds)))
    await notify(tx, 'password-may-be-known', user, origin)
}
