/** The entries of the waiting list: they are added by visitors, and decided by administrators and operators. */
import { type Selectable, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { cutPage, isAfter, readPosition } from '../../core/pages.ts'
import { isBetween } from '../../core/search.ts'
import { countRows } from '../../core/statement.ts'
import { hidden, id, index, nullable, string, timestamp, unique } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { hostedURL } from '../dashboard/index.ts'
import type { Database } from '../index.ts'
import { decoyMail, sendMail } from '../outbox/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { mails } from './mails.ts'

export const tables = {
  waitingListEntry: {
    id: id(),
    /** In lower case. */
    email: unique(string({ length: 320 })),
    name: nullable(string({ length: 200 })),
    state: string({ length: 20 }),
    /** Of the page on which it was added, for the email about the decision. */
    preferredLocale: hidden(nullable(string({ length: 35 }))),
    preferredTimeZone: hidden(nullable(string({ length: 64 }))),
    createdAt: timestamp(),
    decidedAt: nullable(timestamp()),
    /** ID of the administrator, who may be deleted since; null: an operator. Not a foreign key: one may have decided any number. */
    decidedBy: nullable(string({ length: 36 })),
  },
}

export const indexes = {
  waitingListEntry: [index('state', 'createdAt', 'id'), index('createdAt', 'id')],
}

export type EntryRow = Selectable<Database['waitingListEntry']>

export const states = ['waiting', 'approved', 'declined'] as const
type EntryState = (typeof states)[number]
export type Decision = Exclude<EntryState, 'waiting'>

/**
 * Adds an email address to the list. Whether it was there before, or belongs to a user, only its owner learns, by email: response and
 * statements are the same (ASVS 6.3.8).
 * @param email in any case
 */
export async function addEntry(app: App, given: { readonly email: string; readonly name?: string | undefined }): Promise<void> {
  const email = given.email.toLowerCase()
  const { locale, timeZone } = app.preferences()
  const entry = {
    ...{ id: app.random.id(), email, name: given.name ?? null, state: 'waiting' },
    ...{ preferredLocale: locale, preferredTimeZone: timeZone, createdAt: app.now() },
  }
  const user = await findUserByEmail(app, email)
  await transaction(app, async (tx) => {
    const isNew = (await insertUnlessExists(tx, insertion(tx, entry))) && user === null
    const action = 'waiting-list.joined'
    if (isNew) await recordEvent(tx, { action, target: { type: 'waiting-list-entry', id: entry.id } })
    else await recordEvent(tx, { action, outcome: 'failed', ...(user && { target: { type: 'user', id: user.id } }) })
    await (isNew ? sendMail : decoyMail)(tx, mails['waiting-list-joined'], { email, ...readerOf(entry) }, {})
  })
}

/** Inserts nothing for the email address of a user. */
const insertion = ({ db }: App, entry: Omit<EntryRow, 'decidedAt' | 'decidedBy'>) =>
  db
    .insertInto('waitingListEntry')
    .columns(['id', 'email', 'name', 'state', 'preferredLocale', 'preferredTimeZone', 'createdAt'])
    .expression(
      db
        .selectNoFrom((eb) => [
          eb.val(entry.id).as('id'),
          eb.val(entry.email).as('email'),
          eb.val(entry.name).as('name'),
          eb.val(entry.state).as('state'),
          eb.val(entry.preferredLocale).as('preferredLocale'),
          eb.val(entry.preferredTimeZone).as('preferredTimeZone'),
          eb.val(entry.createdAt).as('createdAt'),
        ])
        .where(({ not, exists, selectFrom }) => not(exists(selectFrom('user').select('id').where('email', '=', entry.email)))),
    )

const readerOf = ({ preferredLocale, preferredTimeZone }: Pick<EntryRow, 'preferredLocale' | 'preferredTimeZone'>) => ({
  preferredLocale,
  preferredTimeZone,
})

/** Whether the owner of an email address may sign up. */
export async function isApproved(app: App, email: string): Promise<boolean> {
  const approved = app.db.selectFrom('waitingListEntry').where('email', '=', email.toLowerCase()).where('state', '=', 'approved')
  return (await countRows(approved)) > 0
}

/** The entry of a user, or of one whose data is erased, is of no use any more. */
export async function deleteEntry(app: App, email: string): Promise<void> {
  await app.db.deleteFrom('waitingListEntry').where('email', '=', email.toLowerCase()).execute()
}

/**
 * Approves or declines entries; an approval is sent by email with a link to the sign-up.
 * @param decidedBy ID of the administrator; null: an operator
 * @returns how many entries were changed: an entry that has this state already, or does not exist, is left out
 */
export async function decideEntries(
  app: App,
  ids: readonly string[],
  decision: Decision,
  decidedBy: string | null,
): Promise<number> {
  let changed = 0
  for (const entryId of ids) if (await decideOne(app, entryId, decision, decidedBy)) changed += 1
  return changed
}

const decideOne = (app: App, entryId: string, decision: Decision, decidedBy: string | null): Promise<boolean> =>
  transaction(app, async (tx) => {
    const decided = await tx.db
      .updateTable('waitingListEntry')
      .set({ state: decision, decidedAt: tx.now(), decidedBy })
      .where('id', '=', entryId)
      .where('state', '!=', decision)
      .executeTakeFirst()
    if (decided.numUpdatedRows === 0n) return false
    const entry = await tx.db.selectFrom('waitingListEntry').selectAll().where('id', '=', entryId).executeTakeFirstOrThrow()
    if (decision === 'approved') {
      const url = tx.config.signUp.waitingList.url ?? hostedURL(tx.config, '/sign-up') ?? ''
      await sendMail(tx, mails['waiting-list-approved'], { email: entry.email, ...readerOf(entry) }, { url })
    }
    await recordEvent(tx, { action: `waiting-list.${decision}`, target: { type: 'waiting-list-entry', id: entryId } })
    return true
  })

export interface EntryFilter {
  readonly state?: EntryState | undefined
  /** The start of an email address. */
  readonly search?: string | undefined
}

interface EntryQuery extends EntryFilter {
  readonly limit: number
  readonly cursor?: string | undefined
}

/**
 * A page of the entries: the oldest first, because who has waited longest comes first; with a search by email address.
 * @throws ApiError VALIDATION_ERROR for an invalid cursor
 */
export async function listEntries(app: App, { state, search, limit, cursor }: EntryQuery) {
  const entries = app.db
    .selectFrom('waitingListEntry')
    .selectAll()
    .limit(limit + 1)
  const chosen = state === undefined ? entries : entries.where('state', '=', state)
  if (search) {
    const position = await readPosition({ cursor: cursor || undefined }, 'text')
    const matching = chosen.where(isBetween(sql.ref('email'), search.toLowerCase())).orderBy('email')
    const rows = await (position ? matching.where('email', '>', position[0]) : matching).execute()
    return cutPage(rows, limit, ({ email, id: entryId }) => [email, entryId])
  }
  const position = await readPosition({ cursor: cursor || undefined }, 'time')
  const oldest = chosen.orderBy('createdAt').orderBy('id')
  const rows = await (position ? oldest.where(isAfter(['createdAt', 'id'], position)) : oldest).execute()
  return cutPage(rows, limit, ({ createdAt, id: entryId }) => [createdAt, entryId])
}

/** The number of entries that wait, 10,001 at most. */
export const countWaiting = (app: App): Promise<number> => {
  const waiting = app.db.selectFrom('waitingListEntry').select('id').where('state', '=', 'waiting').limit(10_001)
  return countRows(app.db.selectFrom(waiting.as('some')))
}

/** The entry with this email address or ID; null when there is none. */
export async function findEntry(app: App, emailOrId: string): Promise<EntryRow | null> {
  const column = emailOrId.includes('@') ? 'email' : 'id'
  const entries = app.db.selectFrom('waitingListEntry').selectAll()
  return (await entries.where(column, '=', column === 'email' ? emailOrId.toLowerCase() : emailOrId).executeTakeFirst()) ?? null
}

const streamed = 500

/** Every entry, the oldest first. @param state only entries in this state */
export async function* streamEntries(app: App, state?: EntryState): AsyncGenerator<EntryRow, void, undefined> {
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const { rows, next }: Awaited<ReturnType<typeof listEntries>> = await listEntries(app, { state, cursor, limit: streamed })
    yield* rows
    cursor = next
  }
}
