/** Reads many pages of the same moment while others write. */
import { type App, extend } from './app.ts'

/**
 * Runs work in one transaction that only reads and sees the state of its start. It takes no locks, so the daemon goes on; and it has no
 * limit of time, unlike each of its queries. Use only the inner `app`.
 */
export const readSnapshot = <A extends App, T>(app: A, work: (app: A) => Promise<T>): Promise<T> =>
  app.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((db) => work(extend(app, { db }) as object as A))
