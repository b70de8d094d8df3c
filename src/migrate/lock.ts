/** One migrator at a time, on any number of machines. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Dialect } from '../adapters/database/dialect.ts'
import { acquireLease, createLeaseTable, findLeaseHolder, type Lease } from '../core/lease.ts'
import type { Database } from '../features/index.ts'
import { MigrationFault } from './errors.ts'

const name = 'migrations'
/** Milliseconds between two tries. */
const interval = 200

export interface LockOptions {
  readonly db: Kysely<Database>
  readonly dialect: Dialect
  /** Unlike any other run's, and telling for whoever waits, such as host, process and a few random letters. */
  readonly holder: string
  /** Milliseconds to wait while another run holds the lock. */
  readonly lockTimeout?: number
  /** Milliseconds after which the lock of a killed run is free. */
  readonly lockTtl?: number
  /** Ends the wait, and a run before its next statement. */
  readonly signal?: AbortSignal | undefined
  /** Called once, when the first try has failed. */
  readonly onWait?: (holder: string | null) => void
}

/**
 * @throws MigrationFault LOCK_HELD after the time-out, naming the holder
 */
export async function withLock<T>(options: LockOptions, work: (lease: Lease) => Promise<T>): Promise<T> {
  const { db, dialect, holder, lockTimeout = 60_000, lockTtl = 15_000, signal, onWait } = options
  const { errors, clock } = dialect
  await createLeaseTable(db)
  const deadline = AbortSignal.timeout(lockTimeout)
  let lease = await acquireLease({ db, errors, clock, name, holder, ttl: lockTtl })
  if (!lease && lockTimeout > 0) onWait?.(await findLeaseHolder({ db, clock, name }))
  while (!lease) {
    if (deadline.aborted) {
      const other = await findLeaseHolder({ db, clock, name })
      throw new MigrationFault('LOCK_HELD', `Another run holds the lock: ${other ?? 'unknown'}`, {
        details: other === null ? [] : [other],
      })
    }
    await pause(interval, undefined, { signal })
    lease = await acquireLease({ db, errors, clock, name, holder, ttl: lockTtl })
  }
  return holding(lease, work)
}

async function holding<T>(lease: Lease, work: (lease: Lease) => Promise<T>): Promise<T> {
  let result: T
  try {
    result = await work(lease)
  } catch (error) {
    // The first failure is the one to be told; a lock that is not given back expires.
    await lease.release().catch(() => undefined)
    throw error
  }
  await lease.release()
  return result
}
