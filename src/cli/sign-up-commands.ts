/** `sign-up check`: whether an email address may sign up, and which rule decides. */
import type { SignUpRejection } from '../core/sign-up.ts'
import { argument, command, group, option } from './command.ts'

const check = command('check', 'Check whether an address may sign up', {
  description:
    'Prints the decision of the sign-up policy about an email address, with the reason, the option, the entry of the list, and its line when it is in a file. The same code decides about sign-ups. The command itself changes nothing and records nothing. With --by, checks for a user whom an administrator or operator creates, which `signUp.mode` does not concern.',
  examples: [
    'latchkey sign-up check ann@acme.example',
    'latchkey sign-up check ann@acme.example --by administrator',
    'latchkey sign-up check ann@acme.example --json',
  ],
  arguments: {
    address: argument('<address>', 'Email address', (z) =>
      z.email({ pattern: /^[^@]{1,200}@.+$/, error: 'expected an email address' }).max(320, 'is too long'),
    ),
  },
  options: {
    by: option('--by <who>', 'Who creates the user: self, administrator, operator or import [self]', (z) =>
      z.enum(['self', 'administrator', 'operator', 'import']).default('self'),
    ),
  },
  usesDatabase: true,
  deadline: 60,
  action: async (context) => {
    const { options, output } = context
    const { decideSignUp, isAdmitted } = await import('../core/sign-up.ts')
    const { app } = await context.openReadyApp({ mode: 'read', tables: ['user', 'invitation'] })
    const email = options.address.toLowerCase()
    const decision = await decideSignUp(app, { email, source: options.by })
    const { rejection, waiver } = decision
    const { rejected: reason = null, setting = null, entry = null, file = null, line = null } = rejection ?? {}
    const admitted = isAdmitted(decision)
    const data = { email, admitted, reason, setting, entry, file, line, waivedBy: waiver?.waived ?? null }
    const { paint } = output
    output.result('sign-up-check/v1', data, [
      admitted ? paint.green('may sign up') : paint.red('may not sign up'),
      ...(rejection ? describe(rejection) : []),
      ...(waiver ? [`admitted by  ${waiver.waived}`] : []),
    ])
  },
})

const describe = ({ rejected, setting, entry, file, line }: SignUpRejection): string[] => [
  `reason       ${rejected}`,
  `option       ${setting}`,
  ...(entry === undefined ? [] : [`entry        ${entry}`]),
  ...(file === undefined ? [] : [`file         ${file}:${line ?? 1}`]),
]

export const signUp = group('sign-up', 'Explain who may sign up', {
  examples: ['latchkey sign-up check ann@acme.example'],
  commands: [check],
})
