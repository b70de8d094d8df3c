import type { App } from '../../core/app.ts'
import { ApiError, errors } from '../../core/errors.ts'
import { type AttemptRow, type Counter, countFailure, countSuccess, findRows, rowOf, waitOf } from './counters.ts'
import { type Caller, findDevice, rememberDevice } from './device.ts'
import { accountCounter, type Law, networkCounter, sharedCounter } from './places.ts'

export const isEnabled = ({ config }: App): boolean => config.attempts.enabled ?? config.environment === 'production'

/**
 * Lets somebody prove who he is, unless there were too many failures: then nothing is tried, so that neither a right nor a
 * wrong guess is told from the other. What comes to light after others have failed too often meanwhile is not told either,
 * so that many guesses at once gain nothing. An account that does not exist counts like one that does.
 * @param account the address that is claimed, in any case; it need not exist
 * @param prove compares the secret: null for a wrong one; what it throws counts neither as failure nor as success
 * @param options.shared the claim is no person's, such as a link's: failures count by network only, under this law. One for
 * links that anybody may have needs the milder one, for there may be many people behind a network
 * @returns what `prove` returns
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function guardAttempt<T>(
  ctx: Caller,
  account: string,
  prove: () => Promise<T | null>,
  options: { readonly shared?: Law } = {},
): Promise<T | null> {
  if (!isEnabled(ctx)) return prove()
  const { shared } = options
  const counters = shared ? await admitShared(ctx, account, shared) : await admit(ctx, account)
  const proved = await prove()
  if (proved === null) {
    for (const counter of counters) refuseFor(ctx, await countFailure(ctx, counter))
    return null
  }
  const rows = await findRows(ctx, counters)
  refuseFor(ctx, longestWait(ctx, counters, rows))
  for (const counter of counters) refuseFor(ctx, await countSuccess(ctx, counter, rowOf(rows, counter)))
  if (!shared) await rememberDevice(ctx, account)
  return proved
}

/** @returns what this attempt counts for */
async function admit(ctx: Caller, account: string): Promise<readonly Counter[]> {
  const network = networkCounter(ctx, account, ctx.request.networkAddress())
  const everywhere = [network, accountCounter(ctx, account)]
  const rows = await findRows(ctx, everywhere)
  const wait = longestWait(ctx, everywhere, rows)
  if (wait === 0) return everywhere
  // From a network that has signed in before, what others try elsewhere is no obstacle.
  const row = rowOf(rows, network)
  if (waitOf(ctx, network, row) === 0 && row?.succeededAt != null && row.expiresAt > ctx.now()) return [network]
  const device = await findDevice(ctx, account)
  refuseFor(ctx, device ? longestWait(ctx, [device], await findRows(ctx, [device])) : wait)
  return device ? [device] : []
}

async function admitShared(ctx: Caller, claim: string, law: Law): Promise<readonly Counter[]> {
  const counters = [sharedCounter(ctx, claim, ctx.request.networkAddress(), law)]
  refuseFor(ctx, longestWait(ctx, counters, await findRows(ctx, counters)))
  return counters
}

const longestWait = (app: App, counters: readonly Counter[], rows: readonly AttemptRow[]): number =>
  Math.max(...counters.map((counter) => waitOf(app, counter, rowOf(rows, counter))))

/** Does nothing when there is nothing to wait for. */
function refuseFor(app: App, milliseconds: number): void {
  if (milliseconds <= 0) return
  app.metrics.count('rate_limited')
  const seconds = String(Math.ceil(milliseconds / 1000))
  throw new ApiError(errors.TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER, {
    headers: { 'x-retry-after': seconds, 'retry-after': seconds },
  })
}
