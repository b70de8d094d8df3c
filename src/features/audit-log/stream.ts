/** Events as commands print them: any number of them in constant memory, and new ones as they come. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../core/app.ts'
import {
  type EventFilter,
  type EventPosition,
  type EventRow,
  readAuditStatus,
  readChained,
  readEvents,
  readUnchained,
} from '../audit/index.ts'
import { type DescribedEvent, describeEvents } from './description.ts'

const pageSize = 500
const followPauseMs = 1000

/** Pages of events newest first. @param after continue with the events that are older than this one */
async function* streamPages(
  app: App,
  filter: EventFilter,
  limit: number,
  after: EventPosition | null = null,
): AsyncGenerator<EventRow[], void, undefined> {
  for (let position = after; ; ) {
    const { rows, end } = await readEvents(app, filter, { limit, position, direction: 'older' })
    yield rows
    const next = rows.length < limit ? end : rows.at(-1)
    if (!next) return
    position = next
  }
}

/** Events newest first. @param after continue with the events that are older than this one */
export async function* streamEvents(
  app: App,
  filter: EventFilter,
  after: EventPosition | null = null,
): AsyncGenerator<DescribedEvent, void, undefined> {
  for await (const rows of streamPages(app, filter, pageSize, after)) yield* await describeEvents(app, rows)
}

async function readNewest(app: App, filter: EventFilter, count: number): Promise<EventRow[]> {
  const found: EventRow[] = []
  if (count === 0) return found
  for await (const rows of streamPages(app, filter, count)) {
    found.push(...rows)
    if (found.length >= count) break
  }
  return found.slice(0, count)
}

export interface FollowOptions {
  /** Number of events that it starts with. */
  readonly last: number
  /** Start after the event with this number in the chain instead. */
  readonly after?: number | undefined
  readonly signal: AbortSignal
}

/** Events oldest first, then new ones as they get their number in the chain, until aborted. None is left out. */
export async function* followEvents(app: App, filter: EventFilter, options: FollowOptions) {
  const { last, after, signal } = options
  const { lastSequence } = await readAuditStatus(app)
  // They get a number later, and would be found again then.
  const known = new Set(after === undefined ? await readUnchained(app) : [])
  const first = await readNewest(app, filter, after === undefined ? last : 0)
  for (const { id } of first) known.add(id)
  yield* await describeEvents(app, first.toReversed())
  for (let sequence = after ?? lastSequence; !signal.aborted; ) {
    const through = (await readAuditStatus(app)).lastSequence
    const rows = await readChained(app, filter, sequence, pageSize)
    yield* await describeEvents(
      app,
      rows.filter(({ id }) => !known.has(id)),
    )
    sequence = Math.max(through, Number(rows.at(-1)?.sequence ?? 0))
    if (rows.length === pageSize) sequence = Number(rows.at(-1)?.sequence)
    else await pause(followPauseMs, undefined, { signal }).catch(() => undefined)
  }
}
