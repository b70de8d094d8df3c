import type { ServingReport } from '../../daemon/messages.ts'
import type { Project } from '../../project/load-config.ts'
import { command, list } from '../command.ts'
import type { Output } from '../output.ts'
import { hostOption, overrideServer, portOption } from './start-commands.ts'

export const dev = command('dev', 'Run a development server', {
  description:
    'Uses an embedded database, catches all emails and counts limits in memory, even if the configuration names servers for them. Trusts pages on every port of localhost. Reloads the configuration when it changes. Also works without a configuration. Not for production.',
  examples: ['latchkey dev', 'latchkey dev --port 4100'],
  options: {
    host: hostOption,
    port: portOption('server.port, or the next free one'),
    acknowledge: list('--acknowledge <change>', 'Accept a schema change that loses data, by its name'),
  },
  exitCodes: [5, 8],
  handlesSignals: true,
  action: async ({ options, global, output, cwd }) => {
    const { findProject } = await import('../../project/load-config.ts')
    const { runSupervisor } = await import('../../daemon/supervisor.ts')
    const { localOrigins } = await import('../../daemon/development-config.ts')
    const { printFailure } = await import('../output.ts')
    const project = findProject(cwd, global.config)
    const { host, port, acknowledge } = options
    const overrides = overrideServer({ host, port })
    return runSupervisor(
      { ...project, mode: 'development', cwd, overrides, migrate: false, acknowledge, waitForDatabase: 0, log: 2 },
      {
        onServing: (_, serving) => welcome(output, { ...project, origins: localOrigins }, serving),
        onReloaded: () => output.success('Reloaded the configuration'),
        onReloadFailed: (failure) => {
          printFailure(failure, output)
          output.warn('The previous configuration stays in use')
        },
      },
    )
  },
})

function welcome(
  output: Output,
  { config, directory, origins }: Project & { readonly origins: readonly string[] },
  { url, pagesUrl, referenceUrl, mailboxUrl, address, development }: ServingReport,
): void {
  const { paint, hang } = output
  const { admin = null, adminUrl = null, database = '', takenPort = null } = development ?? {}
  if (takenPort !== null) output.warn(`Port ${takenPort} is in use. Using ${address.port} instead`)
  const rows: readonly (readonly [string, string | null])[] = [
    ['Start', pagesUrl && paint.bold(pagesUrl)],
    ['API', paint.bold(url)],
    ['Reference', referenceUrl],
    ['Mailbox', mailboxUrl],
    ['Admin', adminUrl],
    [adminUrl === null ? 'Admin' : '', admin && `${paint.bold(admin.email)}  password ${paint.bold(admin.password)}`],
    ['Secret', `that of .latchkey/dev-secret, in place of the configured one`],
    ['Trusts', `pages on ${origins.join(' and ')}, and your trustedOrigins`],
    ['Data', `${database} (delete it to start over)`],
    [
      'Config',
      config === null ? output.typed('built in (create one with `latchkey init`)') : `${config} (reloaded when it changes)`,
    ],
  ]
  const shown = rows.flatMap(([name, text]) => (text === null ? [] : [hang(`  ${paint.dim(name.padEnd(10))} `, text)]))
  const { host, port } = address
  const urls = { url, pagesUrl, referenceUrl, mailboxUrl, adminUrl }
  const data = { pid: process.pid, ...urls, host, port, admin, database, config, directory }
  const head = '  Latchkey is running, for development only'
  output.result('dev/v1', data, ['', head, '', ...shown, '', '  Press Ctrl-C to stop.', ''])
}
