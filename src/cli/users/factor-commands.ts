/** Second factors of a user: show them, and reset those that the user has lost. */
import type { App } from '../../core/app.ts'
import type { describeFactors, ResetFactor, ResetResult } from '../../features/second-factor/index.ts'
import { counted } from '../../lib/text.ts'
import { exitCodes, Failure } from '../../project/failure.ts'
import { argument, command, option } from '../command.ts'
import type { Palette } from '../output.ts'

const userArgument = argument('<user>', 'ID or email address', (z) => z.string().min(1))

/** @throws Failure SECOND_FACTOR_DISABLED */
function requireSecondFactor({ config }: App): void {
  if (config.twoFactor.enabled) return
  throw new Failure('SECOND_FACTOR_DISABLED', 'Second factors are disabled: twoFactor is off', {
    hint: 'Set twoFactor: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}

export const factors = command('factors', 'Show the second factors of a user', {
  description:
    'Prints the methods with the time at which they were added, the number of backup codes that are left, the browsers that the user trusts, the rule that demands a second factor of them, whether they satisfy it and until when they must, a reset that waits, and the delay that wrong codes cause. Never prints secrets.',
  examples: ['latchkey users factors ann@example.com', 'latchkey users factors ann@example.com --json'],
  arguments: { user: userArgument },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { getUser } = await import('../ready-app.ts')
    const { describeFactors } = await import('../../features/second-factor/index.ts')
    const tables = ['user', 'twoFactor', 'backupCode', 'trustedDevice', 'twoFactorDue', 'factorReset'] as const
    const { app } = await context.openReadyApp({ mode: 'read', tables })
    requireSecondFactor(app)
    const user = await getUser(app, options.user)
    const report = await describeFactors(app, user)
    output.result('users-factors/v1', { id: user.id, email: user.email, ...report }, await describe(report, output.paint))
  },
})

type Report = Awaited<ReturnType<typeof describeFactors>>

async function describe(report: Report, paint: Palette) {
  const { enabled, methods, backupCodesLeft, trustedDevices, required, failures, pendingReset } = report
  const { printable } = await import('../../lib/redact.ts')
  const shown = methods.map(({ type, channel, to, createdAt }): [string, string] => {
    const recipient = channel === undefined ? '' : ` by ${channel} to ${to}`
    return ['method', `${type}${recipient}${createdAt ? `, since ${createdAt.toISOString()}` : ''}`]
  })
  const browsers = trustedDevices.map(({ name, expiresAt }): [string, string] => [
    'trusted browser',
    `${name ?? 'unknown'}, until ${expiresAt.toISOString()}`,
  ])
  const rows: [string, string][] = [
    ['second factor', enabled ? 'required at sign-in' : 'none'],
    ...shown,
    ['backup codes', `${backupCodesLeft} left`],
    ...browsers,
    ['rule', required ? describeRule(required) : 'none'],
    ...(pendingReset ? [['pending reset', describeReset(pendingReset)] as [string, string]] : []),
    ...(failures && failures.failures > 0 ? [['wrong codes', describeFailures(failures)] as [string, string]] : []),
  ]
  return rows.map(([name, text]) => `${paint.dim(name.padEnd('trusted browser'.length))}  ${printable(text)}`)
}

function describeRule({ by, isSatisfied, dueAt, methods }: NonNullable<Report['required']>): string {
  if (isSatisfied || dueAt === null) return `${by}: satisfied`
  return `${by}: not satisfied, demands ${methods.join(' or ')} by ${dueAt.toISOString()}`
}

const describeReset = ({ requestedBy, factors, effectiveAt }: NonNullable<Report['pendingReset']>): string =>
  `${factors.join(', ')}, requested by ${requestedBy}, on ${effectiveAt.toISOString()}`

const describeFailures = ({ failures, wait, isSuspended }: NonNullable<Report['failures']>): string =>
  `${failures} consecutive; ${isSuspended ? 'codes are turned off' : wait > 0 ? `locked for ${wait} s` : 'allowed'}`

export const resetFactor = command('reset-factor', 'Reset the second factors of a user', {
  description:
    'For a user who has lost them. First make sure who asks: without second factors, the password alone signs in. Ends the methods, the backup codes, the trusted browsers and the sessions of the user, and sends an email about it. With twoFactor.recovery.adminDelayHours it takes effect after that time, unless the user signs in with a second factor or cancels it; --now skips the wait. With --factor only the named methods end; without another method the backup codes end too. Passkeys stay unless they are named. Confirm it on a terminal, or with --yes.',
  examples: [
    'latchkey users reset-factor ann@example.com --reason "Lost phone"',
    'latchkey users reset-factor ann@example.com --reason "Lost phone" --yes',
    'latchkey users reset-factor ann@example.com --reason Shared --factor otp',
    'latchkey users reset-factor ann@example.com --reason "Lost phone" --now',
  ],
  arguments: { user: userArgument },
  options: {
    reason: option('--reason <text>', 'Reason, kept in the audit log; required', (z) =>
      z.string('expected a reason').trim().min(1, 'expected a reason').max(500, 'is too long'),
    ),
    factor: {
      ...option('--factor <name>', 'Only this one: totp, otp, passkeys, backup-codes [all but passkeys]', (z) =>
        z.array(z.enum(['totp', 'otp', 'passkeys', 'backup-codes'], 'expected totp, otp, passkeys or backup-codes')).default([]),
      ),
      repeatable: true,
    },
    now: option('--now', 'Skip twoFactor.recovery.adminDelayHours', (z) => z.boolean().default(false)),
  },
  usesDatabase: true,
  exitCodes: [5],
  deadline: 60,
  action: async (context) => {
    const { global, options, output, prompt } = context
    const { reason, factor, now } = options
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: resetTables })
    requireSecondFactor(app)
    const { id, email } = await getUser(app, options.user)
    const hours = now ? 0 : app.config.twoFactor.recovery.adminDelayHours
    const what = factor.length > 0 ? [...new Set(factor)].join(', ') : 'all second factors'
    const when = hours > 0 ? ` in ${counted(hours, 'hour')}` : ''
    const question = `Reset ${what} of ${email}, and end their sessions${when}?`
    if (!global.yes && !(prompt.isAllowed && (await prompt.confirm(question)))) throw notConfirmed(email)
    const { effectiveAt, isNotified, reset, factors } = await resetOf(app, { id, email, reason, factor, hours })
    await warnIfCacheStale(app, output)
    const ended = reset ?? { factors, enabled: true, sessionsRevoked: 0 }
    output.result('users-reset-factor/v1', { id, email, ...ended, isPending: reset === null, effectiveAt, isNotified }, [])
    const { done, next } = describeResult({ email, effectiveAt, reset, factors, isNotified })
    output.success(done)
    output.info(next)
  },
})

const factorTables = ['twoFactor', 'backupCode', 'trustedDevice', 'signInChallenge', 'factorReset'] as const
const resetTables = ['user', 'session', ...factorTables, 'outbox'] as const

interface Order {
  readonly id: string
  readonly email: string
  readonly reason: string
  readonly factor: readonly ResetFactor[]
  readonly hours: number
}

/** @throws Failure NO_SECOND_FACTOR */
async function resetOf(app: App, { id, email, reason, factor, hours }: Order) {
  const { resetFactors, errors } = await import('../../features/second-factor/index.ts')
  const { ApiError } = await import('../../core/errors.ts')
  const order = { requestedBy: 'operator', administratorId: null, reason, hours } as const
  try {
    return await resetFactors(app, id, { ...order, ...(factor.length > 0 && { factors: [...new Set(factor)] }) })
  } catch (error) {
    const isMissing = error instanceof ApiError && error.entry.code === errors.USER_HAS_NO_SECOND_FACTOR.code
    throw isMissing ? nothingToReset(email) : error
  }
}

interface Result extends ResetResult {
  readonly email: string
  readonly factors: readonly ResetFactor[]
}

/** What has happened, and what the user gets and needs now. */
function describeResult({ email, effectiveAt, reset, factors, isNotified }: Result) {
  const noMail = 'gets no email: none can be sent to a verified address'
  if (!reset) {
    const mails = 'gets an email now, one after half of the time and one at the end, with a link that cancels the reset'
    return {
      done: `The reset of ${factors.join(', ')} of ${email} takes effect on ${effectiveAt.toISOString()}`,
      next: `${email} ${isNotified ? mails : noMail}. A sign-in with a second factor cancels it too`,
    }
  }
  const ended = reset.factors.length > 0 ? reset.factors.join(', ') : 'the second factor'
  const mailed = isNotified ? 'gets an email about it' : noMail
  return {
    done: `Reset ${ended} of ${email} and ended ${counted(reset.sessionsRevoked, 'session')}`,
    next: `${email} ${mailed}. ${reset.enabled ? 'Sign-ins still require a second factor' : 'They sign in without one now'}`,
  }
}

const notConfirmed = (email: string): Failure =>
  new Failure('NOT_CONFIRMED', `The second factors of ${email} were not reset: not confirmed`, {
    exitCode: exitCodes.refused,
    hint: 'Add --yes once you know that the user asks for it.',
  })

const nothingToReset = (email: string): Failure =>
  new Failure('NO_SECOND_FACTOR', `${email} has none of these second factors`, {
    hint: `Show what they have: \`latchkey users factors ${email}\``,
  })
