import type { App } from '../../core/app.ts'
import { Failure, usageError } from '../../project/failure.ts'
import { command, flag, list, option } from '../command.ts'
import { passwordOption, readPassword } from '../prompt.ts'
import { quoteValue } from '../wrong-value.ts'

export const create = command('create', 'Create a user', {
  description:
    'Without --password-stdin, prints a setup link with which the user sets a password. The configured rules for passwords and fields apply.',
  examples: [
    'latchkey users create --email ann@example.com --name "Ann Smith"',
    'latchkey users create --email ops@example.com --name Ops --role admin',
    'latchkey users create --email a@example.com --name Ann --password-stdin < file',
    'latchkey users create --email a@example.com --name Ann --username ann',
    'latchkey users create --email a@example.com --name Ann --field plan=pro',
  ],
  options: {
    email: option('--email <address>', 'Email address', (z) =>
      z.email({ pattern: /^.{1,319}@.+$/, error: 'expected an email address' }),
    ),
    name: option('--name <name>', 'Name', (z) =>
      z.string('expected a name').min(1, 'expected a name').max(16_000, 'is too long'),
    ),
    role: option('--role <names>', 'Role names, separated by commas', (z) => z.string().max(255, 'is too long').optional()),
    emailVerified: flag('--email-verified', 'Mark the email address as verified'),
    username: option('--username <name>', 'Username', (z) =>
      z.string().min(1, 'expected a name').max(255, 'is too long').optional(),
    ),
    phone: option('--phone <number>', 'Phone number; unverified unless --phone-verified is given', (z) =>
      z.string().min(1, 'expected a number').max(64, 'is too long').optional(),
    ),
    phoneVerified: flag('--phone-verified', 'Mark the phone number as verified'),
    field: list('--field <name=value>', 'A field of user.additionalFields; numbers, booleans and lists as JSON', (z) =>
      z.string().regex(/^\w+=/, 'expected <name>=<value>'),
    ),
    overrideSignUpPolicy: flag('--override-sign-up-policy', 'Create the user although the sign-up policy rejects them'),
    passwordStdin: passwordOption,
  },
  usesDatabase: true,
  exitCodes: [4],
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { email, name, role, emailVerified, passwordStdin } = options
    if (options.phoneVerified && options.phone === undefined) throw usageError('--phone-verified needs --phone')
    const password = passwordStdin ? await readPassword(context, true) : undefined
    const { requirePasswords } = await import('../ready-app.ts')
    const { createUser } = await import('../../features/setup/index.ts')
    const { describeUserRecord, readOwnedFields } = await import('../../features/users/index.ts')
    const { explained } = await import('./user-errors.ts')
    const { readGivenFields } = await import('./user-fields.ts')
    const { readNames } = await import('./user-names.ts')
    const { app } = await context.openReadyApp({ mode: 'write', tables: ['user', 'account', 'verification'] })
    requirePasswords(app)
    await checkAddress(email)
    if (role !== undefined) await checkRole(app, role)
    const { user, setupLink } = await explained(app, options, async () => {
      const names = await readOwnedFields(app, readNames(app, options), 'operator')
      const fields = { ...(await readGivenFields(app, options.field)), ...names }
      const way = { source: 'operator', overrides: options.overrideSignUpPolicy } as const
      return createUser(app, { email, name, emailVerified, fields, role, password }, way)
    })
    output.result('users-create/v1', { user: describeUserRecord(app, user), setupLink }, [
      `${user.id}  ${user.email}`,
      ...(setupLink ? [`Set a password at ${output.paint.bold(setupLink)}`] : []),
    ])
    if (setupLink) output.info('The link works once and is not printed again.')
  },
})

/** @throws Failure USAGE */
export async function checkAddress(email: string): Promise<void> {
  const { isReachableEmail } = await import('../../lib/placeholder-email.ts')
  if (!isReachableEmail(email))
    throw usageError(`--email <address>: expected an email address that receives mail, ${quoteValue(email)}`)
}

/** @throws Failure ROLE_UNKNOWN */
export async function checkRole(app: App, role: string): Promise<void> {
  const { findUnknownRoles } = await import('../../features/roles/index.ts')
  const unknown = await findUnknownRoles(app, role)
  if (unknown.length === 0) return
  throw new Failure('ROLE_UNKNOWN', `There is no role ${unknown.map((name) => `"${name}"`).join(', ')}`, {
    hint: app.config.admin.enabled
      ? 'Declare it in admin.roles of the configuration; or in seed.roles, then run latchkey seed.'
      : 'Declare it in seed.roles of the configuration, then run latchkey seed.',
  })
}
