/**
 * Password hashes: made as argon2id (RFC 9106) in PHC strings, verified in every format of lib/password-formats; on libuv's
 * threads, behind one bounded queue.
 */
import { availableParallelism } from 'node:os'
import { ApiError, errors } from '../core/errors.ts'
import type { CustomHash, Hasher, Metrics } from '../core/ports.ts'
import { createBoundedQueue } from '../lib/bounded-queue.ts'
import { type PasswordFormat, readPasswordFormat } from '../lib/password-formats.ts'
import { toForms } from '../lib/password-forms.ts'
import { withCustomHash } from './custom-hash.ts'
import { verifyBcrypt, verifyPbkdf2, verifyScrypt } from './password-schemes.ts'

export interface HasherOptions {
  /** In KiB. */
  readonly memory: number
  readonly iterations: number
  readonly parallelism: number
  /** Hashes at once; the number of cores when left out. */
  readonly concurrency?: number | undefined
  /** Hashes that may wait. */
  readonly queue: number
  /** In place of argon2id for what is hashed from now on. */
  readonly custom?: CustomHash | undefined
}

export type HasherImplementation = '@node-rs/argon2' | 'argon2'

interface Engine {
  readonly implementation: HasherImplementation
  hash(password: Buffer): Promise<string>
  verify(stored: string, password: Buffer): Promise<boolean>
}

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
  const builtIn = createBuiltIn(options, engine, run)
  return options.custom ? withCustomHash(builtIn, options.custom, run) : builtIn
}

function createBuiltIn(options: HasherOptions, engine: Engine, run: ReturnType<typeof createRunner>): Hasher {
  return {
    implementation: engine.implementation,
    hash: async (password) => {
      const [normalized] = toForms(password)
      return run('hash', () => engine.hash(Buffer.from(normalized)))
    },
    verify: async (stored, password) => {
      const forms = toForms(password)
      const format = readPasswordFormat(stored)
      if (!format || !isAffordable(format, options)) return false
      for (const form of forms) {
        if (await run('verify', () => verifyFormat(engine, stored, format, Buffer.from(form)))) return true
      }
      return false
    },
    needsRehash: (stored) => {
      const used = readPasswordFormat(stored)
      if (used?.scheme !== 'argon2' || used.variant !== 'argon2id' || used.version !== 19) return true
      return used.memory !== options.memory || used.iterations !== options.iterations || used.parallelism !== options.parallelism
    },
    decoy: async () => null,
  }
}

function verifyFormat(engine: Engine, stored: string, format: PasswordFormat, password: Buffer): Promise<boolean> {
  switch (format.scheme) {
    case 'argon2':
      return engine.verify(stored, password)
    case 'bcrypt':
      return verifyBcrypt(stored, password)
    case 'pbkdf2':
      return verifyPbkdf2(format, password)
    case 'scrypt':
      return verifyScrypt(format, password)
  }
}

/** KiB times passes: about two seconds. */
const highestForeignCost = 2_097_152

/** What the configuration itself asks for is never too much. */
const isAffordable = (format: PasswordFormat, { memory, iterations }: HasherOptions): boolean =>
  format.scheme !== 'argon2' || format.memory * format.iterations <= Math.max(highestForeignCost, memory * iterations)

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
