/** Changes of a user by the operator: profile, roles and bans, with the rules of the calls of administrators. */
import type { App } from '../../core/app.ts'
import { counted, isImageURL } from '../../lib/text.ts'
import { Failure, usageError } from '../../project/failure.ts'
import { argument, command, flag, list, option, type ValuesOf } from '../command.ts'
import { duration } from '../values.ts'
import { checkAddress, checkRole } from './create-user.ts'
import { readNames } from './user-names.ts'

const userArgument = argument('<user>', 'ID or email address', (z) => z.string().min(1))

/** Of the user, and of what follows from a change: notices, revoked sessions and links. */
const changedTables = ['user', 'account', 'session', 'verification', 'outbox', 'role'] as const

const updateOptions = {
  name: option('--name <name>', 'Name', (z) => z.string().min(1, 'expected a name').max(16_000, 'is too long').optional()),
  email: option('--email <address>', 'Email address; unverified unless --verified is given', (z) =>
    z.email({ pattern: /^.{1,319}@.+$/, error: 'expected an email address' }).optional(),
  ),
  verified: flag('--verified', 'Mark the email address as verified'),
  unverified: flag('--unverified', 'Mark the email address as unverified'),
  image: option('--image <url>', 'Image; an empty text removes it', (z) =>
    z
      .string()
      .max(16_000, 'is too long')
      .refine((text) => text === '' || isImageURL(text), 'expected the URL of an image')
      .optional(),
  ),
  username: option('--username <name>', 'Username; an empty text removes it', (z) =>
    z.string().max(255, 'is too long').optional(),
  ),
  phone: option('--phone <number>', 'Phone number; unverified unless --phone-verified is given; an empty text removes it', (z) =>
    z.string().max(64, 'is too long').optional(),
  ),
  phoneVerified: flag('--phone-verified', 'Mark the phone number as verified'),
  field: list(
    '--field <name=value>',
    'A field of user.additionalFields, also one that users cannot set; numbers, booleans and lists as JSON',
    (z) => z.string().regex(/^\w+=/, 'expected <name>=<value>'),
  ),
}
type UpdateOptions = ValuesOf<typeof updateOptions>

export const update = command('update', 'Change the profile of a user', {
  description:
    'Sets the given options and leaves everything else unchanged. Sign-ins in progress fail. A new email address invalidates open reset links, and the user gets a notice at the former one. To change the roles, use `users set-role`.',
  examples: [
    'latchkey users update ann@example.com --name "Ann Smith"',
    'latchkey users update ann@example.com --email ann@example.org --verified',
    'latchkey users update ann@example.com --phone +491701234567',
    'latchkey users update ann@example.com --field plan=pro',
  ],
  arguments: { user: userArgument },
  options: updateOptions,
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    checkChanges(options)
    if (options.email !== undefined) await checkAddress(options.email)
    const { describeUserRecord } = await import('../../features/users/index.ts')
    const { updateUserOf } = await import('../../features/admin/index.ts')
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { readChangedFields } = await import('./user-fields.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: changedTables })
    const fields = readChangedFields(app, options.field)
    const names = readNames(app, options)
    const { id } = await getUser(app, options.user)
    const { name, email, image, verified, unverified } = options
    const data = {
      ...fields,
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(image !== undefined && { image: image || null }),
      ...((verified || unverified) && { emailVerified: verified }),
      ...names,
    }
    const { explained } = await import('./user-errors.ts')
    const user = await explained(app, options, () => updateUserOf(app, null, id, data))
    await warnIfCacheStale(app, output)
    output.result('users-update/v1', { user: describeUserRecord(app, user) }, [])
    output.success(`Updated ${user.email}: ${Object.keys(data).join(', ')}`)
  },
})

function checkChanges({ name, email, verified, unverified, image, field, username, phone, phoneVerified }: UpdateOptions): void {
  if (verified && unverified) throw usageError('Give --verified or --unverified, not both')
  const given = [name, email, image, username, phone, ...field].filter((value) => value !== undefined)
  if (given.length === 0 && !verified && !unverified && !phoneVerified)
    throw usageError('Nothing to change: give at least one option, such as --name')
}

export const setRole = command('set-role', 'Set the roles of a user', {
  description:
    'Replaces all roles of the user, effective immediately on every daemon. A role must be declared in seed.roles or admin.roles, or be stored. Their sessions stay valid.',
  examples: ['latchkey users set-role ann@example.com admin', 'latchkey users set-role ann@example.com support,editor'],
  arguments: {
    user: userArgument,
    roles: argument('<roles>', 'Role names, separated by commas', (z) =>
      z
        .string()
        .max(255, 'is too long')
        .regex(/^[\w-]{1,64}(,[\w-]{1,64})*$/, 'expected role names, separated by commas')
        .transform((names) => [...new Set(names.split(','))].join(',')),
    ),
  },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { describeUserRecord } = await import('../../features/users/index.ts')
    const { setRoleOf } = await import('../../features/admin/index.ts')
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: changedTables })
    await checkRole(app, options.roles)
    const { id, role: former } = await getUser(app, options.user)
    const user = await setRoleOf(app, null, id, options.roles)
    await warnIfCacheStale(app, output)
    output.result('users-set-role/v1', { user: describeUserRecord(app, user), formerRole: former }, [])
    output.success(`Set the role of ${user.email} to ${options.roles}${former ? `; it was ${former}` : ''}`)
  },
})

export const ban = command('ban', 'Ban a user and revoke their sessions', {
  description:
    'The user is signed out immediately on every daemon, and cannot sign in until the ban expires or is lifted. Without --expires-in and --until, admin.defaultBanExpiresIn applies. Replaces an earlier ban. Needs the option admin.',
  examples: [
    'latchkey users ban ann@example.com --reason Spam',
    'latchkey users ban ann@example.com --expires-in 7d',
    'latchkey users ban ann@example.com --until 2027-01-31T12:00:00Z',
  ],
  arguments: { user: userArgument },
  options: {
    reason: option('--reason <text>', 'Reason, kept in the audit log [admin.defaultBanReason]', (z) =>
      z.string().max(1000, 'is too long').optional(),
    ),
    expiresIn: option('--expires-in <duration>', 'Length of the ban, such as 12h, 7d or 4w', duration),
    until: option('--until <time>', 'End of the ban, such as 2027-01-31T12:00:00Z', (z) =>
      z.iso
        .datetime({ offset: true, error: 'expected a time such as 2027-01-31T12:00:00Z' })
        .transform((text) => new Date(text))
        .optional(),
    ),
  },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { reason, expiresIn, until: expiresAt, user: idOrEmail } = context.options
    const { output } = context
    if (expiresIn !== undefined && expiresAt !== undefined) throw usageError('Give --expires-in or --until, not both')
    const { banUser } = await import('../../features/admin/index.ts')
    const { describeUserRecord } = await import('../../features/users/index.ts')
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: changedTables })
    requireAdministration(app)
    if (expiresAt !== undefined && expiresAt <= app.now()) throw usageError('--until: expected a time in the future')
    const { id } = await getUser(app, idOrEmail)
    const { user, sessionsRevoked } = await banUser(app, null, { userId: id, reason, expiresIn, expiresAt })
    await warnIfCacheStale(app, output)
    output.result('users-ban/v1', { user: describeUserRecord(app, user), sessionsRevoked }, [])
    const end = user.banExpires ? ` until ${user.banExpires.toISOString()}` : ''
    output.success(`Banned ${user.email}${end} and revoked ${counted(sessionsRevoked, 'session')}`)
  },
})

export const unban = command('unban', 'Unban a user immediately', {
  description: 'The user can sign in again. Their former sessions stay revoked. Needs the option admin.',
  examples: ['latchkey users unban ann@example.com'],
  arguments: { user: userArgument },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { unbanUser } = await import('../../features/admin/index.ts')
    const { describeUserRecord } = await import('../../features/users/index.ts')
    const { getUser, warnIfCacheStale } = await import('../ready-app.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: changedTables })
    requireAdministration(app)
    const found = await getUser(app, options.user)
    const user = found.banned ? await unbanUser(app, null, found.id) : found
    if (found.banned) await warnIfCacheStale(app, output)
    output.result('users-unban/v1', { user: describeUserRecord(app, user), wasBanned: found.banned === true }, [])
    output.success(found.banned ? `Lifted the ban of ${user.email}` : `${user.email} is not banned`)
  },
})

/** @throws Failure ADMINISTRATION_DISABLED */
export function requireAdministration({ config }: Pick<App, 'config'>): void {
  if (config.admin.enabled) return
  throw new Failure('ADMINISTRATION_DISABLED', 'Administration is disabled: admin is off', {
    hint: 'Set admin: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}
