/** Backoff: consecutive failures by account, and by account and network, delay further attempts. No lockout is permanent. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { type ConfigIssue, group } from '../../core/config.ts'
import { cookieOptions } from '../../core/cookies.ts'
import type { Listeners } from '../../core/events.ts'
import type { Job } from '../../core/feature.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { bigint, id, index, integer, nullable, string, timestamp, unique } from '../../core/table.ts'
import type { Config } from '../index.ts'
import { accountKeys, isEnabled, networkCounter, remember } from './counters.ts'
import { resetFailures } from './guard.ts'

export { backoffSteps } from './counters.ts'
export { type AttemptReport, type AttemptState, clearAttempts, explainAttempts, listLockouts } from './explain.ts'
export { type Attempt, guardAttempt, guardSharedAttempt, type Proven, settleAttempt } from './guard.ts'

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
  // The session exists: a delay that concurrent failures have caused stays, and does not end the sign-in.
  'client.signed-in': async (_, { ctx, attempt }) => {
    if (attempt) await resetFailures(ctx, attempt)
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
