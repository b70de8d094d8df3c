/** Work that happens whole or not at all. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Database } from '../features/index.ts'
import { type App, extend } from './app.ts'

const attempts = 6
/** Milliseconds; doubled with each attempt, and taken at random between half of it and the whole. */
const firstPause = 10

type Work = () => Promise<void>
/** What waits for the commit, by the transaction it waits for. */
const waiting = new WeakMap<Kysely<Database>, Work[]>()

/**
 * Runs `work` in one transaction (read committed); a nested call joins the outer one. The inner `app` shadows the outer:
 * whatever uses the outer handle would stand outside the transaction, and on SQLite wait for itself for ever.
 * `work` is repeated as a whole, a bounded number of times, when the database chose it as the victim of a deadlock or refused
 * its commit: so it must do nothing but use the database, and leave the rest to `afterCommit`.
 * @returns what `work` returns, after the commit and what waited for it
 * @throws whatever `work` throws, after a roll-back
 */
export async function transaction<T>(app: App, work: (app: App) => Promise<T>): Promise<T> {
  if (app.db.isTransaction) return work(app)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(app, work)
    } catch (error) {
      if (attempt === attempts || !app.database.isRetryable(error)) throw error
      app.metrics.count('database_retry')
      await pause(backOff(app, attempt))
    }
  }
}

async function runOnce<T>(app: App, work: (app: App) => Promise<T>): Promise<T> {
  const deferred: Work[] = []
  const result = await app.db.transaction().execute((db) => {
    waiting.set(db, deferred)
    return work(extend(app, { db }))
  })
  for (const waited of deferred) await waited()
  return result
}

function backOff(app: App, attempt: number): number {
  const longest = firstPause * 2 ** (attempt - 1)
  const [byte = 0] = app.random.bytes(1)
  return longest / 2 + (longest / 2) * (byte / 255)
}

/**
 * Hands over what must not happen unless the transaction is committed, and must not undo it when it fails: outside a
 * transaction it runs at once, inside it runs after the commit, in the order of the calls. A failure is logged.
 */
export async function afterCommit(app: App, work: Work): Promise<void> {
  const logged = () =>
    work().catch((error: unknown) => {
      app.metrics.count('unexpected_error')
      app.log.error({ err: error }, 'What was to follow a commit has failed')
    })
  const list = waiting.get(app.db)
  if (list) list.push(logged)
  else await logged()
}
