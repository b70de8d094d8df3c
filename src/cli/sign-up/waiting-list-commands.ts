/** `latchkey waiting-list`: who waits to sign up, and the decision about them. */
import type { App } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import { Failure } from '../../project/failure.ts'
import { argument, command, group, option } from '../command.ts'
import { limitOption, printList } from '../list-output.ts'

/** @throws Failure WAITING_LIST_DISABLED */
async function requireWaitingList({ config }: App): Promise<void> {
  const { enabled } = await import('../../features/waiting-list/index.ts')
  if (enabled(config)) return
  throw new Failure('WAITING_LIST_DISABLED', 'The configuration has no waiting list', {
    hint: "Set signUp.mode: 'waiting-list', or signUp.waitingList: true. On MySQL, then generate and apply the migrations.",
  })
}

const list = command('list', 'List the waiting list', {
  description: 'Prints one entry per line, the oldest first. With --json, prints one document per line (NDJSON).',
  examples: ['latchkey waiting-list list', 'latchkey waiting-list list --state waiting --json | jq -r .email'],
  options: {
    state: option('--state <state>', 'Only waiting, approved or declined', (z) =>
      z.enum(['waiting', 'approved', 'declined'], 'expected waiting, approved or declined').optional(),
    ),
    limit: limitOption('applicants'),
  },
  usesDatabase: true,
  deadline: 600,
  action: async (context) => {
    const { streamEntries } = await import('../../features/waiting-list/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['waitingListEntry'] })
    await requireWaitingList(app)
    await printList(context, streamEntries(app, context.options.state), {
      schema: 'waiting-list-list/v1',
      noun: 'applicant',
      heading: ['EMAIL', 'STATE', 'SINCE', 'NAME'],
      limit: context.options.limit,
      describe: ({ preferredLocale: _, preferredTimeZone: __, ...entry }) => [
        entry,
        [entry.email, entry.state, entry.createdAt.toISOString(), entry.name ?? '-'].map(printable),
      ],
    })
  },
})

const entries = argument('<entries...>', 'Email addresses or IDs of entries', (z) => z.array(z.string().min(1).max(320)).min(1))

/** @throws Failure WAITING_LIST_ENTRY_NOT_FOUND before anything is changed */
async function findIds(app: App, given: readonly string[]): Promise<string[]> {
  const { findEntry } = await import('../../features/waiting-list/index.ts')
  const ids: string[] = []
  for (const emailOrId of given) {
    const entry = await findEntry(app, emailOrId)
    const hint = 'List them: latchkey waiting-list list'
    if (!entry) throw new Failure('WAITING_LIST_ENTRY_NOT_FOUND', `There is no entry ${emailOrId}`, { hint })
    ids.push(entry.id)
  }
  return [...new Set(ids)]
}

const decision = (
  name: 'approve' | 'decline',
  done: 'approved' | 'declined',
  {
    summary,
    description,
    examples,
  }: { readonly summary: string; readonly description: string; readonly examples: readonly string[] },
) =>
  command(name, summary, {
    description,
    examples,
    arguments: { entries },
    usesDatabase: true,
    deadline: 300,
    action: async ({ options, output, openReadyApp }) => {
      const { decideEntries } = await import('../../features/waiting-list/index.ts')
      const tables = done === 'approved' ? (['waitingListEntry', 'outbox'] as const) : (['waitingListEntry'] as const)
      const { app } = await openReadyApp({ mode: 'write', tables })
      await requireWaitingList(app)
      const changed = await decideEntries(app, await findIds(app, options.entries), done, null)
      output.result(`waiting-list-${name}/v1`, { changed }, [])
      output.success(`${done === 'approved' ? 'Approved' : 'Declined'} ${counted(changed, 'applicant')}`)
    },
  })

const approve = decision('approve', 'approved', {
  summary: 'Approve entries of the waiting list',
  description: 'Lets the owners of these email addresses sign up, and sends each of them an email with a link.',
  examples: ['latchkey waiting-list approve ann@example.com bob@example.com'],
})
const decline = decision('decline', 'declined', {
  summary: 'Decline entries of the waiting list',
  description:
    'Declines entries: their email addresses cannot sign up. No email is sent. A declined entry can be approved later.',
  examples: ['latchkey waiting-list decline ann@example.com'],
})

export const waitingList = group('waiting-list', 'Approve or decline the waiting list', {
  examples: ['latchkey waiting-list list --state waiting', 'latchkey waiting-list approve ann@example.com'],
  commands: [list, approve, decline],
})
