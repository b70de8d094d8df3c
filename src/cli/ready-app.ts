/** Opens the app for a command, with the tables that the command uses. Loads the whole server, so import it on demand. */
import { statSync } from 'node:fs'
import { createLog } from '../adapters/log.ts'
import { createMetrics } from '../adapters/metrics.ts'
import type { OpenApp, OpenOptions } from '../app.ts'
import { type App, extend } from '../core/app.ts'
import { enabledFeatures } from '../core/feature.ts'
import type { UserRow } from '../core/request.ts'
import { featureList } from '../features/index.ts'
import {
  findOrganization,
  findOrganizationBySlug,
  hasOrganizationKeys,
  type OrganizationRow,
} from '../features/organizations/index.ts'
import { findUserByEmail, findUserById } from '../features/users/index.ts'
import { checkSecret } from '../project/daemon-checks.ts'
import { databaseFile } from '../project/environment.ts'
import { Failure } from '../project/failure.ts'
import type { LoadedConfig } from '../project/load-config.ts'
import { openProjectApp, waitForDatabase } from '../project/open-app.ts'
import { checkSchema, declaredSchema } from '../project/schema-check.ts'
import type { Context, ReadyAppUse } from './command.ts'
import type { Output } from './output.ts'

/** @throws Failure UNREACHABLE, DATABASE_REFUSED (6), CONFIG_INVALID (8) */
export async function openCommandApp(
  loaded: LoadedConfig,
  { global, output, signal, waitForDatabase: seconds }: Context,
  more: Pick<OpenOptions, 'actor' | 'tablePrefix'>,
): Promise<OpenApp> {
  const level = global.debug ? 'debug' : 'warn'
  const log = await createLog({ level, destination: { write: output.writeLog }, pretty: !global.json, colour: false })
  const options = { log, ...more, metrics: createMetrics().metrics }
  return openProjectApp(loaded, options, ({ database }) => waitForDatabase(database, { seconds, signal, info: output.info }))
}

/**
 * The app on a database with the tables that the command uses. A reading command creates no embedded database: it gets an
 * empty one in memory.
 * @throws Failure MIGRATIONS_NOT_GENERATED, MIGRATIONS_PENDING, and those of `openCommandApp`
 */
export async function openReadyApp(
  { openApp, loadConfig, output }: Context,
  { mode, tables, tablePrefix }: ReadyAppUse,
): Promise<{ readonly app: App; readonly database: OpenApp['database']; readonly loaded: LoadedConfig }> {
  const isAbsent = mode === 'read' && isMissingFile((await loadConfig()).config.database.url ?? '')
  const inMemory = [{ path: 'database.url', value: 'sqlite::memory:', origin: 'reading command' }]
  const { app, database, loaded } = await openApp(isAbsent ? { overrides: inMemory } : { tablePrefix })
  const use = {
    mode: isAbsent ? 'write' : mode,
    ...(tables && { tables: mode === 'write' ? [...tables, 'auditEvent' as const] : tables }),
    warn: output.warn,
  } as const
  const config = await checkSchema(loaded, database, use)
  if (mode === 'write') await checkSecret({ app, database }, null)
  if (isAbsent) {
    const names = Object.keys(declaredSchema(loaded).tables).sort()
    output.info(`The database does not exist yet. A writing command or the daemon creates it with the tables ${names.join(', ')}`)
  }
  if (config === loaded.config) return { app, database, loaded }
  const features = enabledFeatures(featureList, config)
  return { app: extend(app, { config, features, memo: new Map<object, unknown>() }), database, loaded }
}

/** SQLite treats an empty file as a new database. */
function isMissingFile(url: string): boolean {
  const path = databaseFile(url)
  return path !== null && !statSync(path, { throwIfNoEntry: false })?.size
}

/** @param idOrEmail @throws Failure USER_NOT_FOUND */
export async function getUser(app: App, idOrEmail: string): Promise<UserRow> {
  const user = idOrEmail.includes('@') ? await findUserByEmail(app, idOrEmail) : await findUserById(app, idOrEmail)
  if (user) return user
  throw userNotFound(idOrEmail)
}

export const userNotFound = (idOrEmail: string): Failure =>
  new Failure('USER_NOT_FOUND', `There is no user ${idOrEmail}`, {
    hint: 'Search by name or email address: latchkey users list --search <text>',
  })

/** @throws Failure PASSWORDS_DISABLED */
export function requirePasswords({ config }: App): void {
  if (config.emailAndPassword.enabled) return
  throw new Failure('PASSWORDS_DISABLED', 'Password sign-in is disabled: emailAndPassword is off', {
    hint: 'Set emailAndPassword: { enabled: true } in the configuration.',
  })
}

/** @throws Failure ORGANIZATIONS_DISABLED */
export function requireOrganizations({ config }: App): void {
  if (config.organization.enabled) return
  throw new Failure('ORGANIZATIONS_DISABLED', 'Organizations are disabled: organization is off', {
    hint: 'Set organization: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}

/** @throws Failure API_KEYS_DISABLED */
export function requireApiKeys({ config }: Pick<App, 'config'>): void {
  if (config.apiKey.enabled) return
  throw new Failure('API_KEYS_DISABLED', 'API keys are disabled: apiKey is off', {
    hint: 'Set apiKey: true in the configuration. On MySQL, then run latchkey migrate generate and latchkey migrate up.',
  })
}

/** @throws Failure ORGANIZATION_KEYS_DISABLED */
export function requireOrganizationKeys({ config }: Pick<App, 'config'>): void {
  if (hasOrganizationKeys(config)) return
  throw new Failure('ORGANIZATION_KEYS_DISABLED', 'Organizations have no API keys: they own the keys of no set', {
    hint: "Add one to the configuration: apiKey: { configurations: [{ configId: 'team', references: 'organization' }] }",
  })
}

/** By id first: users choose slugs, so a slug could be the id of another organization. @throws Failure ORGANIZATION_NOT_FOUND */
export async function getOrganization(app: App, idOrSlug: string): Promise<OrganizationRow> {
  const found = (await findOrganization(app, idOrSlug)) ?? (await findOrganizationBySlug(app, idOrSlug))
  if (found) return found
  throw new Failure('ORGANIZATION_NOT_FOUND', `There is no organization ${idOrSlug}`, {
    hint: 'Search by name or slug: latchkey orgs list --search <text>',
  })
}

/** Through Redis a change invalidates session data in cookies immediately. Without it daemons accept the data until it expires. */
export async function warnIfCacheStale(app: App, output: Pick<Output, 'warn'>): Promise<void> {
  const { redis, session } = app.config
  if (!redis.enabled || !session.cookieCache.enabled) return
  const isConnected = await app.kv.ping().then(
    () => true,
    () => false,
  )
  if (isConnected) return
  output.warn(
    `Done, but Redis is unreachable from here: daemons may accept session data cached in cookies for up to ${session.cookieCache.maxAge} s`,
  )
}
