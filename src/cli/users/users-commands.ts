import type { App } from '../../core/app.ts'
import { counted } from '../../lib/text.ts'
import { argument, type Context, command, flag, group, option, text } from '../command.ts'
import { afterOption, limitOption, printList } from '../list-output.ts'
import { passwordOption, readPassword } from '../prompt.ts'
import { ban, requireAdministration, setRole, unban, update } from './change-commands.ts'
import { create } from './create-user.ts'
import { factors, resetFactor } from './factor-commands.ts'
import { lock, unlock } from './lock-commands.ts'
import { passkeys } from './passkeys-command.ts'

export const list = command('list', 'List and search users', {
  description:
    'Prints one user per line, ordered by ID. On a terminal, prints the first 50. With --json, prints one document per line (NDJSON) with all fields, including user.additionalFields. Needs constant memory for any number of users.',
  examples: [
    'latchkey users list --limit 20',
    'latchkey users list --search example.com',
    'latchkey users list --role admin',
    'latchkey users list --unverified --created-since 2026-01-31',
    'latchkey users list --limit 1000 --after 5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS',
    'latchkey users list --json | jq -r .email',
  ],
  options: {
    search: text('--search <text>', 'Only users whose name, email address, username or phone number contains this text'),
    role: option('--role <name>', 'Only users with this role', (z) =>
      z.string().min(1, 'expected the name of a role').optional(),
    ),
    banned: flag('--banned', 'Only users who are banned'),
    unverified: flag('--unverified', 'Only users with an unverified email address'),
    createdSince: option(
      '--created-since <time>',
      'Only users created at or after this time, such as 2026-01-31 or 2026-01-31T12:00:00Z',
      (z) =>
        z
          .union([z.iso.date(), z.iso.datetime({ offset: true })], 'expected a day or a time such as 2026-01-31T12:00:00Z')
          .transform((text) => new Date(text))
          .optional(),
    ),
    limit: limitOption('users'),
    after: afterOption,
  },
  usesDatabase: true,
  deadline: 3600,
  action: async (context) => {
    const { options, output } = context
    const { describeUserRecord, streamUsers } = await import('../../features/users/index.ts')
    const { printable } = await import('../../lib/redact.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: options.role === undefined ? ['user'] : ['user', 'role'] })
    if (options.banned) requireAdministration(app)
    await printList(context, streamUsers(app, options), {
      schema: 'users-list/v1',
      noun: 'user',
      heading: ['ID', 'EMAIL', 'NAME'],
      limit: options.limit,
      describe: (user) => [describeUserRecord(app, user), [user.id, user.email, user.name].map(printable)],
    })
    if (options.role === undefined) return
    const { findUnknownRoles } = await import('../../features/roles/index.ts')
    // Not a failure: users may have a role that was removed.
    if ((await findUnknownRoles(app, options.role)).length > 0) output.warn(`There is no role ${options.role}`)
  },
})

const userArgument = argument('<user>', 'ID or email address', (z) => z.string().min(1))

export const show = command('show', 'Show a user and their sign-in methods', {
  description: 'Prints all columns, with roles, ban and last sign-in.',
  examples: ['latchkey users show ann@example.com', 'latchkey users show ann@example.com --json'],
  arguments: { user: userArgument },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { getUser } = await import('../ready-app.ts')
    const { describeUserRecord } = await import('../../features/users/index.ts')
    const { listAccounts } = await import('../../features/accounts/index.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['user', 'account'] })
    const row = await getUser(app, options.user)
    const user = describeUserRecord(app, row)
    const accounts = (await listAccounts(app, row.id)).map(({ providerId, accountId, password, createdAt, updatedAt }) => ({
      providerId,
      accountId,
      hasPassword: password !== null,
      createdAt,
      updatedAt,
    }))
    output.result('users-show/v1', { user, accounts }, await describe(user, accounts, output))
  },
})

interface Account {
  readonly providerId: string
  readonly accountId: string
}

async function describe(user: object, accounts: readonly Account[], { paint }: Context['output']): Promise<string[]> {
  const { printable } = await import('../../lib/redact.ts')
  const rows: [string, string][] = Object.entries(user).map(([name, value]) => [name, textOf(value)])
  for (const { providerId, accountId } of accounts) rows.push(['sign-in method', `${providerId} ${accountId}`])
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, text]) => `${paint.dim(name.padEnd(width))}  ${printable(text)}`)
}

function textOf(value: unknown): string {
  if (value === null) return '-'
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** What is written with a new password, or with the end of a user. */
const accessTables = ['user', 'account', 'session', 'verification', 'outbox'] as const
/** From which a user is removed. */
const organizationTables = ['organization', 'member', 'team', 'teamMember', 'invitation', 'auditEvent'] as const

export const setPassword = command('set-password', 'Set the password of a user', {
  description:
    'Also ends all sessions and API keys of the user and invalidates pending reset links; `apiKey.keepOnPasswordReset` keeps the keys. Also works for users without a password. On a terminal, prompts for the password without displaying it. The configured password rules apply.',
  examples: [
    'latchkey users set-password ann@example.com',
    'latchkey users set-password ann@example.com --password-stdin < password',
    'latchkey users set-password ann@example.com --keep-sessions',
  ],
  arguments: { user: userArgument },
  options: {
    passwordStdin: passwordOption,
    keepSessions: flag('--keep-sessions', 'Keep the sessions and API keys of the user'),
  },
  usesDatabase: true,
  exitCodes: [4],
  deadline: 300,
  action: async (context) => {
    const { options, output } = context
    const password = await readPassword(context, options.passwordStdin)
    const { getUser, requirePasswords, userNotFound, warnIfCacheStale } = await import('../ready-app.ts')
    const { setPasswordForUser } = await import('../../features/password-change/index.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: accessTables })
    requirePasswords(app)
    const user = await getUser(app, options.user)
    const { explained } = await import('./user-errors.ts')
    const ended = await explained(app, {}, () => setPasswordForUser(app, user, password, options))
    if (ended === null) throw userNotFound(options.user)
    const { sessions: sessionsEnded, apiKeys: apiKeysEnded } = ended
    await warnIfCacheStale(app, output)
    output.result('users-set-password/v1', { id: user.id, email: user.email, sessionsEnded, apiKeysEnded }, [])
    output.success(
      `Set the password of ${user.email} and ended ${counted(sessionsEnded, 'session')}${apiKeysEnded > 0 ? ` and ${counted(apiKeysEnded, 'API key')}` : ''}`,
    )
  },
})

/** @throws Failure ONLY_OWNER (5) when another member would be left in an organization without an owner */
export async function checkOrganizations(
  app: App,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  if (!app.config.organization.enabled) return
  const { findOrganizationsToHandOver } = await import('../../features/organizations/index.ts')
  const organizations = await findOrganizationsToHandOver(app, id)
  if (organizations.length === 0) return
  const { creatorRole } = app.config.organization
  const { Failure, exitCodes } = await import('../../project/failure.ts')
  const { printable } = await import('../../lib/redact.ts')
  const names = organizations.map(({ name }) => printable(name))
  const shown = [...names.slice(0, 10), ...(names.length > 10 ? [`${names.length - 10} more`] : [])].join(', ')
  throw new Failure('ONLY_OWNER', `${email} is the only member with the role ${creatorRole} in: ${shown}`, {
    exitCode: exitCodes.refused,
    hint: `Give another member the role ${creatorRole}, or delete these organizations.`,
  })
}

export const remove = command('delete', 'Delete a user and all their data', {
  description:
    'This cannot be undone, so confirm it by typing the email address, or with --confirm; --yes is not enough. The hooks user.deleteUser.beforeDelete and afterDelete are not called: they are for users who delete their own account. Organizations without other members are deleted too. A user who is the only owner of an organization with other members cannot be deleted.',
  examples: ['latchkey users delete ann@example.com', 'latchkey users delete ann@example.com --confirm ann@example.com'],
  arguments: { user: userArgument },
  options: { confirm: option('--confirm <email>', 'Email address of the user', (z) => z.string().toLowerCase().optional()) },
  usesDatabase: true,
  exitCodes: [4, 5],
  deadline: 300,
  action: async (context) => {
    const { options, output, prompt } = context
    const { getUser, userNotFound, warnIfCacheStale } = await import('../ready-app.ts')
    const { deleteUser } = await import('../../features/users/index.ts')
    const { transaction } = await import('../../core/transaction.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: [...accessTables, ...organizationTables] })
    const { id, email } = await getUser(app, options.user)
    await checkOrganizations(app, { id, email })
    await prompt.confirmName({ message: `This deletes ${email}.`, name: email, given: options.confirm })
    const isDeleted = await transaction(app, (inner) => deleteUser(inner, id)).catch(async (error: unknown) => {
      // Another member may have left in between.
      await checkOrganizations(app, { id, email })
      throw error
    })
    if (!isDeleted) throw userNotFound(options.user)
    await warnIfCacheStale(app, output)
    output.result('users-delete/v1', { id, email }, [])
    output.success(`Deleted ${email}`)
  },
})

export const users = group('users', 'Create, list and change users', {
  examples: [
    'latchkey users list --search example.com',
    'latchkey users create --email ann@example.com --name Ann',
    'latchkey users set-password ann@example.com',
    'latchkey users ban ann@example.com --expires-in 7d',
  ],
  commands: [list, show, create, update, setPassword, setRole, factors, resetFactor, passkeys, ban, unban, lock, unlock, remove],
})
