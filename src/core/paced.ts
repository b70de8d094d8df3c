/** Writes of what is collected in memory, because it must not cost every call a statement. */
import { type App, memo } from './app.ts'

/**
 * Declares work that is done after a response, and then once per pause at most while it is requested. It is repeated until it
 * succeeds; of an outage of the database, only the outage itself is logged.
 * @param pauseMs milliseconds from one start to the next
 * @param work gets the app outside any transaction
 * @returns a function that requests the work
 */
export function paced(pauseMs: number, work: (app: App) => Promise<void>): (app: App) => void {
  const stateOf = memo((_: App) => ({ startedAt: Number.NEGATIVE_INFINITY, isScheduled: false }))
  const request = (app: App): void => {
    const state = stateOf(app)
    if (state.isScheduled) return
    state.isScheduled = true
    const start = () =>
      app.defer(async (outermost) => {
        Object.assign(state, { startedAt: performance.now(), isScheduled: false })
        try {
          await work(outermost)
        } catch (error) {
          request(outermost)
          throw error
        }
      })
    const wait = state.startedAt + pauseMs - performance.now()
    if (wait <= 0) start()
    else setTimeout(start, wait).unref()
  }
  return request
}

/**
 * Declares work that a process does one at a time: when it is under way, the next begins after its end. So who has waited for it
 * finds in the database what was in memory before.
 * @returns a function that does the work, and throws what it throws
 */
export function inTurn(work: (app: App) => Promise<void>): (app: App) => Promise<void> {
  const lastOf = memo((_: App) => ({ end: Promise.resolve() }))
  return (app) => {
    const last = lastOf(app)
    const done = last.end.then(() => work(app))
    last.end = done.catch(() => undefined)
    return done
  }
}
