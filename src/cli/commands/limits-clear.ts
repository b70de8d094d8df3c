import { command } from '../command.ts'
import { input, options } from '../limits/input.ts'

export const clear = command({
  name: 'clear',
  summary: 'Forget what holds somebody back',
  description:
    'With --ip the calls that were counted for the address. With --account the failures to sign in: from everywhere, or with --ip too those from there; networks and devices that are known stay known. It takes effect at once, in every daemon; where calls are counted in memory, in the daemon of this project.',
  examples: [
    'latchkey limits clear --ip 192.0.2.1',
    'latchkey limits clear --ip 192.0.2.1 --path /sign-in/email',
    'latchkey limits clear --account ann@example.com',
    'latchkey limits clear --account ann@example.com --ip 192.0.2.1',
  ],
  options,
  exitCodes: [6, 8],
  deadline: 60,
  input,
  action: async ({ options: { account, ip, path, waitForDb }, output, openApp }) => {
    const { app, database, loaded } = await openApp({ waitForDatabase: waitForDb })
    const [{ readySchema }, { clearAttempts, explainAttempts }, { clearCalls }, { unseen }] = await Promise.all([
      import('../schema.ts'),
      import('../../features/attempts/index.ts'),
      import('../limits/calls.ts'),
      import('../limits/counters.ts'),
    ])
    await readySchema(loaded, database)
    const rateLimits = ip === null ? null : await clearCalls(app, loaded.directory, { address: ip, path })
    const cleared = account === null ? 0 : await clearAttempts(app, account, ip)
    output.result('limits-clear/v1', { cleared, rateLimits }, [])
    const forgotten = [
      ...(cleared > 0 ? [`${cleared} ${cleared === 1 ? 'count' : 'counts'} of failures`] : []),
      ...(rateLimits ? [`${rateLimits} ${rateLimits === 1 ? 'count' : 'counts'} of calls`] : []),
    ]
    output.success(forgotten.length > 0 ? `Forgotten: ${forgotten.join(', ')}` : 'There was nothing to forget')
    if (ip !== null && rateLimits === null) output.warn(unseen)
    if (account === null || ip === null) return
    const { wait } = (await explainAttempts(app, account, null)).account
    if (wait > 0)
      output.info(`From all networks together it is refused for ${wait} s more: latchkey limits clear --account ${account}`)
  },
})
