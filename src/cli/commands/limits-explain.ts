import type { AttemptReport, AttemptState } from '../../features/attempts/index.ts'
import { command } from '../command.ts'
import { input, options } from '../limits/input.ts'
import type { Palette } from '../output.ts'

export const explain = command({
  name: 'explain',
  summary: 'Show what holds somebody back, and for how long',
  description:
    'Of an address, the limit of each path and how much of it is used up. Of an account, its failures to sign in: in a row they bring growing delays, from one network and from all networks together. Nothing is counted by asking. Where calls are counted in the memory of the daemon, the one of this project is asked.',
  examples: [
    'latchkey limits explain --ip 192.0.2.1',
    'latchkey limits explain --ip 2001:db8::1 --path /sign-in/email',
    'latchkey limits explain --account ann@example.com',
    'latchkey limits explain --account ann@example.com --ip 192.0.2.1 --json',
  ],
  options,
  exitCodes: [6, 8],
  deadline: 60,
  input,
  action: async ({ options: { account, ip, path, waitForDb }, output, openApp }) => {
    const { app, database, loaded } = await openApp({ waitForDatabase: waitForDb })
    const [{ readySchema }, { explainAttempts }, { networkOf }, { describeCalls, explainCalls }, { unseen }] = await Promise.all([
      import('../schema.ts'),
      import('../../features/attempts/index.ts'),
      import('../../lib/ip.ts'),
      import('../limits/calls.ts'),
      import('../limits/counters.ts'),
    ])
    await readySchema(loaded, database)
    const attempts = account === null ? null : await explainAttempts(app, account, ip)
    const network = ip === null ? null : networkOf(ip)
    const rateLimits = ip === null ? null : await explainCalls(app, loaded.directory, { address: ip, path })
    output.result(
      'limits-explain/v1',
      {
        enabled: attempts?.enabled ?? null,
        account: attempts?.account ?? null,
        network: attempts?.network ? { address: network, ...attempts.network } : null,
        places: attempts?.places ?? null,
        rateLimits,
      },
      [
        ...(attempts ? describeAttempts(attempts, network, output.paint) : []),
        ...(rateLimits ? describeCalls(rateLimits, output.paint) : []),
      ],
    )
    if (rateLimits?.seen === false) output.warn(unseen)
  },
})

function describeAttempts(report: AttemptReport, name: string | null, paint: Palette): string[] {
  const { enabled, account, network, places } = report
  const width = Math.max('All networks'.length, name?.length ?? 0)
  return [
    ...(enabled ? [] : [paint.yellow('Failures are not counted: attempts.enabled is off, or this is no production.')]),
    `${'All networks'.padEnd(width)}  ${describeState(account, paint)}`,
    ...(network
      ? [`${name?.padEnd(width)}  ${describeState(network, paint)}${network.isKnown ? '; has signed in before' : ''}`]
      : []),
    `${'Places'.padEnd(width)}  ${places} with failures`,
  ]
}

function describeState({ failures, wait, nextDelay }: AttemptState, paint: Palette): string {
  const now = wait > 0 ? paint.red(`refused for ${wait} s`) : paint.green('let through')
  return `${failures} ${failures === 1 ? 'failure' : 'failures'} in a row; ${now}; one more brings ${nextDelay === 0 ? 'no delay' : `${nextDelay} s`}`
}
