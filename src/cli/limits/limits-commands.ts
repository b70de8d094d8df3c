/** `limits explain` and `limits clear`. */
import type { AttemptReport, AttemptState } from '../../features/attempts/index.ts'
import type { EmailCodeState } from '../../features/email-verification/index.ts'
import type { CodeFailures } from '../../features/second-factor/index.ts'
import { canonicalAddress } from '../../lib/ip.ts'
import { counted } from '../../lib/text.ts'
import { command, group, inputError, option, type ValuesOf } from '../command.ts'
import type { Palette } from '../output.ts'

const options = {
  ip: option('--ip <address>', 'IP address of a client; IPv6 addresses share the limits of their /64 network', (z) =>
    z
      .string()
      .refine((text) => canonicalAddress(text) !== null, 'expected an IPv4 or IPv6 address')
      .transform((text) => canonicalAddress(text))
      .default(null),
  ),
  account: option('--account <email>', 'Email address used to sign in; the account need not exist', (z) =>
    z.string().min(1, 'expected an email address').max(320, 'expected an email address').nullable().default(null),
  ),
  path: option('--path <path>', 'Only this path of the API, such as /sign-in/email; needs --ip', (z) =>
    z
      .string()
      .regex(/^\/[^?#\s]*$/, 'expected a path that starts with /')
      .nullable()
      .default(null),
  ),
}
const shared = { options, usesDatabase: true, deadline: 60 }

function checkChoice({ ip, account, path }: ValuesOf<typeof options>): void {
  if (ip !== null || (account !== null && path === null)) return
  throw inputError([
    ...(account === null ? [{ path: '--ip', message: 'give --ip, --account, or both' }] : []),
    ...(path === null ? [] : [{ path: '--path', message: 'needs --ip' }]),
  ])
}

const limitTables = ['attempt', 'rateLimit', 'user', 'twoFactor', 'mailCount'] as const
const resetTables = [...limitTables, 'auditEvent'] as const

const explain = command('explain', 'Explain limits of an IP address or account', {
  ...shared,
  description:
    'For an IP address: the rate limit of each path and its current use. For an account: its consecutive sign-in failures from one network and from all networks together, its wrong codes as second factor and by email, and the delays that they cause. The command itself does not count as an attempt. If limits are counted in memory, the command queries the running daemon of this project.',
  examples: [
    'latchkey limits explain --ip 192.0.2.1',
    'latchkey limits explain --ip 2001:db8::1 --path /sign-in/email',
    'latchkey limits explain --account ann@example.com',
    'latchkey limits explain --account ann@example.com --ip 192.0.2.1 --json',
  ],
  action: async (context) => {
    const { account, ip, path } = context.options
    const { output } = context
    checkChoice(context.options)
    const { explainAttempts } = await import('../../features/attempts/index.ts')
    const { explainCodes, explainMailedCodes } = await import('../../features/operations/index.ts')
    const { networkOf } = await import('../../lib/ip.ts')
    const { describeCalls, explainCalls, notVisible } = await import('./call-limits.ts')
    const { app, loaded } = await context.openReadyApp({ mode: 'read', tables: limitTables })
    const attempts = account === null ? null : await explainAttempts(app, account, ip)
    const secondFactor = account === null ? null : await explainCodes(app, account)
    const emailCodes = account === null ? null : await explainMailedCodes(app, account)
    const network = ip === null ? null : networkOf(ip)
    const rateLimits = ip === null ? null : await explainCalls(app, loaded.directory, { address: ip, path })
    output.result(
      'limits-explain/v1',
      {
        enabled: attempts?.enabled ?? null,
        account: attempts?.account ?? null,
        network: attempts?.network ? { address: network, ...attempts.network } : null,
        places: attempts?.places ?? null,
        secondFactor,
        emailCodes,
        rateLimits,
      },
      [
        ...(attempts ? describeAttempts(attempts, network, output.paint) : []),
        ...(secondFactor ? [describeCodes(secondFactor, output.paint)] : []),
        ...(emailCodes ? [describeMailedCodes(emailCodes, output.paint)] : []),
        ...(rateLimits ? describeCalls(rateLimits, output.paint) : []),
      ],
    )
    if (rateLimits?.seen === false) output.warn(notVisible)
    if (path !== null && rateLimits?.calls.some(({ pattern }) => pattern === null))
      output.warn(`The API has no path ${path}. Requests to it count as requests to other paths`)
  },
})

function describeAttempts(report: AttemptReport, name: string | null, paint: Palette): string[] {
  const { enabled, account, network, places } = report
  const width = Math.max('All networks'.length, name?.length ?? 0)
  return [
    ...(enabled
      ? []
      : [paint.yellow('Failures are not counted: attempts.enabled is off, or the environment is not production.')]),
    `${'All networks'.padEnd(width)}  ${describeState(account, paint)}`,
    ...(network
      ? [`${name?.padEnd(width)}  ${describeState(network, paint)}${network.isKnown ? '; has signed in before' : ''}`]
      : []),
    `${'Networks'.padEnd(width)}  ${places} with failures`,
  ]
}

function describeCodes({ failures, wait, nextDelay, isSuspended }: CodeFailures, paint: Palette): string {
  const off = paint.red('codes are turned off after 100 wrong ones: set up an app again, or `latchkey users reset-factor`')
  return `Second factor  ${isSuspended ? off : describeState({ failures, wait, nextDelay }, paint, 'wrong code')}`
}

function describeMailedCodes({ hasLongerCodes, sendsIn, ...state }: EmailCodeState, paint: Palette): string {
  const sends = sendsIn > 0 ? paint.red(`none is sent for ${sendsIn} s`) : 'new ones are sent'
  return `Codes by email  ${describeState(state, paint, 'wrong code')}; ${sends}${hasLongerCodes ? '; longer ones for a day' : ''}`
}

function describeState({ failures, wait, nextDelay }: AttemptState, paint: Palette, noun = 'failure'): string {
  const now = wait > 0 ? paint.red(`locked for ${wait} s`) : paint.green('allowed')
  return `${counted(failures, `consecutive ${noun}`)}; ${now}; the next ${noun} ${nextDelay === 0 ? 'adds no delay' : `locks for ${nextDelay} s`}`
}

const clear = command('clear', 'Reset rate limits and lockouts', {
  ...shared,
  description:
    'With --ip, resets the request counts of the IP address. With --account, resets the sign-in failures from all networks, the wrong codes and the counts of emails, or with --ip only the failures from that network; known networks and devices stay known. Takes effect immediately on every daemon; if limits are counted in memory, only on the running daemon of this project.',
  examples: [
    'latchkey limits clear --ip 192.0.2.1',
    'latchkey limits clear --ip 192.0.2.1 --path /sign-in/email',
    'latchkey limits clear --account ann@example.com',
    'latchkey limits clear --account ann@example.com --ip 192.0.2.1',
  ],
  action: async (context) => {
    const { account, ip, path } = context.options
    const { output } = context
    checkChoice(context.options)
    const { explainAttempts } = await import('../../features/attempts/index.ts')
    const { resetLimits } = await import('../../features/operations/index.ts')
    const { clearCalls, notVisible } = await import('./call-limits.ts')
    const { app, loaded } = await context.openReadyApp({ mode: 'write', tables: resetTables })
    const subject = { address: ip ?? undefined, account: account ?? undefined, path: path ?? undefined }
    const reset = await resetLimits(app, subject, (filter) => clearCalls(app, loaded.directory, filter))
    const { failures: cleared, mails, requests: rateLimits } = reset
    output.result('limits-clear/v1', { cleared: cleared + mails, rateLimits }, [])
    const parts = [
      ...(mails > 0 ? [counted(mails, 'email count')] : []),
      ...(cleared > 0 ? [counted(cleared, 'failure count')] : []),
      ...(rateLimits ? [counted(rateLimits, 'request count')] : []),
    ]
    output.success(parts.length > 0 ? `Reset ${parts.join(', ')}` : 'Nothing to reset')
    if (ip !== null && rateLimits === null) output.warn(notVisible)
    if (account === null || ip === null) return
    const { wait } = (await explainAttempts(app, account, null)).account
    if (wait > 0)
      output.info(
        `The account is still locked for ${wait} s by failures from all networks: latchkey limits clear --account ${account}`,
      )
  },
})

export const limits = group('limits', 'Show or reset rate limits and lockouts', {
  examples: ['latchkey limits explain --ip 192.0.2.1 --account ann@example.com', 'latchkey limits clear --ip 192.0.2.1'],
  commands: [explain, clear],
})
