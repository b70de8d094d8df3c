/** All checks of `latchkey doctor`, in an order in which the first one that fails explains those after it. */
import { existsSync } from 'node:fs'
import { openDatabase } from '../../adapters/database/open.ts'
import { createLog } from '../../adapters/log.ts'
import { maskSecrets } from '../../lib/mask-secrets.ts'
import type { DoctorContext } from '../commands/doctor.ts'
import { toFailure } from '../describe-failure.ts'
import { findConfigFile, projectDirectory } from '../find-config.ts'
import type { LoadedConfig } from '../load-config.ts'
import { waitForDatabase } from '../open-app.ts'
import { checkEnvironment, checkSecret } from './configuration.ts'
import { checkDatabase } from './database.ts'
import { type Finding, failed, ok, skipped } from './finding.ts'
import { checkHasher, checkModes, checkNode } from './machine.ts'
import { checkMail } from './mail.ts'
import { checkMigrations } from './migrations.ts'
import { checkRedis } from './redis.ts'
import { checkBaseURL, checkCookies, checkProxies } from './web.ts'

/** @param wait seconds for a database that does not answer yet */
export async function* examine(context: DoctorContext, wait: number): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node)
  const file = findConfigFile(context.cwd, context.global.config)
  yield* checkModes(file === null ? context.cwd : projectDirectory(file))
  const loaded = await load(context)
  if ('status' in loaded) return yield loaded
  const { config } = loaded
  yield ok('config', 'Configuration', loaded.file ?? 'built in')
  yield checkEnvironment(config)
  yield checkSecret(config)
  yield checkBaseURL(config)
  yield* checkCookies(config)
  yield checkProxies(config)
  yield* examineDatabase(loaded, context, wait)
  yield* await checkRedis(config, await createLog({ level: 'error', destination: 2, pretty: true }))
  yield* await checkMail(config)
  yield await checkHasher(config)
}

async function load({ loadConfig }: DoctorContext): Promise<LoadedConfig | Finding> {
  try {
    return await loadConfig()
  } catch (error) {
    const { message, details, hint } = await toFailure(error, null)
    const faults = details.map((detail) => `${detail.path}: ${detail.message}`)
    return failed(
      'config',
      'Configuration',
      [message, ...faults].join('; '),
      hint ?? details[0]?.hint ?? 'Type `latchkey config check`.',
    )
  }
}

async function* examineDatabase(loaded: LoadedConfig, { signal, output }: DoctorContext, wait: number): AsyncGenerator<Finding> {
  const url = loaded.config.database.url ?? ''
  // To open it would make it.
  if (url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length)))
    return yield skipped('database', 'Database', 'Embedded, and made when it is first used')
  let database: ReturnType<typeof openDatabase>
  try {
    database = openDatabase(loaded.config.database)
  } catch (error) {
    const reason = error instanceof Error ? maskSecrets(error.message) : 'unknown reason'
    return yield failed(
      'database',
      'Database',
      `Cannot be opened: ${reason}`,
      'Check database.url: `latchkey config show --origin`.',
    )
  }
  try {
    if (wait > 0) await waitForDatabase(database, wait, { signal, output }).catch(() => {})
    const findings = await checkDatabase(database, Date.now)
    yield* findings
    if (findings[0]?.status !== 'failed') yield* await checkMigrations(loaded, database)
  } finally {
    await database.close()
  }
}
