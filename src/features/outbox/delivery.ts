import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { type BoundedQueue, createBoundedQueue } from '../../lib/bounded-queue.ts'
import { withDeadline } from '../../lib/deadline.ts'
import { secretUnknown } from '../../lib/keyring.ts'
import { catchMail } from '../mailbox/index.ts'
import { findCallback, makeMail, purpose } from './kinds.ts'

/** Seconds; longer than any delivery may take, so that nobody else begins meanwhile. */
const claim = 120
/** Milliseconds after which a delivery counts as failed: a function of the configuration may never end. */
const longestDelivery = 60_000
/** Seconds before the second try and the following ones; after the last there is none. */
const pauses = [30, 120, 600, 3600, 6 * 3600, 12 * 3600, 24 * 3600]
/** Tries of a mail whose secret was taken away: enough for daemons that are just being given a new one. */
const unreadableTries = 3
/** Mails in one look. */
const batch = 50
/** Conversations with the mail server that a process holds at once; servers refuse whoever opens many. */
const lanes = 5
/** Fresh mails that may wait for one; what comes above that is left to the job. */
const waiting = 100

/** Sends what is due, in the order in which it became so. */
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
        .limit(batch)
        .execute()
      // One list for all: whoever is done takes the next.
      const ids = due.values()
      const work = async () => {
        for (const { id } of ids) if (!signal.aborted) await deliver(app, id)
      }
      await Promise.all(Array.from({ length: lanes }, work))
      if (signal.aborted || due.length < batch) return
    }
  },
}

const queues = new WeakMap<App['kv'], BoundedQueue>()

/** Tries to send a fresh mail as soon as few others are on their way. Nothing is claimed while it waits. */
export async function deliverSoon(app: App, id: string): Promise<void> {
  const queue = queues.get(app.kv) ?? createBoundedQueue(lanes, waiting)
  queues.set(app.kv, queue)
  if (!queue.isFull()) await queue.run(() => deliver(app, id))
}

/** Tries to send one mail, unless somebody else does at this moment. */
export async function deliver(app: App, id: string): Promise<void> {
  if (!(await take(app, id))) return
  const mail = await app.db.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirst()
  if (!mail?.content) return
  try {
    const data: Record<string, unknown> = JSON.parse(app.keyring.decrypt(purpose, mail.content))
    await withDeadline(handOver(app, mail, data), longestDelivery, 'A delivery did not end in time')
  } catch (error) {
    await noteFailure(app, mail, error)
    return
  }
  const sent = { sentAt: app.now(), content: null, nextAttemptAt: null, claimedUntil: null, lastError: null }
  await app.db.updateTable('outbox').set(sent).where('id', '=', id).execute()
}

/** Of any number of daemons one gets the mail: the conditional write decides. A claim runs out when its holder dies. */
async function take(app: App, id: string): Promise<boolean> {
  const now = app.now()
  const taken = await app.db
    .updateTable('outbox')
    .set((eb) => ({ claimedUntil: new Date(now.getTime() + claim * 1000), attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('nextAttemptAt', '<=', now)
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<', now)]))
    .executeTakeFirst()
  return taken.numUpdatedRows > 0n
}

async function handOver(app: App, { id, kind, recipient: to }: Addressed, data: Record<string, unknown>): Promise<void> {
  const callback = findCallback(app, kind)
  if (callback) {
    await callback(data as never)
    return
  }
  const mail = makeMail(app, kind, to, data)
  if (/[\r\n]/.test(mail.subject) || /[\r\n]/.test(to)) throw new Error('A subject and an address are one line each')
  if (app.config.mail.enabled && app.config.mail.catch) return catchMail(app, kind, mail)
  if (!app.mailer) throw new Error('Nothing says how mail is sent')
  await app.mailer.deliver({ ...mail, id })
}

interface Addressed {
  readonly id: string
  readonly kind: string
  readonly recipient: string
}

interface Tried {
  readonly id: string
  readonly kind: string
  readonly attempts: number
}

async function noteFailure(app: App, { id, kind, attempts }: Tried, error: unknown): Promise<void> {
  const lastError = describe(error)
  const pause = lastError === secretUnknown && attempts >= unreadableTries ? undefined : pauses[attempts - 1]
  const now = app.now()
  const next = pause === undefined ? null : new Date(now.getTime() + pause * 1000)
  const noted = { nextAttemptAt: next, failedAt: next ? null : now, claimedUntil: null, lastError }
  await app.db.updateTable('outbox').set(noted).where('id', '=', id).execute()
  const tell = next ? app.log.warn : app.log.error
  tell({ mail: id, kind, attempts, code: lastError }, next ? 'A mail was not taken; it is tried again' : 'A mail was given up')
}

/** A server's answer may repeat an address, and a hook's error anything: only the code or the name is kept. */
function describe(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return (code || (error instanceof Error ? error.name : 'unknown')).slice(0, 100)
}
