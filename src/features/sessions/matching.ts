/** Counts and revokes the sessions that match a condition, however many there are. */
import { setTimeout as pause } from 'node:timers/promises'
import type { App } from '../../core/app.ts'
import { endCredentials } from '../../core/credential-hold.ts'
import { emit } from '../../core/events.ts'
import { streamPages } from '../../core/pages.ts'
import { columnsOf } from '../../core/table.ts'
import { transaction } from '../../core/transaction.ts'
import { batchesOf } from '../../core/write.ts'
import { holdUser } from '../users/index.ts'
import { discardAllCopies, discardCopies } from './cache-epoch.ts'
import { type MatchedSession, type Matches, matchedColumns, signedInAt } from './ending.ts'
import { revokeSessions } from './revocation.ts'
import { isExpired } from './session.ts'

/** Rows read in one statement, and deleted in one: few enough that other statements do not wait long. */
const [readSize, deleteSize] = [4000, 2000]

/** After each batch it pauses for half of the time that the batch took, so that other work goes on. */
const mostPauseMs = 50
/** By then every worker knows that the revocation runs, and makes no more copies of its sessions. */
const knownAfterMs = 3000

/** The live sessions that match, along the primary key: no statement reads more than a batch, and none waits for a lock. */
async function* readMatching(app: App, matches: Matches, signal: AbortSignal): AsyncGenerator<readonly MatchedSession[]> {
  const pages = streamPages(readSize, '', (after) => {
    signal.throwIfAborted()
    return readRows(app, (query) => query.where('id', '>', after).orderBy('id').limit(readSize))
  })
  for await (const rows of pages) {
    const live = rows.filter((row) => !isExpired(app, row))
    const found = live.length > 0 ? await matches(app, live) : []
    if (found.length > 0) yield found
  }
}

const selectRows = (app: App) => {
  // Without administration there is no such column.
  const hasImpersonations = 'impersonatedBy' in columnsOf(app, 'session')
  return app.db.selectFrom('session').select(hasImpersonations ? [...matchedColumns, 'impersonatedBy'] : matchedColumns)
}

async function readRows(
  app: App,
  narrow: (query: ReturnType<typeof selectRows>) => ReturnType<typeof selectRows>,
): Promise<MatchedSession[]> {
  const rows = await narrow(selectRows(app)).execute()
  return rows.map((row) => Object.assign(row, { signedInAt: signedInAt(row) }))
}

export interface MatchCount {
  readonly sessions: number
  readonly users: number
  /** Whether all sessions were compared; else there are at least as many. */
  readonly isComplete: boolean
}

/** Counts the sessions that match, and their users. @param isLate asked after each batch: whether to return what was counted so far */
export async function countMatching(
  app: App,
  matches: Matches,
  { signal, isLate = () => false }: { readonly signal: AbortSignal; readonly isLate?: () => boolean },
): Promise<MatchCount> {
  const users = new Set<string>()
  let sessions = 0
  for await (const found of readMatching(app, matches, signal)) {
    sessions += found.length
    for (const { userId } of found) users.add(userId)
    if (isLate()) return { sessions, users: users.size, isComplete: false }
  }
  return { sessions, users: users.size, isComplete: true }
}

export interface MatchingRevocation {
  readonly matches: Matches
  /** Of what signed in until then nothing is left. Default: now. */
  readonly started?: Date
  /** Stops after the current batch; sessions revoked until then stay revoked. */
  readonly signal: AbortSignal
  /** Called in the transaction of each batch with the number that it revokes. */
  readonly count?: (tx: App, revoked: number) => Promise<void>
  /** Called after each batch with the number revoked so far. */
  readonly onProgress?: ((revoked: number) => void) | undefined
}

/**
 * Revokes all sessions that match, in small transactions along the primary key, and discards the cached copies of their users. It records
 * no event: the code that calls it does, one for all of them. A call that is in flight may replace a session by a new one that the
 * batches have passed already, such as a change of the password: it is revoked too.
 * @returns how many were revoked
 */
export async function revokeMatching(
  app: App,
  { matches, started = app.now(), signal, count, onProgress }: MatchingRevocation,
): Promise<number> {
  let revoked = 0
  const note = (more: number) => {
    revoked += more
    onProgress?.(revoked)
  }
  const discardLater = await discardTwice(app)
  for await (const found of readMatching(app, matches, signal)) {
    for (const batch of batchesOf(found, deleteSize)) {
      signal.throwIfAborted()
      const startedAt = performance.now()
      note(await revokeBatch(app, batch, count))
      await discardLater()
      await pause(Math.min(mostPauseMs, (performance.now() - startedAt) / 2), undefined, { signal }).catch(() => undefined)
    }
  }
  const left: Matches = async (tx, sessions) =>
    matches(
      tx,
      sessions.filter((session) => session.signedInAt <= started),
    )
  // Also when nothing was found: the only one may have been replaced before it was read.
  for (let isDone = false; !isDone; ) {
    isDone = true
    for await (const found of readMatching(app, left, signal)) {
      isDone = false
      for (const userId of new Set(found.map((session) => session.userId))) note(await revokeLeft(app, userId, left, count))
    }
  }
  return revoked
}

/** Discards all cached copies now, and again once every worker knows of the revocation. @returns the function that does it when it is due */
async function discardTwice(app: App): Promise<() => Promise<void>> {
  await discardAllCopies(app)
  let dueAt = performance.now() + knownAfterMs
  return async () => {
    if (performance.now() < dueAt) return
    dueAt = Number.POSITIVE_INFINITY
    await discardAllCopies(app)
  }
}

/** In one statement for sessions of many users: an event and a query for each would take minutes for a million. */
const revokeBatch = (app: App, sessions: readonly MatchedSession[], count: MatchingRevocation['count']): Promise<number> =>
  transaction(app, async (tx) => {
    const ids = sessions.map(({ id }) => id)
    const { numDeletedRows } = await tx.db.deleteFrom('session').where('id', 'in', ids).executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return 0
    await emit(tx, 'session-batch.revoked', { sessions })
    await discardCopies(tx, [...new Set(sessions.map(({ userId }) => userId))])
    endCredentials(tx, ids)
    await count?.(tx, Number(numDeletedRows))
    return Number(numDeletedRows)
  })

/** In one transaction that has locked the user: a call that replaces a session has finished then, or finds that its session is gone. */
const revokeLeft = (app: App, userId: string, matches: Matches, count: MatchingRevocation['count']): Promise<number> =>
  transaction(app, async (tx) => {
    await holdUser(tx, { id: userId })
    const found = await matches(tx, await readRows(tx, (query) => query.where('userId', '=', userId)))
    const ids = found.map(({ id }) => id)
    const revoked = ids.length > 0 ? await revokeSessions(tx, { ids }, { recordedAs: 'none' }) : 0
    if (revoked > 0) await count?.(tx, revoked)
    return revoked
  })
