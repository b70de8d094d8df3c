import { command, noOptions } from '../command.ts'

export const reload = command({
  name: 'reload',
  summary: 'Let the daemon read its configuration again',
  description:
    'One worker after another is replaced, and no call is refused meanwhile. If the configuration does not check, or a worker does not start with it, the old one goes on serving and the reason is told here.',
  examples: ['latchkey reload', 'latchkey reload --json'],
  exitCodes: [5, 6, 8],
  input: noOptions,
  action: async ({ global, output, cwd }) => {
    const [{ findProject, getDaemon }, { requestReload }] = await Promise.all([
      import('../../daemon/project.ts'),
      import('../../daemon/control.ts'),
    ])
    const state = getDaemon(findProject(cwd, global.config))
    const { before, after, generation } = await requestReload(state)
    const list = (pids: readonly number[]) => pids.join(', ') || 'none'
    output.result('reload/v1', { pid: state.pid, before, after, generation }, [
      `Reloaded: workers ${list(before)} → ${list(after)}`,
      `The old ones finish their calls and end. Next: latchkey status`,
    ])
  },
})
