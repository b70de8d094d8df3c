/** Consecutive failures, counted exactly by any number of daemons: each decision is one conditional statement. */
import { type Selectable, sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { statement } from '../../core/statement.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { networkOf } from '../../lib/ip.ts'
import type { Database } from '../index.ts'

export const isEnabled = ({ config }: App): boolean => config.attempts.enabled ?? config.environment === 'production'

/** How delays grow with consecutive failures. */
export interface BackoffPolicy {
  /** Number of consecutive failures that causes the first delay. */
  readonly failures: number
  /** Seconds. */
  readonly firstDelay: number
  /** Seconds. */
  readonly longestDelay: number
}

/** Seconds; 0 before the first failure that the policy delays. */
export const delayAfter = (policy: BackoffPolicy, failures: number): number =>
  failures < policy.failures
    ? 0
    : Math.min(policy.longestDelay, policy.firstDelay * 2 ** Math.min(failures - policy.failures, 32))

/** Failures at which the delay grows, with the delay in seconds, the highest first. */
export function backoffSteps(policy: BackoffPolicy): { readonly failures: number; readonly delay: number }[] {
  const found: { failures: number; delay: number }[] = []
  for (let failures = policy.failures; found[0]?.delay !== policy.longestDelay; failures += 1)
    found.unshift({ failures, delay: delayAfter(policy, failures) })
  return found
}

export interface Counter {
  /** The row's key under every live secret, newest first. */
  readonly keys: readonly string[]
  /** Finds all counters of an account. */
  readonly account: string
  readonly policy: BackoffPolicy
  /** Whether a success is remembered, so that the network or device is known later. */
  readonly remembers: boolean
}
export type AttemptRow = Selectable<Database['attempt']>

/** How long a network or device stays known after a sign-in. */
export const knownForMs = 7_776_000_000
/** A remembered success is written again only after this time, not at each sign-in. */
const refreshAfterMs = 86_400_000

const findByKeys = statement({ attempt: 'attempt' }, (db, { keys }: { keys: readonly string[] }) =>
  db.selectFrom('attempt').where('attempt.key', 'in', keys),
)

export async function findRows(app: App, counters: readonly Counter[]): Promise<AttemptRow[]> {
  const rows = await findByKeys(app, { keys: counters.flatMap((counter) => counter.keys) })
  return rows.map(({ attempt }) => attempt)
}

export const rowOf = (rows: readonly AttemptRow[], { keys }: Counter): AttemptRow | undefined =>
  rows.find(({ key }) => keys.includes(key))

/** Remaining delay in milliseconds. A delay longer than the policy allows means that a clock was set back; it is ignored. */
export function waitOf(app: App, counter: Counter, row: AttemptRow | undefined): number {
  const wait = (row?.blockedUntil ?? 0) - app.now().getTime()
  return wait > 0 && wait <= counter.policy.longestDelay * 1000 ? wait : 0
}

/**
 * Counts one more failure.
 * @returns 0; or the delay in milliseconds, when concurrent attempts have failed so often that this one no longer counts
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
  const isOutdated = sql<boolean>`${sql.ref('lastFailureAt')} < ${now - forgetAfter * 1000}`
  const failures = sql<number>`case when ${isOutdated} then 1 else ${sql.ref('failures')} + 1 end`
  const branches = backoffSteps(counter.policy).map(
    (step) => sql`when ${failures} >= ${step.failures} then ${now + step.delay * 1000}`,
  )
  const expiresAt = new Date(now + forgetAfter * 1000)
  const updated = await app.db
    .updateTable('attempt')
    // MySQL sets columns one after the other: each must be read before it is set.
    .set({ blockedUntil: sql<number>`case ${sql.join(branches, sql` `)} else 0 end` })
    .set({ failures })
    .set((eb) => ({
      lastFailureAt: now,
      expiresAt: eb.case().when('expiresAt', '<', expiresAt).then(expiresAt).else(eb.ref('expiresAt')).end(),
    }))
    .where('key', 'in', counter.keys)
    .where((eb) => eb.or([eb('blockedUntil', '<=', now), eb('blockedUntil', '>', now + counter.policy.longestDelay * 1000)]))
    .executeTakeFirst()
  return updated.numUpdatedRows > 0n
}

/** @returns false when a concurrent attempt inserted the row */
function insert(app: App, { keys, account, policy }: Counter, outcome: 'failure' | 'success'): Promise<boolean> {
  const now = app.now().getTime()
  const [key = ''] = keys
  const isFailure = outcome === 'failure'
  const row = {
    id: app.random.id(),
    key,
    account,
    failures: isFailure ? 1 : 0,
    blockedUntil: isFailure && policy.failures === 1 ? now + delayAfter(policy, 1) * 1000 : 0,
    lastFailureAt: isFailure ? now : 0,
    succeededAt: isFailure ? null : now,
    expiresAt: new Date(now + (isFailure ? app.config.attempts.forgetAfter * 1000 : knownForMs)),
  }
  return insertUnlessExists(app, app.db.insertInto('attempt').values(row))
}

/**
 * Resets the failures.
 * @returns 0; or the delay in milliseconds, when concurrent attempts have failed so often that this success comes too late
 */
export async function countSuccess(app: App, counter: Counter, row: AttemptRow | undefined): Promise<number> {
  const now = app.now().getTime()
  const isStale = counter.remembers && (row?.succeededAt ?? 0) < now - refreshAfterMs
  if (!row) {
    if (isStale) await insert(app, counter, 'success')
    return 0
  }
  if (row.failures === 0 && !isStale) return 0
  const remembered = counter.remembers ? { succeededAt: now, expiresAt: new Date(now + knownForMs) } : {}
  const updated = await app.db
    .updateTable('attempt')
    .set({ failures: 0, blockedUntil: 0, ...remembered })
    .where('key', 'in', counter.keys)
    .where((eb) => eb.or([eb('blockedUntil', '<=', now), eb('blockedUntil', '>', now + counter.policy.longestDelay * 1000)]))
    .executeTakeFirst()
  if (updated.numUpdatedRows > 0n) return 0
  const [blocked] = await findRows(app, [counter])
  return waitOf(app, counter, blocked)
}

/** Makes a network known without an attempt, and ends its delay: its user has given another proof. */
export async function remember(app: App, counter: Counter): Promise<void> {
  const now = app.now().getTime()
  const columns = { failures: 0, blockedUntil: 0, succeededAt: now, expiresAt: new Date(now + knownForMs) }
  for (;;) {
    const updated = await app.db.updateTable('attempt').set(columns).where('key', 'in', counter.keys).executeTakeFirst()
    if (updated.numUpdatedRows > 0n || (await insert(app, counter, 'success'))) return
  }
}

const purpose = 'attempt'

/** Joins the parts unambiguously. */
const nameOf = (...parts: readonly string[]) => JSON.stringify(parts)

/** The hashes by which all counters of an account are found. */
export const accountKeys = (app: App, account: string): readonly string[] =>
  app.keyring.hashes(purpose, nameOf('account', account.toLowerCase()))

/** A policy of the configuration. */
export type PolicyName = 'perNetwork' | 'perAccount'

function counter(app: App, account: string, name: string, policy: PolicyName, remembers: boolean): Counter {
  const [newest = ''] = accountKeys(app, account)
  return { keys: app.keyring.hashes(purpose, name), account: newest, policy: app.config.attempts[policy], remembers }
}

/** The account from the network of this IP address. */
export const networkCounter = (app: App, account: string, ipAddress: string): Counter =>
  counter(app, account, nameOf('network', account.toLowerCase(), networkOf(ipAddress)), 'perNetwork', true)

/** A claim that belongs to no account, such as a link's, from the network of this IP address. */
export const sharedCounter = (app: App, claim: string, ipAddress: string, policy: PolicyName): Counter =>
  counter(app, claim, nameOf('network', claim, networkOf(ipAddress)), policy, false)

/** The account from all networks. */
export const accountCounter = (app: App, account: string): Counter =>
  counter(app, account, nameOf('account', account.toLowerCase()), 'perAccount', false)

/** The account from one device. @param device identified by its session or its cookie */
export const deviceCounter = (app: App, account: string, device: string): Counter =>
  counter(app, account, nameOf('device', account.toLowerCase(), device), 'perNetwork', true)
