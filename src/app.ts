/** Opens what a configuration names and returns `app`: the only file that knows all adapters. */
import { openDatabase } from './adapters/database/open.ts'
import { createDeferred } from './adapters/deferred.ts'
import { createFetch } from './adapters/fetch.ts'
import { createHasher } from './adapters/hasher.ts'
import { createMemoryKeyValue } from './adapters/key-value/memory.ts'
import { createRedisKeyValue } from './adapters/key-value/redis.ts'
import { openMailer } from './adapters/mail/open.ts'
import { random } from './adapters/random.ts'
import { openRateLimits } from './adapters/rate-limit/open.ts'
import { openRedis } from './adapters/redis.ts'
import type { Actor, App } from './core/app.ts'
import { enabledFeatures, type Feature } from './core/feature.ts'
import type { Hasher, Logger, Mailer, Metrics, Random } from './core/ports.ts'
import { type Config, featureList } from './features/index.ts'
import { createKeyring } from './lib/keyring.ts'

export interface OpenOptions {
  readonly log: Logger
  readonly metrics: Metrics
  readonly actor: Actor
  /** In place of the real ones, for tests. */
  readonly now?: () => Date
  readonly random?: Random
  readonly features?: Readonly<Record<string, Feature>>
  readonly mailer?: Mailer
  readonly fetch?: typeof fetch
}

export interface OpenApp {
  readonly app: App
  readonly database: ReturnType<typeof openDatabase>
  /** Ends all connections; idempotent. */
  close(): Promise<void>
}

/**
 * Connections are made when they are first needed, so that this succeeds while a server is away.
 * @param config checked by `parseConfig`
 */
export async function openApp(config: Config, options: OpenOptions): Promise<OpenApp> {
  const { log, metrics, actor } = options
  const now = options.now ?? (() => new Date())
  const database = openDatabase(config.database)
  const deferred = createDeferred(log, metrics)
  const redis = config.redis.enabled ? openRedis(config.redis, log) : null
  const app: App = {
    config,
    db: database.db,
    database: database.errors,
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
    mailer: options.mailer ?? (await openMailer(config.mail)),
    fetch: options.fetch ?? createFetch(),
    defer: (work) => deferred.add(() => work(app)),
  }
  return {
    app,
    database,
    close: async () => {
      await deferred.settled()
      await app.mailer?.close()
      await app.rateLimits.close()
      await app.kv.close()
      await redis?.close()
      await database.close()
    },
  }
}

/** Two functions or none: half of a scheme would be no scheme, and is refused before. */
function openHasher({ passwordHash, emailAndPassword }: Config, metrics: Metrics): Promise<Hasher> {
  // Without the feature the section is not there.
  const { hash, verify } = emailAndPassword?.password ?? {}
  return createHasher({ ...passwordHash, custom: hash && verify && { hash, verify } }, metrics)
}
