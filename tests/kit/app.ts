/** The product with a clock, seeded randomness, cheap hashes and a captured log; on SQLite, or on the servers of the run. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { inject, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/adapters/database/open.ts'
import { type OpenApp, openApp } from '../../src/app.ts'
import { type App, extend } from '../../src/core/app.ts'
import { enabledFeatures, type Feature } from '../../src/core/feature.ts'
import type { Hasher, Logger, Metrics } from '../../src/core/ports.ts'
import { createInstallation } from '../../src/daemon/installation.ts'
import { type ConfigFile, featureList } from '../../src/features/index.ts'
import { openDashboard } from '../../src/http/dashboard.ts'
import { createServer } from '../../src/http/server.ts'
import { declareSchema, generate, push, type Schema, up } from '../../src/migrate/index.ts'
import { configParser } from '../../src/project/config/parse-config.ts'
import { rejectEmptyLists, reverseWithoutOrder } from './as-on-servers.ts'
import { type Browser, createBrowser } from './browser.ts'
import { type Clock, createClock } from './clock.ts'
import { createSeededRandom } from './random.ts'
import { freshKeyspace } from './servers/index.ts'
import { copySchema, returnDatabase, takeDatabase } from './servers/schema-copy.ts'
import { createSessionCheck } from './session-changes.ts'
import { contentWith } from './sqlite-copy.ts'

export interface TestApp {
  readonly app: App
  readonly clock: Clock
  /** Every line that was logged, as text. */
  readonly log: readonly string[]
  /** Names of counted metrics, one entry per count. */
  readonly counted: readonly string[]
  /** Errors that calls responded with and that their declaration does not list: `GET /path: CODE`. */
  readonly undeclared: ReadonlySet<string>
  /** Waits for what calls have left until after their responses. */
  settled(): Promise<void>
  /** Puts other functions in the place of those of the password hasher. */
  replaceHasher(functions: Partial<Hasher>): void
  /** A browser without cookies. */
  browser(): Browser
  /** A server of the operator, at the private listener of the same daemon. */
  privileged(): Browser
  /** One more daemon on the same database and Redis, by the same clock; with SQLite, on an empty database of its own. */
  another(config?: ConfigFile): Promise<Omit<TestApp, 'another'>>
}

/** Origin of the daemon in tests. */
export const baseURL = 'http://localhost:3000'

const inMemory = 'sqlite::memory:'

const defaults: ConfigFile = {
  secret: 'a secret of the tests, 0123456789 abcdefghij',
  environment: 'development',
  baseURL,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  // The least that the configuration allows: what is tested is not how slow a hash is.
  passwordHash: { memory: 8192, iterations: 1, queue: 1000 },
}

export interface TestOptions {
  readonly features?: Readonly<Record<string, Feature>>
  /** Serve the calls of the private listener, and no others. */
  readonly isPrivileged?: boolean
  /** Serve the hosted pages of this folder. Default: none. */
  readonly dashboard?: string
  /** What `latchkey dev` has created. */
  readonly development?: App['development']
  /** The folder of the project, with its migrations. Default: one that does not exist. */
  readonly directory?: string
  /** Sees the results of all queries, but not those of prepared statements. */
  readonly plugin?: KyselyPlugin
  /** Let calls respond with errors that their declaration does not list; else the test fails. */
  readonly allowsUndeclaredErrors?: boolean
  /** Gets what closes and checks the app, to be run in reverse order. Default: all of it runs when the test ends. */
  readonly atEnd?: (end: () => void | Promise<void>) => void
}

/** Opens a daemon's insides on an empty database; everything is closed and removed when the test ends. */
export async function testApp(config: ConfigFile = {}, options: TestOptions = {}): Promise<TestApp> {
  const { atEnd = onTestFinished } = options
  const storage = await openStorage(config)
  atEnd(storage.drop)
  const clock = createClock()
  let count = 0
  // Each draws its randomness from a sequence of its own: two of one sequence would make the same tokens.
  const open = (more: ConfigFile = {}, isFirst = false) =>
    openDaemon({ ...storage.config, ...config, ...more }, clock, `tests ${++count}`, { ...options, isFirst })
  return { ...(await open({}, true)), another: (more) => open(more) }
}

const parseConfig = configParser(featureList)

async function openDaemon(
  config: ConfigFile,
  clock: Clock,
  seed: string,
  {
    features = featureList,
    isPrivileged = false,
    allowsUndeclaredErrors = false,
    dashboard,
    development = null,
    directory = '/missing',
    plugin,
    atEnd = onTestFinished,
    isFirst,
  }: TestOptions & { readonly isFirst: boolean },
) {
  const parse = features === featureList ? parseConfig : configParser(features)
  const parsed = parse({ ...defaults, ...config })
  if ('issues' in parsed) throw new Error(JSON.stringify(parsed.issues))
  const { url } = parsed.config.database
  const schema = isFirst ? declareSchema(enabledFeatures(features, parsed.config)) : null
  const { logger, lines } = captureLog()
  const { metrics, counted } = captureMetrics()
  const opened = await openApp(parsed.config, {
    log: logger,
    metrics,
    actor: { kind: 'system' },
    now: clock.now,
    random: createSeededRandom(seed),
    features,
    databaseContent: schema && url === inMemory ? await contentWith(schema) : undefined,
  })
  atEnd(opened.close)
  if (schema && url !== inMemory) await createTables(opened, schema)
  if (opened.database.dialect.name === 'sqlite') await reverseWithoutOrder(opened.app.db)
  const hasher = { ...opened.app.hasher }
  const pages = dashboard === undefined ? null : await openDashboard(opened.app, dashboard)
  const loaded = { config: parsed.config, file: null, directory, written: config, origins: new Map() }
  const installation = createInstallation(loaded, opened, new Map())
  const checked = opened.app.db.withPlugin(rejectEmptyLists)
  const db = plugin ? checked.withPlugin(plugin) : checked
  const app: App = extend(opened.app, { db, hasher, dashboard: pages, development, installation })
  const undeclared = new Set<string>()
  const undeclaredSessions = new Set<string>()
  const serve = (isPrivileged: boolean) => {
    const onUndeclaredError = (routeKey: string, code: string) => void undeclared.add(`${routeKey}: ${code}`)
    const findUndeclaredSession = createSessionCheck(app, isPrivileged)
    let opened: ReturnType<typeof createServer> | undefined
    const send = async (url: string, init: RequestInit) => {
      // When it is first needed: few tests need both.
      opened ??= createServer(app, { reasons: async () => [] }, { isPrivileged, onUndeclaredError })
      const response = await opened.request(url, init)
      const sent = { method: init.method ?? 'GET', path: new URL(url).pathname, headers: new Headers(init.headers) }
      const key = findUndeclaredSession(sent, response)
      if (key !== null) undeclaredSessions.add(key)
      return response
    }
    return () => createBrowser(send, `${baseURL}/api/auth`)
  }
  atEnd(() => {
    if (undeclaredSessions.size > 0)
      throw new Error(
        `Gives its client another session, and does not declare it by signsIn: ${[...undeclaredSessions].join(', ')}`,
      )
    if (!allowsUndeclaredErrors && undeclared.size > 0)
      throw new Error(`Not in the route's errors or redirects: ${[...undeclared].join(', ')}`)
  })
  return {
    app,
    settled: opened.settled,
    replaceHasher: (functions: Partial<Hasher>) => void Object.assign(hasher, functions),
    clock,
    log: lines,
    counted,
    undeclared,
    browser: serve(isPrivileged),
    privileged: serve(true),
  }
}

interface Storage {
  readonly config: ConfigFile
  drop(): Promise<void>
}

async function openStorage(config: ConfigFile): Promise<Storage> {
  const isGiven = 'database' in config && 'redis' in config
  if (isGiven || inject('servers') === null) return { config: { database: { url: inMemory } }, drop: async () => {} }
  const database = await takeDatabase()
  const keyspace = await freshKeyspace()
  return {
    // Races send more calls than there are connections: on a busy machine the last one waits longer than a client should.
    config: { database: { url: database.url, connectTimeout: 25_000 }, redis: keyspace.redis },
    drop: async () => {
      await returnDatabase(database)
      await keyspace.drop()
    },
  }
}

/** As an installation would: pushed on SQLite, by generated files elsewhere, or as a copy of what those have made. */
async function createTables({ database, app }: OpenApp, schema: Schema): Promise<void> {
  const url = app.config.database.url ?? ''
  if (database.dialect.name === 'sqlite') {
    await push({ db: database.db, dialect: database.dialect, schema })
    return
  }
  await copySchema(url, JSON.stringify(schema), async (template) => {
    const opened = openDatabase({ url: template, poolSize: 5, connectTimeout: 10_000, queryTimeout: 60_000 })
    const dir = await mkdtemp(join(tmpdir(), 'latchkey-migrations-'))
    await generate({ schema, dir, name: 'initial', acknowledge: [] })
    await up({ db: opened.db, dialect: opened.dialect, dir, holder: 'tests' })
    await rm(dir, { recursive: true })
    await opened.close()
  })
}

function captureLog(): { logger: Logger; lines: string[] } {
  const lines: string[] = []
  const write = (level: string, bound: object) => (fields: object, message: string) => {
    lines.push(
      JSON.stringify({ level, ...bound, ...fields, message }, (_, value) =>
        value instanceof Error ? String(value.stack) : value,
      ),
    )
  }
  const logger = (bound: object): Logger => ({
    debug: write('debug', bound),
    info: write('info', bound),
    warn: write('warn', bound),
    error: write('error', bound),
    child: (fields) => logger({ ...bound, ...fields }),
  })
  return { logger: logger({}), lines }
}

function captureMetrics(): { metrics: Metrics; counted: string[] } {
  const counted: string[] = []
  return { metrics: { count: (name) => counted.push(name), observe: () => {} }, counted }
}
