/** Looking at the outbox, and trying again what was given up: for the command line. */
import type { App } from '../../core/app.ts'
import { deliver } from './delivery.ts'

export interface OutgoingMail {
  readonly id: string
  readonly kind: string
  readonly recipient: string
  readonly state: 'waiting' | 'sent' | 'dead'
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Date
  readonly nextAttemptAt: Date | null
}

/** Rows read at a time. */
const page = 500

interface Cursor {
  readonly createdAt: Date
  readonly id: string
}

/** Oldest first, any number of them. @param dead only those that were given up */
export async function* listMails(app: App, { dead }: { dead: boolean }): AsyncGenerator<OutgoingMail> {
  let cursor: Cursor | null = { createdAt: new Date(0), id: '' }
  while (cursor) {
    const rows: Awaited<ReturnType<typeof readPage>> = await readPage(app, dead, cursor)
    for (const { sentAt, failedAt, ...row } of rows) yield { ...row, state: failedAt ? 'dead' : sentAt ? 'sent' : 'waiting' }
    cursor = rows.length < page ? null : (rows.at(-1) ?? null)
  }
}

const readPage = (app: App, dead: boolean, { createdAt, id }: Cursor) =>
  app.db
    .selectFrom('outbox')
    .select(['id', 'kind', 'recipient', 'attempts', 'lastError', 'createdAt', 'nextAttemptAt', 'sentAt', 'failedAt'])
    .$if(dead, (query) => query.where('failedAt', 'is not', null))
    .where((eb) => eb.or([eb('createdAt', '>', createdAt), eb.and([eb('createdAt', '=', createdAt), eb('id', '>', id)])]))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(page)
    .execute()

/**
 * Makes mails that were given up due again, and tries each at once.
 * @param id one of them; null for all
 * @returns how many there were, and how many of them were taken now
 */
export async function retryMails(app: App, id: string | null): Promise<{ found: number; sent: number }> {
  const dead = await app.db
    .selectFrom('outbox')
    .select('id')
    .where('failedAt', 'is not', null)
    .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
    .execute()
  let sent = 0
  for (const mail of dead) {
    const again = { failedAt: null, attempts: 0, nextAttemptAt: app.now() }
    await app.db.updateTable('outbox').set(again).where('id', '=', mail.id).where('failedAt', 'is not', null).execute()
    await deliver(app, mail.id)
    const after = await app.db.selectFrom('outbox').select('sentAt').where('id', '=', mail.id).executeTakeFirst()
    if (after?.sentAt) sent += 1
  }
  return { found: dead.length, sent }
}
