import { command } from '../command.ts'
import { seconds, waitForDatabaseOption, wholeNumber } from '../inputs.ts'

export const list = command({
  name: 'list',
  summary: 'Show users, one per line',
  description:
    'Any number, in constant memory, in no telling order. With --json one document per line (NDJSON), with all columns, those of the configuration included.',
  examples: [
    'latchkey users list --limit 20',
    'latchkey users list --search example.com',
    'latchkey users list --json | jq -r .email',
  ],
  options: [
    { flags: '--search <text>', description: 'Only those whose name or address holds it, in any case' },
    { flags: '--limit <n>', description: 'As many at most' },
    waitForDatabaseOption,
  ],
  exitCodes: [6, 8],
  deadline: 3600,
  input: (z) =>
    z.object({
      search: z.string().optional(),
      limit: wholeNumber(z, 1, 1_000_000_000).default(Number.MAX_SAFE_INTEGER),
      waitForDb: seconds(z).default(0),
    }),
  action: async (context) => {
    const { options, output, signal } = context
    const [{ openReadyApp }, { describeUserRecord, streamUsers }, { printable }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/users/index.ts'),
      import('../../lib/printable.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    let count = 0
    for await (const user of streamUsers(app, options)) {
      signal.throwIfAborted()
      count += 1
      output.record('users-list/v1', describeUserRecord(app, user), printable(`${user.id}  ${user.email}  ${user.name}`))
      await output.drained()
      if (count >= options.limit || output.closed.aborted) break
    }
    if (!output.json) output.info(count === 1 ? 'One user' : `${count} users`)
  },
})
