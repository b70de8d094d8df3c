/** The emails of the outbox for operators: list, count and retry. Their content is never read here. */
import { type Selectable, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { cutPage, isAfter, positionText, readPosition } from '../../core/pages.ts'
import { startSearch } from '../../core/search.ts'
import { countRows } from '../../core/statement.ts'
import { deferAfterCommit, transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { deliver, outboxJob } from './mail-delivery.ts'

const columns = ['id', 'kind', 'recipient', 'attempts', 'lastError', 'createdAt', 'nextAttemptAt'] as const
export type OutgoingMail = Pick<Selectable<Database['outbox']>, (typeof columns)[number]> & {
  readonly state: 'waiting' | 'sent' | 'dead'
}

const pageSize = 500

type Cursor = Pick<OutgoingMail, 'createdAt' | 'id'>

/** All emails, oldest first. @param dead only permanently failed ones */
export async function* listMails(app: App, { dead }: { dead: boolean }): AsyncGenerator<OutgoingMail> {
  let cursor: Cursor | null = { createdAt: new Date(0), id: '' }
  while (cursor) {
    const rows: Awaited<ReturnType<typeof readPage>> = await readPage(app, dead, cursor)
    for (const { sentAt, failedAt, ...row } of rows) yield { ...row, state: failedAt ? 'dead' : sentAt ? 'sent' : 'waiting' }
    cursor = rows.length < pageSize ? null : (rows.at(-1) ?? null)
  }
}

const readPage = (app: App, dead: boolean, { createdAt, id }: Cursor) =>
  app.db
    .selectFrom('outbox')
    .select([...columns, 'sentAt', 'failedAt'])
    .$if(dead, (query) => query.where('failedAt', 'is not', null))
    .where(isAfter(['createdAt', 'id'], [createdAt, id]))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(pageSize)
    .execute()

export const mailState = z.enum(['waiting', 'sent', 'failed'])
type MailState = z.output<typeof mailState>

/** By state: the column that is set, which has an index. */
const stateColumn = { waiting: 'nextAttemptAt', sent: 'sentAt', failed: 'failedAt' } as const

interface MailFilter {
  readonly state?: MailState | undefined
  readonly kind?: string | undefined
  /** Email address, exactly. */
  readonly recipient?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** Emails that are read in looking for a combination that no index has. */
const mostRead = 3000

/**
 * A page of emails, newest first, by keyset. A page of several filters may be short.
 * @throws ApiError VALIDATION_ERROR for an invalid cursor; SEARCH_TOO_SLOW
 */
export async function findMails(app: App, filter: MailFilter) {
  const { state, kind, recipient, limit, cursor } = filter
  const search = startSearch(app, 'outbox.id')
  const position = await readPosition({ cursor }, 'time')
  // Few emails wait or have failed: the index of their state finds them among all that were sent.
  const order = state === undefined || recipient !== undefined ? 'createdAt' : stateColumn[state]
  const [lead, ...others] = [
    ...(recipient === undefined ? [] : [isEqual('recipient', recipient)]),
    ...(state === undefined ? [] : [sql<SqlBool>`${sql.ref(`outbox.${stateColumn[state]}`)} is not null`]),
    ...(kind === undefined ? [] : [isEqual('kind', kind)]),
  ]
  const columnsInOrder = [`outbox.${order}`, 'outbox.id'] as const
  const first = app.db
    .selectFrom('outbox')
    .where(search.isInTime)
    .$if(lead !== undefined, (mails) => mails.where(lead ?? search.isInTime))
    .$if(position !== null, (mails) => mails.where(isAfter(columnsInOrder, position ?? ['', ''], 'desc')))
    .orderBy(columnsInOrder[0], 'desc')
    .orderBy('outbox.id', 'desc')
  const slice = first.select('outbox.id').limit(others.length > 0 ? mostRead : limit + 1)
  const rows = await search.run(
    app.db
      .selectFrom(slice.as('slice'))
      .innerJoin('outbox', 'outbox.id', 'slice.id')
      .modifyFront(app.database.inJoinOrder)
      .select([...columns.map((name) => `outbox.${name}` as const), 'outbox.sentAt', 'outbox.failedAt'])
      .$call((mails) => others.reduce((found, condition) => found.where(condition), mails))
      .orderBy(columnsInOrder[0], 'desc')
      .orderBy('outbox.id', 'desc')
      .limit(limit + 1),
  )
  const page = cutPage(rows, limit, (row) => [row[order] ?? row.createdAt, row.id])
  const isShort = others.length > 0 && rows.length <= limit
  const [end] = isShort
    ? await search.run(
        first
          .select(['outbox.id', `outbox.${order} as at`])
          .limit(1)
          .offset(mostRead - 1),
      )
    : []
  const mails = page.rows.map((row) => ({ ...row, state: stateOf(row) }))
  const nextCursor = page.next ?? (end?.at ? positionText([end.at, end.id]) : null)
  return { mails, nextCursor, ...(await countMails(app)) }
}

const isEqual = (column: 'recipient' | 'kind', value: string) => sql<SqlBool>`${sql.ref(`outbox.${column}`)} = ${value}`

const stateOf = ({ failedAt, sentAt }: Pick<Selectable<Database['outbox']>, 'failedAt' | 'sentAt'>): MailState =>
  failedAt ? 'failed' : sentAt ? 'sent' : 'waiting'

const mostCounted = 10_000

/** Numbers of waiting and failed emails, counted up to 10,000. */
export async function countMails(app: App): Promise<{ waiting: number; failed: number }> {
  const count = (column: 'nextAttemptAt' | 'failedAt') =>
    countRows(
      app.db.selectFrom(
        app.db.selectFrom('outbox').select(sql`1`.as('one')).where(column, 'is not', null).limit(mostCounted).as('counted'),
      ),
    )
  return { waiting: await count('nextAttemptAt'), failed: await count('failedAt') }
}

/** The waiting email that is due for the longest time. */
export const findOldestWaiting = (app: App) =>
  app.db
    .selectFrom('outbox')
    .select(['createdAt', 'nextAttemptAt'])
    .where('nextAttemptAt', 'is not', null)
    .orderBy('nextAttemptAt')
    .limit(1)
    .executeTakeFirst()

/**
 * Retries permanently failed emails, immediately and with all attempts again.
 * @param id of one mail; null for all
 * @param delivery `now`: one after the other, before this returns; `later`: after the response
 * @returns how many there were, and how many were sent before this returned
 */
export async function retryMails(
  app: App,
  id: string | null,
  delivery: 'now' | 'later' = 'now',
): Promise<{ found: number; sent: number }> {
  const failed = delivery === 'now' ? await failedMails(app, id).execute() : []
  const queued = await queueAgain(app, id)
  if (delivery === 'later') {
    if (queued > 0) await deferAfterCommit(app, (outermost) => outboxJob.run(outermost, AbortSignal.timeout(deferredMs)))
    return { found: queued, sent: 0 }
  }
  let sent = 0
  for (const mail of failed) {
    await deliver(app, mail.id)
    const after = await app.db.selectFrom('outbox').select('sentAt').where('id', '=', mail.id).executeTakeFirst()
    if (after?.sentAt) sent += 1
  }
  return { found: failed.length, sent }
}

/** Emails that are left after this time are delivered by the job. */
const deferredMs = 10_000

const failedMails = (app: App, id: string | null) =>
  app.db
    .selectFrom('outbox')
    .select('id')
    .where('failedAt', 'is not', null)
    // Of an expired text message no content is left.
    .where('content', 'is not', null)
    .$if(id !== null, (query) => query.where('id', '=', id ?? ''))

/** Emails that one transaction queues: after an outage of the mail server any number may have failed. */
const queuedPerTransaction = 1000

/** @returns how many it has queued */
async function queueAgain(app: App, id: string | null): Promise<number> {
  let queued = 0
  for (let isLast = false; !isLast; ) {
    const failed = failedMails(app, id).limit(queuedPerTransaction)
    const ids = (await failed.execute()).map((row) => row.id)
    if (ids.length > 0) queued += await queueThese(app, ids, id)
    isLast = id !== null || ids.length < queuedPerTransaction
  }
  return queued
}

/** The conditional update queues each email once, however many retries run at the same time. */
const queueThese = (app: App, ids: readonly string[], id: string | null): Promise<number> =>
  transaction(app, async (tx) => {
    const updated = await tx.db
      .updateTable('outbox')
      .set({ failedAt: null, attempts: 0, nextAttemptAt: tx.now() })
      .where('id', 'in', ids)
      .where('failedAt', 'is not', null)
      .where('content', 'is not', null)
      .executeTakeFirst()
    const count = Number(updated.numUpdatedRows)
    const target = id === null ? {} : { target: { type: 'mail', id } }
    if (count > 0) await recordEvent(tx, { action: 'mail.retried', ...target, details: { count } })
    return count
  })
