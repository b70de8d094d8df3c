/** Events that a client causes again and again, such as those of reading: one a minute for each actor and target. */
import { type App, memo } from '../../core/app.ts'
import { paced } from '../../core/paced.ts'
import { type AuditEvent, recordEvent, recordEvents } from './event.ts'

const minuteMs = 60_000

interface Recent {
  readonly event: AuditEvent
  /** Milliseconds since 1970. */
  readonly at: number
  /** Settled when the first one is recorded. */
  readonly recorded: Promise<void>
  /** Those after the first one. */
  repeats: number
}

const recentOf = memo((_: App) => new Map<string, Recent>())

/**
 * Records an event before the response, and equal ones of the next minute as one more event with their number, at its end. A process
 * that is killed loses only that number.
 * @throws when the database fails: what cannot be recorded must not happen
 */
export async function recordRepeated(app: App, event: AuditEvent): Promise<void> {
  const recent = recentOf(app)
  const at = app.now().getTime()
  const key = keyOf(app, event)
  const same = recent.get(key)
  if (same && Math.abs(at - same.at) < minuteMs) {
    await same.recorded
    same.repeats += 1
    requestFlush(app)
    return
  }
  const recorded = recordEvent(app, event)
  recent.set(key, { event: { ...event, actor: app.actor }, at, recorded, repeats: 0 })
  requestFlush(app)
  try {
    await recorded
    if (same) await recordRepeats(app, [same])
  } catch (error) {
    recent.delete(key)
    throw error
  }
}

function keyOf({ actor }: App, { action, target, organizationId, details = {} }: AuditEvent): string {
  const { route, filters } = details
  const who = actor.kind === 'user' ? [actor.userId, actor.impersonatedBy, actor.ipAddress] : [actor.kind]
  return JSON.stringify([action, target, organizationId, target ? null : route, filters, who])
}

async function recordRepeats(app: App, ended: readonly Recent[]): Promise<void> {
  const repeated = ended.filter(({ repeats }) => repeats > 0)
  await recordEvents(
    app,
    repeated.map(({ event, repeats }) => ({ ...event, details: { ...event.details, repeats } })),
  )
}

/** @param isEnd also those of the current minute */
async function flush(app: App, isEnd: boolean): Promise<void> {
  const recent = recentOf(app)
  const now = app.now().getTime()
  const ended = [...recent].filter(([, { at }]) => isEnd || Math.abs(now - at) >= minuteMs)
  for (const [key] of ended) recent.delete(key)
  try {
    await recordRepeats(
      app,
      ended.map(([, each]) => each),
    )
  } catch (error) {
    for (const [key, each] of ended) if (!recent.has(key)) recent.set(key, each)
    throw error
  }
  if (recent.size > 0) requestFlush(app)
}

const requestFlush = paced(minuteMs, (app) => flush(app, false))

/** Before the app is closed. */
export const closeRepeated = (app: App): Promise<void> =>
  flush(app, true).catch((error: unknown) =>
    app.log.warn({ err: error }, 'Repeated readings of the last minute are not counted: the database was unavailable'),
  )
