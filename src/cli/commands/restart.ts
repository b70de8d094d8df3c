import { command } from '../command.ts'
import { CliFailure } from '../failure.ts'
import { seconds } from '../inputs.ts'

export const restart = command({
  name: 'restart',
  summary: 'Stop the daemon and start it again',
  description:
    'With the flags it was started with, in the environment of this command. The configuration is checked first. For a changed configuration `latchkey reload` is enough, and no call is refused.',
  examples: ['latchkey restart', 'latchkey restart --timeout 60'],
  options: [{ flags: '--timeout <seconds>', description: 'Give up waiting for the end after this time' }],
  exitCodes: [6, 8],
  handlesSignals: true,
  input: (z) => z.object({ timeout: seconds(z).optional() }),
  action: async ({ options, global, output, cwd, env, loadConfig, signal }) => {
    const [{ getProject }, { findDaemon }, { stopDaemon }, { detachDaemon }] = await Promise.all([
      import('../../daemon/project.ts'),
      import('../../daemon/state.ts'),
      import('../../daemon/control.ts'),
      import('../../daemon/detach-project.ts'),
    ])
    const state = findDaemon(getProject(cwd, global.config).directory)
    if (state && state.mode !== 'detached') {
      throw new CliFailure('NOT_DETACHED', `Process ${state.pid} runs in the foreground of its terminal or service manager`, {
        hint: 'Restart it there; `latchkey reload` works here too.',
      })
    }
    const stopOld = async () => {
      if (!state) return output.info('No daemon was running')
      output.info(`Stopping ${state.url}, process ${state.pid}`)
      if (await stopDaemon(state, { timeout: options.timeout, signal })) return
      throw new CliFailure('STOP_TIMEOUT', `Process ${state.pid} has not ended yet`, {
        hint: 'Give it longer with --timeout.',
        retryable: true,
      })
    }
    const flags = { overrides: state?.overrides ?? [], migrate: false, acknowledge: [], waitForDatabase: 0 }
    return detachDaemon(flags, { global, output, cwd, env, loadConfig, before: stopOld, schema: 'restart/v1' })
  },
})
