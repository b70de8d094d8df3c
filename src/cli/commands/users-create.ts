import type { App } from '../../core/app.ts'
import { command } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { CliFailure } from '../failure.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'
import { passwordOption, readPassword } from '../standard-input.ts'

export const create = command({
  name: 'create',
  summary: 'Create a user, with a password or with a link to set one',
  description:
    'Without --password-stdin a link is shown, once, by which the user sets a password. The rules for passwords and fields are those for everybody.',
  examples: [
    'latchkey users create --email ann@example.com --name "Ann Smith"',
    'latchkey users create --email ops@example.com --name Ops --role admin',
    'latchkey users create --email a@example.com --name Ann --password-stdin < file',
    'latchkey users create --email a@example.com --name Ann --field plan=pro',
  ],
  options: [
    { flags: '--email <address>', description: 'E-mail address' },
    { flags: '--name <name>', description: 'Name' },
    { flags: '--role <names>', description: 'Role names, separated by commas' },
    { flags: '--email-verified', description: 'The address need not be proved any more' },
    {
      flags: '--field <name=value>',
      description: 'A field of user.additionalFields; JSON, unless a text, a time or a choice',
      repeatable: true,
    },
    passwordOption,
    waitForDatabaseOption,
  ],
  exitCodes: [4, 6, 8],
  deadline: 60,
  input: (z) =>
    z.object({
      email: z.email({ pattern: /^.{1,319}@.+$/, error: 'expected an e-mail address' }),
      name: z.string('expected a name').min(1, 'expected a name').max(16_000, 'is too long'),
      role: z.string().max(255, 'is too long').optional(),
      emailVerified: flag(z),
      field: z.array(z.string().regex(/^\w+=/, 'expected <name>=<value>')).default([]),
      passwordStdin: flag(z),
      waitForDb: seconds(z).default(0),
    }),
  action: async (context) => {
    const { options, output } = context
    const { email, name, role, emailVerified, passwordStdin } = options
    const password = passwordStdin ? await readPassword(context, true) : undefined
    const [{ openReadyApp, requirePasswords }, { createUser }, { describeUserRecord }, { readGivenFields }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/setup/index.ts'),
      import('../../features/users/index.ts'),
      import('../user-fields.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    requirePasswords(app)
    await checkAddress(email)
    if (role !== undefined) await checkRole(app, role)
    const fields = await readGivenFields(app, options.field)
    const { user, setupLink } = await createUser(app, { email, name, emailVerified, fields, role, password })
    output.result('users-create/v1', { user: describeUserRecord(app, user), setupLink }, [
      `${user.id}  ${user.email}`,
      ...(setupLink ? [`Set the password at ${output.paint.bold(setupLink)}`] : []),
    ])
    if (setupLink) output.info('The link works once and is not shown again.')
  },
})

async function checkAddress(email: string): Promise<void> {
  const { isEmailAddress } = await import('../../lib/email.ts')
  if (!isEmailAddress(email)) throw usage('--email <address>: expected an e-mail address')
}

async function checkRole(app: App, role: string): Promise<void> {
  const { findUnknownRoles } = await import('../../features/roles/index.ts')
  const unknown = await findUnknownRoles(app, role)
  if (unknown.length === 0) return
  throw new CliFailure('ROLE_UNKNOWN', `There is no role ${unknown.map((name) => `"${name}"`).join(', ')}`, {
    hint: 'Declare it in seed.roles of the configuration.',
  })
}

const usage = (message: string): CliFailure =>
  new CliFailure('USAGE', message, { exitCode: exitCodes.usage, hint: 'Add --help to see what can be written.' })
