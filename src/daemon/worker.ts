/** A process that serves calls. It is told what to do by the supervisor, and drains and ends when it loses him. */
import cluster from 'node:cluster'
import { flushCompileCache } from 'node:module'
import { Socket } from 'node:net'
import { toFailure } from '../cli/describe-failure.ts'
import { CliFailure } from '../cli/failure.ts'
import { apiURL } from '../core/base-url.ts'
import { version } from '../core/version.ts'
import type { Config } from '../features/index.ts'
import { databasePath, seedDevelopmentAdmin } from './development.ts'
import { packFailure } from './failures.ts'
import { createHealth } from './health.ts'
import { type Jobs, startJobs } from './jobs.ts'
import { openDaemonLog } from './log.ts'
import {
  type Address,
  type CountersQuestion,
  type CountersReport,
  type DevelopmentAccess,
  isToWorker,
  type Order,
  type Question,
  type Serving,
  type ToSupervisor,
  type ToWorker,
} from './messages.ts'
import { type Prepared, prepare } from './prepare.ts'
import { createPublicServer, type PublicServer } from './serve.ts'
import { recordSources } from './sources.ts'

/** Milliseconds that database and Redis have to say good-bye. */
const farewell = 2000

interface Live extends Prepared {
  readonly server: PublicServer
  readonly health: ReturnType<typeof createHealth>
  readonly jobs: Jobs
}

let live: Live | null = null
let isDraining = false
const left = Promise.withResolvers<void>()

function send(message: ToSupervisor): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  // Without a callback a channel that has just closed would be an error event; `disconnect` tells the same.
  if (process.send) process.send(message, undefined, undefined, () => resolve())
  else resolve()
  return promise
}

async function begin(order: Order): Promise<void> {
  const sources = order.isDevelopment ? recordSources() : new Set<string>()
  try {
    const prepared = await prepare(order)
    const { opened, loaded } = prepared
    const development = order.isDevelopment ? await describeDevelopment(order, prepared) : null
    const health = createHealth({ opened, findMigrations: prepared.findMigrations, isDraining: () => isDraining })
    const server = createPublicServer(opened.app, { reasons: async () => (await health()).reasons })
    live = { ...prepared, server, health, jobs: startJobs(opened.app, opened.database.dialect.clock) }
    guard(live)
    const address = addressOf(order, prepared)
    // Reading and compiling everything leaves more behind than the worker needs, and an idle one would keep it for ever. The
    // plain collection would leave the emptied memory with the process.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    await send({ type: 'ready', serving: describe(loaded.config, { address, sources, development }) })
    // Node writes it at the end only, and not at every kind of end.
    flushCompileCache()
  } catch (error) {
    const failure = await toFailure(error, null)
    // The message alone would not tell where to look.
    if (failure.code === 'UNEXPECTED') (await openDaemonLog('error', 1)).error({ err: error }, 'A worker does not start')
    await send({ type: 'failed', failure: packFailure(failure), sources: [...sources] })
    process.exit(1)
  }
}

/** @throws CliFailure ADDRESS_CHANGED */
function addressOf({ address, purpose }: Order, { loaded, wantedPort, log }: Prepared): Address {
  const { host, port } = loaded.config.server
  if (!address) return { host, port, configuredHost: host, configuredPort: wantedPort }
  if (address.configuredHost === host && address.configuredPort === wantedPort) return address
  if (purpose === 'replace') {
    log.warn({ host, port: wantedPort }, 'The configuration names another address; it counts from the next restart on')
    return address
  }
  throw new CliFailure(
    'ADDRESS_CHANGED',
    `The address changed from ${address.configuredHost}:${address.configuredPort} to ${host}:${wantedPort}`,
    {
      hint: 'A new address needs `latchkey restart`.',
    },
  )
}

async function describeDevelopment(order: Order, { loaded, opened, wantedPort }: Prepared): Promise<DevelopmentAccess> {
  const actual = order.address?.port ?? loaded.config.server.port
  return {
    admin: await seedDevelopmentAdmin(opened, loaded.directory),
    database: databasePath(loaded.directory),
    takenPort: actual === wantedPort || wantedPort === 0 ? null : wantedPort,
  }
}

function describe(
  config: Config,
  more: { address: Address; sources: ReadonlySet<string>; development: DevelopmentAccess | null },
): Serving {
  const url = apiURL(config)
  return {
    version,
    address: more.address,
    workers: config.server.workers,
    drainTimeout: config.server.drainTimeout,
    logLevel: config.log.level,
    privateListener: config.server.private,
    url,
    referenceUrl: config.openAPI.enabled ? `${url}/reference` : null,
    mailboxUrl: config.mail.enabled && config.mail.catch ? `${url}/mailbox` : null,
    sources: [...more.sources],
    development: more.development,
  }
}

/** An unforeseen error leaves things in an unknown state; the supervisor starts another worker. */
function guard({ log }: Live): void {
  const end = (kind: string) => (error: unknown) => {
    log.error({ err: error }, kind)
    process.exit(1)
  }
  process.on('uncaughtException', end('An error reached nobody'))
  process.on('unhandledRejection', end('A promise was rejected and nobody listened'))
}

/** Times in milliseconds. */
async function drain(idleGrace: number, deadline: number): Promise<void> {
  if (!live) process.exit(0)
  if (isDraining) return
  isDraining = true
  const { server, jobs, opened } = live
  server.startDraining()
  await Promise.all([server.drained(idleGrace, deadline), jobs.stop(deadline)])
  const timer = setTimeout(() => process.exit(0), farewell)
  await opened.close()
  clearTimeout(timer)
  process.exit(0)
}

/** Nobody asked for it: the supervisor must learn that connections go elsewhere, and his answer comes after the last one. */
async function drainByItself(): Promise<void> {
  if (process.connected) {
    await send({ type: 'draining' })
    await left.promise
  }
  const deadline = (live?.loaded.config.server.drainTimeout ?? 0) * 1000
  await drain(Math.min(1000, deadline), deadline)
}

function accept(socket: unknown): void {
  // A client that went away meanwhile leaves nothing to be handed over.
  if (socket instanceof Socket) live?.server.accept(socket)
  void send({ type: 'confirmed' })
}

async function answer(about: Question, current: Live): Promise<unknown> {
  if (about === 'metrics') return current.registry.getMetricsAsJSON()
  if (about !== 'health') return countersOf(current, about)
  return { ...(await current.health()), requests: current.server.requests() }
}

/** @returns null when they cannot be read, which the log tells more of */
async function countersOf({ opened, log }: Live, { keys, removes }: CountersQuestion): Promise<CountersReport | null> {
  const { rateLimits } = opened.app
  try {
    const counts = await rateLimits.find(keys)
    return { counts, removed: removes ? await rateLimits.delete(keys) : 0 }
  } catch (error) {
    log.warn({ err: error }, 'The counters of the rate limits cannot be read')
    return null
  }
}

async function obey(message: Exclude<ToWorker, { type: 'connection' }>): Promise<void> {
  if (message.type === 'begin') return begin(message.order)
  if (message.type === 'drain') return drain(message.idleGrace, message.deadline)
  if (message.type === 'leave') return left.resolve()
  if (live) await send({ type: 'answer', id: message.id, answer: await answer(message.about, live) })
}

process.title = 'latchkey worker'
process.on('message', (message, handle) => {
  if (!isToWorker(message)) return
  if (message.type === 'connection') accept(handle)
  else void obey(message)
})
// A terminal sends Ctrl-C and its own end to everybody; what they mean is for the supervisor to say.
process.on('SIGINT', () => {})
process.on('SIGHUP', () => {})
// Service managers send this to everybody at once, and then the worker may begin by itself.
process.on('SIGTERM', () => void drainByItself())
cluster.worker?.on('disconnect', () => {
  // Otherwise Node ends this process at once, and with it the calls under way.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  left.resolve()
  void drainByItself()
})
