import type { OutgoingMail } from '../features/outbox/index.ts'
import { counted } from '../lib/text.ts'
import { Failure, usageError } from '../project/failure.ts'
import { argument, command, flag, group } from './command.ts'

const list = command('list', 'List outgoing emails', {
  description:
    'Shows waiting, sent and failed emails, but never their content. With --json, prints one document per line (NDJSON). Sent emails are deleted after 7 days.',
  examples: ['latchkey mail list', 'latchkey mail list --dead --json'],
  options: { dead: flag('--dead', 'Only emails that failed permanently') },
  usesDatabase: true,
  deadline: 3600,
  action: async (context) => {
    const { options, output, signal } = context
    const { listMails } = await import('../features/outbox/index.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['outbox'] })
    let count = 0
    for await (const mail of listMails(app, options)) {
      signal.throwIfAborted()
      count += 1
      output.record('mail-list/v1', { ...mail }, describe(mail))
      await output.drained()
      if (output.closed.aborted) break
    }
    const stop = await output.findStop('email')
    if (!output.json) output.info(stop ?? counted(count, 'email'))
  },
})

const retry = command('retry', 'Retry failed emails', {
  examples: ['latchkey mail retry --all', 'latchkey mail retry 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS'],
  arguments: { id: argument('[id]', 'ID of an email, from `mail list --dead`', (z) => z.string().optional()) },
  options: { all: flag('--all', 'Retry all failed emails') },
  usesDatabase: true,
  deadline: 3600,
  action: async (context) => {
    const { options, output } = context
    if ((options.id === undefined) === !options.all) {
      throw usageError('Give the ID of one email, or --all', 'List the IDs: latchkey mail list --dead')
    }
    const { retryMails } = await import('../features/outbox/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['outbox', 'auditEvent'] })
    const { found, sent } = await retryMails(app, options.id ?? null)
    if (options.id !== undefined && found === 0) {
      throw new Failure('MAIL_UNKNOWN', 'There is no failed email with this ID', {
        hint: 'List the IDs: latchkey mail list --dead',
      })
    }
    output.result('mail-retry/v1', { found, sent }, [`${sent} of ${found} sent`])
    if (sent < found) output.info('The others will be retried: latchkey mail list')
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
    attempts > 1 || lastError ? `${attempts} attempts` : '',
    lastError ?? '',
  ]
    .filter(Boolean)
    .join('  ')

export const mail = group('mail', 'List and retry outgoing emails', {
  examples: ['latchkey mail list --dead', 'latchkey mail retry --all'],
  commands: [list, retry],
})
