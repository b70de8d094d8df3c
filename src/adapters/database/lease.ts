/** A lease with one holder at a time on any number of machines: a row, a conditional write, an expiry by the database's clock. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseErrors } from '../../core/app.ts'
import { ownTableOptions } from '../../core/own-table.ts'
import type { Database } from '../../features/index.ts'

/** The database's clock as SQL expressions, so that the clocks of machines are never compared. */
export interface DatabaseClock {
  readonly now: RawBuilder<Date>
  /** @param milliseconds from now */
  readonly after: (milliseconds: number) => RawBuilder<Date>
}

interface LeaseOptions {
  readonly db: Kysely<Database>
  readonly errors: DatabaseErrors
  readonly clock: DatabaseClock
  /** ASCII, 64 characters at most. */
  readonly name: string
  /** A unique name that operators recognize; 255 characters at most. */
  readonly holder: string
  /** Milliseconds after which the lease of a dead holder is free; it is renewed three times in that span. */
  readonly ttl: number
}

export interface Lease {
  /** Aborted when the lease could not be renewed in time, so another process may hold it. */
  readonly lost: AbortSignal
  /** Renews immediately. @throws Error when another process holds the lease */
  check(): Promise<void>
  /**
   * Releases the lease and stops renewing it.
   * @param rest whole milliseconds for which no process can acquire it, not even the last holder; default 0
   */
  release(rest?: number): Promise<void>
}

const table = sql.table('latchkey_lease')

/** Needs the right to create tables; all other functions here only read and write rows. */
export async function createLeaseTable(db: Kysely<Database>): Promise<void> {
  await sql`create table if not exists ${table} (
    ${sql.ref('name')} varchar(64) not null primary key, holder varchar(255) not null, ${sql.ref('expiresAt')} datetime(3) not null
  ) ${ownTableOptions}`.execute(db)
}

/** Whether the table was ever created. */
export async function hasLeaseTable(db: Kysely<Database>, errors: Pick<DatabaseErrors, 'isMissingTable'>): Promise<boolean> {
  try {
    await sql`select 1 from ${table} where 1 = 0`.execute(db)
    return true
  } catch (error) {
    if (errors.isMissingTable(error)) return false
    throw error
  }
}

/**
 * Acquires the lease when it is free or its holder has died.
 * @returns null when another process holds it
 */
export async function acquireLease(options: LeaseOptions): Promise<Lease | null> {
  return (await take(options)) ? hold(options) : null
}

/** @returns the current holder, or null */
export async function findLeaseHolder(options: Pick<LeaseOptions, 'db' | 'clock' | 'name'>): Promise<string | null> {
  const { db, clock, name } = options
  const found = await sql<{ holder: string }>`select holder from ${table}
    where name = ${name} and ${sql.ref('expiresAt')} > ${clock.now}`.execute(db)
  return found.rows[0]?.holder ?? null
}

async function take({ db, errors, clock, name, holder, ttl }: LeaseOptions): Promise<boolean> {
  const expiresAt = sql.ref('expiresAt')
  try {
    const taken = await sql`update ${table} set holder = ${holder}, ${expiresAt} = ${clock.after(ttl)}
      where name = ${name} and ${expiresAt} <= ${clock.now}`.execute(db)
    if (taken.numAffectedRows) return true
    const [known] = (await sql`select 1 from ${table} where name = ${name}`.execute(db)).rows
    if (known) return false
    await sql`insert into ${table} (name, holder, ${expiresAt}) values (${name}, ${holder}, ${clock.after(ttl)})`.execute(db)
    return true
  } catch (error) {
    // Another process was faster, perhaps on another node of a cluster.
    if (errors.isUniqueViolation(error) || errors.isRetryable(error)) return false
    throw error
  }
}

/** @returns whether the lease was still ours */
async function renew({ db, clock, name, holder, ttl }: LeaseOptions): Promise<boolean> {
  const renewed = await sql`update ${table} set ${sql.ref('expiresAt')} = ${clock.after(ttl)}
    where name = ${name} and holder = ${holder}`.execute(db)
  return renewed.numAffectedRows === 1n
}

function hold(options: LeaseOptions): Lease {
  const { db, clock, name, holder, ttl } = options
  const lost = new AbortController()
  // Fires when no renewal has succeeded for a whole span, whatever the reason: from then on another process may hold the lease.
  const expiry = setTimeout(() => lost.abort(new Error(`The lease ${name} could not be renewed in time`)), ttl)

  async function check(): Promise<void> {
    const ours = await renew(options)
    if (!ours) lost.abort(new Error(`The lease ${name} was acquired by another process`))
    lost.signal.throwIfAborted()
    expiry.refresh()
  }
  let renewal: Promise<void> = Promise.resolve()
  const heartbeat = setInterval(() => {
    // After a failed renewal the next one may succeed, and `expiry` decides.
    renewal = check().catch(() => undefined)
  }, ttl / 3)

  return {
    lost: lost.signal,
    check,
    async release(rest = 0) {
      clearInterval(heartbeat)
      // Otherwise a renewal in flight could arrive last and hold the released lease.
      await renewal
      clearTimeout(expiry)
      await sql`update ${table} set ${sql.ref('expiresAt')} = ${clock.after(rest)}
        where name = ${name} and holder = ${holder}`.execute(db)
    },
  }
}
