/**
 * Password hashes: made as argon2id (RFC 9106) in PHC strings, verified in every format of lib/password-formats. All work runs on
 * libuv's threads, behind one bounded queue.
 */
import { createHash, createHmac, pbkdf2, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { ApiError, errors } from '../core/errors.ts'
import type { CustomHash, Hasher, Metrics } from '../core/ports.ts'
import type { Config } from '../features/index.ts'
import { createBoundedQueue } from '../lib/async.ts'
import {
  type BcryptFormat,
  type PasswordFormat,
  type Pbkdf2Format,
  readPasswordFormat,
  type ScryptFormat,
  toForms,
} from '../lib/password-formats.ts'

type Costs = Pick<Config['passwordHash'], 'memory' | 'iterations' | 'parallelism'>

/** The section `passwordHash` of the configuration. Default of `concurrency`: the number of cores. */
export interface HasherOptions extends Costs, Partial<Pick<Config['passwordHash'], 'concurrency'>> {
  readonly queue: number
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
      return verifyBcrypt(format, password)
    case 'pbkdf2':
      return verifyPbkdf2(format, password)
    case 'scrypt':
      return verifyScrypt(format, password)
  }
}

/** KiB times passes: about two seconds. */
const highestForeignCost = 2_097_152

/** The configured cost is always allowed. */
const isAffordable = (format: PasswordFormat, { memory, iterations }: HasherOptions): boolean =>
  format.scheme !== 'argon2' || format.memory * format.iterations <= Math.max(highestForeignCost, memory * iterations)

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

const derivePbkdf2 = promisify(pbkdf2)

async function verifyPbkdf2({ digest, iterations, salt, key }: Pbkdf2Format, password: Buffer): Promise<boolean> {
  return timingSafeEqual(await derivePbkdf2(password, salt, iterations, key.length, digest), key)
}

function verifyScrypt({ salt, key, ln, r, p }: ScryptFormat, password: Buffer): Promise<boolean> {
  // It needs 128 N r bytes, and a little more.
  const costs = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 128 + 33_554_432 }
  return new Promise((resolve, reject) => {
    scrypt(password, salt, key.length, costs, (error, derived) => {
      if (error) reject(error)
      else resolve(timingSafeEqual(derived, key))
    })
  })
}

/** bcrypt ignores the rest of a password (Provos and Mazières 1999, §3). */
const bcryptBytes = 72

/** What bcrypt hashes in place of a password. */
const prehashes: Readonly<Record<NonNullable<BcryptFormat['prehash']>, (password: Buffer) => string>> = {
  'sha256-hex': (password) => createHash('sha256').update(password).digest('hex'),
  // WordPress removes spaces around a password before it hashes it.
  wp: (password) => createHmac('sha384', 'wp-sha384').update(password.toString().trim()).digest('base64'),
}

/** Truncates longer passwords explicitly instead of relying on a library. */
async function verifyBcrypt({ hash, prehash }: BcryptFormat, password: Buffer): Promise<boolean> {
  const { compare } = await import('bcrypt')
  const hashed = prehash === null ? password.subarray(0, bcryptBytes) : prehashes[prehash](password)
  // PHP's `$2y$` and OpenBSD's `$2b$` are two names for the same scheme, and the library knows only one of them.
  return compare(hashed, hash.replace(/^\$2y\$/, '$2b$'))
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
