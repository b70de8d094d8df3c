/** The comparison of a secret, and what follows when it was right. */
import type { App } from '../../core/app.ts'
import { cookieDefinition } from '../../core/cookies.ts'
import { tooManyRequests } from '../../core/errors.ts'
import type { CallContext } from '../../core/request.ts'
import { readSignedCookies, signCookie } from '../../lib/cookie.ts'
import {
  type AttemptRow,
  accountCounter,
  type Counter,
  countFailure,
  countSuccess,
  deviceCounter,
  findRows,
  isEnabled,
  knownForMs,
  networkCounter,
  type PolicyName,
  rowOf,
  sharedCounter,
  waitOf,
} from './counters.ts'

/** An attempt in which the secret of an account was right. Plain data, without what identifies a device or a network. */
export interface Attempt {
  /** As claimed: an email address, or another name that is none. */
  readonly account: string
  readonly counters: readonly Counter[]
  /** The counters' rows as the comparison has read them, which saves a query in the same call. */
  readonly rows?: readonly AttemptRow[]
}

export interface Proven<T> {
  /** What `verify` returned. */
  readonly value: T
  /** Undefined when attempts are not counted. */
  readonly attempt: Attempt | undefined
}

/** Compares a secret. @returns null when it is wrong; an error that it throws counts neither as failure nor as success */
type Verify<T> = () => Promise<T | null>

/**
 * Verifies a secret of an account, unless there were too many failures: then nothing is compared, so that a right guess
 * looks like a wrong one. A result that arrives after concurrent attempts have failed too often is not returned either, so
 * that concurrent guesses gain nothing. An account that does not exist counts like one that does.
 * It stops at the comparison: the failures before stay counted until the attempt is settled, by the session of a sign-in
 * (`Proof.attempt`) or by `settleAttempt`.
 * @param account email address as claimed; it need not exist
 * @returns null when the secret is wrong
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function guardAttempt<T>(ctx: CallContext, account: string, verify: Verify<T>): Promise<Proven<T> | null> {
  const counters = isEnabled(ctx) ? await admit(ctx, account) : null
  const compared = await compare(ctx, counters ?? [], verify)
  return compared && { value: compared.value, attempt: counters ? { account, counters, rows: compared.rows } : undefined }
}

/**
 * Settles an attempt that leads to no sign-in, such as that of a signed-in user: resets its failures, and makes the device known.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER when concurrent attempts have failed too often
 */
export async function settleAttempt(ctx: CallContext, attempt: Attempt | undefined): Promise<void> {
  if (attempt) rejectWhile(ctx, await resetFailures(ctx, attempt))
}

/** @returns 0; or the delay in milliseconds that concurrent failures have caused, which stays */
export async function resetFailures(ctx: CallContext, { account, counters, rows }: Attempt): Promise<number> {
  const wait = await resetCounters(ctx, counters, rows ?? (await findRows(ctx, counters)))
  if (wait === 0) await rememberDevice(ctx, account)
  return wait
}

interface SharedClaim {
  /** What is claimed; failures are counted by network only, because it belongs to no account. */
  readonly claim: string
  /** IP address of the client. */
  readonly networkAddress: string
  /** `perAccount`, the milder one, for links that any user may need: many users may share a network. */
  readonly policy: PolicyName
}

/**
 * Verifies a secret that belongs to no account, such as the token of a link, in the same way.
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function guardSharedAttempt<T>(app: App, shared: SharedClaim, verify: Verify<T>): Promise<T | null> {
  if (!isEnabled(app)) return verify()
  const counters = [sharedCounter(app, shared.claim, shared.networkAddress, shared.policy)]
  rejectWhile(app, longestWait(app, counters, await findRows(app, counters)))
  const compared = await compare(app, counters, verify)
  if (compared) rejectWhile(app, await resetCounters(app, counters, compared.rows))
  return compared ? compared.value : null
}

async function compare<T>(app: App, counters: readonly Counter[], verify: Verify<T>) {
  const value = await verify()
  if (value === null) {
    for (const counter of counters) rejectWhile(app, await countFailure(app, counter))
    return null
  }
  const rows = counters.length > 0 ? await findRows(app, counters) : []
  rejectWhile(app, longestWait(app, counters, rows))
  return { value, rows }
}

/** @returns 0; or the delay in milliseconds of a counter that is not reset, because concurrent attempts have failed too often */
async function resetCounters(app: App, counters: readonly Counter[], rows: readonly AttemptRow[]): Promise<number> {
  for (const counter of counters) {
    const wait = await countSuccess(app, counter, rowOf(rows, counter))
    if (wait > 0) return wait
  }
  return 0
}

/** @returns the counters of this attempt */
async function admit(ctx: CallContext, account: string): Promise<readonly Counter[]> {
  const network = networkCounter(ctx, account, ctx.request.networkAddress())
  const counters = [network, accountCounter(ctx, account)]
  const rows = await findRows(ctx, counters)
  const wait = longestWait(ctx, counters, rows)
  if (wait === 0) return counters
  // Failures elsewhere do not delay a network that has signed in before.
  const row = rowOf(rows, network)
  if (waitOf(ctx, network, row) === 0 && row?.succeededAt != null && row.expiresAt > ctx.now()) return [network]
  const device = await findDevice(ctx, account)
  rejectWhile(ctx, device ? longestWait(ctx, [device], await findRows(ctx, [device])) : wait)
  return device ? [device] : []
}

const longestWait = (app: App, counters: readonly Counter[], rows: readonly AttemptRow[]): number =>
  Math.max(...counters.map((counter) => waitOf(app, counter, rowOf(rows, counter))))

/** @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER while there is a delay */
function rejectWhile(app: App, delayMs: number): void {
  if (delayMs <= 0) return
  app.metrics.count('rate_limited')
  throw tooManyRequests(Math.ceil(delayMs / 1000))
}

/** The device of the call, if it has signed in to this account before: by its session, or by its cookie. */
async function findDevice(ctx: CallContext, account: string): Promise<Counter | null> {
  const current = await ctx.identify({ refresh: false })
  if (current?.user.email === account.toLowerCase()) return deviceCounter(ctx, account, `session ${current.session.id}`)
  const token = readDeviceCookie(ctx)
  if (token === null) return null
  const counter = cookieCounter(ctx, account, token)
  const [row] = await findRows(ctx, [counter])
  return row?.succeededAt != null && row.expiresAt > ctx.now() ? counter : null
}

const cookieCounter = (app: App, account: string, token: string) => deviceCounter(app, account, `cookie ${token}`)

function readDeviceCookie(ctx: CallContext): string | null {
  if (!ctx.config.attempts.deviceCookie) return null
  const sent = ctx.request.cookies(cookieDefinition(ctx.config, 'known_device').name)
  return readSignedCookies(sent, ctx.keyring)[0] ?? null
}

/** Makes the device known for this account, in addition to others for which it is known. */
async function rememberDevice(ctx: CallContext, account: string): Promise<void> {
  if (!ctx.config.attempts.deviceCookie) return
  const token = readDeviceCookie(ctx) ?? ctx.random.token(32)
  const counter = cookieCounter(ctx, account, token)
  const [row] = await findRows(ctx, [counter])
  await countSuccess(ctx, counter, row)
  cookieDefinition(ctx.config, 'known_device').set(ctx.cookies, signCookie(token, ctx.keyring), knownForMs / 1000)
}
