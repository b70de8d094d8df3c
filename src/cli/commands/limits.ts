import type { AttemptReport, AttemptState } from '../../features/attempts/index.ts'
import { canonicalAddress } from '../../lib/ip.ts'
import { type CommandGroup, command, type Zod } from '../command.ts'
import { seconds, waitForDatabaseOption } from '../inputs.ts'
import type { Palette } from '../output.ts'

const options = [
  { flags: '--account <email>', description: 'The address that is signed in with; it need not exist' },
  { flags: '--ip <address>', description: 'The address of a client: its network is looked at' },
  waitForDatabaseOption,
]
const input = (z: Zod) =>
  z.object({
    account: z.string('expected an e-mail address').min(1, 'expected an e-mail address').max(320, 'expected an e-mail address'),
    ip: z
      .string()
      .refine((text) => canonicalAddress(text) !== null, 'expected an IPv4 or IPv6 address')
      .optional(),
    waitForDb: seconds(z).default(0),
  })
const canonical = (ip: string | undefined): string | null => (ip === undefined ? null : canonicalAddress(ip))

const explain = command({
  name: 'explain',
  summary: 'Show what is held against an account, and how long it has to wait',
  description:
    'Failures in a row bring growing delays: for an account from one network, and for an account from all networks together. Limits by address and path are another matter and are not shown.',
  examples: [
    'latchkey limits explain --account ann@example.com',
    'latchkey limits explain --account ann@example.com --ip 192.0.2.1 --json',
  ],
  options,
  exitCodes: [6, 8],
  deadline: 60,
  input,
  action: async ({ options: { account, ip, waitForDb }, output, openApp }) => {
    const { app, database, loaded } = await openApp({ waitForDatabase: waitForDb })
    const [{ readySchema }, { explainAttempts }, { networkOf }] = await Promise.all([
      import('../schema.ts'),
      import('../../features/attempts/index.ts'),
      import('../../lib/ip.ts'),
    ])
    await readySchema(loaded, database)
    const address = canonical(ip)
    const report = await explainAttempts(app, account, address)
    const network = address === null ? null : networkOf(address)
    output.result(
      'limits-explain/v1',
      { ...report, network: report.network && { address: network, ...report.network } },
      describe(report, network, output.paint),
    )
  },
})

const clear = command({
  name: 'clear',
  summary: 'Forget the failures of an account',
  description:
    'Without --ip those from everywhere. Networks and devices that are known stay known. It takes effect at once, in every daemon.',
  examples: ['latchkey limits clear --account ann@example.com', 'latchkey limits clear --account ann@example.com --ip 192.0.2.1'],
  options,
  exitCodes: [6, 8],
  deadline: 60,
  input,
  action: async ({ options: { account, ip, waitForDb }, output, openApp }) => {
    const { app, database, loaded } = await openApp({ waitForDatabase: waitForDb })
    const [{ readySchema }, { clearAttempts }] = await Promise.all([
      import('../schema.ts'),
      import('../../features/attempts/index.ts'),
    ])
    await readySchema(loaded, database)
    const cleared = await clearAttempts(app, account, canonical(ip))
    output.result('limits-clear/v1', { cleared }, [])
    output.success(
      cleared === 0 ? 'There was nothing to forget' : `Forgotten: ${cleared} ${cleared === 1 ? 'count' : 'counts'} of failures`,
    )
  },
})

function describe({ enabled, account, network, places }: AttemptReport, name: string | null, paint: Palette): string[] {
  return [
    ...(enabled ? [] : [paint.yellow('Failures are not counted: attempts.enabled is off, or this is no production.')]),
    `All networks  ${describeState(account, paint)}`,
    ...(network ? [`${name}  ${describeState(network, paint)}${network.isKnown ? '; has signed in before' : ''}`] : []),
    `Places        ${places} with failures`,
  ]
}

function describeState({ failures, wait, nextDelay }: AttemptState, paint: Palette): string {
  const now = wait > 0 ? paint.red(`refused for ${wait} s`) : paint.green('let through')
  return `${failures} ${failures === 1 ? 'failure' : 'failures'} in a row; ${now}; one more brings ${nextDelay === 0 ? 'no delay' : `${nextDelay} s`}`
}

export const limits: CommandGroup = {
  name: 'limits',
  summary: 'Show or forget failed attempts to sign in',
  examples: ['latchkey limits explain --account ann@example.com', 'latchkey limits clear --account ann@example.com'],
  commands: [explain, clear],
}
