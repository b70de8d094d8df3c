/** All checks of `latchkey doctor`, ordered so that the first failure explains later ones. */
import { existsSync } from 'node:fs'
import { openDatabase } from '../../adapters/database/open.ts'
import { createLog } from '../../adapters/log.ts'
import { configuredHosts, createFetch } from '../../adapters/outbound-fetch.ts'
import { apiURL } from '../../core/route.ts'
import { errorReason } from '../../lib/redact.ts'
import { toFailure } from '../../project/failure.ts'
import { findConfigFile, type LoadedConfig, projectDirectory } from '../../project/load-config.ts'
import { waitForDatabase } from '../../project/open-app.ts'
import { declaredSchema } from '../../project/schema-check.ts'
import type { Context } from '../command.ts'
import { findRunning } from '../daemon/control-commands.ts'
import { type Output, stackOf } from '../output.ts'
import { checkAdministrators } from './check-administrators.ts'
import {
  checkAuditRetention,
  checkBaseURL,
  checkCookiePrefix,
  checkCookies,
  checkEnvironment,
  checkOrganizations,
  checkOwnServers,
  checkProtections,
  checkProxies,
  checkRecentSignIn,
  checkSecret,
  checkSigningKeys,
  checkVerification,
} from './check-configuration.ts'
import { checkDaemons } from './check-daemons.ts'
import { checkDatabase } from './check-database.ts'
import { checkEmailSignIn } from './check-email-sign-in.ts'
import { checkMigrations } from './check-migrations.ts'
import { checkTimeServer, type TimeServer } from './check-ntp.ts'
import { checkPasskeys, checkStoredPasskeys } from './check-passkeys.ts'
import { checkProviders } from './check-providers.ts'
import { checkHasher, checkMail, checkModes, checkNode, checkRedis } from './check-resources.ts'
import { checkRunning } from './check-running.ts'
import { checkAdministratorFactors, checkSecondFactor } from './check-second-factor.ts'
import { checkSecurityTxt } from './check-security-txt.ts'
import { checkTables } from './check-tables.ts'
import { checkTerms } from './check-terms.ts'
import { checkWork } from './check-work.ts'
import { check, type Finding } from './finding.ts'

/** Shorter than in the daemon: an operator waits for it. */
const discoveryTimeoutMs = 5000

/** @param timeServer to compare the clock with; null: none, and no server is asked for the time */
export async function* examine(context: Context, timeServer: TimeServer | null): AsyncGenerator<Finding> {
  yield checkNode(process.versions.node)
  const file = findConfigFile(context.cwd, context.global.config)
  yield* checkModes(file === null ? context.cwd : projectDirectory(file))
  const loaded = await load(context)
  if ('status' in loaded) return yield loaded
  const { config } = loaded
  yield check('config', 'Configuration').ok(loaded.file ?? 'built in')
  yield checkEnvironment(config)
  yield checkSecret(config)
  const { state } = await findRunning(context)
  yield checkRunning(state, new URL(apiURL(config)).href)
  yield checkBaseURL(config, state)
  yield* checkCookies(config)
  yield checkCookiePrefix(config)
  yield checkRecentSignIn(config)
  yield checkProxies(config)
  yield* checkProtections(config)
  yield checkVerification(config)
  yield* checkOrganizations(config)
  yield* checkSecondFactor(config)
  yield* checkEmailSignIn(config)
  yield checkOwnServers(config)
  yield checkAuditRetention(config)
  yield* checkSigningKeys(config, new Date())
  yield* checkSecurityTxt(config, new Date())
  yield* examineDatabase(loaded, context)
  if (timeServer) yield await checkTimeServer(timeServer, config, Date.now)
  yield* await checkRedis(config, await createLog({ level: 'error', destination: 2, pretty: true }))
  yield await checkMail(config)
  const fetch = createFetch({ timeoutMs: discoveryTimeoutMs, allowedHosts: configuredHosts(config) })
  yield* await checkProviders(config, { fetch, now: Date.now })
  yield* await checkPasskeys(config, fetch)
  await fetch.close()
  yield await checkHasher(config)
}

async function load({ loadConfig }: Context): Promise<LoadedConfig | Finding> {
  try {
    return await loadConfig()
  } catch (error) {
    const { message, details, hint } = await toFailure(error, null)
    const issues = details.map((detail) => `${detail.path}: ${detail.message}`)
    const fix = hint ?? details[0]?.hint ?? 'Run `latchkey config check`.'
    return check('config', 'Configuration').failed([message, ...issues].join('; '), fix)
  }
}

/** A check that fails on its way is a finding too, and the checks after it are made. */
async function attemptCheck(
  { failed }: ReturnType<typeof check>,
  { output, isUnreachable }: { readonly output: Output; readonly isUnreachable: (error: unknown) => boolean },
  make: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await make()
  } catch (error) {
    const failure = await toFailure(error, isUnreachable)
    if (output.debug) output.error(stackOf(failure))
    return [failed(failure.message, failure.hint ?? 'Run `latchkey doctor` again.')]
  }
}

async function* examineDatabase(
  loaded: LoadedConfig,
  { signal, output, waitForDatabase: seconds }: Context,
): AsyncGenerator<Finding> {
  const { skipped, failed } = check('database', 'Database')
  const url = loaded.config.database.url ?? ''
  // Opening the file would create it.
  if (url.startsWith('sqlite:') && !existsSync(url.slice('sqlite:'.length)))
    return yield skipped('Embedded; created on first use')
  let database: ReturnType<typeof openDatabase>
  try {
    database = openDatabase(loaded.config.database)
  } catch (error) {
    return yield failed(`Cannot open it: ${errorReason(error)}`, 'Check database.url: `latchkey config show --origin`.')
  }
  try {
    if (seconds > 0) await waitForDatabase(database, { seconds, signal, info: output.info }).catch(() => {})
    const findings = await checkDatabase(database, loaded.config, Date.now)
    yield* findings
    if (findings[0]?.status === 'failed') return
    const attempt = (id: string, title: string, make: () => Promise<readonly Finding[]>) =>
      attemptCheck(check(id, title), { output, isUnreachable: database.errors.isUnreachable }, make)
    if (database.dialect.keepsMigrationFiles) {
      const names = Object.keys(declaredSchema(loaded).tables)
      yield* await attempt('database-size', 'Size', () => checkTables(database.db, names))
    }
    yield* await attempt('daemons', 'Daemons', () => checkDaemons(database, loaded.config))
    const migrations = await attempt('migrations', 'Migrations', () => checkMigrations(loaded, database))
    yield* migrations
    if (migrations.some(({ status }) => status === 'failed')) return
    yield* await attempt('administrators', 'Administrators', () => checkAdministrators(database, loaded.config))
    yield* await attempt('passkey-domains', 'Domains of stored passkeys', () => checkStoredPasskeys(database, loaded.config))
    const factors = () => checkAdministratorFactors(database, loaded.config)
    yield* await attempt('administrator-factors', 'Second factors of administrators', factors)
    yield* await attempt('terms', 'Accepted terms', () => checkTerms(database, loaded.config))
    yield* await attempt('jobs', 'Jobs', () => checkWork(loaded))
  } finally {
    await database.close()
  }
}
