/**
 * The time that a call, or a transaction outside of one, may spend on the database: all waits for a connection or a lock, all
 * statements and all repetitions share it. What runs between them, such as a hook of the configuration, does not count.
 */
import { AsyncLocalStorage } from 'node:async_hooks'

interface Allowance {
  readonly milliseconds: number
  spent: number
  /** Statements and waits that run now: concurrent ones count once. */
  active: number
  since: number
  isOver: boolean
}

// The driver cannot get it as a parameter: Kysely passes nothing but the statement.
const allowances = new AsyncLocalStorage<Allowance | undefined>()

function findCurrent(): Allowance | undefined {
  const current = allowances.getStore()
  return current?.isOver ? undefined : current
}

/** Runs work with an allowance; inside other work that has one, it shares that one. It ends with the work: a response that is streamed has none. */
export async function withDatabaseTime<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  if (findCurrent()) return work()
  const allowance: Allowance = { milliseconds, spent: 0, active: 0, since: 0, isOver: false }
  try {
    return await allowances.run(allowance, work)
  } finally {
    allowance.isOver = true
  }
}

/** Runs work that does not belong to the current call, such as what is left for after its response. */
export const outsideDatabaseTime = <T>(work: () => T): T => allowances.run(undefined, work)

/** Milliseconds that are left; infinite outside of a call and a transaction. */
export function databaseTimeLeft(): number {
  const current = findCurrent()
  if (!current) return Number.POSITIVE_INFINITY
  const running = current.active > 0 ? performance.now() - current.since : 0
  return current.milliseconds - current.spent - running
}

/** Counts the time of a statement or of a wait. */
export async function spendDatabaseTime<T>(work: () => Promise<T>): Promise<T> {
  const current = findCurrent()
  if (!current) return work()
  if (current.active === 0) current.since = performance.now()
  current.active += 1
  try {
    return await work()
  } finally {
    current.active -= 1
    if (current.active === 0) current.spent += performance.now() - current.since
  }
}
