/** `incident`: what an operator types at night. All of it works while the daemon is down, because the state is in the database. */
import type { App } from '../core/app.ts'
import type { FreezeKind } from '../core/freezes.ts'
import type { ActiveFreeze, RevocationFilter } from '../features/incidents/index.ts'
import { counted } from '../lib/text.ts'
import { usageError } from '../project/failure.ts'
import { argument, type Context, command, flag, group, option, type ValuesOf } from './command.ts'
import { duration } from './values.ts'

const kinds = ['sign-up', 'sign-in', 'writes'] as const
const liftable = [...kinds, 'all'] as const
const freezeTables = ['incidentFreeze'] as const
const reason = option('--reason <text>', 'For the audit log and other administrators', (z) =>
  z.string().min(1).max(200).optional(),
)

const revokeOptions = {
  since: option('--since <time>', 'Sign-ins at this time or later, such as 2026-01-31T12:00:00Z', (z) =>
    z.iso.datetime({ offset: true, error: 'expected a time such as 2026-01-31T12:00:00Z' }).optional(),
  ),
  ip: option('--ip <address>', 'Sign-ins from an IP address or a network, such as 192.0.2.0/24', (z) =>
    z.string().max(64).optional(),
  ),
  method: option('--method <method>', 'Sign-ins by a method, such as password or social:github', (z) =>
    z.string().min(1).max(64).optional(),
  ),
  organization: option('--organization <organization>', 'Sessions of its members: ID or slug', (z) =>
    z.string().min(1).optional(),
  ),
  reason,
  dryRun: flag('--dry-run', 'Only count the sessions'),
}
type RevokeContext = Context<ValuesOf<typeof revokeOptions>>

const revoke = command('revoke', 'Revoke the sessions that match filters', {
  description:
    'Revokes all sessions that match every given filter. Counts them first, and asks; --yes confirms. Takes effect immediately on every daemon. Works in small batches, so that daemons stay responsive. Trust in browsers and API keys stay. To revoke all sessions, use `latchkey sessions revoke --all`.',
  examples: [
    'latchkey incident revoke --since 2026-01-31T12:00:00Z --dry-run',
    'latchkey incident revoke --ip 192.0.2.0/24 --method password',
    'latchkey incident revoke --organization acme --yes',
  ],
  options: revokeOptions,
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 3600,
  action: async (context) => {
    const { options, output, prompt, signal } = context
    const { countSessions, revokeByFilter } = await import('../features/incidents/index.ts')
    const { warnIfCacheStale } = await import('./ready-app.ts')
    await checkFilters(options)
    const tables = [
      'user',
      'session',
      ...(options.organization === undefined ? [] : (['organization', 'member'] as const)),
    ] as const
    const { app } = await context.openReadyApp({ mode: options.dryRun ? 'read' : 'write', tables })
    const filter = await readFilter(app, context)
    const { sessions, users } = await countSessions(app, filter, { signal })
    const found = `${counted(sessions, 'session')} of ${counted(users, 'user')}`
    if (options.dryRun || sessions === 0) {
      output.result('incident-revoke/v1', { sessions, users, revoked: 0 }, [])
      return output.success(options.dryRun ? `Would revoke ${found}` : 'No session matches')
    }
    await confirm(prompt, `Revoke ${found}?`)
    const revoked = await revokeByFilter(app, filter, { reason: options.reason, signal, onProgress: progress(context) })
    await warnIfCacheStale(app, output)
    output.result('incident-revoke/v1', { sessions, users, revoked }, [])
    output.success(`Revoked ${counted(revoked, 'session')}`)
  },
})

/** Before the database is opened. */
async function checkFilters({ since, ip, method, organization }: RevokeContext['options']): Promise<void> {
  if ([since, ip, method, organization].every((value) => value === undefined))
    throw usageError('Give --since, --ip, --method or --organization. All sessions: latchkey sessions revoke --all')
  const { readNetwork } = await import('../features/incidents/index.ts')
  if (ip !== undefined && readNetwork(ip) === null)
    throw usageError(`--ip: expected an IP address or a network such as 192.0.2.0/24, not ${ip}`)
}

async function readFilter(app: App, { options }: RevokeContext): Promise<RevocationFilter> {
  const { getOrganization, requireOrganizations } = await import('./ready-app.ts')
  const { readNetwork } = await import('../features/incidents/index.ts')
  const { since, ip, method, organization } = options
  if (organization !== undefined) requireOrganizations(app)
  const organizationId = organization === undefined ? undefined : (await getOrganization(app, organization)).id
  return { since, ip: ip === undefined ? undefined : (readNetwork(ip) ?? ip), method, organizationId }
}

async function confirm(prompt: Context['prompt'], question: string): Promise<void> {
  if (await prompt.confirm(question)) return
  const { exitCodes, Failure } = await import('../project/failure.ts')
  throw new Failure('NOT_CONFIRMED', 'Not confirmed', { exitCode: exitCodes.refused, hint: 'Nothing was changed.' })
}

function progress({ output }: RevokeContext): (revoked: number) => void {
  let reported = 0
  return (revoked) => {
    if (revoked - reported < 100_000) return
    reported = revoked
    output.info(`${revoked} so far`)
  }
}

const freeze = command('freeze', 'Freeze sign-up, sign-in or writes', {
  description:
    'sign-up: public calls create no users; administrators and commands still may. sign-in: no new sessions, but for users whose role permits incident:freeze; existing sessions stay. writes: read-only mode: calls that change data fail with READ_ONLY, and signed-in users stay signed in. Takes effect on every daemon within about a second. Repeat it to change reason and end.',
  examples: ['latchkey incident freeze sign-in', 'latchkey incident freeze sign-up --for 2h --reason "Bots"'],
  arguments: { what: { ...argument('<what>', 'What is frozen', (z) => z.enum(kinds)), choices: kinds } },
  options: { reason, for: option('--for <duration>', 'Lift it after this time, such as 30m or 2h', duration) },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { freeze: start, readFreezes } = await import('../features/incidents/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: freezeTables })
    await start(app, options.what, { reason: options.reason, seconds: options.for })
    const frozen = await readFreezes(app)
    output.result('incident-status/v1', { frozen: frozen.map(describe) }, [])
    output.success(`Frozen: ${options.what}`)
  },
})

const unfreeze = command('unfreeze', 'Lift a freeze, or all freezes', {
  description: 'Succeeds also when nothing is frozen. Takes effect on every daemon within about a second.',
  examples: ['latchkey incident unfreeze sign-in', 'latchkey incident unfreeze all'],
  arguments: { what: { ...argument('<what>', 'What is lifted', (z) => z.enum(liftable)), choices: liftable } },
  options: { reason },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { readFreezes, unfreeze: lift } = await import('../features/incidents/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: freezeTables })
    const lifted = await lift(app, options.what === 'all' ? kinds : [options.what], options.reason)
    const frozen = await readFreezes(app)
    output.result('incident-status/v1', { frozen: frozen.map(describe) }, [])
    output.success(lifted.length > 0 ? `Lifted: ${lifted.join(', ')}` : 'Nothing was frozen')
  },
})

interface DescribedFreeze {
  readonly kind: FreezeKind
  readonly since: Date
  readonly reason: string | null
  readonly expiresAt: Date | null
}

const describe = ({ kind, since, reason, expiresAt }: ActiveFreeze): DescribedFreeze => ({ kind, since, reason, expiresAt })

const status = command('status', 'Show what is frozen', {
  description: 'Prints one line for each freeze: what is frozen, since when, until when, and why.',
  examples: ['latchkey incident status', 'latchkey incident status --json'],
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { output } = context
    const { readFreezes } = await import('../features/incidents/index.ts')
    const { printable } = await import('../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: freezeTables })
    const frozen = (await readFreezes(app)).map(describe)
    const lines = frozen.map(({ kind, since, reason, expiresAt }) => {
      const end = expiresAt ? `until ${expiresAt.toISOString()}` : 'until it is lifted'
      return `${kind.padEnd(8)} since ${since.toISOString()}, ${end}${reason === null ? '' : `: ${printable(reason)}`}`
    })
    output.result('incident-status/v1', { frozen }, lines.length > 0 ? lines : ['Nothing is frozen'])
  },
})

export const incident = group('incident', 'Revoke sessions and freeze sign-in in an incident', {
  examples: ['latchkey incident freeze sign-in', 'latchkey incident revoke --since 2026-01-31T12:00:00Z --dry-run'],
  commands: [status, freeze, unfreeze, revoke],
})
