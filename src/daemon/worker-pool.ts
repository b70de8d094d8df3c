/** The worker processes of one supervisor: start, messages, shutdown. */
import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import type { Readable } from 'node:stream'
import { respondToRateLimit } from '../adapters/rate-limit/local-rate-limit.ts'
import type { RateLimitStore } from '../core/ports.ts'
import { withDeadline } from '../lib/async.ts'
import { Failure } from '../project/failure.ts'
import type { ConnectionHandover } from './connection-handover.ts'
import {
  isToSupervisor,
  type ServingReport,
  type StartOrder,
  type ToSupervisor,
  type ToWorker,
  unpackFailure,
  type WorkerQuery,
} from './messages.ts'
import { createCompileCache, ownScript } from './state.ts'

export interface PoolWorker {
  readonly process: Worker
  readonly pid: number
  /** Incremented by each reload. */
  readonly generation: number
  readonly startedAt: Date
  /** `leaving`: it got a signal, and serves until another worker is ready. */
  state: 'starting' | 'serving' | 'leaving' | 'draining'
  /** Settled when it serves, or will not. */
  readonly started: PromiseWithResolvers<ServingReport>
  readonly ended: PromiseWithResolvers<void>
  /** Unanswered ones by id. */
  readonly queries: Map<number, PromiseWithResolvers<unknown>>
  lastQuery: number
}

export interface WorkerPool {
  readonly workers: Set<PoolWorker>
  /** Working directory of the workers. */
  readonly cwd: string
  /** Descriptors of standard output and standard error of the workers, or `pipe` to get both by `onOutput`. */
  readonly outputs: readonly [number, number] | 'pipe'
  readonly onOutput: (output: Readable) => void
  readonly rateLimits: RateLimitStore
  /** Gets the workers that can take connections. */
  readonly connections: ConnectionHandover
  /** A serving worker exited, or is about to exit, although the supervisor did not stop it. */
  readonly onLost: (worker: PoolWorker, reason: string) => void
  /** Reports the files of a configuration, including one that failed. */
  readonly onSources: (files: readonly string[]) => void
}

/** How long the supervisor waits after the timeout of a draining worker before it kills the worker. */
const drainGraceMs = 5000
const logHint = 'See the end of the log for the reason: `latchkey logs`.'

export const listWorkers = ({ workers }: WorkerPool, state?: PoolWorker['state']): PoolWorker[] =>
  [...workers].filter((worker) => state === undefined || worker.state === state)

/** @param timeoutMs null for none @throws Failure with the reason when the worker does not start */
export async function startWorker(pool: WorkerPool, order: StartOrder, generation: number, timeoutMs: number | null) {
  const worker = addWorker(pool, generation)
  send(worker, { type: 'start', order })
  const timer = timeoutMs === null ? undefined : setTimeout(() => onStartTimeout(worker, timeoutMs), timeoutMs)
  try {
    return { ...(await worker.started.promise), worker }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * @param idleTimeoutMs how long connections without a call stay open
 * @param timeoutMs after which open calls are aborted
 */
export function drainWorker(pool: WorkerPool, worker: PoolWorker, idleTimeoutMs: number, timeoutMs: number): void {
  worker.state = 'draining'
  pool.connections.removeWorker(worker.process)
  send(worker, { type: 'drain', idleTimeoutMs, timeoutMs })
  const timer = setTimeout(() => killWorker(worker), timeoutMs + drainGraceMs)
  worker.process.once('exit', () => clearTimeout(timer))
}

export const killWorker = (worker: PoolWorker) => void worker.process.process.kill('SIGKILL')

/** Resolves when no process is left. */
export async function allEnded({ workers }: WorkerPool): Promise<void> {
  for (const worker of workers) await worker.ended.promise
}

/** @throws Error when the worker does not respond in time, or has exited */
export async function queryWorker(worker: PoolWorker, query: WorkerQuery, timeoutMs: number): Promise<unknown> {
  worker.lastQuery += 1
  const id = worker.lastQuery
  const pending = Promise.withResolvers<unknown>()
  worker.queries.set(id, pending)
  try {
    send(worker, { type: 'query', id, query })
    return await withDeadline(pending.promise, timeoutMs, 'The worker did not respond in time')
  } finally {
    worker.queries.delete(id)
  }
}

function addWorker(pool: WorkerPool, generation: number): PoolWorker {
  const process = fork(pool)
  const worker: PoolWorker = {
    process,
    pid: process.process.pid ?? 0,
    generation,
    startedAt: new Date(),
    state: 'starting',
    started: Promise.withResolvers(),
    ended: Promise.withResolvers(),
    queries: new Map(),
    lastQuery: 0,
  }
  pool.workers.add(worker)
  for (const output of [process.process.stdout, process.process.stderr]) if (output) pool.onOutput(output)
  process.on('message', (message: unknown) => {
    if (isToSupervisor(message)) onMessage(pool, worker, message)
    else void respondToRateLimit(message, pool.rateLimits).then((response) => response && send(worker, response))
  })
  process.on('exit', (code: number | null, signal: string | null) =>
    onExit(pool, worker, signal ? `was killed by ${signal}` : `exited with code ${code}`),
  )
  process.on('error', (error) => {
    // A process that could not be created has no exit event.
    if (process.process.pid === undefined) onExit(pool, worker, `could not be created: ${error.message}`)
  })
  return worker
}

/** Skips a worker that has just ended; its `exit` event follows. */
function send({ process }: PoolWorker, message: ToWorker | object): void {
  if (process.isConnected()) process.send(message, undefined, undefined, () => {})
}

function onStartTimeout(worker: PoolWorker, timeoutMs: number): void {
  const message = `A worker was not ready within ${Math.round(timeoutMs / 1000)} seconds`
  worker.started.reject(new Failure('START_TIMEOUT', message, { hint: logHint }))
  killWorker(worker)
}

function onMessage(pool: WorkerPool, worker: PoolWorker, message: ToSupervisor): void {
  const { connections, onSources } = pool
  if (message.type === 'confirmed') connections.confirm(worker.process)
  else if (message.type === 'response') worker.queries.get(message.id)?.resolve(message.response)
  else if (message.type === 'draining') onSignal(pool, worker)
  else if (message.type === 'failed') {
    onSources(message.sources)
    worker.started.reject(unpackFailure(message.failure))
  } else {
    onSources(message.serving.sources)
    worker.state = 'serving'
    connections.addWorker(worker.process)
    for (const leaving of listWorkers(pool, 'leaving')) release(pool, leaving)
    worker.started.resolve(message.serving)
  }
}

/** The only worker serves until its replacement is ready, or until the next signal. */
function onSignal(pool: WorkerPool, worker: PoolWorker): void {
  const isLast = worker.state === 'serving' && listWorkers(pool, 'serving').length === 1
  if (isLast) {
    worker.state = 'leaving'
    pool.onLost(worker, 'received a signal')
  } else release(pool, worker)
}

function release(pool: WorkerPool, worker: PoolWorker): void {
  onLost(pool, worker, 'received a signal')
  send(worker, { type: 'leave' })
}

/** The supervisor did not stop this worker, so it must be replaced. */
function onLost(pool: WorkerPool, worker: PoolWorker, reason: string): void {
  const wasServing = worker.state === 'serving'
  worker.state = 'draining'
  pool.connections.removeWorker(worker.process)
  if (wasServing) pool.onLost(worker, reason)
}

function onExit(pool: WorkerPool, worker: PoolWorker, reason: string): void {
  pool.workers.delete(worker)
  for (const query of worker.queries.values()) query.reject(new Error('The worker has exited'))
  worker.started.reject(new Failure('WORKER_ENDED', `A worker ${reason} before it was ready`, { hint: logHint }))
  onLost(pool, worker, reason)
  pool.connections.onExit(worker.process)
  worker.ended.resolve()
}

/**
 * By default V8 uses hundreds of MiB before it collects garbage, because its young generation grows. A slower growth of the rest
 * would cost a tenth of each request. No hard limit: V8 ends a process that reaches it.
 */
const memoryFlags = ['--max-semi-space-size=8']

/** Without those that the operator has set. */
function ownFlags(given: readonly string[]): string[] {
  const options = [...given, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)].map((option) => option.replaceAll('_', '-'))
  const isSet = (flag: string) => options.some((option) => option.startsWith(flag.replace(/=.*/, '')))
  return ['--disable-warning=ExperimentalWarning', '--expose-gc', ...memoryFlags.filter((flag) => !isSet(flag))]
}

function fork({ cwd, outputs }: WorkerPool): Worker {
  const [out, error] = outputs === 'pipe' ? ['pipe', 'pipe'] : outputs
  const execArgv = [...process.execArgv, ...ownFlags(process.execArgv)]
  cluster.setupPrimary({ exec: ownScript('worker'), args: [], execArgv, cwd, stdio: ['ignore', out, error, 'ipc'] })
  // Password hashes fill one thread per core; file reads and DNS lookups must not wait behind them.
  const threads = process.env.UV_THREADPOOL_SIZE ?? String(availableParallelism() + 2)
  // By default glibc keeps freed memory in up to eight heaps per core; threads that hash passwords fill many of them.
  const heaps = process.env.MALLOC_ARENA_MAX ?? '2'
  return cluster.fork({ UV_THREADPOOL_SIZE: threads, MALLOC_ARENA_MAX: heaps, NODE_COMPILE_CACHE: createCompileCache(cwd) })
}
