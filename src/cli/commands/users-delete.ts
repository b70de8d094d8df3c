import { command } from '../command.ts'
import { seconds, waitForDatabaseOption } from '../inputs.ts'
import { userArgument } from './users-show.ts'

export const remove = command({
  name: 'delete',
  summary: 'Delete a user, and everything that belongs to him',
  description:
    'It cannot be taken back. So the e-mail address has to be typed, or given with --confirm; --yes does not answer that. `user.deleteUser.beforeDelete` and `afterDelete` are not called: they are for users who delete themselves.',
  examples: ['latchkey users delete ann@example.com', 'latchkey users delete ann@example.com --confirm ann@example.com'],
  arguments: [userArgument],
  options: [{ flags: '--confirm <email>', description: 'The e-mail address of the user' }, waitForDatabaseOption],
  exitCodes: [4, 5, 6, 8],
  deadline: 300,
  input: (z) =>
    z.object({ user: z.string().min(1), confirm: z.string().toLowerCase().optional(), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output, prompt } = context
    const [{ getUser, openReadyApp, userNotFound, warnUnlessTold }, { deleteUser }, { transaction }] = await Promise.all([
      import('../operate.ts'),
      import('../../features/users/index.ts'),
      import('../../core/transaction.ts'),
    ])
    const app = await openReadyApp(context, options.waitForDb)
    const { id, email } = await getUser(app, options.user)
    await prompt.confirmName({ message: `${email} will be deleted.`, name: email, given: options.confirm })
    if (!(await transaction(app, (inner) => deleteUser(inner, id)))) throw userNotFound(options.user)
    await warnUnlessTold(app, output)
    output.result('users-delete/v1', { id, email }, [])
    output.success(`Deleted ${email}`)
  },
})
