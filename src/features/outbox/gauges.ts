/** What the outbox knows of emails and text messages: how many wait and fail, and when one was sent last. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Gauges, Measurement } from '../../core/gauges.ts'

const labels = ['medium'] as const

const declared = {
  outbox_waiting: { help: 'Messages that wait for their delivery; 10,000 at most', labels },
  outbox_failed: { help: 'Messages that failed for good; 10,000 at most', labels },
  outbox_oldest_seconds: { help: 'Age of the oldest message that waits; 0: none waits', labels },
  outbox_overdue_seconds: {
    help: 'Time since which a message should have been delivered or retried; 0: none is overdue',
    labels,
  },
  outbox_last_sent_timestamp_seconds: { help: 'When a message was sent last; absent: none in the last 7 days', labels },
  outbox_last_failed_timestamp_seconds: { help: 'When a message failed for good last; absent: none has', labels },
}

const media = ['email', 'sms'] as const
type Medium = (typeof media)[number]

/** Rows that one query reads. */
const [mostCounted, newestSent] = [10_000, 1000]

export interface OutboxState {
  readonly medium: Medium
  readonly waiting: number
  readonly failed: number
  readonly oldestWaitingAt: Date | null
  /** When the message that is due for the longest time should have been sent. */
  readonly dueAt: Date | null
  readonly lastSentAt: Date | null
  readonly lastFailedAt: Date | null
}

const extreme = (times: readonly (Date | null)[], pick: (...values: number[]) => number): Date | null => {
  const known = times.filter((time) => time !== null).map((time) => time.getTime())
  return known.length === 0 ? null : new Date(known.reduce((one, other) => pick(one, other)))
}

/** The state of both media. Three queries, each of a bounded number of rows by its index. */
export async function readOutbox({ db }: App): Promise<OutboxState[]> {
  const isText = sql<number>`case when ${sql.ref('expiresAt')} is null then 0 else 1 end`.as('isText')
  const rows = db.selectFrom('outbox').select(['createdAt', 'nextAttemptAt', 'sentAt', 'failedAt', isText])
  const waiting = await rows.where('nextAttemptAt', 'is not', null).orderBy('nextAttemptAt').limit(mostCounted).execute()
  const failed = await rows.where('failedAt', 'is not', null).orderBy('failedAt', 'desc').limit(mostCounted).execute()
  const sent = await rows
    .where('sentAt', 'is not', null)
    .where('recipient', '<>', '')
    .orderBy('sentAt', 'desc')
    .limit(newestSent)
    .execute()
  return media.map((medium) => {
    const isOf = (row: { readonly isText: number }) => (Number(row.isText) === 1) === (medium === 'sms')
    const [waits, fails] = [waiting.filter(isOf), failed.filter(isOf)]
    return {
      medium,
      waiting: waits.length,
      failed: fails.length,
      oldestWaitingAt: extreme(
        waits.map(({ createdAt }) => createdAt),
        Math.min,
      ),
      dueAt: waits[0]?.nextAttemptAt ?? null,
      lastSentAt: sent.find(isOf)?.sentAt ?? null,
      lastFailedAt: fails[0]?.failedAt ?? null,
    }
  })
}

async function measure(app: App): Promise<Measurement[]> {
  const since = (time: Date | null) => (time === null ? 0 : Math.max(0, (app.now().getTime() - time.getTime()) / 1000))
  const at = (name: string, time: Date | null, medium: Medium) =>
    time === null ? [] : [{ name, labels: { medium }, value: time.getTime() / 1000 }]
  return (await readOutbox(app)).flatMap(({ medium, ...state }) => [
    { name: 'outbox_waiting', labels: { medium }, value: state.waiting },
    { name: 'outbox_failed', labels: { medium }, value: state.failed },
    { name: 'outbox_oldest_seconds', labels: { medium }, value: since(state.oldestWaitingAt) },
    { name: 'outbox_overdue_seconds', labels: { medium }, value: since(state.dueAt) },
    ...at('outbox_last_sent_timestamp_seconds', state.lastSentAt, medium),
    ...at('outbox_last_failed_timestamp_seconds', state.lastFailedAt, medium),
  ])
}

export const gauges: Gauges = { declared, read: measure }
