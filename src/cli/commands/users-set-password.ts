import { command } from '../command.ts'
import { flag, seconds, waitForDatabaseOption } from '../inputs.ts'
import { passwordOption, readPassword } from '../standard-input.ts'
import { userArgument } from './users-show.ts'

export const setPassword = command({
  name: 'set-password',
  summary: 'Set the password of a user, and end all his sessions',
  description:
    'It works at once, also for a user who had none. Links by which he could set another one no longer work. On a terminal it is asked for, and not shown. The rules for passwords are those for everybody.',
  examples: [
    'latchkey users set-password ann@example.com',
    'latchkey users set-password ann@example.com --password-stdin < password',
    'latchkey users set-password ann@example.com --keep-sessions',
  ],
  arguments: [userArgument],
  options: [passwordOption, { flags: '--keep-sessions', description: 'Leave him signed in where he is' }, waitForDatabaseOption],
  exitCodes: [4, 6, 8],
  deadline: 300,
  input: (z) =>
    z.object({ user: z.string().min(1), passwordStdin: flag(z), keepSessions: flag(z), waitForDb: seconds(z).default(0) }),
  action: async (context) => {
    const { options, output } = context
    const password = await readPassword(context, options.passwordStdin)
    const [{ getUser, openReadyApp, requirePasswords, userNotFound, warnUnlessTold }, { setPasswordForUser }] = await Promise.all(
      [import('../operate.ts'), import('../../features/password-change/index.ts')],
    )
    const app = await openReadyApp(context, options.waitForDb)
    requirePasswords(app)
    const user = await getUser(app, options.user)
    const sessionsEnded = await setPasswordForUser(app, user, password, options)
    if (sessionsEnded === null) throw userNotFound(options.user)
    await warnUnlessTold(app, output)
    output.result('users-set-password/v1', { id: user.id, email: user.email, sessionsEnded }, [])
    output.success(`New password for ${user.email}; sessions ended: ${sessionsEnded}`)
  },
})
