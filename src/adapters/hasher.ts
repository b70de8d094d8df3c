/**
 * Password hashes: made as argon2id (RFC 9106) in PHC strings, verified in every format of lib/password-formats. All work runs on
 * libuv's threads, behind one bounded queue.
 */
import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { ApiError, errors } from '../core/errors.ts'
import type { CustomHash, Hasher, Metrics } from '../core/ports.ts'
import type { Config } from '../features/index.ts'
import { createBoundedQueue } from '../lib/async.ts'
import { type PasswordFormat, readPasswordFormat, referenceScrypt, toForms, writeWrapped } from '../lib/password-formats.ts'
import { type HashSecrets, verifyFormat } from './hash-verification.ts'

type Costs = Pick<Config['passwordHash'], 'memory' | 'iterations' | 'parallelism'>

/** The section `passwordHash` of the configuration. Default of `concurrency`: the number of cores. */
export interface HasherOptions extends Costs, HashSecrets, Partial<Pick<Config['passwordHash'], 'concurrency'>> {
  readonly queue: number
  /** The form of new hashes: `better-auth` while a move can be undone. Default: argon2id. */
  readonly form?: 'argon2id' | 'better-auth'
  /** Replaces argon2id for new hashes. */
  readonly custom?: CustomHash | undefined
}

export type HasherImplementation = '@node-rs/argon2' | 'argon2'

type Engine = Awaited<ReturnType<typeof loadEngine>>

/**
 * @param implementation default: the faster library that loads on this machine
 * @throws Error when the given library does not load
 */
export async function createHasher(
  options: HasherOptions,
  metrics: Metrics,
  implementation?: HasherImplementation,
): Promise<Hasher> {
  // The faster one is an optional dependency, because not every platform has a binary of it.
  const engine = implementation
    ? await loadEngine(options, implementation)
    : await loadEngine(options, '@node-rs/argon2').catch(() => loadEngine(options, 'argon2'))
  const run = createRunner(options, metrics)
  const builtIn = createBuiltIn(options, engine, run)
  return options.custom ? withCustomHash(builtIn, options.custom, run) : builtIn
}

function createBuiltIn(options: HasherOptions, engine: Engine, run: Run): Hasher {
  return {
    implementation: engine.implementation,
    hash: async (password) => {
      const [normalized] = toForms(password)
      if (options.form === 'better-auth') return run('hash', () => referenceHash(normalized))
      return run('hash', () => engine.hash(Buffer.from(normalized)))
    },
    wrap: async (recipe, value) => writeWrapped(recipe, await run('hash', () => engine.hash(Buffer.from(value)))),
    verify: async (stored, password) => {
      const forms = toForms(password)
      const format = readPasswordFormat(stored)
      if (!format || !isAffordable(format, options)) return false
      for (const form of forms) {
        if (await run('verify', () => verifyFormat(engine.verify, options, stored, format, Buffer.from(form)))) return true
      }
      return false
    },
    needsRehash: (stored) => {
      const used = readPasswordFormat(stored)
      // In a trial every hash stays as it is.
      if (options.form === 'better-auth') return used === null
      if (used?.scheme !== 'argon2' || used.variant !== 'argon2id' || used.version !== 19) return true
      return used.memory !== options.memory || used.iterations !== options.iterations || used.parallelism !== options.parallelism
    },
    decoy: async () => null,
  }
}

/** Contract 00 §10: the salt is its text. */
async function referenceHash(password: string): Promise<string> {
  const salt = randomBytes(16).toString('hex')
  const { ln, r, p } = referenceScrypt
  const N = 2 ** ln
  const key = await promisify<string, string, number, ScryptOptions, Buffer>(scrypt)(password, salt, 64, {
    N,
    r,
    p,
    maxmem: 128 * N * r * 2,
  })
  return `${salt}:${key.toString('hex')}`
}

/** KiB times passes: about two seconds. */
const highestForeignCost = 2_097_152

/** The configured cost is always allowed. */
function isAffordable(format: PasswordFormat, { memory, iterations }: HasherOptions): boolean {
  const argon2 = format.scheme === 'wrapped' ? format.outer : format
  return argon2?.scheme !== 'argon2' || argon2.memory * argon2.iterations <= Math.max(highestForeignCost, memory * iterations)
}

type Run = ReturnType<typeof createRunner>

/** Runs hashes within their bounds and measures how long they take. */
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

interface Library {
  hash(password: Buffer, costs: object): Promise<string>
  verify(stored: string, password: Buffer): Promise<boolean>
}
const libraries: Readonly<Record<HasherImplementation, () => Promise<Library>>> = {
  '@node-rs/argon2': () => import('@node-rs/argon2'),
  argon2: () => import('argon2'),
}

async function loadEngine({ memory, iterations, parallelism }: Costs, implementation: HasherImplementation) {
  const { hash, verify } = await libraries[implementation]()
  const costs = { memoryCost: memory, timeCost: iterations, parallelism }
  return {
    implementation,
    // `argon2` writes `m,p,t`. The order of the standard is `m,t,p`, and not every library reads another one.
    hash: async (password: Buffer) => (await hash(password, costs)).replace(/,(p=\d+),(t=\d+)\$/, ',$2,$1$'),
    verify: (stored: string, password: Buffer) => verify(stored, password),
  }
}

/** Custom hashes may look like a known scheme without being one (with a pepper, for example), so they are marked. */
const mark = '$custom$'
/** The size of a text column. */
const maxBytes = 65_535

/** New passwords are hashed by the functions of the configuration; hashes of known schemes are verified as before. */
function withCustomHash(builtIn: Hasher, { hash, verify }: CustomHash, run: Run): Hasher {
  const make = async (password: string) => mark + checkHash(await run('hash', async () => hash(password)))
  const compare = async (stored: string, password: string) =>
    checkVerdict(await run('verify', async () => verify({ hash: withoutMark(stored), password })))
  const decoyOnce = rememberSuccess(() => make(randomBytes(18).toString('base64url')))
  return {
    ...builtIn,
    hash: async (password) => make(toForms(password)[0]),
    verify: async (stored, password) => {
      if (readPasswordFormat(stored)) return builtIn.verify(stored, password)
      for (const form of toForms(password)) if (await compare(stored, form)) return true
      return false
    },
    needsRehash: (stored) => !stored.startsWith(mark),
    decoy: decoyOnce,
  }
}

const withoutMark = (stored: string): string => (stored.startsWith(mark) ? stored.slice(mark.length) : stored)

function checkHash(made: unknown): string {
  const fits = typeof made === 'string' && made !== '' && made.isWellFormed() && Buffer.byteLength(mark + made) <= maxBytes
  if (!fits) throw new TypeError(`emailAndPassword.password.hash must return a string of 1 to ${maxBytes - mark.length} bytes`)
  return made
}

/** Any other value might be truthy by accident and let every password in. */
function checkVerdict(verdict: unknown): boolean {
  if (typeof verdict !== 'boolean') throw new TypeError('emailAndPassword.password.verify must return true or false')
  return verdict
}

/** A failure is not remembered: the next call tries again. */
function rememberSuccess<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | null = null
  return () => {
    if (result) return result
    const running = work()
    running.catch(() => {
      result = null
    })
    result = running
    return running
  }
}
