/** Export and erasure of what is stored about one person. */
import { counted } from '../../lib/text.ts'
import { argument, command, flag, group, option } from '../command.ts'
import { reportProgress } from '../progress.ts'
import { checkAbsent, writeNewFile } from '../transfer/new-file.ts'
import { checkOrganizations } from './users-commands.ts'

const userArgument = argument('<user>', 'ID or email address', (z) => z.string().min(1))

const exportPersonCommand = command('export', 'Export everything stored about a user', {
  description:
    'Writes one JSON document (privacy-export/v1): the user, their sessions, sign-in methods and memberships, invitations and emails to their address, and the events of the audit log by them and about them. Never includes tokens or password hashes. Needs constant memory.',
  examples: ['latchkey privacy export ann@example.com --out ann.json', 'latchkey privacy export ann@example.com | jq .user'],
  arguments: { user: userArgument },
  options: {
    out: option('-o, --out <file>', 'Write to this file (mode 0600); it appears when the export is complete', (z) =>
      z.string().min(1).optional(),
    ),
    force: flag('--force', 'Overwrite an existing file'),
  },
  usesDatabase: true,
  exitCodes: [5],
  deadline: 3600,
  action: async (context) => {
    const { options, output, cwd, signal } = context
    const { resolve } = await import('node:path')
    const file = options.out === undefined ? null : resolve(cwd, options.out)
    if (file !== null && !options.force) checkAbsent(file)
    const { getUser } = await import('../ready-app.ts')
    const { exportPerson } = await import('../../features/data-export/index.ts')
    const { recordEvent } = await import('../../features/audit/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write' })
    const user = await getUser(app, options.user)
    const write = async (append: (text: string) => Promise<void>) => {
      for await (const part of exportPerson(app, user)) {
        signal.throwIfAborted()
        await append(part)
      }
      await append('\n')
    }
    const toOutput = (text: string): Promise<void> => {
      output.write(text)
      return output.drained()
    }
    if (file === null) await write(toOutput)
    else await writeNewFile(file, write)
    await recordEvent(app, { action: 'user.exported', target: { type: 'user', id: user.id } })
    if (file !== null) output.result('privacy-export-file/v1', { id: user.id, file }, [])
    output.success(`Exported what is stored about ${user.email}${file === null ? '' : ` to ${file}`}`)
  },
})

const erase = command('erase', 'Erase a user and their personal data', {
  description:
    'Deletes the user with all their data, and invitations, emails and counters under their email address. Events in the audit log stay: they name the user by ID only, and lose the IP addresses of the user. This cannot be undone, so confirm it by typing the email address, or with --confirm; --yes is not enough. A user who is the only owner of an organization with other members cannot be erased.',
  examples: ['latchkey privacy erase ann@example.com', 'latchkey privacy erase ann@example.com --confirm ann@example.com'],
  arguments: { user: userArgument },
  options: {
    confirm: option('--confirm <email>', 'Email address of the user', (z) => z.string().toLowerCase().optional()),
    reason: option('--reason <text>', 'Reason, kept in the audit log', (z) => z.string().max(500).optional()),
  },
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 3600,
  action: async (context) => {
    const { options, output, prompt } = context
    const { getUser, userNotFound, warnIfCacheStale } = await import('../ready-app.ts')
    const { eraseUser } = await import('../../features/data-export/index.ts')
    const { eraseAddresses } = await import('../../features/audit/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write' })
    const user = await getUser(app, options.user)
    await checkOrganizations(app, user)
    await prompt.confirmName({ message: `This erases ${user.email}.`, name: user.email, given: options.confirm })
    const isErased = await eraseUser(app, user, { reason: options.reason }).catch(async (error: unknown) => {
      // Another member may have left in between.
      await checkOrganizations(app, user)
      throw error
    })
    if (!isErased) throw userNotFound(options.user)
    // The user is deleted by now. A daemon goes on with this where the command is interrupted.
    await eraseAddresses(
      app,
      user.id,
      undefined,
      reportProgress(output, (count) => `${counted(count, 'event')} erased so far`),
    )
    await warnIfCacheStale(app, output)
    output.result('privacy-erase/v1', { id: user.id }, [])
    output.success(`Erased ${user.email}. The audit log names them by their ID: ${user.id}`)
  },
})

export const privacy = group('privacy', 'Export or erase the data of a person', {
  examples: ['latchkey privacy export ann@example.com --out ann.json', 'latchkey privacy erase ann@example.com'],
  commands: [exportPersonCommand, erase],
})
