/** Backoff: consecutive failures by account, and by account and network, delay further attempts. No lockout is permanent. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import { cookieDefinition, cookieOptions } from '../../core/cookies.ts'
import { tooManyRequests } from '../../core/errors.ts'
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import type { CallContext } from '../../core/request.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { bigint, id, index, integer, nullable, string, timestamp, unique } from '../../core/table.ts'
import { readSignedCookies, signCookie } from '../../lib/cookie.ts'
import type { Config } from '../index.ts'
import {
  type AttemptRow,
  accountCounter,
  accountKeys,
  type Counter,
  countFailure,
  countSuccess,
  deviceCounter,
  findRows,
  isEnabled,
  knownForMs,
  networkCounter,
  type PolicyName,
  remember,
  rowOf,
  sharedCounter,
  waitOf,
} from './counters.ts'

export { type AttemptReport, type AttemptState, clearAttempts, explainAttempts, listLockouts } from './explain.ts'

/** Deletes expired rows: old failures, and networks and devices without a recent sign-in. */
const sweepAttempts: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, { table: 'attempt', column: 'expiresAt', before: ({ now }) => now() })

/**
 * A user who sets a password with a link or a code must be able to sign in with it, from where they did so: not after the delay of the
 * failures before, and while others guess.
 */
async function rememberRecovery(tx: App, userId: string): Promise<void> {
  const { actor } = tx
  const isOwner = actor.kind === 'anonymous' || (actor.kind === 'user' && actor.userId === userId)
  if (!isOwner || !isEnabled(tx)) return
  const user = await tx.db.selectFrom('user').select('email').where('id', '=', userId).executeTakeFirst()
  if (user) await remember(tx, networkCounter(tx, user.email, actor.networkAddress ?? actor.ipAddress))
}

export const on: Listeners = {
  'password.changed': async (app, { userId, sessionSince }) => {
    if (!sessionSince) await rememberRecovery(app, userId)
  },
  'user.erasing': async (app, { user }) => {
    await app.db.deleteFrom('attempt').where('account', 'in', accountKeys(app, user.email)).execute()
  },
}

export const jobs = { attempts: { every: 3600, run: sweepAttempts } }

const policy = (failures: number, longestDelay: number) => ({
  failures: z.int().min(1).max(1000).default(failures).describe('Consecutive failures before backoff starts'),
  firstDelay: z.int().min(1).max(3600).default(1).describe('First delay in seconds; doubled with each further failure'),
  longestDelay: z
    .int()
    .min(1)
    .max(86_400)
    .default(longestDelay)
    .describe('Maximum delay in seconds; no account is ever locked permanently'),
})

export const config = {
  ...cookieOptions('known_device'),
  attempts: group('Backoff against password guessing, in addition to rate limits', {
    enabled: z.boolean().optional().describe('Default: true in production, otherwise false'),
    perNetwork: group('Backoff for one account from one network', policy(10, 900)),
    perAccount: group('Backoff for one account from all networks together', policy(50, 60)),
    forgetAfter: z
      .int()
      .min(60)
      .max(31_536_000)
      .default(86_400)
      .describe('Seconds without a failure after which the count restarts'),
    deviceCookie: z.boolean().default(false).describe('Set a cookie that identifies a known device even after sign-out'),
  }),
}

export function checkConfig({ attempts }: Config): ConfigIssue[] {
  return (['perNetwork', 'perAccount'] as const)
    .filter((name) => attempts[name].firstDelay > attempts[name].longestDelay)
    .map((name) => ({
      id: 'attempts-delays',
      path: `attempts.${name}.firstDelay`,
      message: 'The first delay exceeds the maximum delay.',
    }))
}

/**
 * Consecutive failures of one account: from one network, from all networks, or from one device. Keyed hashes: neither email
 * nor IP addresses are stored. Milliseconds since 1970.
 */
export const tables = {
  attempt: {
    id: id(),
    key: unique(string({ length: 64 })),
    account: string({ length: 64 }),
    failures: integer(),
    blockedUntil: bigint(),
    lastFailureAt: bigint(),
    succeededAt: nullable(bigint()),
    expiresAt: timestamp(),
  },
}

export const secretUses = { attempts: { table: 'attempt', column: 'key', noun: 'failure count' } } as const

export const indexes = { attempt: [index('account'), index('expiresAt'), index('blockedUntil', 'id')] }

/** Compares a secret. @returns null when it is wrong; an error that it throws counts neither as failure nor as success */
type Verify<T> = () => Promise<T | null>

/**
 * Verifies a secret of an account, unless there were too many failures: then nothing is compared, so that a right guess
 * looks like a wrong one. A result that arrives after concurrent attempts have failed too often is not returned either, so
 * that concurrent guesses gain nothing. An account that does not exist counts like one that does.
 * @param account email address as claimed; it need not exist
 * @returns what `verify` returns
 * @throws ApiError TOO_MANY_REQUESTS_PLEASE_TRY_AGAIN_LATER
 */
export async function guardAttempt<T>(ctx: CallContext, account: string, verify: Verify<T>): Promise<T | null> {
  if (!isEnabled(ctx)) return verify()
  const result = await countAttempt(ctx, await admit(ctx, account), verify)
  if (result !== null) await rememberDevice(ctx, account)
  return result
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
  return countAttempt(app, counters, verify)
}

async function countAttempt<T>(app: App, counters: readonly Counter[], verify: Verify<T>): Promise<T | null> {
  const result = await verify()
  if (result === null) {
    for (const counter of counters) rejectWhile(app, await countFailure(app, counter))
    return null
  }
  const rows = await findRows(app, counters)
  rejectWhile(app, longestWait(app, counters, rows))
  for (const counter of counters) rejectWhile(app, await countSuccess(app, counter, rowOf(rows, counter)))
  return result
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
