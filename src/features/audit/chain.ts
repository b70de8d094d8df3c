/** Gives events their place in the chain: consecutive numbers, and hashes that each cover the one before. */
import { sql } from 'kysely'
import { type App, actorFor, memo } from '../../core/app.ts'
import { emit } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import { caseOf } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { codesOf, type EventRow, recordEvent } from './event.ts'
import { chainStart, readState, replaceState } from './state.ts'

/** Events that one statement reads, and that one numbers: comparisons grow with the square of the latter. */
const [readSize, batchSize] = [5000, 250]

const chainPurpose = 'audit chain'
/** For an event whose content did not match its code before it got its number: it was not recorded by Latchkey. */
const forgedPurpose = 'audit chain, forged event'

export interface Link {
  readonly sequence: number
  readonly hash: string
}

const linkText = (previous: string, sequence: number, code: string) => `${previous} ${sequence} ${code}`

/** The hashes that a place in the chain may have, of an event as recorded and of a forged one: one for each configured secret. */
export const hashesOf = ({ keyring }: Pick<App, 'keyring'>, previous: string, sequence: number, code: string) => ({
  recorded: keyring.hashes(chainPurpose, linkText(previous, sequence, code)),
  forged: keyring.hashes(forgedPurpose, linkText(previous, sequence, code)),
})

/** Numbers all events that have no number. Several processes may run it concurrently: each event gets one number. */
export async function chainEvents(app: App, signal?: AbortSignal): Promise<void> {
  for (let found = readSize; found === readSize && !signal?.aborted; ) {
    const rows = await app.db
      .selectFrom('auditEvent')
      .selectAll()
      .where('sequence', 'is', null)
      .orderBy('createdAt')
      .orderBy('id')
      .limit(readSize)
      .execute()
    found = rows.length
    for (let from = 0; from < rows.length && !signal?.aborted; from += batchSize) {
      // Another process has numbered them: it goes on.
      if (!(await chainBatch(app, rows.slice(from, from + batchSize)))) return
    }
  }
}

/** @returns false when another process has changed the chain since the rows were read */
async function chainBatch(app: App, rows: readonly EventRow[]): Promise<boolean> {
  try {
    await transaction(app, async (tx) => {
      const head = await readState(tx, 'head')
      const start = head ?? chainStart
      const links = linksAfter(tx, start, rows)
      // First, because it locks the head: from here on, no other process numbers events.
      if (!(await replaceState(tx, 'head', head?.sequence, links.at(-1) ?? start))) throw new LostRace()
      if (head?.isValid === false || (await findLast(tx, start.sequence))) throw new HeadChanged()
      if (!(await writeLinks(tx, rows, links))) throw new LostRace()
      await emit(tx, 'events.chained', { events: rows })
    })
    return true
  } catch (error) {
    if (error instanceof LostRace) return false
    if (!(error instanceof HeadChanged)) throw error
    return restoreHead(app)
  }
}

/** Another process has numbered these events. */
class LostRace extends Error {}
/** The head is not the one that Latchkey wrote: it is older than the chain, or its signature does not match. */
class HeadChanged extends Error {}

/** The chain continues after its last event, and the change of the head is an event itself. */
async function restoreHead(app: App): Promise<boolean> {
  return transaction(app, async (tx) => {
    const head = await readState(tx, 'head')
    const last = (await findLast(tx, 0)) ?? chainStart
    if (!(await replaceState(tx, 'head', head?.sequence, last))) return false
    const details = { from: head?.sequence ?? null, to: last.sequence }
    await recordEvent(tx, { action: 'audit.head-changed', outcome: 'failed', details, actor: actorFor(tx, 'audit.chain') })
    tx.log.error(details, 'The end of the audit log was changed by something other than Latchkey: run latchkey audit verify')
    return true
  })
}

/** The last link after a number. */
async function findLast(tx: App, after: number): Promise<Link | null> {
  const chained = tx.db.selectFrom('auditEvent').select(['sequence', 'hash']).where('sequence', '>', after)
  const found = await chained.orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  return found ? { sequence: Number(found.sequence), hash: found.hash ?? '' } : null
}

function linksAfter(tx: App, start: Link, rows: readonly EventRow[]): Link[] {
  const links: Link[] = []
  let { sequence, hash } = start
  for (const row of rows) {
    const isRecorded = codesOf(tx, row).includes(row.code) || !tx.keyring.knows(row.code)
    if (!isRecorded) tx.log.error({ auditEvent: row.id }, 'An event of the audit log was not recorded by Latchkey')
    sequence += 1
    hash = tx.keyring.hash(isRecorded ? chainPurpose : forgedPurpose, linkText(hash, sequence, row.code))
    links.push({ sequence, hash })
  }
  return links
}

/** @returns whether all of them had no number yet */
async function writeLinks(tx: App, rows: readonly EventRow[], links: readonly Link[]): Promise<boolean> {
  const pick = (name: keyof Link) => caseOf(rows.map(({ id }, position) => [id, links[position]?.[name]]))
  const ids = rows.map(({ id }) => id)
  const written = await sql`update ${sql.table('auditEvent')}
    set ${sql.ref('sequence')} = ${pick('sequence')}, ${sql.ref('hash')} = ${pick('hash')}
    where ${sql.ref('id')} in (${sql.join(ids)}) and ${sql.ref('sequence')} is null`.execute(tx.db)
  return written.numAffectedRows === BigInt(rows.length)
}

/** The head is logged when it has moved, once a minute at most: where logs are kept off the host, it reveals a truncated log. */
const headLogMs = 60_000
const loggedHeads = memo((_: App) => ({ sequence: -1, at: Number.NEGATIVE_INFINITY }))

/** The log of the head: `latchkey audit verify --head` compares the chain with it. */
async function logHead(app: App): Promise<void> {
  if (!app.config.audit.log) return
  const logged = loggedHeads(app)
  if (performance.now() - logged.at < headLogMs) return
  const head = await readState(app, 'head')
  if (!head?.isValid || head.sequence === logged.sequence) return
  Object.assign(logged, { sequence: head.sequence, at: performance.now() })
  app.log.info({ sequence: head.sequence, hash: head.hash }, 'End of the audit log')
}

export const chainJob: Job = {
  every: 3,
  run: async (app, signal) => {
    await chainEvents(app, signal)
    await logHead(app)
  },
}
