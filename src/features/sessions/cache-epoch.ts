/**
 * Decides whether the copy of a session in a cookie is still current. Redis has a random number for each user, and one for
 * all users. A copy carries their sum as its epoch, read before its row was, and is current only while both still have this
 * sum. A change deletes the number of its user. Numbers that are missing are replaced by new random ones. So evicted keys, an
 * emptied Redis and an empty replacement invalidate copies, and none becomes current again by accident.
 */
import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import { type App, memo } from '../../core/app.ts'
import { afterCommit } from '../../core/transaction.ts'

const everyone = 'epoch'
/** Deleted by every change of any user's cached copies. */
const anyChange = 'change'
const userKey = (userId: string) => `epoch:${userId}`
/** Numbers of users without an active session expire after this time; copies that depend on them are no longer current. */
const lifeSeconds = 86_400
const maxAttempts = 3

/** The state of this process that is needed to keep the numbers correct. */
interface CacheState {
  /** A change may be missing in Redis, so all copies must be discarded before one is accepted as current. */
  mustDiscardAll: boolean
  discarding: Promise<void> | null
  /** Of the store; null before the first contact. */
  connection: number | null
  batch: { readonly keys: Set<string>; readonly values: Promise<ReadonlyMap<string, string | null>> } | null
}
const stateOf = memo((_: App): CacheState => ({ mustDiscardAll: false, discarding: null, connection: null, batch: null }))

/**
 * The current epoch of a user's copies. Call it before the row of the copy is read.
 * @returns null when there is no Redis, or it does not respond: then no copy is current
 */
export async function readEpoch(app: App, userId: string): Promise<number | null> {
  const numbers = await readNumbers(app, [everyone, userKey(userId)])
  return numbers && sum(numbers)
}

/**
 * The same for a row whose owner is not known yet. Call it before the row is read.
 * @returns a function that returns the epoch of the owner once the row is read; null also when any user's access changed since
 */
export async function watchEpoch(app: App): Promise<(userId: string) => Promise<number | null>> {
  const before = await readNumbers(app, [anyChange])
  return async (userId) => {
    const [change, ...numbers] = (before && (await readNumbers(app, [anyChange, everyone, userKey(userId)]))) ?? []
    return change !== undefined && change === before?.[0] ? sum(numbers) : null
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

/** The users whose copies are discarded after the commit, by the queue of their transaction. */
const awaitingCommit = new WeakMap<object, Set<string>>()

/**
 * Invalidates the copies of these users' sessions on every daemon, if there are copies. Call it inside the transaction that
 * changes them. It writes immediately, because a crash after the commit must leave no copy current, and again after the commit,
 * because copies of the former rows may have been created in between: once each, however often a transaction calls it.
 */
export async function discardCopies(app: App, userIds: readonly string[]): Promise<void> {
  if (!app.config.redis.enabled || !app.config.session.cookieCache.enabled) return
  if (!app.commitQueue) return discard(app, userIds)
  const known = awaitingCommit.get(app.commitQueue)
  const users = known ?? new Set()
  const added = userIds.filter((userId) => !users.has(userId))
  for (const userId of added) users.add(userId)
  if (added.length > 0) await discard(app, added)
  if (known) return
  awaitingCommit.set(app.commitQueue, users)
  await afterCommit(app, () => discard(app, [...users]))
}

/** Invalidates the copies of all users on every daemon, if there are copies. */
export async function discardAllCopies(app: App): Promise<void> {
  if (!app.config.redis.enabled || !app.config.session.cookieCache.enabled) return
  const state = stateOf(app)
  try {
    await app.kv.delete([anyChange, everyone])
    noteConnection(app, state)
  } catch (error) {
    noteFailure(app, state, error)
  }
}

async function discard(app: App, userIds: readonly string[]): Promise<void> {
  const state = stateOf(app)
  try {
    if (state.mustDiscardAll) return await discardAll(app, state)
    await app.kv.delete([anyChange, ...userIds.map(userKey)])
    noteConnection(app, state)
  } catch (error) {
    noteFailure(app, state, error)
  }
}

/** The numbers of these keys, read in one step; missing ones are created. Null when Redis fails. */
async function readNumbers(app: App, keys: readonly string[]): Promise<number[] | null> {
  if (!app.config.redis.enabled) return null
  const state = stateOf(app)
  try {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const values = await readTogether(app, state, keys)
      noteConnection(app, state)
      if (state.mustDiscardAll) {
        await discardAll(app, state)
        continue
      }
      const missing = keys.filter((key) => values.get(key) == null)
      if (missing.length === 0) return keys.map((key) => Number(values.get(key)))
      await Promise.all(missing.map((key) => app.kv.add(key, randomNumber(app), lifeSeconds)))
    }
  } catch (error) {
    noteFailure(app, state, error)
  }
  return null
}

/** Of 48 bits, so that the sum of two is exact. */
const randomNumber = (app: App): string => String(Buffer.from(app.random.bytes(6)).readUIntBE(0, 6))

/** Calls that arrive together share one command, which is sent after the last of them has arrived. */
function readTogether(app: App, state: CacheState, keys: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  state.batch ??= openBatch(app, state)
  for (const key of keys) state.batch.keys.add(key)
  return state.batch.values
}

function openBatch(app: App, state: CacheState): NonNullable<CacheState['batch']> {
  const keys = new Set<string>()
  const values = endOfTurn().then(async () => {
    state.batch = null
    const names = [...keys]
    const found = await app.kv.get(names)
    return new Map(names.map((name, position) => [name, found[position] ?? null]))
  })
  return { keys, values }
}

/** A Redis server that restarted or took over may have lost a deletion, and may return a former number. */
function noteConnection(app: App, state: CacheState): void {
  const connection = app.kv.connection()
  if (state.connection !== null && connection !== state.connection) state.mustDiscardAll = true
  state.connection = connection
}

/** Invalidates the copies of all users on every daemon. */
function discardAll(app: App, state: CacheState): Promise<void> {
  state.discarding ??= app.kv
    .delete([anyChange, everyone])
    .then(() => {
      state.mustDiscardAll = false
      app.log.info({}, 'Redis responds again: cached sessions are used from now on')
    })
    .finally(() => {
      state.discarding = null
    })
  return state.discarding
}

function noteFailure(app: App, state: CacheState, error: unknown): void {
  if (state.mustDiscardAll) return
  state.mustDiscardAll = true
  app.log.warn({ err: error }, 'Redis does not respond: cached sessions are ignored until it does')
  app.defer(() => tryAgain(app, state))
}

/** Retries without waiting for the next call: other daemons may still reach Redis, and must see the change that was not written. */
async function tryAgain(app: App, state: CacheState): Promise<void> {
  for (let delayMs = 100; delayMs <= 1600 && state.mustDiscardAll; delayMs *= 2) {
    await pause(delayMs)
    if (state.mustDiscardAll) await discardAll(app, state).catch(() => undefined)
  }
}
