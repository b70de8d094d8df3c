import { command } from '../command.ts'
import { flag, seconds, waitForDatabaseOption, wholeNumber } from '../inputs.ts'

export const list = command({
  name: 'list',
  summary: 'Show users, one per line',
  description:
    'Any number, in constant memory, in the order of their ids. With --json one document per line (NDJSON), with all columns, those of the configuration included.',
  examples: [
    'latchkey users list --limit 20',
    'latchkey users list --search example.com',
    'latchkey users list --role admin',
    'latchkey users list --unverified --created-since 2026-01-31',
    'latchkey users list --limit 1000 --after 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS',
    'latchkey users list --json | jq -r .email',
  ],
  options: [
    { flags: '--search <text>', description: 'Only those whose name or address holds it, in any case' },
    { flags: '--role <name>', description: 'Only those who have this role' },
    { flags: '--unverified', description: 'Only those whose address is not proved' },
    { flags: '--created-since <time>', description: 'Only those who came then or later: a day, or 2026-01-31T12:00:00Z' },
    { flags: '--limit <n>', description: 'As many at most' },
    { flags: '--after <id>', description: 'Go on after this id, such as the last one of the list before' },
    waitForDatabaseOption,
  ],
  exitCodes: [6, 8],
  deadline: 3600,
  input: (z) =>
    z.object({
      search: z.string().optional(),
      role: z.string().min(1, 'expected the name of a role').optional(),
      unverified: flag(z),
      createdSince: z
        .union([z.iso.date(), z.iso.datetime({ offset: true })], 'expected a day or a time such as 2026-01-31T12:00:00Z')
        .transform((text) => new Date(text))
        .optional(),
      after: z.string().max(64, 'expected an id').optional(),
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
