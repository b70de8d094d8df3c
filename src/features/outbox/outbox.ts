import type { App } from '../../core/app.ts'
import { afterCommit } from '../../core/transaction.ts'
import { deliverSoon } from './delivery.ts'
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
  const id = await write(app, kind, data, { recipient: to, nextAttemptAt: app.now() })
  await afterCommit(app, async () => app.defer((outermost) => deliverSoon(outermost, id)))
}

/**
 * Does for nobody what `sendMail` does for somebody, so that the time of an answer does not tell whether there was somebody to
 * send to (ASVS 6.3.8). What is written is never due, and goes after the answer.
 */
export async function pretendMail(app: App, kind: string, data: object): Promise<void> {
  if (!canSend(app, kind)) return
  const id = await write(app, kind, data, { recipient: '', sentAt: app.now() })
  await afterCommit(app, async () =>
    app.defer(async ({ db }) => {
      await db.deleteFrom('outbox').where('id', '=', id).execute()
    }),
  )
}

interface Fate {
  readonly recipient: string
  readonly nextAttemptAt?: Date
  readonly sentAt?: Date
}

async function write(app: App, kind: string, data: object, fate: Fate): Promise<string> {
  const id = app.random.id()
  const content = app.keyring.encrypt(purpose, JSON.stringify(data))
  await app.db
    .insertInto('outbox')
    .values({ id, kind, content, createdAt: app.now(), ...fate })
    .execute()
  return id
}
