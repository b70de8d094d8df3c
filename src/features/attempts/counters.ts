/** Failures in a row, counted exactly by any number of daemons at once: each decision is one conditional statement. */
import { type Selectable, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { statement } from '../../core/statement.ts'
import type { Database } from '../index.ts'
import { delayAfter, type Law, steps } from './law.ts'

export interface Counter {
  /** The row's key under every live secret, newest first. */
  readonly keys: readonly string[]
  /** By which all counters of an account are found. */
  readonly account: string
  readonly law: Law
  /** Whether a success is remembered, so that its place is known later. */
  readonly remembers: boolean
}
export type AttemptRow = Selectable<Database['attempt']>

/** Milliseconds for which a network or device is known that has signed in. */
export const knownFor = 7_776_000_000
/** Milliseconds after which a remembered success is written anew: not with each sign-in. */
const refreshAfter = 86_400_000

const findByKeys = statement({ attempt: 'attempt' }, (db, { keys }: { keys: readonly string[] }) =>
  db.selectFrom('attempt').where('attempt.key', 'in', keys),
)

export async function findRows(app: App, counters: readonly Counter[]): Promise<AttemptRow[]> {
  const rows = await findByKeys(app, { keys: counters.flatMap((counter) => counter.keys) })
  return rows.map(({ attempt }) => attempt)
}

export const rowOf = (rows: readonly AttemptRow[], { keys }: Counter): AttemptRow | undefined =>
  rows.find(({ key }) => keys.includes(key))

/** Milliseconds that are still to be waited. What lies further ahead than the law allows is from a clock that was set back. */
export function waitOf(app: App, counter: Counter, row: AttemptRow | undefined): number {
  const wait = (row?.blockedUntil ?? 0) - app.now().getTime()
  return wait > 0 && wait <= counter.law.longestDelay * 1000 ? wait : 0
}

/**
 * Counts one more failure.
 * @returns 0; or the milliseconds to wait, when others have failed so often meanwhile that this one came too late to count
 */
export async function countFailure(app: App, counter: Counter): Promise<number> {
  for (;;) {
    if (await increase(app, counter)) return 0
    const [row] = await findRows(app, [counter])
    const wait = waitOf(app, counter, row)
    if (wait > 0) return wait
    if (!row && (await insert(app, counter, 'failure'))) return 0
  }
}

async function increase(app: App, counter: Counter): Promise<boolean> {
  const { forgetAfter } = app.config.attempts
  const now = app.now().getTime()
  const isForgotten = sql<boolean>`${sql.ref('lastFailureAt')} < ${now - forgetAfter * 1000}`
  const failures = sql<number>`case when ${isForgotten} then 1 else ${sql.ref('failures')} + 1 end`
  const branches = steps(counter.law).map((step) => sql`when ${failures} >= ${step.failures} then ${now + step.delay * 1000}`)
  const expiresAt = new Date(now + forgetAfter * 1000)
  const updated = await app.db
    .updateTable('attempt')
    // MySQL sets columns one after the other: each must be asked for before it is the new one.
    .set({ blockedUntil: sql<number>`case ${sql.join(branches, sql` `)} else 0 end` })
    .set({ failures })
    .set((eb) => ({
      lastFailureAt: now,
      expiresAt: eb.case().when('expiresAt', '<', expiresAt).then(expiresAt).else(eb.ref('expiresAt')).end(),
    }))
    .where('key', 'in', counter.keys)
    .where((eb) => eb.or([eb('blockedUntil', '<=', now), eb('blockedUntil', '>', now + counter.law.longestDelay * 1000)]))
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** @returns false when somebody else was quicker */
async function insert(app: App, { keys, account, law }: Counter, what: 'failure' | 'success'): Promise<boolean> {
  const now = app.now().getTime()
  const [key = ''] = keys
  const isFailure = what === 'failure'
  const row = {
    id: app.random.id(),
    key,
    account,
    failures: isFailure ? 1 : 0,
    blockedUntil: isFailure && law.failures === 1 ? now + delayAfter(law, 1) * 1000 : 0,
    lastFailureAt: isFailure ? now : 0,
    succeededAt: isFailure ? null : now,
    expiresAt: new Date(now + (isFailure ? app.config.attempts.forgetAfter * 1000 : knownFor)),
  }
  try {
    await app.db.insertInto('attempt').values(row).execute()
    return true
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return false
    throw error
  }
}

/**
 * Ends the row of failures.
 * @returns 0; or the milliseconds to wait, when others have failed so often meanwhile that this one came too late
 */
export async function countSuccess(app: App, counter: Counter, row: AttemptRow | undefined): Promise<number> {
  const now = app.now().getTime()
  const isStale = counter.remembers && (row?.succeededAt ?? 0) < now - refreshAfter
  if (!row) {
    if (isStale) await insert(app, counter, 'success')
    return 0
  }
  if (row.failures === 0 && !isStale) return 0
  const remembered = counter.remembers ? { succeededAt: now, expiresAt: new Date(now + knownFor) } : {}
  const updated = await app.db
    .updateTable('attempt')
    .set({ failures: 0, blockedUntil: 0, ...remembered })
    .where('key', 'in', counter.keys)
    .where((eb) => eb.or([eb('blockedUntil', '<=', now), eb('blockedUntil', '>', now + counter.law.longestDelay * 1000)]))
    .executeTakeFirst()
  if (updated.numUpdatedRows > 0n) return 0
  const [blocked] = await findRows(app, [counter])
  return waitOf(app, counter, blocked)
}
