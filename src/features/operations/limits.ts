/** Rate limits and lockouts for operators: what `latchkey limits explain` and `latchkey limits clear` do. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { CallFilter } from '../../core/installation.ts'
import { invalidQuery } from '../../core/pages.ts'
import { freshPermission, permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { transaction } from '../../core/transaction.ts'
import { canonicalAddress, networkOf } from '../../lib/ip.ts'
import { clearAttempts, explainAttempts, listLockouts } from '../attempts/index.ts'
import { recordEvent } from '../audit/index.ts'
import { clearEmailCodes, type EmailCodeState, explainEmailCodes } from '../email-verification/index.ts'
import { clearMailCounts } from '../outbox/index.ts'
import { type CodeFailures, clearFailures, explainFailures } from '../second-factor/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { errors, isAdministered as exists } from './errors.ts'
import { installationOf } from './system.ts'

const subject = {
  address: z
    .string()
    .max(64)
    .refine((text) => canonicalAddress(text) !== null, 'Expected an IPv4 or IPv6 address')
    .meta({ examples: ['192.0.2.10'] })
    .transform((text) => canonicalAddress(text) ?? text)
    .optional()
    .describe('IP address of a client; IPv6 addresses share the limits of their /64 network'),
  account: z
    .string()
    .min(1)
    .max(320)
    .optional()
    .describe('Email address used to sign in; the account need not exist')
    .meta({ examples: ['ann@example.com'] }),
  path: z
    .string()
    .max(2048)
    .regex(/^\/[^?#\s]*$/, 'Expected a path that starts with /')
    .optional()
    .describe('Only this path of the API; needs `address`')
    .meta({ examples: ['/sign-in/email'] }),
}

const attemptState = {
  failures: z.int().describe('Consecutive sign-in failures'),
  wait: z.int().describe('Seconds until the next attempt is allowed'),
  nextDelay: z.int().describe('Delay in seconds after one more failure'),
}

const callState = z.object({
  method: z
    .string()
    .nullable()
    .meta({ examples: ['POST'] }),
  pattern: z
    .string()
    .nullable()
    .describe('Null for paths on which there is no call')
    .meta({ examples: ['/sign-in/email'] }),
  source: z.enum(['customRules', 'call', 'guessing', 'default']).describe('Where the limit is from'),
  rule: z
    .union([z.object({ window: z.number(), max: z.number() }), z.literal(false), z.literal('function')])
    .describe('Calls allowed in a window in seconds; false: no limit; `function`: the configuration decides about each request'),
  count: z.int().nullable().describe('Requests in the current window; null if not visible'),
  lastRequest: isoDate.nullable(),
  wait: z.int().nullable().describe('Seconds until the next request is allowed; null if unknown'),
})

const lockout = z
  .object({
    id: z.string(),
    account: z
      .string()
      .describe('Keyed hash of the email address used to sign in')
      .meta({ examples: ['c4y8JfWj.p0vXnq7Lw4tR9sYb1cE6hJ3mA5dGfLr8Tn2Kp7u0Zk2'] }),
    scope: z.enum(['account', 'place']).describe('All networks together, or one network or device'),
    failures: z.int().describe('Consecutive failures'),
    blockedUntil: isoDate,
    lastFailureAt: isoDate,
  })
  .meta({ title: 'Lockout' })

interface Subject {
  readonly address?: string | undefined
  readonly account?: string | undefined
  readonly path?: string | undefined
}

/**
 * Resets the request counts of an IP address, or the failures, the wrong codes and the counts of emails of an account; with both, the
 * failures of the account from that network.
 * @param clearCalls resets request counts; null if they are not visible
 */
export async function resetLimits<N extends number | null>(
  app: App,
  { address, account, path }: Subject,
  clearCalls: (filter: CallFilter) => Promise<N>,
): Promise<{ failures: number; mails: number; requests: N | null }> {
  const requests = address === undefined ? null : await clearCalls({ address, path: path ?? null })
  return transaction(app, async (tx) => {
    const isWhole = account !== undefined && address === undefined
    const mails = isWhole ? await clearMailCounts(tx, account) : 0
    const user = account === undefined ? null : await findUserByEmail(tx, account.toLowerCase())
    const hadWrongCodes = isWhole && user !== null && tx.config.twoFactor.enabled && (await clearFailures(tx, user.id))
    const ofEmails = isWhole && sendsCodes(tx) ? await clearEmailCodes(tx, account) : 0
    const ofSignIn = account === undefined ? 0 : await clearAttempts(tx, account, address ?? null)
    const failures = ofSignIn + ofEmails + Number(hadWrongCodes)
    const target = user ? { target: { type: 'user', id: user.id } } : {}
    await recordEvent(tx, { action: 'limits.reset', ...target, details: { failures, mails, requests: requests ?? 0 } })
    return { failures, mails, requests }
  })
}

/** The wrong codes of the user with this email address; null when they have no second factor. */
export async function explainCodes(app: App, account: string): Promise<CodeFailures | null> {
  const user = app.config.twoFactor.enabled ? await findUserByEmail(app, account.toLowerCase()) : null
  return user && explainFailures(app, user.id)
}

const sendsCodes = ({ config }: App): boolean => config.emailOTP.enabled || config.magicLink.enabled

/** What limits the codes and links by email of an address; null when there are none. */
export const explainMailedCodes = async (app: App, account: string): Promise<EmailCodeState | null> =>
  sendsCodes(app) ? explainEmailCodes(app, account) : null

/** @throws ApiError IP_ADDRESS_OR_ACCOUNT_REQUIRED */
function checkSubject({ address, account, path }: Subject): void {
  if (address === undefined && (account === undefined || path !== undefined))
    throw new ApiError(errors.IP_ADDRESS_OR_ACCOUNT_REQUIRED)
}

export const limitRoutes = {
  'GET /admin/explain-limits': route({
    summary: 'Explain limits of an IP address or account',
    description:
      'For an IP address: the rate limit of each path and its current use. For an account: its consecutive sign-in failures, its wrong codes as second factor and by email, and the delays that they cause. Only for users whose role permits `limit:list`.',
    access: permission({ limit: ['list'] }),
    exists,
    query: z.object(subject),
    returns: z.object({
      enabled: z.boolean().nullable().describe('Whether sign-in failures are counted; null without an account'),
      account: z.object(attemptState).nullable().describe('From all networks together'),
      network: z
        .object({
          ...attemptState,
          address: z.string().meta({ examples: ['192.0.2.10'] }),
          isKnown: z.boolean().describe('Whether the account has signed in from it'),
        })
        .nullable()
        .describe('From the network of the IP address'),
      places: z.int().nullable().describe('Networks and devices with failures'),
      secondFactor: z
        .object({
          failures: z.int().describe('Consecutive wrong codes'),
          wait: z.int().describe('Seconds until the next code is compared'),
          nextDelay: z.int().describe('Delay in seconds after one more wrong code'),
          isSuspended: z.boolean().describe('Whether codes are turned off, after 100 wrong ones'),
        })
        .nullable()
        .describe('Wrong codes as second factor; null without an account that has one'),
      emailCodes: z
        .object({
          failures: z.int().describe('Consecutive wrong codes'),
          wait: z.int().describe('Seconds until the next code is compared'),
          nextDelay: z.int().describe('Delay in seconds after one more wrong code'),
          hasLongerCodes: z.boolean().describe('Whether codes have more digits, after many wrong ones in a day'),
          sendsIn: z.int().describe('Seconds until the address gets codes and links again; 0: now'),
        })
        .nullable()
        .describe('Codes and links by email; null without an account, and when they are disabled'),
      rateLimits: z
        .object({
          address: z
            .string()
            .describe('The IP address or network that is counted')
            .meta({ examples: ['192.0.2.10'] }),
          enabled: z.boolean().describe('Whether requests are limited'),
          storage: z.enum(['custom', 'database', 'memory', 'redis']),
          seen: z.boolean().describe('Whether the counters are visible to this daemon'),
          calls: z.array(callState),
        })
        .nullable(),
    }),
    errors: [errors.IP_ADDRESS_OR_ACCOUNT_REQUIRED, errors.ONLY_KNOWN_TO_A_DAEMON],
    handler: async (ctx) => {
      checkSubject(ctx.query)
      const { account, address, path = null } = ctx.query
      const attempts = account === undefined ? null : await explainAttempts(ctx, account, address ?? null)
      const calls = address === undefined ? null : await installationOf(ctx).explainCalls({ address, path })
      return {
        enabled: attempts?.enabled ?? null,
        account: attempts?.account ?? null,
        network: attempts?.network && address !== undefined ? { address: networkOf(address), ...attempts.network } : null,
        places: attempts?.places ?? null,
        secondFactor: account === undefined ? null : await explainCodes(ctx, account),
        emailCodes: account === undefined ? null : await explainMailedCodes(ctx, account),
        rateLimits: calls && { ...calls, calls: [...calls.calls] },
      }
    },
  }),
  'POST /admin/reset-limits': route({
    summary: 'Reset limits of an IP address or account',
    description:
      'For an IP address: its request counts. For an account: its sign-in failures from all networks, its wrong codes and its counts of emails; with an IP address too, only the failures from that network. Takes effect immediately. Only for users whose role permits `limit:reset`.',
    access: freshPermission({ limit: ['reset'] }),
    exists,
    body: z.object(subject).meta({ examples: [{ account: 'ann@example.com' }] }),
    returns: z.object({
      failures: z.int().describe('Number of reset failure counts'),
      mails: z.int().describe('Number of reset email counts'),
      requests: z.int().describe('Number of reset request counts'),
    }),
    errors: [errors.IP_ADDRESS_OR_ACCOUNT_REQUIRED, errors.ONLY_KNOWN_TO_A_DAEMON],
    handler: async (ctx) => {
      checkSubject(ctx.body)
      const reset = await resetLimits(ctx, ctx.body, (filter) => installationOf(ctx).clearCalls(filter))
      return { ...reset, requests: reset.requests ?? 0 }
    },
  }),
  'GET /admin/list-lockouts': route({
    summary: 'List current lockouts',
    description:
      'Returns the accounts, networks and devices that must wait before their next attempt, the longest wait first. Email and IP addresses are not stored, only keyed hashes of them. Only for users whose role permits `limit:list`.',
    access: permission({ limit: ['list'] }),
    exists,
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(50).describe('Number of rows'),
      cursor: z.string().max(1024).optional().describe('`nextCursor` of the previous page'),
    }),
    returns: z.object({
      lockouts: z.array(lockout),
      nextCursor: z.string().nullable().describe('Null: the last page'),
    }),
    errors: [invalidQuery],
    handler: (ctx) => listLockouts(ctx, ctx.query),
  }),
}
