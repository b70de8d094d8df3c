import type { App } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import { Failure, usageError } from '../../project/failure.ts'
import { argument, type Context, command, flag, group, option, text, type ValuesOf } from '../command.ts'

const revokeArguments = { handle: argument('[handle]', 'Handle from `sessions list`', (z) => z.string().min(1).optional()) }
const revokeOptions = {
  user: option('--user <user>', 'Sessions of this user: ID or email address', (z) => z.string().min(1).optional()),
  before: option('--before <time>', 'Sessions of sign-ins before this time, such as 2026-01-31T12:00:00Z', (z) =>
    z.iso
      .datetime({ offset: true, error: 'expected a time such as 2026-01-31T12:00:00Z' })
      .transform((text) => new Date(text))
      .optional(),
  ),
  all: flag('--all', 'Sessions of all users'),
  confirm: text('--confirm <word>', 'Confirm --all with the word "all"'),
}
type RevokeContext = Context<ValuesOf<typeof revokeArguments & typeof revokeOptions>>

export const revoke = command('revoke', 'Revoke sessions of users', {
  description:
    'Revokes one session by its handle, the sessions of a user, the sessions of sign-ins before a time, or all sessions. Takes effect immediately on every daemon. Works in small batches, so that daemons stay responsive. Confirm --all by typing "all", or with --confirm; --yes is not enough.',
  examples: [
    'latchkey sessions revoke q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F',
    'latchkey sessions revoke --user ann@example.com',
    'latchkey sessions revoke --before 2026-01-31T12:00:00Z',
    'latchkey sessions revoke --all --confirm all',
  ],
  arguments: revokeArguments,
  options: revokeOptions,
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 3600,
  action: async (context) => {
    const { options, output, prompt } = context
    checkChoice(options)
    const { warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['user', 'session'] })
    if (options.all) {
      await prompt.confirmName({ message: 'This signs out all users.', name: 'all', given: options.confirm })
    }
    const revoked = options.handle === undefined ? await revokeMany(app, context) : await revokeOne(app, options.handle)
    await warnIfCacheStale(app, output)
    output.result('sessions-revoke/v1', { revoked }, [])
    output.success(`Revoked ${counted(revoked, 'session')}`)
  },
})

/** Exactly one of a handle, --all, and --user with or without --before. */
function checkChoice({ handle, user, all, before }: RevokeContext['options']): void {
  const ways = [handle !== undefined, all, user !== undefined || before !== undefined]
  if (ways.filter(Boolean).length === 1) return
  throw usageError('Give a handle; or --user, --before or both; or --all')
}

async function revokeOne(app: App, handle: string): Promise<number> {
  const { findSessionOwner, revokeSessions } = await import('../../features/sessions/index.ts')
  const found = await findSessionOwner(app, handle)
  if (found && (await revokeSessions(app, { session: found })) > 0) return 1
  // The message does not repeat the handle, which may be a token.
  throw new Failure('SESSION_NOT_FOUND', 'There is no session with this handle', {
    hint: 'List the handles: latchkey sessions list --user <user>',
  })
}

async function revokeMany(app: App, { options, output, signal }: RevokeContext): Promise<number> {
  const { revokeInBatches } = await import('../../features/sessions/index.ts')
  const { getUser } = await import('../ready-app.ts')
  const userId = options.user === undefined ? undefined : (await getUser(app, options.user)).id
  let reported = 0
  const onProgress = (revoked: number): void => {
    if (revoked - reported < 100_000) return
    reported = revoked
    output.info(`${revoked} so far`)
  }
  return revokeInBatches(app, { userId, before: options.before, signal, onProgress })
}

export const list = command('list', 'List the active sessions of a user', {
  description:
    'Prints one session per line, starting with its handle: pass it to `sessions revoke`. A handle cannot be used to sign in. With --json, prints one document per line (NDJSON).',
  examples: ['latchkey sessions list --user ann@example.com', 'latchkey sessions list --user ann@example.com --json'],
  options: {
    user: option('--user <user>', 'ID or email address', (z) => z.string('expected an ID or an email address').min(1)),
  },
  usesDatabase: true,
  deadline: 300,
  action: async (context) => {
    const { options, output, signal } = context
    const { getUser } = await import('../ready-app.ts')
    const { streamUserSessions } = await import('../../features/sessions/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['user', 'session'] })
    const user = await getUser(app, options.user)
    for await (const session of streamUserSessions(app, user.id)) {
      signal.throwIfAborted()
      const { id, createdAt, ipAddress, userAgent } = session
      const text = `${id}  ${createdAt.toISOString()}  ${ipAddress || '-'}  ${userAgent || '-'}`
      output.record('sessions-list/v1', session, printable(text))
      await output.drained()
      if (output.closed.aborted) break
    }
    const stop = await output.findStop('session')
    if (stop !== null && !output.json) output.info(stop)
  },
})

export const sessions = group('sessions', 'List and revoke sessions', {
  examples: ['latchkey sessions list --user ann@example.com', 'latchkey sessions revoke --user ann@example.com'],
  commands: [list, revoke],
})
