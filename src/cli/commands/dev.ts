import type { Serving } from '../../daemon/messages.ts'
import type { Project } from '../../daemon/project.ts'
import { command } from '../command.ts'
import { wholeNumber } from '../inputs.ts'
import type { Output } from '../output.ts'

export const dev = command({
  name: 'dev',
  summary: 'Serve here and now, with nothing else installed',
  description:
    'An embedded database and limits counted in the process, whatever the configuration names; its features count. It is read again when it changes. Without a configuration there is one built in. Not for production.',
  examples: ['latchkey dev', 'latchkey dev --port 4100'],
  options: [
    { flags: '--host <address>', description: 'Address to listen on; default: server.host' },
    { flags: '--port <n>', description: 'Port to listen on; default: server.port, or the next free one' },
    { flags: '--acknowledge <change>', description: 'Let the embedded database lose what the change drops', repeatable: true },
  ],
  exitCodes: [5, 8],
  handlesSignals: true,
  input: (z) =>
    z.object({
      host: z.string().min(1).optional(),
      port: wholeNumber(z, 0, 65_535).optional(),
      acknowledge: z.array(z.string()).default([]),
    }),
  action: async ({ options, global, output, cwd }) => {
    const [{ findProject }, { runSupervisor }, { printFailure }] = await Promise.all([
      import('../../daemon/project.ts'),
      import('../../daemon/supervisor.ts'),
      import('../describe-failure.ts'),
    ])
    const project = findProject(cwd, global.config)
    const { host, port, acknowledge } = options
    const overrides = Object.entries({ host, port }).flatMap(([name, value]) =>
      value === undefined ? [] : [{ path: `server.${name}`, value, origin: `--${name}` }],
    )
    return runSupervisor(
      { ...project, mode: 'development', cwd, overrides, migrate: false, acknowledge, waitForDatabase: 0, log: 2 },
      {
        onServing: (_, serving) => welcome(output, project, serving),
        onReloaded: () => output.success('The configuration has changed and is in use'),
        onReloadFailed: (failure) => {
          printFailure(failure, output)
          output.warn('The configuration before this one goes on serving')
        },
      },
    )
  },
})

function welcome(
  output: Output,
  { config, directory }: Project,
  { url, referenceUrl, mailboxUrl, address, development }: Serving,
): void {
  const { paint } = output
  const { admin = null, database = '', takenPort = null } = development ?? {}
  if (takenPort !== null) output.warn(`Another program listens on port ${takenPort}: taking ${address.port}`)
  const rows: readonly (readonly [string, string | null])[] = [
    ['API', paint.bold(url)],
    ['Reference', referenceUrl],
    ['Mailbox', mailboxUrl],
    ['Admin', admin && `${paint.bold(admin.email)}  password ${paint.bold(admin.password)}`],
    ['Data', `${database}; remove it to begin anew`],
    ['Config', config === null ? 'built in; write one with `latchkey init`' : `${config}; read again when it changes`],
  ]
  const shown = rows.flatMap(([name, text]) => (text === null ? [] : [`  ${paint.dim(name.padEnd(10))} ${text}`]))
  const data = {
    pid: process.pid,
    url,
    referenceUrl,
    mailboxUrl,
    host: address.host,
    port: address.port,
    admin,
    database,
    config,
    directory,
  }
  output.result('dev/v1', data, ['', '  Latchkey is serving, for development only', '', ...shown, '', '  Stop with Ctrl-C.', ''])
}
