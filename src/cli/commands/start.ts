import type { Context } from '../command.ts'
import { command } from '../command.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { flag, seconds, waitForDatabaseOption, wholeNumber } from '../inputs.ts'
import type { ConfigOverride } from '../load-config.ts'

interface StartInput {
  readonly detach: boolean
  readonly workers?: number | undefined
  readonly host?: string | undefined
  readonly port?: number | undefined
  readonly migrate: boolean
  readonly acknowledge: readonly string[]
  readonly check: boolean
  readonly waitForDb: number
}
type StartContext = Context<StartInput>

export const start = command<StartInput>({
  name: 'start',
  summary: 'Start the daemon',
  description:
    'Without --detach it stays in the foreground and logs to standard output, as containers and service managers like it. SIGTERM and Ctrl-C let calls finish, a second one stops at once; SIGHUP reloads the configuration.',
  examples: ['latchkey start', 'latchkey start --detach --workers 2', 'latchkey start --check'],
  options: [
    { flags: '-d, --detach', description: 'Return when it serves; log to log.file' },
    { flags: '--workers <n>', description: 'Processes that serve calls; default: server.workers' },
    { flags: '--host <address>', description: 'Address to listen on; default: server.host' },
    { flags: '--port <n>', description: 'Port to listen on; default: server.port' },
    { flags: '--migrate', description: 'Apply pending migrations first' },
    { flags: '--acknowledge <change>', description: 'Let an embedded database lose what the change drops', repeatable: true },
    { flags: '--check', description: 'Check configuration, database and Redis, and end' },
    waitForDatabaseOption,
  ],
  exitCodes: [5, 6, 7, 8],
  handlesSignals: true,
  input: (z) =>
    z.object({
      detach: flag(z),
      workers: wholeNumber(z, 1, 256).optional(),
      host: z.string().min(1).optional(),
      port: wholeNumber(z, 0, 65_535).optional(),
      migrate: flag(z),
      acknowledge: z.array(z.string()).default([]),
      check: flag(z),
      waitForDb: seconds(z).default(0),
    }),
  action: async (context) => {
    if (context.options.check) return check(context)
    return context.options.detach ? detach(context) : serve(context)
  },
})

const overridesOf = ({ workers, host, port }: StartInput): ConfigOverride[] =>
  Object.entries({ workers, host, port }).flatMap(([name, value]) =>
    value === undefined ? [] : [{ path: `server.${name}`, value, origin: `--${name}` }],
  )

async function serve({ options, global, output, cwd }: StartContext): Promise<ExitCode> {
  const [{ getProject }, { runSupervisor }] = await Promise.all([
    import('../../daemon/project.ts'),
    import('../../daemon/supervisor.ts'),
  ])
  return runSupervisor(
    {
      ...getProject(cwd, global.config),
      mode: 'foreground',
      cwd,
      overrides: overridesOf(options),
      migrate: options.migrate,
      acknowledge: options.acknowledge,
      waitForDatabase: options.waitForDb,
      // With --json standard output holds one document.
      log: global.json ? 2 : 1,
    },
    {
      onServing: (state, { workers }) => {
        const { pid, url, host, port } = state
        if (global.json) output.result('start/v1', { detached: false, pid, url, host, port, workers, log: null }, [])
        else if (output.isTerminal) output.success(`Serving ${url}. Stop with Ctrl-C.`)
      },
    },
  )
}

async function detach({ options, global, output, cwd, env, loadConfig }: StartContext): Promise<ExitCode> {
  const { detachDaemon } = await import('../../daemon/detach-project.ts')
  return detachDaemon(
    {
      overrides: overridesOf(options),
      migrate: options.migrate,
      acknowledge: options.acknowledge,
      waitForDatabase: options.waitForDb,
    },
    { global, output, cwd, env, loadConfig },
  )
}

/** What a start would stumble over, without starting. */
async function check({ options, output, openApp }: StartContext): Promise<ExitCode> {
  const { app, database, loaded } = await openApp({ overrides: overridesOf(options), waitForDatabase: options.waitForDb })
  const [{ checkSchema }, { unreachableFailure }] = await Promise.all([
    import('../../daemon/schema-check.ts'),
    import('../describe-failure.ts'),
  ])
  await checkSchema(loaded.directory, { app, database })
  if (app.config.redis.enabled) {
    await app.kv.ping().catch((error: unknown) => {
      throw unreachableFailure('Redis could not be reached', error)
    })
  }
  const redis = app.config.redis.enabled ? 'reachable' : 'not configured'
  output.result('start/v1', { checked: true, database: database.dialect.name, redis }, [
    'Configuration  valid',
    `Database       ${database.dialect.name}, reachable, as the configuration needs it`,
    `Redis          ${redis}`,
  ])
  return exitCodes.done
}
