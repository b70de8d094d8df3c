import { command } from '../command.ts'
import { seconds, waitForDatabaseOption } from '../inputs.ts'

export const list = command({
  name: 'list',
  summary: 'Show the sessions of a user that go on, one per line',
  description: 'Each by its handle, which ends it and opens nothing. With --json one document per line (NDJSON).',
  examples: ['latchkey sessions list --user ann@example.com', 'latchkey sessions list --user ann@example.com --json'],
  options: [{ flags: '--user <user>', description: 'Id or e-mail address' }, waitForDatabaseOption],
  exitCodes: [6, 8],
  deadline: 300,
  input: (z) => z.object({ user: z.string('expected an id or an e-mail address').min(1), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output, signal } = context
    const [{ getUser, openReadyApp }, { streamUserSessions }, { printable }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/sessions/index.ts'),
      import('../../lib/printable.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    const user = await getUser(app, options.user)
    for await (const session of streamUserSessions(app, user.id)) {
      signal.throwIfAborted()
      const { id, createdAt, ipAddress, userAgent } = session
      const text = `${id}  ${createdAt.toISOString()}  ${ipAddress || '-'}  ${userAgent || '-'}`
      output.record('sessions-list/v1', session, printable(text))
      await output.drained()
      if (output.closed.aborted) break
    }
  },
})
