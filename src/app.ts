/** Opens the adapters that a configuration names, and returns `app`. Only this file knows all adapters. */
import { openDatabase } from './adapters/database/open.ts'
import { watchDatabase } from './adapters/database/outage.ts'
import { createHasher } from './adapters/hasher.ts'
import { createMemoryKeyValue, createRedisKeyValue } from './adapters/key-value.ts'
import { openMailer } from './adapters/mail.ts'
import { configuredHosts, createFetch } from './adapters/outbound-fetch.ts'
import { createPictureResizer } from './adapters/picture-resizer.ts'
import { openRateLimits } from './adapters/rate-limit/rate-limits.ts'
import { openRedis, type RedisConnection } from './adapters/redis-connection.ts'
import { createBackgroundTasks, random } from './adapters/system.ts'
import { type Actor, type App, reportFailure } from './core/app.ts'
import { outsideDatabaseTime } from './core/database-time.ts'
import { enabledFeatures, type Feature } from './core/feature.ts'
import type { Hasher, Logger, Mailer, Metrics, Random } from './core/ports.ts'
import { noPreferences } from './core/preferences.ts'
import type { TablePrefix } from './core/table-prefix.ts'
import { loadTexts } from './core/text-files.ts'
import { type Config, featureList } from './features/index.ts'
import { createKeyring } from './lib/keyring.ts'

export interface OpenOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly actor: Actor
  /** Replaces real adapters, for tests. */
  readonly now?: () => Date
  readonly random?: Random
  readonly features?: Readonly<Record<string, Feature>>
  readonly mailer?: Mailer
  readonly fetch?: typeof fetch
  readonly databaseContent?: Uint8Array | undefined
  /** Default: one without effect for a daemon that waits for a move, none for all others. */
  readonly tablePrefix?: TablePrefix | undefined
}

export interface OpenApp {
  readonly app: App
  readonly database: ReturnType<typeof openDatabase>
  /** Null without Redis. */
  readonly redis: RedisConnection | null
  /** Waits for what calls have left until after their responses. */
  settled(): Promise<void>
  /** Lets features write what is in memory, then ends all connections; idempotent. */
  close(): Promise<void>
}

/** Members that only the daemon or a transaction replaces. */
const replacedLater = { dashboard: null, development: null, installation: null, commitQueue: null, credentialHold: null }

/**
 * Connections are opened when they are first needed, so that this succeeds while a server is unavailable.
 * @param config checked by `parseConfig`
 */
export async function openApp(config: Config, options: OpenOptions): Promise<OpenApp> {
  const { log, metrics, actor, now = () => new Date() } = options
  const { database, tablePrefix } = openAppDatabase(config, options)
  const outage = watchDatabase({ database, log, metrics })
  const background = createBackgroundTasks((error) => reportFailure(app, error, 'A background task'))
  const [redis, outbound] = [config.redis.enabled ? openRedis(config.redis, log) : null, openOutbound(config)]
  const app: App = {
    config,
    db: database.db,
    database: database.errors,
    ...{ tablePrefix, databaseFailed: outage.failed },
    features: enabledFeatures(options.features ?? featureList, config),
    kv: redis ? createRedisKeyValue({ redis, keyPrefix: config.redis.keyPrefix }) : createMemoryKeyValue({ now }),
    rateLimits: openRateLimits({ config, db: database.db, database: database.errors, redis, log, metrics, now }),
    hasher: await openHasher(config, metrics),
    keyring: createKeyring([config.secret ?? []].flat()),
    now,
    random: options.random ?? random,
    log,
    metrics,
    actor,
    preferences: () => noPreferences,
    mailer: options.mailer ?? (await openMailer(config.mail)),
    ...outbound.calls(options.fetch),
    resizePicture: createPictureResizer(log),
    defer: (work) => outsideDatabaseTime(() => background.add(() => work(app))),
    memo: new Map(),
    ...replacedLater,
  }
  await loadTexts(app)
  return {
    ...{ app, database, redis, settled: background.settled },
    close: async () => {
      await Promise.all([background.settled(), ...app.features.map(({ close }) => close?.(app))])
      await Promise.all([app.mailer?.close(), app.rateLimits.close(), outbound.close()])
      await Promise.all([redis?.close(), outage.close()])
      await database.close()
    },
  }
}

/** Requests to hosts of the configuration may go to private addresses; those to addresses that users have named may not. */
function openOutbound(config: Config) {
  const [any, isPublic] = [createFetch({ allowedHosts: configuredHosts(config) }), createFetch()]
  return {
    /** @param given in place of both */
    calls: (given: App['fetch'] | undefined) => ({ fetch: given ?? any, fetchPublic: given ?? isPublic }),
    close: () => Promise.all([any.close(), isPublic.close()]),
  }
}

function ownsTable(features: readonly Feature[]): (table: string) => boolean {
  const tables = new Set(features.flatMap((feature) => Object.keys(feature.tables ?? {})))
  return (table) => tables.has(table) || table.startsWith('latchkey_')
}

function openAppDatabase(
  { database, move }: Config,
  { log, metrics, databaseContent: content, features = featureList, tablePrefix: given }: OpenOptions,
) {
  const tablePrefix: TablePrefix | null = given ?? (move?.wait ? { value: '' } : null)
  const prefixed = tablePrefix ? { prefix: tablePrefix, isOwn: ownsTable(Object.values<Feature>(features)) } : undefined
  const onWait = (seconds: number) => metrics.observe('database_wait', seconds)
  return { tablePrefix, database: openDatabase({ ...database, content, prefixed, onWait }, log) }
}

/** The configuration check rejects one custom function without the other. */
function openHasher({ passwordHash, emailAndPassword, move }: Config, metrics: Metrics): Promise<Hasher> {
  // Without its feature the section does not exist.
  const { hash, verify } = emailAndPassword?.password ?? {}
  const form = move?.trial ? 'better-auth' : 'argon2id'
  return createHasher({ ...passwordHash, form, custom: hash && verify && { hash, verify } }, metrics)
}
