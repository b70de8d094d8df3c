import type { Selectable } from 'kysely'
import { type App, actorFor, memo } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import { transaction } from '../../core/transaction.ts'
import { createBoundedQueue, withDeadline } from '../../lib/async.ts'
import { secretUnknown } from '../../lib/keyring.ts'
import { recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { catchMail } from '../mailbox/index.ts'
import { findKind, findKnownKind, makeMail, purpose } from './mail-kinds.ts'
import { completePayload, linkTokenKey, lockableKey } from './mail-payload.ts'
import { readerOf } from './reader.ts'
import { deliverText, findTextKind } from './text-messages.ts'

/** Longer than the delivery timeout, so that no other daemon claims the email during a delivery. */
const claimSeconds = 120
/** A delivery fails after this time: a function of the configuration may never return. */
const deliveryTimeoutMs = 60_000
/** The same for a text message, which is of no use soon and must not occupy a connection that long. */
const textTimeoutMs = 15_000
/** Delays before the second attempt and the following ones. After the last attempt the email has failed permanently. */
const retryDelaysSeconds = [30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600]
/** Attempts for an email that no configured secret decrypts: enough while a rotation is being rolled out. */
const undecryptableAttempts = 3
/** Emails read in one query. */
const batchSize = 50
/** Concurrent connections of a process to the mail server, and to the provider of text messages; servers reject clients that open many. */
const maxConnections = 5
/** New emails that may wait for a connection; the job delivers further ones. */
const maxWaiting = 100

/** Delivers due emails, longest due first. */
export const outboxJob: Job = {
  every: 15,
  run: async (app, signal) => {
    for (;;) {
      const due = await app.db
        .selectFrom('outbox')
        .select('id')
        .where('nextAttemptAt', '<=', app.now())
        .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<', app.now())]))
        .orderBy('nextAttemptAt')
        .limit(batchSize)
        .execute()
      // One iterator for all workers: each takes the next email.
      const ids = due.values()
      const work = async () => {
        for (const { id } of ids) if (!signal.aborted) await deliver(app, id)
      }
      await Promise.all(Array.from({ length: maxConnections }, work))
      if (signal.aborted || due.length < batchSize) return
    }
  },
}

/** One for each provider: when one hangs, what the other sends does not wait. */
const queuesOf = memo((_: App) => ({
  email: createBoundedQueue(maxConnections, maxWaiting),
  text: createBoundedQueue(maxConnections, maxWaiting),
}))

/** Delivers a new email or text message as soon as a connection is free. It is not claimed while it waits. */
export async function deliverSoon(app: App, id: string, medium: 'email' | 'text'): Promise<void> {
  const queue = queuesOf(app)[medium]
  if (!queue.isFull()) await queue.run(() => deliver(app, id))
}

/** Tries to deliver an email, unless another process is delivering it. */
export async function deliver(app: App, id: string): Promise<void> {
  if (!(await claim(app, id))) return
  const mail = await app.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
  if (!mail?.content) return
  const end = endOf(app, mail)
  if (end && end <= app.now()) return recordFailure(app, mail, expired)
  try {
    const {
      [linkTokenKey]: linkToken,
      [lockableKey]: lockable,
      ...payload
    } = JSON.parse(app.keyring.decrypt(purpose, mail.content))
    const lock = await lockURLOf(app, mail, lockable)
    const data = { ...(await completePayload(app, payload)), ...lock }
    await withDeadline(
      send(app, mail, data, linkToken),
      mail.expiresAt ? textTimeoutMs : deliveryTimeoutMs,
      'The delivery timed out',
    )
  } catch (error) {
    await recordFailure(app, mail, error)
    return
  }
  const sent = { sentAt: app.now(), content: null, nextAttemptAt: null, claimedUntil: null, lastError: null }
  await app.db.updateTable('outbox').set(sent).where('id', '=', id).execute()
  app.metrics.count('delivery', { medium: mediumOf(mail), outcome: 'sent' })
  await emit(app, 'mail.sent', { kind: mail.kind })
}

/** Made when the email is delivered, so that the call that causes a notice does not wait for it. */
async function lockURLOf(app: App, row: OutboxRow, userId: string | undefined): Promise<{ lockURL?: string }> {
  if (userId === undefined) return {}
  const email = mediumOf(row) === 'email' ? row.recipient : null
  const { lockURL } = await emit(app, 'notice.delivering', { userId, email })
  return lockURL ? { lockURL } : {}
}

/** Claims an email. The conditional update lets exactly one daemon claim it. A claim expires, in case its daemon dies. */
async function claim(app: App, id: string): Promise<boolean> {
  const now = app.now()
  const claimed = await app.db
    .updateTable('outbox')
    .set((eb) => ({ claimedUntil: new Date(now.getTime() + claimSeconds * 1000), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('nextAttemptAt', '<=', now)
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<', now)]))
    .executeTakeFirst()
  return claimed.numUpdatedRows > 0n
}

const mediumOf = ({ expiresAt }: Pick<OutboxRow, 'expiresAt'>) => (expiresAt ? 'sms' : 'email')

const expired = Object.assign(new Error('The message has expired'), { code: 'EXPIRED' })

type OutboxRow = Selectable<Database['outbox']>

/** When the code in a message ends, after which it is not sent; null: it is never too late. */
function endOf(app: App, { kind, createdAt, expiresAt }: OutboxRow): Date | null {
  if (expiresAt) return expiresAt
  const seconds = findKnownKind(app, kind)?.lifetime?.(app.config)
  return seconds === undefined ? null : new Date(createdAt.getTime() + seconds * 1000)
}

async function send(app: App, row: OutboxRow, data: Readonly<Record<string, unknown>>, linkToken?: string): Promise<void> {
  const { id, kind, recipient: to, expiresAt } = row
  // An email and a text message may have the same kind; only text messages expire.
  const text = expiresAt === null ? null : findTextKind(app, kind)
  if (text) return deliverText(app, text, row, data)
  const declared = findKind(app, kind)
  const sender = declared.option?.(app.config)
  if (typeof sender === 'function') {
    await sender(data as never)
    return
  }
  const mail = { to, ...makeMail(app, declared, data, { ...readerOf(app, row), linkToken: linkToken ?? null }) }
  if (/[\r\n]/.test(mail.subject) || /[\r\n]/.test(to)) throw new Error('The subject and the recipient must be one line each')
  if (app.config.mail.enabled && app.config.mail.catch) return catchMail(app, kind, mail)
  if (!app.mailer) throw new Error('No mail transport is configured')
  await app.mailer.deliver({ ...mail, id })
}

async function recordFailure(app: App, row: OutboxRow, error: unknown): Promise<void> {
  const { id, kind, attempts, expiresAt } = row
  // The error of the provider says more than that no time is left.
  const lastError = error === expired && row.lastError ? row.lastError : describeFailure(error)
  const delaySeconds =
    lastError === secretUnknown && attempts >= undecryptableAttempts ? undefined : retryDelaysSeconds[attempts - 1]
  const now = app.now()
  const due = delaySeconds === undefined ? null : new Date(now.getTime() + delaySeconds * 1000)
  const end = endOf(app, row)
  const next = due && end && due >= end ? null : due
  const failure = { nextAttemptAt: next, failedAt: next ? null : now, claimedUntil: null, lastError }
  // What has failed for good because it expired is never sent: its code is not kept.
  const content = end && !next ? { content: null } : {}
  await transaction(app, async (tx) => {
    await tx.db
      .updateTable('outbox')
      .set({ ...failure, ...content })
      .where('id', '=', id)
      .execute()
    const details = { kind, attempts, code: lastError }
    const actor = actorFor(app, 'outbox.outbox')
    if (!next) await recordEvent(tx, { action: 'mail.failed', outcome: 'failed', target: { type: 'mail', id }, details, actor })
  })
  app.metrics.count('delivery', { medium: mediumOf(row), outcome: next ? 'retried' : 'failed' })
  const log = next ? app.log.warn : app.log.error
  log(
    { mail: id, kind, attempts, code: lastError },
    `${expiresAt ? 'SMS' : 'Mail'} delivery failed${next ? '; it will be retried' : ' permanently'}`,
  )
}

/** Only the code or name of an error is stored: its message may contain email addresses or links. */
export function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (code || (error instanceof Error ? error.name : 'unknown')).slice(0, 100)
}
