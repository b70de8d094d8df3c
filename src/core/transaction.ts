/** Database transactions, and work that waits for their commit. */
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type App, extend, requestIdOf } from './app.ts'
import { lockCredential } from './credential-hold.ts'
import { databaseTimeLeft, withDatabaseTime } from './database-time.ts'
import { ApiError } from './errors.ts'

const maxAttempts = 6
/** Doubled with each attempt; the actual delay is a random value between half of it and all of it. */
const firstPauseMs = 10

/**
 * Runs `work` in one transaction (read committed); a nested call joins the outer one. Use only the inner `app`, or context of a call: the
 * outer one is not part of the transaction, and on SQLite would wait for it forever.
 * `work` is repeated as a whole, a bounded number of times and within the time of its call (`database.queryTimeout`), when the
 * database chose it as the victim of a deadlock or rejected its commit. So it must only use the database, and leave everything else to `afterCommit`.
 * @returns what `work` returns, after the commit and the work that waited for it
 * @throws ApiError UNAUTHORIZED when the credential of the call was revoked; whatever `work` throws, after a rollback
 */
export async function transaction<A extends App, T>(app: A, work: (app: A) => Promise<T>): Promise<T> {
  if (app.db.isTransaction) return work(app)
  return withDatabaseTime(app.config.database.queryTimeout, () => runRepeatedly(app, work))
}

async function runRepeatedly<A extends App, T>(app: A, work: (app: A) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(app, work)
    } catch (error) {
      if (attempt === maxAttempts || databaseTimeLeft() <= 0 || !app.database.isRetryable(error)) throw error
      app.metrics.count('database_retry')
      await pause(backoffMs(app, attempt))
    }
  }
}

async function runOnce<A extends App, T>(app: A, work: (app: A) => Promise<T>): Promise<T> {
  const commitQueue: NonNullable<App['commitQueue']> = []
  const result = await app.db.transaction().execute(async (db) => {
    // The same object with other members.
    const tx: A = extend(app, { db, commitQueue }) as object as A
    const done = await work(tx)
    await lockCredential(tx)
    return done
  })
  for (const run of commitQueue) await run()
  return result
}

function backoffMs(app: App, attempt: number): number {
  const longest = firstPauseMs * 2 ** (attempt - 1)
  const [byte = 0] = app.random.bytes(1)
  return longest / 2 + (longest / 2) * (byte / 255)
}

/**
 * Runs work that must not happen unless the transaction is committed: outside a transaction immediately, inside it after the
 * commit, in the order of the calls. A failure does not undo the commit, so it is logged and counted.
 * @param logged fields of the log entry about a failure
 */
export async function afterCommit(app: App, work: () => Promise<void>, logged: object = {}): Promise<void> {
  const guarded = () =>
    work().catch((error: unknown) => {
      app.metrics.count('unexpected_error')
      app.log.error(
        { err: error, requestId: requestIdOf(app), ...logged },
        'Work after a commit failed; the commit is not undone',
      )
    })
  if (app.commitQueue) app.commitQueue.push(guarded)
  else await guarded()
}

/** The same, after the response too. @param work gets the app outside the transaction */
export const deferAfterCommit = (app: App, work: (app: App) => Promise<void>): Promise<void> =>
  afterCommit(app, async () => app.defer(work))

/**
 * Runs work inside a transaction; what it leaves to `afterCommit` runs after the response instead of before it, so that the
 * response time does not reveal what was written (ASVS 6.3.8).
 */
export async function respondFirst<T>(tx: App, work: (inner: App) => Promise<T>): Promise<T> {
  const commitQueue: NonNullable<App['commitQueue']> = []
  const result = await work(extend(tx, { commitQueue }))
  const runAll = async () => {
    for (const run of commitQueue) await run()
  }
  await deferAfterCommit(tx, runAll)
  return result
}

/**
 * Runs work inside a transaction, and then undoes it unless its result is to be kept.
 * @param name of the savepoint; MySQL deletes an outer one of the same name
 */
async function atSavepoint<T>(
  tx: App,
  name: string,
  work: (inner: App) => Promise<T>,
  isKept: (result: T) => boolean,
): Promise<T> {
  const savepoint = sql.id(name)
  const commitQueue: NonNullable<App['commitQueue']> = []
  const { endedIn } = { endedIn: null, ...tx.credentialHold }
  await sql`savepoint ${savepoint}`.execute(tx.db)
  const result = await work(extend(tx, { commitQueue }))
  const keep = isKept(result)
  await (keep ? sql`release savepoint ${savepoint}` : sql`rollback to savepoint ${savepoint}`).execute(tx.db)
  if (keep) tx.commitQueue?.push(...commitQueue)
  // The credential of the call lives on, so that it is checked before the commit.
  else if (tx.credentialHold) tx.credentialHold.endedIn = endedIn
  return result
}

/**
 * Runs work inside a transaction, then undoes it unless `keep` is true. Both take the same statements, so that neither errors nor
 * the response time reveal which of them it was (ASVS 6.3.8).
 * @throws whatever `work` throws; the transaction must then be rolled back
 */
export const keepOrUndo = <T>(tx: App, keep: boolean, work: (inner: App) => Promise<T>): Promise<T> =>
  atSavepoint(tx, 'work_to_undo', work, () => keep)

/**
 * A transaction of its own; inside another one only this work is undone when it throws an ApiError, which its caller handles.
 * @throws whatever `work` throws; after any other error an outer transaction must be rolled back
 */
export async function undoneAlone<T>(app: App, work: (inner: App) => Promise<T>): Promise<T> {
  if (!app.db.isTransaction) return transaction(app, work)
  const rejected = (error: unknown): ApiError => {
    if (error instanceof ApiError) return error
    throw error
  }
  const isDone = (done: T | ApiError): done is T => !(done instanceof ApiError)
  const done = await atSavepoint<T | ApiError>(app, 'work_alone', (inner) => work(inner).catch(rejected), isDone)
  if (isDone(done)) return done
  throw done
}
