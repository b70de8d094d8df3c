import type { App } from '../../core/app.ts'
import { type Context, command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'

interface RevokeInput {
  readonly handle?: string | undefined
  readonly user?: string | undefined
  readonly all: boolean
  readonly confirm?: string | undefined
  readonly before?: Date | undefined
  readonly waitForDb: number
}
type RevokeContext = Context<RevokeInput>

export const revoke = command<RevokeInput>({
  name: 'revoke',
  summary: 'End sessions, at once and on every daemon',
  description:
    'One by its handle, those of a user, those that began before a time, or all. Millions go in small batches while requests are served. All of them have to be confirmed by typing "all", or with --confirm; --yes does not answer that.',
  examples: [
    'latchkey sessions revoke q8Zt3VxLw2Rr8Yp5Xn1Bc7Md4Gh6Js0F',
    'latchkey sessions revoke --user ann@example.com',
    'latchkey sessions revoke --before 2026-01-31T12:00:00Z',
    'latchkey sessions revoke --all --confirm all',
  ],
  arguments: [{ syntax: '[handle]', description: 'As `sessions list` shows it' }],
  options: [
    { flags: '--user <user>', description: 'Those of this user, by id or e-mail address' },
    { flags: '--before <time>', description: 'Those that began before, such as 2026-01-31T12:00:00Z; also with --user' },
    { flags: '--all', description: 'Those of everybody' },
    { flags: '--confirm <word>', description: 'The word "all", for --all' },
    waitForDatabaseOption,
  ],
  exitCodes: [4, 5, 6, 8],
  deadline: 3600,
  input: (z) =>
    z.object({
      handle: z.string().min(1).optional(),
      user: z.string().min(1).optional(),
      all: flag(z),
      confirm: z.string().optional(),
      before: z.iso
        .datetime({ offset: true, error: 'expected a time such as 2026-01-31T12:00:00Z' })
        .transform((text) => new Date(text))
        .optional(),
      waitForDb: seconds(z).default(0),
    }),
  action: async (context) => {
    const { options, output, prompt } = context
    checkChoice(options)
    const { openReadyApp, warnUnlessTold } = await import('../operate.ts')
    const app = await openReadyApp(context, options.waitForDb)
    if (options.all) {
      await prompt.confirmName({ message: 'Everybody will be signed out.', name: 'all', given: options.confirm })
    }
    const revoked = options.handle === undefined ? await revokeMany(app, context) : await revokeOne(app, options.handle)
    await warnUnlessTold(app, output)
    output.result('sessions-revoke/v1', { revoked }, [])
    output.success(`Sessions ended: ${revoked}`)
  },
})

/** A handle, or everybody's, or a user's or those before a time or both. */
function checkChoice({ handle, user, all, before }: RevokeInput): void {
  const ways = [handle !== undefined, all, user !== undefined || before !== undefined]
  if (ways.filter(Boolean).length === 1) return
  throw new CliFailure('USAGE', 'Expected a handle, or --user, --before or both, or --all', {
    exitCode: exitCodes.usage,
    hint: 'Add --help to see what can be written.',
  })
}

async function revokeOne(app: App, handle: string): Promise<number> {
  const { findSessionOwner, revokeSession } = await import('../../features/sessions/index.ts')
  const found = await findSessionOwner(app, handle)
  if (found && (await revokeSession(app, found))) return 1
  // Not the text itself: it may be a token.
  throw new CliFailure('SESSION_NOT_FOUND', 'There is no such session', {
    hint: 'See which there are: latchkey sessions list --user <user>',
  })
}

async function revokeMany(app: App, { options, output, signal }: RevokeContext): Promise<number> {
  const [{ revokeSessions }, { getUser }] = await Promise.all([
    import('../../features/sessions/index.ts'),
    import('../operate.ts'),
  ])
  const userId = options.user === undefined ? undefined : (await getUser(app, options.user)).id
  let told = 0
  const onProgress = (revoked: number): void => {
    if (revoked - told < 100_000) return
    told = revoked
    output.info(`${revoked} so far`)
  }
  return revokeSessions(app, { userId, before: options.before, signal, onProgress })
}
