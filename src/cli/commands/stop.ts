import { command } from '../command.ts'
import { CliFailure } from '../failure.ts'
import { seconds } from '../inputs.ts'

export const stop = command({
  name: 'stop',
  summary: 'Stop the daemon',
  description: 'It accepts nothing more, finishes the calls under way within server.drainTimeout, and ends.',
  examples: ['latchkey stop', 'latchkey stop --timeout 60'],
  options: [{ flags: '--timeout <seconds>', description: 'Give up waiting after this time; default: its drain timeout and 5' }],
  input: (z) => z.object({ timeout: seconds(z).optional() }),
  action: async ({ options, global, output, cwd, signal }) => {
    const [{ findProject }, { findDaemon }, { stopDaemon }] = await Promise.all([
      import('../../daemon/project.ts'),
      import('../../daemon/state.ts'),
      import('../../daemon/control.ts'),
    ])
    const { directory } = findProject(cwd, global.config)
    const state = findDaemon(directory)
    if (!state) {
      output.result('stop/v1', { stopped: false, pid: null }, `No daemon serves ${directory}: nothing to do`)
      return
    }
    const { pid, url } = state
    output.info(`Stopping ${url}, process ${pid}`)
    if (!(await stopDaemon(state, { timeout: options.timeout, signal }))) {
      throw new CliFailure('STOP_TIMEOUT', `Process ${pid} has not ended yet`, {
        hint: `Calls under way may take longer: wait, or end it at once with \`kill ${pid}\`, which is its second signal.`,
        retryable: true,
      })
    }
    output.result('stop/v1', { stopped: true, pid }, 'Stopped')
  },
})
