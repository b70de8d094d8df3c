/** For whoever runs the installation: what is held against an account, and how to forget it. */
import type { App } from '../../core/app.ts'
import { type AttemptRow, type Counter, findRows, waitOf } from './counters.ts'
import { isEnabled } from './guard.ts'
import { delayAfter } from './law.ts'
import { accountCounter, accountKeys, networkCounter } from './places.ts'

export interface AttemptState {
  readonly failures: number
  /** Seconds until the next attempt is let through. */
  readonly wait: number
  /** Seconds of the delay that one more failure would bring. */
  readonly nextDelay: number
}
export interface AttemptReport {
  /** Whether anything is counted under this configuration. */
  readonly enabled: boolean
  /** From all networks together. */
  readonly account: AttemptState
  /** From the network of the given address; null when none was given. */
  readonly network: (AttemptState & { readonly isKnown: boolean }) | null
  /** Networks and devices from which there were failures. */
  readonly places: number
}

/** @param address of a client; null to ask for the account only */
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
    .where('lastFailureAt', '>=', forgottenBefore(app))
    .executeTakeFirstOrThrow()
  return {
    enabled: isEnabled(app),
    account: stateOf(app, total, totalRow),
    network: network && { ...stateOf(app, network, networkRow), isKnown },
    places: Number(places.count),
  }
}

const forgottenBefore = (app: App): number => app.now().getTime() - app.config.attempts.forgetAfter * 1000

function stateOf(app: App, counter: Counter, row: AttemptRow | undefined): AttemptState {
  const failures = row && row.lastFailureAt >= forgottenBefore(app) ? row.failures : 0
  return { failures, wait: Math.ceil(waitOf(app, counter, row) / 1000), nextDelay: delayAfter(counter.law, failures + 1) }
}

/**
 * Forgets the failures of an account; its known networks and devices stay known.
 * @param address only those from the network of this address; null for all
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
