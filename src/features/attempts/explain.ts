/** Backoff of an account, for operators: show and reset it. */
import type { App } from '../../core/app.ts'
import { cutPage, isAfter, readPosition } from '../../core/pages.ts'
import {
  type AttemptRow,
  accountCounter,
  accountKeys,
  type Counter,
  delayAfter,
  findRows,
  isEnabled,
  networkCounter,
  waitOf,
} from './counters.ts'

export interface AttemptState {
  readonly failures: number
  /** Seconds until the next attempt is allowed. */
  readonly wait: number
  /** Delay in seconds after one more failure. */
  readonly nextDelay: number
}
export interface AttemptReport {
  /** Whether this configuration counts failures. */
  readonly enabled: boolean
  /** From all networks together. */
  readonly account: AttemptState
  /** From the network of the given IP address; null when none was given. */
  readonly network: (AttemptState & { readonly isKnown: boolean }) | null
  /** Networks and devices from which there were failures. */
  readonly places: number
}

/** @param address IP address of a client; null: the account only */
export async function explainAttempts(app: App, account: string, address: string | null): Promise<AttemptReport> {
  const total = accountCounter(app, account)
  const [totalRow] = await findRows(app, [total])
  const network = address === null ? null : networkCounter(app, account, address)
  const [networkRow] = network ? await findRows(app, [network]) : []
  const isKnown = networkRow?.succeededAt != null && networkRow.expiresAt > app.now()
  const places = await app.db
    .selectFrom('attempt')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account', 'in', accountKeys(app, account))
    .where('key', 'not in', total.keys)
    .where('failures', '>', 0)
    .where('lastFailureAt', '>=', outdatedBefore(app))
    .executeTakeFirstOrThrow()
  return {
    enabled: isEnabled(app),
    account: stateOf(app, total, totalRow),
    network: network && { ...stateOf(app, network, networkRow), isKnown },
    places: Number(places.count),
  }
}

const outdatedBefore = (app: App): number => app.now().getTime() - app.config.attempts.forgetAfter * 1000

function stateOf(app: App, counter: Counter, row: AttemptRow | undefined): AttemptState {
  const failures = row && row.lastFailureAt >= outdatedBefore(app) ? row.failures : 0
  return { failures, wait: Math.ceil(waitOf(app, counter, row) / 1000), nextDelay: delayAfter(counter.policy, failures + 1) }
}

/**
 * Resets the failures of an account; its known networks and devices stay known.
 * @param address only those from the network of this IP address; null: all
 * @returns how many counters were above zero
 */
export async function clearAttempts(app: App, account: string, address: string | null): Promise<number> {
  const update = app.db.updateTable('attempt').set({ failures: 0, blockedUntil: 0 }).where('failures', '>', 0)
  const chosen =
    address === null
      ? update.where('account', 'in', accountKeys(app, account))
      : update.where('key', 'in', networkCounter(app, account, address).keys)
  return Number((await chosen.executeTakeFirst()).numUpdatedRows)
}

/**
 * The accounts, networks and devices whose next attempt must wait, the longest wait first: a page by keyset.
 * @throws ApiError VALIDATION_ERROR for an invalid cursor
 */
export async function listLockouts(
  app: App,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
) {
  const { perNetwork, perAccount } = app.config.attempts
  const now = app.now().getTime()
  const longestMs = Math.max(perNetwork.longestDelay, perAccount.longestDelay) * 1000
  const position = await readPosition({ cursor }, 'number')
  const rows = await app.db
    .selectFrom('attempt')
    .select(['id', 'key', 'account', 'failures', 'blockedUntil', 'lastFailureAt'])
    .where('blockedUntil', '>', now)
    // A longer delay means that a clock was set back; it is ignored, as in `waitOf`.
    .where('blockedUntil', '<=', now + longestMs)
    .$if(position !== null, (query) => query.where(isAfter(['blockedUntil', 'id'], position ?? [0, ''], 'desc')))
    .orderBy('blockedUntil', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = cutPage(rows, limit, ({ blockedUntil, id }) => [blockedUntil, id])
  const lockouts = page.rows.map(({ key, blockedUntil, lastFailureAt, ...row }) => ({
    ...row,
    scope: key === row.account ? ('account' as const) : ('place' as const),
    blockedUntil: new Date(blockedUntil),
    lastFailureAt: new Date(lastFailureAt),
  }))
  return { lockouts, nextCursor: page.next }
}
