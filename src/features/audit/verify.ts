/** Verifies the chain: each event against its keyed hashes, each number against the one before, the ends against the signed states. */
import { type App, isUnavailable } from '../../core/app.ts'
import { chainEvents, hashesOf, type Link } from './chain.ts'
import { codesOf, type EventRow, hasRecordedAddress } from './event.ts'
import { type ChainState, chainStart, type Problem, readState } from './state.ts'

const pageSize = 1000
/** Hashes that an event may continue when the one before it was changed. */
const maxPrevious = 3

export interface VerifyOptions {
  /** Start after this number instead of at the start of the chain. */
  readonly after?: number | undefined
  /** An earlier end of the chain, such as the log contains it. */
  readonly head?: Link | undefined
  /** Called for each problem, in the order of the chain. */
  readonly onProblem: (problem: Problem) => void
  readonly onProgress?: (sequence: number) => void
  readonly signal?: AbortSignal
}

export interface Verified {
  readonly events: number
  /** The last event that was verified. */
  readonly last: Link
}

interface Walk {
  readonly app: App
  readonly report: (kind: Problem['kind'], event: { readonly id: string } | null, sequence: number, message: string) => void
  /** The number that was expected last. */
  sequence: number
  /** The hash of the event before: as computed, and as stored when that differs. Empty: unknown. */
  previous: readonly string[]
  unknownSecret: { readonly from: number; to: number } | null
}

/** Numbers the latest events, then reads the chain once, in constant memory. @throws when the database fails */
export async function verifyChain(app: App, options: VerifyOptions): Promise<Verified> {
  const { after, signal, onProblem } = options
  const report: Walk['report'] = (kind, event, sequence, message) => onProblem({ kind, sequence, id: event?.id ?? null, message })
  await checkStates(app, report)
  await chainEvents(app, signal).catch((error: unknown) => {
    // Something holds the table: what has a number is verified, and the rest stays without one.
    if (!isUnavailable(app, error)) throw error
  })
  const head = await readState(app, 'head')
  const start = await findStart(app, after)
  const walk: Walk = { app, report, sequence: start.sequence, previous: [start.hash], unknownSecret: null }
  if (start.sequence > 0 && after === undefined) await checkBefore(walk, start.sequence)
  let events = 0
  for (let isEnd = head === null; !isEnd; ) {
    signal?.throwIfAborted()
    const rows = await readPage(app, walk.sequence, head?.sequence ?? 0)
    await checkAddresses(walk, rows)
    for (const row of rows) await checkRow(walk, row)
    events += rows.length
    options.onProgress?.(walk.sequence)
    isEnd = rows.length < pageSize
  }
  reportUnknownSecret(walk)
  if (head) await checkEnd(walk, head, options.head)
  return { events, last: { sequence: walk.sequence, hash: walk.previous.at(-1) ?? '' } }
}

async function findStart(app: App, after: number | undefined): Promise<Link> {
  const anchor = (await readState(app, 'anchor')) ?? chainStart
  if (after === undefined || after <= anchor.sequence) return anchor
  const found = await app.db.selectFrom('auditEvent').select('hash').where('sequence', '=', after).executeTakeFirst()
  return { sequence: after, hash: found?.hash ?? '' }
}

const readPage = (app: App, after: number, through: number) =>
  app.db
    .selectFrom('auditEvent')
    .selectAll()
    .where('sequence', '>', after)
    .where('sequence', '<=', through)
    .orderBy('sequence')
    .limit(pageSize)
    .execute()

/** The signed rows themselves, before the chain goes on: an older head would else be overwritten. */
async function checkStates(app: App, report: Walk['report']): Promise<void> {
  for (const name of ['head', 'anchor', 'verified'] as const) {
    const state = await readState(app, name)
    if (state?.isValid === false) report('head', null, state.sequence, `The row "${name}" of auditState was changed`)
  }
  const chained = app.db.selectFrom('auditEvent').where('sequence', 'is not', null)
  // In this order: events that are numbered in between have a newer head.
  const last = await chained.select('sequence').orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  const [head, verified] = [await readState(app, 'head'), await readState(app, 'verified')]
  const end = head?.sequence ?? 0
  const known = Math.max(Number(last?.sequence ?? 0), verified?.sequence ?? 0)
  if (known > end) report('head', null, end, `The end of the chain was set back to ${end}: it was ${known} before`)
}

/** Events before the anchor are deleted, so none may have these numbers. */
async function checkBefore({ app, report }: Walk, anchor: number): Promise<void> {
  const found = app.db.selectFrom('auditEvent').select(['id', 'sequence']).where('sequence', '<=', anchor)
  for (const { id, sequence } of await found.orderBy('sequence').limit(pageSize).execute())
    report('inserted', { id }, Number(sequence), 'It is before the start of the chain')
}

async function checkRow(walk: Walk, row: EventRow): Promise<void> {
  const { app, report } = walk
  const sequence = Number(row.sequence)
  if (sequence !== walk.sequence + 1) await reportGap(walk, sequence)
  walk.sequence = sequence
  const [codes, hash] = [codesOf(app, row), row.hash ?? '']
  const { knows } = app.keyring
  if (!knows(row.code) || !knows(hash)) {
    walk.unknownSecret = { from: walk.unknownSecret?.from ?? sequence, to: sequence }
    walk.previous = [hash]
    return
  }
  reportUnknownSecret(walk)
  if (row.action === 'audit.head-changed') report('head', row, sequence, 'The end of the chain was changed before this event')
  const isContent = codes.includes(row.code)
  const place = placeOf(walk, sequence, [row.code], hash)
  const isKnown = isContent || place !== null || placeOf(walk, sequence, codes, hash) === 'recorded'
  if (place === 'forged') report('inserted', row, sequence, 'It was not recorded by Latchkey, or changed in its first seconds')
  else if (!isKnown) report('inserted', row, sequence, 'Neither its content nor its place in the chain match a keyed hash')
  else if (!isContent) report('changed', row, sequence, 'Its content does not match its keyed hash')
  else if (place === null) report('reordered', row, sequence, 'Its place in the chain does not match its keyed hash')
  walk.previous = isContent && place === 'recorded' ? [hash] : isKnown ? [...hashesAfter(walk, sequence, codes), hash] : []
}

/** The hashes that this place has when the events before it and its content are as recorded. */
const hashesAfter = ({ app, previous }: Walk, sequence: number, codes: readonly string[]): string[] =>
  // A few of them: their number must not grow with each changed event.
  previous.slice(0, maxPrevious).flatMap((one) => codes.flatMap((code) => hashesOf(app, one, sequence, code).recorded))

function placeOf(
  { app, previous }: Walk,
  sequence: number,
  codes: readonly string[],
  hash: string,
): 'recorded' | 'forged' | null {
  // After a gap the hash before is unknown.
  if (previous.length === 0) return 'recorded'
  const hashes = previous.flatMap((one) => codes.map((code) => hashesOf(app, one, sequence, code)))
  if (hashes.some(({ recorded }) => recorded.includes(hash))) return 'recorded'
  return hashes.some(({ forged }) => forged.includes(hash)) ? 'forged' : null
}

/** Not a gap when the retention has just deleted these events. */
async function reportGap(walk: Walk, next: number): Promise<void> {
  const anchor = await readState(walk.app, 'anchor')
  const isDeleted = anchor?.isValid === true && anchor.sequence === next - 1
  const from = walk.sequence + 1
  if (!isDeleted) walk.report('removed', null, from, from === next - 1 ? 'It is missing' : `Those up to ${next - 1} are missing`)
  walk.previous = isDeleted ? [anchor.hash] : []
}

function reportUnknownSecret(walk: Walk): void {
  const { unknownSecret: range } = walk
  if (!range) return
  walk.report('secret', null, range.from, `Those up to ${range.to} were recorded with a secret that is not configured any more`)
  walk.unknownSecret = null
}

/** IP addresses may be missing only from events of erased users. */
async function checkAddresses({ app, report }: Walk, rows: readonly EventRow[]): Promise<void> {
  for (const row of rows)
    if (app.keyring.knows(row.code) && !hasRecordedAddress(app, row))
      report('address', row, Number(row.sequence), 'Its IP address was changed')
  const erased = rows.filter(({ ipAddress, ipHash }) => ipAddress === null && ipHash !== null)
  if (erased.length === 0) return
  const usersOf = ({ actorId, userId, impersonatedBy }: EventRow) => [actorId, userId, impersonatedBy].filter((id) => id !== null)
  const ids = [...new Set(erased.flatMap(usersOf))]
  const events = app.db.selectFrom('auditEvent').select('userId').where('action', '=', 'user.erased')
  const found = ids.length > 0 ? await events.where('userId', 'in', ids).execute() : []
  const users = new Set(found.map(({ userId }) => userId))
  for (const row of erased)
    if (!usersOf(row).some((id) => users.has(id))) report('address', row, Number(row.sequence), 'Its IP address was removed')
}

/** @param shipped an end of the chain that was noted elsewhere */
async function checkEnd(walk: Walk, head: ChainState, shipped: Link | undefined): Promise<void> {
  const { report, sequence, previous } = walk
  if (sequence < head.sequence) report('truncated', null, sequence + 1, `Those up to ${head.sequence} are missing at the end`)
  else if (!previous.includes(head.hash)) report('head', null, head.sequence, 'The last event is not the one that the head names')
  if (!shipped) return
  const anchor = (await readState(walk.app, 'anchor')) ?? chainStart
  if (shipped.sequence <= anchor.sequence) return
  const found = walk.app.db.selectFrom('auditEvent').select('hash').where('sequence', '=', shipped.sequence)
  if ((await found.executeTakeFirst())?.hash === shipped.hash) return
  report('head', null, shipped.sequence, 'The event with this number is missing, or not the one of --head')
}
