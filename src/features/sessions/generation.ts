/**
 * Which signed copies of a session may still be believed. Redis holds a log of whose sessions or data have changed; its last
 * number is the generation. A copy names the generation that was read before its row was, so a later entry with its owner,
 * or a gap in the log, means that the row must be read. No clocks are compared, and whatever is lost makes copies worthless.
 */
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../core/app.ts'
import type { KeyValue } from '../../core/ports.ts'
import { afterCommit } from '../../core/transaction.ts'

const log = 'session-changes'
/** In place of a user: nothing that was issued before is to be believed. */
const everybody = '*'
const mostChanges = 10_000
/** Seconds that an entry outlives the copies it concerns: between reading the generation and writing a copy lies a call. */
const slack = 120

/** What this process knows of the log. */
interface Generations {
  /** Null before the first contact. */
  last: number | null
  /** Copies from before this number are not believed. */
  floor: number
  /** User → number of the newest entry about him. */
  readonly changed: Map<string, number>
  /** Something may have happened that nobody could write down or read. */
  isBehind: boolean
  reading: Promise<number | null> | null
}

const known = new WeakMap<KeyValue, Generations>()

function generationsOf({ kv }: App): Generations {
  const found = known.get(kv)
  if (found) return found
  const made = { last: null, floor: 0, changed: new Map<string, number>(), isBehind: false, reading: null }
  known.set(kv, made)
  return made
}

/**
 * The generation of this moment, to be read before the row. Calls that arrive together share one question to Redis, which
 * is sent after the last of them arrived.
 * @returns null when there is no Redis, or it does not answer
 */
export async function readGeneration(app: App): Promise<number | null> {
  if (!app.config.redis.enabled) return null
  const state = generationsOf(app)
  state.reading ??= endOfTurn().then(() => {
    state.reading = null
    return update(app, state)
  })
  return state.reading
}

/**
 * Whether nothing has happened to a user since a copy was made.
 * @param generation just read: what it has told is what is compared
 */
export function isBelieved(app: App, generation: number | null, userId: string, epoch: number): boolean {
  if (generation === null) return false
  const { last, floor, changed } = generationsOf(app)
  return last !== null && epoch >= floor && epoch <= last && epoch >= (changed.get(userId) ?? 0)
}

/**
 * Makes the copies of a user's sessions worthless, on every daemon. Call it inside the transaction that changes them: it
 * writes at once, since a crash after the commit must leave no copy believed, and again after it, since in between copies
 * were made of the former rows.
 */
export async function forgetCopies(app: App, userId: string): Promise<void> {
  if (!app.config.redis.enabled) return
  await note(app, userId)
  if (app.db.isTransaction) await afterCommit(app, () => note(app, userId))
}

async function note(app: App, userId: string): Promise<void> {
  const state = generationsOf(app)
  try {
    await append(app, state, state.isBehind ? everybody : userId)
  } catch (error) {
    fallBehind(app, state, error)
  }
}

async function append(app: App, state: Generations, entry: string): Promise<number> {
  const above = state.last ?? 0
  // A log that was lost begins at the present time: above all that the former one can have reached, an entry a millisecond.
  const first = Math.max(app.now().getTime(), above + 1)
  const number = await app.kv.append(log, entry, { first, above, ttl: app.config.session.cookieCache.maxAge + slack })
  if (entry === everybody) catchUp(app, state, number)
  return number
}

async function update(app: App, state: Generations): Promise<number | null> {
  const after = state.last
  try {
    if (state.isBehind) return await append(app, state, everybody)
    const { last, entries } = await app.kv.readLog(log, after)
    if (last === null || (after !== null && last < after)) return await append(app, state, everybody)
    learn(state, last, entries)
    return last
  } catch (error) {
    fallBehind(app, state, error)
    return null
  }
}

/** Answers may overtake each other: what is known already is not learnt again. */
function learn(state: Generations, last: number, entries: readonly (string | null)[] | null): void {
  if (state.last === null || entries === null || state.changed.size > mostChanges) raiseFloor(state, last)
  if (last <= (state.last ?? 0)) return
  const first = last - (entries?.length ?? 0) + 1
  entries?.forEach((entry, position) => {
    const number = first + position
    // A gap: somebody's change is no longer there to be read.
    if (entry === null || entry === everybody) raiseFloor(state, number)
    else state.changed.set(entry, Math.max(number, state.changed.get(entry) ?? 0))
  })
  state.last = last
}

function raiseFloor(state: Generations, number: number): void {
  if (number < state.floor) return
  state.floor = number
  for (const [userId, changed] of state.changed) if (changed <= number) state.changed.delete(userId)
}

function catchUp(app: App, state: Generations, number: number): void {
  raiseFloor(state, number)
  state.last = Math.max(number, state.last ?? 0)
  if (state.isBehind) app.log.info({}, 'Redis answers again: cached sessions are believed from now on')
  state.isBehind = false
}

function fallBehind(app: App, state: Generations, error: unknown): void {
  if (state.isBehind) return
  state.isBehind = true
  app.log.warn({ err: error }, 'Redis does not answer: cached sessions are not believed until it does')
  app.defer(() => tryAgain(app, state))
}

/** For a daemon that has no next call: others may have kept contact, and must hear of what could not be written. */
async function tryAgain(app: App, state: Generations): Promise<void> {
  for (let delay = 100; delay <= 1600 && state.isBehind; delay *= 2) {
    await pause(delay)
    await append(app, state, everybody).catch(() => undefined)
  }
}
