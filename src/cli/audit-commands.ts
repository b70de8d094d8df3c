import type { App } from '../core/app.ts'
import type { EventFilter, Problem } from '../features/audit/index.ts'
import type { DescribedEvent } from '../features/audit-log/index.ts'
import { counted } from '../lib/text.ts'
import { Failure, usageError } from '../project/failure.ts'
import { type Context, command, flag, group, option, list as repeatable, text, type ValuesOf, type Zod } from './command.ts'
import { limitOption, printList } from './list-output.ts'
import { reportProgress } from './progress.ts'

const time = (z: Zod) =>
  z.iso
    .datetime({ offset: true, error: 'expected a time such as 2026-01-31T12:00:00Z' })
    .transform((text) => new Date(text))
    .optional()
const outcomes = ['succeeded', 'failed', 'denied'] as const

const listOptions = {
  actor: text('--actor <user>', 'Only events by this user: ID or email address'),
  user: text('--user <user>', 'Only events about or by this user: ID or email address'),
  action: repeatable('--action <action>', 'Only events with this action, such as user.signed-in; repeatable'),
  outcome: {
    ...option('--outcome <outcome>', 'Only events with this outcome', (z) => z.enum(outcomes).optional()),
    choices: outcomes,
  },
  organization: text('--organization <organization>', 'Only events of this organization: ID or slug'),
  ip: text('--ip <address>', 'Only events from this IP address'),
  request: text('--request <id>', 'Only events of the request with this ID'),
  since: option('--since <time>', 'Only events at or after this time, such as 2026-01-31T12:00:00Z', time),
  until: option('--until <time>', 'Only events before this time', time),
  limit: limitOption('events'),
  after: text('--after <id>', 'Continue after the event with this ID, the last one of the previous page'),
  follow: flag('-f, --follow', 'Print the last 10 events, then new ones until Ctrl-C, oldest first'),
}
type ListOptions = ValuesOf<typeof listOptions>

const list = command('list', 'List audit events', {
  description:
    'Prints one event per line, newest first: who did what to whom. With --json, prints one document per line (NDJSON). With --follow, events appear once they have a number in the chain, which a running daemon gives them every few seconds; --follow --after <id> leaves out no event.',
  examples: [
    'latchkey audit list --user ann@example.com',
    'latchkey audit list --action sign-in.failed --since 2026-01-31T12:00:00Z',
    'latchkey audit list --follow --json',
  ],
  options: listOptions,
  usesDatabase: true,
  action: async (context) => {
    const { options, output, signal } = context
    const { followEvents, streamEvents } = await import('../features/audit-log/index.ts')
    const { printable } = await import('../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['auditEvent', 'auditState', 'user'] })
    const filter = await readFilter(app, options)
    const recorded = app.features.flatMap(({ auditActions = {} }) => Object.keys(auditActions))
    // Not a failure: a feature that is off, or another version, may have recorded it.
    for (const action of options.action)
      if (!recorded.includes(action)) output.warn(`Latchkey records no action ${action}. See docs/audit-log.md for all of them`)
    const after = options.after === undefined ? null : await findPosition(app, options.after)
    if (!options.follow) {
      const { limit } = options
      return printList(context, streamEvents(app, filter, after), {
        schema: 'audit-list/v1',
        noun: 'event',
        heading: [heading],
        limit,
        describe: (event) => {
          const [document, line] = describe(event, printable)
          return [document, [line]]
        },
      })
    }
    const last = options.limit ?? 10
    for await (const event of followEvents(app, filter, { last, after: after?.sequence, signal })) {
      output.record('audit-list/v1', ...describe(event, printable))
      await output.drained()
      if (output.closed.aborted) return
    }
    signal.throwIfAborted()
  },
})

const heading = 'Time                      Outcome    Action  Actor → Target  IP address'

async function readFilter(app: App, options: ListOptions): Promise<EventFilter> {
  const { getOrganization, getUser, requireOrganizations } = await import('./ready-app.ts')
  const { canonicalAddress } = await import('../lib/ip.ts')
  // The id of a deleted user still finds their events.
  const idOf = async (user: string | undefined) => (user?.includes('@') ? (await getUser(app, user)).id : user)
  const { organization, ip, action, outcome } = options
  if (organization !== undefined) requireOrganizations(app)
  return {
    actorId: await idOf(options.actor),
    userId: await idOf(options.user),
    action: action.length > 0 ? action : undefined,
    outcome: outcome && [outcome],
    organizationId: organization && (await getOrganization(app, organization)).id,
    ipAddress: ip && (canonicalAddress(ip) ?? ip),
    requestId: options.request,
    createdAfter: options.since,
    createdBefore: options.until,
  }
}

/** @throws Failure EVENT_NOT_FOUND */
async function findPosition(app: App, id: string) {
  const { readEvent } = await import('../features/audit/index.ts')
  const found = await readEvent(app, id)
  if (found) return { createdAt: found.row.createdAt, id, sequence: Number(found.row.sequence ?? 0) }
  throw new Failure('EVENT_NOT_FOUND', `There is no event ${id}`, { hint: 'It may have been deleted: see audit.retention.' })
}

const nameOf = ({ name, email, id, kind }: DescribedEvent['actor']): string =>
  email ?? (kind === 'user' ? (id ?? kind) : name ? `${kind} ${name}` : kind)

/** @param printable removes what could control the terminal: names come from users */
function describe(event: DescribedEvent, printable: (text: string) => string): readonly [document: object, text: string] {
  const { createdAt, outcome, action, actor, impersonatedBy, target, user, ipAddress } = event
  const by = impersonatedBy ? ` (${impersonatedBy.email ?? impersonatedBy.id})` : ''
  const about = target ? ` → ${target.type} ${(target.type === 'user' ? user?.email : target.name) ?? target.id}` : ''
  const line = `${createdAt.toISOString()}  ${outcome.padEnd(9)}  ${action}  ${nameOf(actor)}${by}${about}  ${ipAddress ?? '-'}`
  return [event, printable(line)]
}

const verifyOptions = {
  after: option('--after <number>', 'Start after the event with this number in the chain', (z) =>
    z.coerce.number().int().nonnegative().optional(),
  ),
  head: option('--head <number:hash>', 'An earlier end of the chain, as the log contains it', (z) =>
    z
      .string()
      .regex(/^\d{1,15}:\S{1,64}$/, 'expected a number and a hash: 1234:…')
      .optional(),
  ),
}

/** Of each kind: a changed database may have hundreds of thousands. */
const shownProblems = 10

const verify = command('verify', 'Verify the audit log', {
  description:
    'Reads the whole audit log and verifies each event and its place in the chain. Prints the first 10 problems of each kind, then their numbers: a changed, removed, inserted or reordered event, a truncated log. Exits with 1 if there is one. --head compares the chain with an end that was logged before ("End of the audit log"), which also finds a log that was truncated together with the rows that say so. With --json, prints a document for each of these problems and one for the result, with `counts` by kind and `unnumbered` events (NDJSON).',
  examples: [
    'latchkey audit verify',
    'latchkey audit verify --json',
    'latchkey audit verify --head 1234:3kTq0aZr.Zk3vT9qLw2Rr8Yp5Xn1Bc7Md4Gh6Js0Fa',
  ],
  options: verifyOptions,
  usesDatabase: true,
  deadline: 86_400,
  action: async (context) => {
    const { output, options, signal } = context
    const { readAuditStatus, readUnnumbered, verifyEvents } = await import('../features/audit/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['auditEvent', 'auditState', 'user'] })
    const counts: Partial<Record<Problem['kind'], number>> = {}
    const onProblem = (problem: Problem) => {
      const count = (counts[problem.kind] ?? 0) + 1
      counts[problem.kind] = count
      if (count <= shownProblems) output.record('audit-problem/v1', problem, problemLine(problem))
    }
    const { lastSequence } = await readAuditStatus(app)
    const onProgress = reportProgress(output, (sequence) => `Verified through number ${sequence} of ${lastSequence}`)
    const { problems: _, ...verified } = await verifyEvents(app, { ...readVerifyOptions(context), onProblem, onProgress, signal })
    const { count: unnumbered } = await readUnnumbered(app)
    const result = { ...verified, counts, unnumbered }
    output.result('audit-verify/v1', result, [])
    for (const [kind, count] of Object.entries(counts))
      if (count > shownProblems)
        output.warn(`${kind}: ${counted(count, 'problem')}, of which the first ${shownProblems} are shown`)
    if (unnumbered > 0) output.warn(`${counted(unnumbered, 'event')} without a number yet: not verified`)
    if (result.state !== 'intact') {
      output.warn(`The audit log is not intact: ${counted(result.problemCount, 'problem')}`)
      return 1
    }
    const from = options.after === undefined ? '' : ` after number ${options.after}`
    output.success(`The audit log is intact: ${counted(result.events, 'event')}${from}, through number ${result.through}`)
    return 0
  },
})

function readVerifyOptions({ options }: Context<ValuesOf<typeof verifyOptions>>) {
  const { after, head } = options
  if (head === undefined) return { after }
  const [sequence = '', hash = ''] = head.split(/:(.*)/)
  if (after !== undefined && Number(sequence) < after) throw usageError('--head names an event before --after')
  return { after, head: { sequence: Number(sequence), hash } }
}

const problemLine = ({ sequence, kind, id, message }: Problem): string =>
  [sequence === null ? '-' : String(sequence), kind.padEnd(9), id ?? '', message].filter(Boolean).join('  ')

export const audit = group('audit', 'List and verify the audit log', {
  examples: ['latchkey audit list --user ann@example.com', 'latchkey audit verify'],
  commands: [list, verify],
})
