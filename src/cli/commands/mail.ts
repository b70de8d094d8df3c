import type { OutgoingMail } from '../../features/outbox/index.ts'
import { type CommandGroup, command } from '../command.ts'
import { CliFailure } from '../failure.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'

const list = command({
  name: 'list',
  summary: 'Show mails: waiting, sent and given up',
  description: 'Never what stands in them. With --json one document per line (NDJSON). Sent mails are removed after a while.',
  examples: ['latchkey mail list', 'latchkey mail list --dead --json'],
  options: [{ flags: '--dead', description: 'Only those that were given up' }, waitForDatabaseOption],
  exitCodes: [6, 8],
  deadline: 3600,
  input: (z) => z.object({ dead: flag(z), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output, signal } = context
    const [{ openReadyApp }, { listMails }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/outbox/index.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    let count = 0
    for await (const mail of listMails(app, options)) {
      signal.throwIfAborted()
      count += 1
      output.record('mail-list/v1', { ...mail }, describe(mail))
      await output.drained()
      if (output.closed.aborted) break
    }
    if (!output.json) output.info(count === 1 ? 'One mail' : `${count} mails`)
  },
})

const retry = command({
  name: 'retry',
  summary: 'Try mails again that were given up',
  examples: ['latchkey mail retry --all', 'latchkey mail retry 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS'],
  arguments: [{ syntax: '[id]', description: 'One of them, as `mail list --dead` shows it' }],
  options: [{ flags: '--all', description: 'All of them' }, waitForDatabaseOption],
  exitCodes: [6, 8],
  deadline: 3600,
  input: (z) => z.object({ id: z.string().optional(), all: flag(z), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output } = context
    if ((options.id === undefined) === !options.all) {
      throw new CliFailure('USAGE', 'Name one mail, or write --all', { exitCode: 2, hint: 'latchkey mail list --dead' })
    }
    const [{ openReadyApp }, { retryMails }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/outbox/index.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    const { found, sent } = await retryMails(app, options.id ?? null)
    if (options.id !== undefined && found === 0) {
      throw new CliFailure('MAIL_UNKNOWN', 'No mail of this id was given up', { hint: 'latchkey mail list --dead' })
    }
    output.result('mail-retry/v1', { found, sent }, [`${sent} of ${found} sent`])
    if (sent < found) output.info('The others wait for their next try: latchkey mail list')
    return sent < found ? 1 : 0
  },
})

const describe = ({ id, state, kind, recipient, attempts, lastError, createdAt }: OutgoingMail) =>
  [
    id,
    createdAt.toISOString(),
    state.padEnd(7),
    kind,
    recipient,
    attempts > 1 || lastError ? `${attempts} tries` : '',
    lastError ?? '',
  ]
    .filter(Boolean)
    .join('  ')

export const mail: CommandGroup = {
  name: 'mail',
  summary: 'Look after the mails that go out',
  examples: ['latchkey mail list --dead', 'latchkey mail retry --all'],
  commands: [list, retry],
}
