/** Second factors of a user: show them, and reset those that the user has lost. */
import type { App } from '../../core/app.ts'
import type { describeFactors } from '../../features/second-factor/index.ts'
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
    'Prints the methods with the time at which they were added, the number of backup codes that are left, the browsers that the user trusts, and the delay that wrong codes cause. Never prints secrets.',
  examples: ['latchkey users factors ann@example.com', 'latchkey users factors ann@example.com --json'],
  arguments: { user: userArgument },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { getUser } = await import('../ready-app.ts')
    const { describeFactors } = await import('../../features/second-factor/index.ts')
    const tables = ['user', 'twoFactor', 'backupCode', 'trustedDevice'] as const
    const { app } = await context.openReadyApp({ mode: 'read', tables })
    requireSecondFactor(app)
    const user = await getUser(app, options.user)
    const report = await describeFactors(app, user)
    output.result('users-factors/v1', { id: user.id, email: user.email, ...report }, await describe(report, output.paint))
  },
})

type Report = Awaited<ReturnType<typeof describeFactors>>

async function describe({ enabled, methods, backupCodesLeft, trustedDevices, failures }: Report, paint: Palette) {
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
    ...(failures && failures.failures > 0 ? [['wrong codes', describeFailures(failures)] as [string, string]] : []),
  ]
  return rows.map(([name, text]) => `${paint.dim(name.padEnd('trusted browser'.length))}  ${printable(text)}`)
}

const describeFailures = ({ failures, wait, isSuspended }: NonNullable<Report['failures']>): string =>
  `${failures} consecutive; ${isSuspended ? 'codes are turned off' : wait > 0 ? `locked for ${wait} s` : 'allowed'}`

export const resetFactor = command('reset-factor', 'Reset the second factors of a user', {
  description:
    'For a user who has lost them. First make sure who asks: without second factors, the password alone signs in. Ends the methods, the backup codes, the trusted browsers and the sessions of the user, and sends an email about it. With --factor only the named methods end; without another method the backup codes end too. Confirm it on a terminal, or with --yes.',
  examples: [
    'latchkey users reset-factor ann@example.com --reason "Lost phone"',
    'latchkey users reset-factor ann@example.com --reason "Lost phone" --yes',
    'latchkey users reset-factor ann@example.com --reason Shared --factor otp',
  ],
  arguments: { user: userArgument },
  options: {
    reason: option('--reason <text>', 'Reason, kept in the audit log; required', (z) =>
      z.string('expected a reason').trim().min(1, 'expected a reason').max(500, 'is too long'),
    ),
    factor: {
      ...option('--factor <name>', 'Only this one: totp, otp or backup-codes [all]', (z) =>
        z.array(z.enum(['totp', 'otp', 'backup-codes'], 'expected totp, otp or backup-codes')).default([]),
      ),
      repeatable: true,
    },
  },
  usesDatabase: true,
  exitCodes: [5],
  deadline: 60,
  action: async (context) => {
    const { global, options, output, prompt } = context
    const { reason, factor } = options
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { resetFactors } = await import('../../features/second-factor/index.ts')
    const tables = ['user', 'session', 'twoFactor', 'backupCode', 'trustedDevice', 'signInChallenge', 'outbox'] as const
    const { app } = await context.openReadyApp({ mode: 'write', tables })
    requireSecondFactor(app)
    const { id, email } = await getUser(app, options.user)
    const question = `Reset ${factor.length > 0 ? factor.join(', ') : 'all second factors'} of ${email}, and end their sessions?`
    if (!global.yes && !(prompt.isAllowed && (await prompt.confirm(question)))) throw notConfirmed(email)
    const reset = await resetFactors(app, id, { reason, ...(factor.length > 0 && { factors: [...new Set(factor)] }) })
    if (!reset) throw nothingToReset(email)
    await warnIfCacheStale(app, output)
    output.result('users-reset-factor/v1', { id, email, ...reset }, [])
    const ended = reset.factors.length > 0 ? reset.factors.join(', ') : 'the second factor'
    output.success(`Reset ${ended} of ${email} and ended ${counted(reset.sessionsRevoked, 'session')}`)
    const mailed = reset.isNotified ? 'gets an email about it' : 'gets no email: none can be sent to a verified address'
    output.info(
      `${email} ${mailed}. ${reset.enabled ? 'Sign-ins still require a second factor' : 'They sign in without one now'}`,
    )
  },
})

const notConfirmed = (email: string): Failure =>
  new Failure('NOT_CONFIRMED', `The second factors of ${email} were not reset: not confirmed`, {
    exitCode: exitCodes.refused,
    hint: 'Add --yes once you know that the user asks for it.',
  })

const nothingToReset = (email: string): Failure =>
  new Failure('NO_SECOND_FACTOR', `${email} has none of these second factors`, {
    hint: `Show what they have: \`latchkey users factors ${email}\``,
  })
