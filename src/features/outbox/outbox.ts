import type { App } from '../../core/app.ts'
import { afterCommit } from '../../core/transaction.ts'
import { deliver } from './delivery.ts'
import { findCallback, purpose } from './kinds.ts'

/** Whether mails of this kind can go out: a function of the configuration sends them, or we do. */
export const canSend = (app: App, kind: string): boolean =>
  findCallback(app, kind) !== null || app.mailer !== null || (app.config.mail.enabled && app.config.mail.catch)

/**
 * Writes a mail with the transaction of `app`, or not at all; it is tried for the first time after the answer.
 * @param data what the kind's content is made from; JSON
 */
export async function sendMail(app: App, kind: string, to: string, data: object): Promise<void> {
  if (!canSend(app, kind)) return
  const now = app.now()
  const mail = {
    id: app.random.id(),
    kind,
    recipient: to,
    content: app.keyring.encrypt(purpose, JSON.stringify(data)),
    nextAttemptAt: now,
    createdAt: now,
  }
  await app.db.insertInto('outbox').values(mail).execute()
  await afterCommit(app, async () => app.defer((outermost) => deliver(outermost, mail.id)))
}
