/** Password hashes: argon2id (RFC 9106) as PHC strings, on libuv's threads, behind a bounded queue. */
import { availableParallelism } from 'node:os'
import { ApiError, errors } from '../core/errors.ts'
import type { Hasher, Metrics } from '../core/ports.ts'
import { createBoundedQueue } from '../lib/bounded-queue.ts'

export interface HasherOptions {
  /** In KiB. */
  readonly memory: number
  readonly iterations: number
  readonly parallelism: number
  /** Hashes at once; the number of cores when left out. */
  readonly concurrency?: number | undefined
  /** Hashes that may wait. */
  readonly queue: number
}

export type HasherImplementation = '@node-rs/argon2' | 'argon2'

interface Engine {
  readonly implementation: HasherImplementation
  hash(password: Buffer): Promise<string>
  verify(stored: string, password: Buffer): Promise<boolean>
}

/** Callers have bounds of their own, far below; this one keeps a forgotten check from costing more than an error. */
const maximumBytes = 4096

/**
 * @param implementation the library to use; without it the quicker one that this machine can load
 * @throws Error when a library was named and does not load
 */
export async function createHasher(
  options: HasherOptions,
  metrics: Metrics,
  implementation?: HasherImplementation,
): Promise<Hasher> {
  const engine = await loadEngine(options, implementation)
  const run = createRunner(options, metrics)
  return {
    implementation: engine.implementation,
    hash: async (password) => {
      const bytes = toBytes(password)
      return run('hash', () => engine.hash(bytes))
    },
    verify: async (stored, password) => {
      const bytes = toBytes(password)
      return parse(stored) !== null && run('verify', () => engine.verify(stored, bytes))
    },
    needsRehash: (stored) => {
      const used = parse(stored)
      return used?.memory !== options.memory || used.iterations !== options.iterations || used.parallelism !== options.parallelism
    },
  }
}

/** Runs hashes within their bounds, and knows how long they take. */
function createRunner(options: HasherOptions, metrics: Metrics) {
  const concurrency = options.concurrency ?? availableParallelism()
  const queue = createBoundedQueue(concurrency, options.queue)
  let meanSeconds = 0.05

  return async function run<T>(operation: string, work: () => Promise<T>): Promise<T> {
    if (queue.isFull()) {
      metrics.count('hash_rejected')
      const seconds = Math.max(1, Math.ceil((queue.size() / concurrency) * meanSeconds))
      throw new ApiError(errors.SERVICE_UNAVAILABLE, { headers: { 'retry-after': String(seconds) } })
    }
    return queue.run(async () => {
      const started = performance.now()
      const result = await work()
      const seconds = (performance.now() - started) / 1000
      meanSeconds += (seconds - meanSeconds) / 16
      metrics.observe('hash_duration', seconds, { operation })
      return result
    })
  }
}

/** NFKC, so that a password typed on another keyboard is the same (SP 800-63B-4 §3.1.1.2, contract 00 §10). */
function toBytes(password: string): Buffer {
  if (Buffer.byteLength(password) > maximumBytes)
    throw new Error(`A password of more than ${maximumBytes} bytes reached the hasher`)
  return Buffer.from(password.normalize('NFKC'))
}

const phc = /^\$argon2id\$v=19\$([mtp]=\d{1,7}(?:,[mtp]=\d{1,7}){2})\$([A-Za-z0-9+/]{11,128})\$([A-Za-z0-9+/]{16,128})$/

/**
 * The parameters of a stored text, in any order, because some libraries write them otherwise than the standard says;
 * null for another format, and for costs that no configuration could have asked for.
 */
function parse(stored: string): Pick<HasherOptions, 'memory' | 'iterations' | 'parallelism'> | null {
  const [, parameters = '', salt = '', hash = ''] = phc.exec(stored) ?? []
  const values = new Map(parameters.split(',').map((parameter) => [parameter.charAt(0), Number(parameter.slice(2))]))
  const [memory = 0, iterations = 0, parallelism = 0] = [values.get('m'), values.get('t'), values.get('p')]
  const isPossible = iterations >= 1 && iterations <= 100 && parallelism >= 1 && parallelism <= 64
  const isAffordable = memory >= 8 * parallelism && memory <= 4_194_304
  return isPossible && isAffordable && isCanonical(salt) && isCanonical(hash) ? { memory, iterations, parallelism } : null
}

/** Base64 has several texts for the same bytes; the libraries disagree on which of them are errors. */
const isCanonical = (text: string): boolean => Buffer.from(text, 'base64').toString('base64').replaceAll('=', '') === text

async function loadEngine(options: HasherOptions, implementation?: HasherImplementation): Promise<Engine> {
  if (implementation === 'argon2') return loadArgon2(options)
  if (implementation === '@node-rs/argon2') return loadNodeRs(options)
  // An optional dependency: not every platform has a binary of it, and then `implementation` tells which one is used.
  return loadNodeRs(options).catch(() => loadArgon2(options))
}

async function loadNodeRs({ memory, iterations, parallelism }: HasherOptions): Promise<Engine> {
  const { hash, verify } = await import('@node-rs/argon2')
  const costs = { memoryCost: memory, timeCost: iterations, parallelism }
  return {
    implementation: '@node-rs/argon2',
    hash: (password) => hash(password, costs),
    verify: (stored, password) => verify(stored, password),
  }
}

async function loadArgon2({ memory, iterations, parallelism }: HasherOptions): Promise<Engine> {
  const { hash, verify } = await import('argon2')
  const costs = { memoryCost: memory, timeCost: iterations, parallelism }
  return {
    implementation: 'argon2',
    // It writes `m,p,t`; the order of the standard is `m,t,p`, and not everybody reads another.
    hash: async (password) => (await hash(password, costs)).replace(/,(p=\d+),(t=\d+)\$/, ',$2,$1$'),
    verify: (stored, password) => verify(stored, password),
  }
}
