/** The notice of a new API key (ASVS 6.3.7). */
import type { App } from '../../core/app.ts'
import type { LockableNotice } from '../../core/message.ts'
import type { UserRow } from '../../core/request.ts'
import { defineMails, sendMail } from '../outbox/index.ts'
import { type DescribedUser, describeUser, exampleUser } from '../users/index.ts'
import type { ApiKeyRow } from './model.ts'
import { textsOf } from './texts.ts'

export interface KeyNotice extends LockableNotice {
  readonly user: DescribedUser
  /** Its first characters; null when they are not stored. */
  readonly start: string | null
}

export const mails = defineMails(textsOf, {
  'api-key-created': {
    isNotice: true,
    option: ({ apiKey }) => apiKey.sendApiKeyCreated,
    example: (app) => ({ user: exampleUser(app), start: 'lk_4tR9' }),
  },
})

/** Notifies a user of a key that they created themselves, in its transaction. An unverified address may belong to another person. */
export async function sendKeyNotice(tx: App, user: UserRow, { start }: ApiKeyRow): Promise<void> {
  if (tx.actor.kind !== 'user' || !user.emailVerified) return
  await sendMail(tx, mails['api-key-created'], user, { user: describeUser(tx, user), start })
}
