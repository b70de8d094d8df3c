/** `sign-in explain`: what a sign-in of a user would demand, and why. `sign-in policy`: which rules there are, and for how many users. */
import type { SignInStep } from '../../core/sign-in.ts'
import { argument, command, group, option } from '../command.ts'
import type { Palette } from '../output.ts'

const tables = ['user', 'account', 'twoFactor', 'backupCode', 'trustedDevice', 'passkey'] as const

const explain = command('explain', 'Explain the next sign-in of a user', {
  description:
    'Prints each decision of the next sign-in with its result and its reason, from the same code that decides: the sign-in methods of the user, whether they are admitted, whether a second factor is demanded and which ones are offered, and what dangerous calls demand afterwards. Without --method, explains the first method that the user has. The command itself changes nothing and does not count as an attempt.',
  examples: [
    'latchkey sign-in explain ann@example.com',
    'latchkey sign-in explain ann@example.com --method passkey',
    'latchkey sign-in explain ann@example.com --method social:google --json',
  ],
  arguments: { user: argument('<user>', 'ID or email address', (z) => z.string().min(1)) },
  options: {
    method: option('--method <name>', 'Sign-in method, such as password, passkey or social:google', (z) =>
      z.string().min(1, 'expected the name of a method').max(255, 'is too long').optional(),
    ),
  },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { getUser } = await import('../ready-app.ts')
    const { explainSignIn } = await import('../../features/sign-in-explanation/index.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables })
    const user = await getUser(app, options.user)
    const steps = await explainSignIn(app, user, options.method)
    output.result('sign-in-explain/v1', { id: user.id, email: user.email, steps }, await describe(steps, output.paint))
  },
})

/** One line per decision, in columns. */
async function describe(steps: readonly SignInStep[], paint: Palette): Promise<string[]> {
  const { printable } = await import('../../lib/redact.ts')
  const widthOf = (name: 'step' | 'result') => Math.max(...steps.map((step) => step[name].length))
  const [first, second] = [widthOf('step'), widthOf('result')]
  return steps.map(
    ({ step, result, reason }) =>
      `${paint.dim(printable(step).padEnd(first))}  ${printable(result).padEnd(second)}  ${printable(reason)}`,
  )
}

const policy = command('policy', 'Show the sign-in policy', {
  description:
    'Prints who may sign up, the sign-in methods that are on, the rules that demand a second factor, and how many users these rules are for, have a second factor or a passkey, and have one sign-in method only. A daemon counts the users once a day; the command itself counts nothing. The same as `GET /admin/sign-in-policy`.',
  examples: ['latchkey sign-in policy', 'latchkey sign-in policy --json'],
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { readPolicy } = await import('../../features/sign-in-policy/index.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['statistic'] })
    const found = await readPolicy(app)
    context.output.result('sign-in-policy/v1', { ...found }, describePolicy(found))
  },
})

type Policy = Awaited<ReturnType<typeof import('../../features/sign-in-policy/index.ts').readPolicy>>

function describeSignUp({ mode, allow, block, disposable, oneMailbox, invitationsPass }: Policy['signUp']): string {
  const rules = [
    ...(allow === null ? [] : [`${allow} allowed entries`]),
    ...(block > 0 ? [`${block} blocked entries`] : []),
    ...(disposable ? [`${disposable.domains} disposable domains of ${disposable.date} blocked`] : []),
    ...(oneMailbox ? ['one user for each mailbox'] : []),
    ...(invitationsPass ? ['invitations pass'] : []),
  ]
  return [mode, ...rules].join(', ')
}

/** One line per fact, in columns. */
function describePolicy({ methods, signUp, twoFactor, users }: Policy): string[] {
  const sum = (counts: readonly { readonly users: number }[]) => counts.reduce((total, one) => total + one.users, 0)
  const last = users?.adoption.at(-1)
  const rules = (twoFactor?.rules ?? []).map(({ name, counts }): [string, string] => [
    `rule ${name}`,
    counts
      ? `${counts.users} users: ${counts.satisfied} with a second factor, ${counts.grace} with time left, ${counts.due} must set one up`
      : 'not counted yet',
  ])
  const lines: readonly (readonly [string, string])[] = [
    ['sign-up', describeSignUp(signUp)],
    ['methods', methods.join(', ')],
    ['second factors', twoFactor?.methods.join(', ') || 'off'],
    ...rules,
    ['counted', users ? `${users.total} users at ${new Date(users.countedAt).toISOString()}` : 'not yet'],
    ...(users && last
      ? ([
          ['with a second factor', String(last.secondFactor)],
          ['with a passkey', String(last.passkey)],
          ['one method only', String(sum(users.oneMethod))],
        ] as const)
      : []),
  ]
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, text]) => `${name.padEnd(width)}  ${text}`)
}

export const signIn = group('sign-in', 'Explain sign-ins of users', {
  examples: ['latchkey sign-in explain ann@example.com', 'latchkey sign-in policy --json'],
  commands: [explain, policy],
})
