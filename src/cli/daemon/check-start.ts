/** What `start --check` checks, and `restart` before it stops a daemon that cannot start its successor. */
import type { SupervisorOptions } from '../../daemon/daemon.ts'
import type { DaemonState } from '../../daemon/state.ts'
import { unreachableFailure } from '../../project/failure.ts'
import type { Context } from '../command.ts'

/** @param running the daemon whose port the new one will take; null: none @throws Failure, MigrationError */
export async function checkStart(
  { openApp }: Pick<Context, 'openApp'>,
  { overrides, acknowledge }: Pick<SupervisorOptions, 'overrides' | 'acknowledge'>,
  running: DaemonState | null,
): Promise<{ readonly database: string; readonly redis: string }> {
  const opened = await openApp({ overrides })
  const { app, database, loaded } = opened
  const { checkSchema } = await import('../../project/schema-check.ts')
  const { checkBans, checkPasskeyDomain, checkPasskeyOrigins, checkSecret } = await import('../../project/daemon-checks.ts')
  const { settlePrefix } = await import('../../features/move/index.ts')
  const { requireSupported } = await import('../../project/open-app.ts')
  await requireSupported(database)
  const { checkRights, checkTables } = await import('../../project/start-check.ts')
  await settlePrefix(app)
  // Until the switch of a move in the same database, its tables have other names.
  if (!app.tablePrefix?.value) await checkTables(loaded, database)
  await checkSchema(loaded, database, { mode: 'serve' })
  await checkRights(loaded, database)
  await checkSecret(opened, null, acknowledge)
  await checkBans(opened, acknowledge)
  await checkRules(opened)
  await checkPasskeyDomain(opened, acknowledge)
  await checkPasskeyOrigins(opened, acknowledge)
  if (app.config.redis.enabled) {
    await app.kv.ping().catch((error: unknown) => {
      throw unreachableFailure(
        'Cannot connect to Redis',
        error,
        'Check that Redis is running, and its address and password: `latchkey config show --origin`.',
      )
    })
  }
  const { host, port } = app.config.server
  if (running && (running.host !== host || running.port !== port)) {
    const { checkPort } = await import('../../daemon/listen.ts')
    await checkPort(host, port)
  }
  return { database: database.dialect.name, redis: app.config.redis.enabled ? 'reachable' : 'not configured' }
}

/** @throws Failure ADMINISTRATORS_LOCKED_OUT (5) */
async function checkRules({ app, database }: Awaited<ReturnType<Context['openApp']>>): Promise<void> {
  const { findLockingRule } = await import('../../features/second-factor-rules/index.ts')
  const { exitCodes, Failure } = await import('../../project/failure.ts')
  const rule = await findLockingRule(database, app.config)
  if (rule === null) return
  throw new Failure('ADMINISTRATORS_LOCKED_OUT', `The rule ${rule} demands a second factor now, and no administrator has one`, {
    exitCode: exitCodes.refused,
    hint: 'Let an administrator set one up first, or give the rule graceDays.',
  })
}
