/** Verifies passwords against stored hashes of many schemes, without revealing by time what is stored. */
import { z } from 'zod'
import { type App, memo } from '../../core/app.ts'
import { group, secret } from '../../core/config.ts'
import { bigint, id, string, unique } from '../../core/table.ts'
import { insertUnlessExists } from '../../core/write.ts'
import { createDecoys, type PasswordCost, passwordCosts } from './costs.ts'

export { type PasswordCost, passwordCosts } from './costs.ts'

/** A hash contains it. */
const secretName = z.string().regex(/^[\w-]{1,32}$/, 'Expected 1 to 32 letters, digits, underscores or hyphens')

export const config = {
  passwordHash: group('Cost of a password hash (argon2id, RFC 9106)', {
    memory: z.int().min(8192).max(4_194_304).default(19_456).describe('Memory, in KiB'),
    iterations: z.int().min(1).max(100).default(2).describe('Passes over the memory'),
    parallelism: z.int().min(1).max(64).default(1).describe('Lanes that one hash computes in parallel'),
    concurrency: z.int().min(1).max(128).optional().describe('Concurrent hashes in each worker; default: the number of cores'),
    queue: z.int().min(0).max(10_000).default(64).describe('Hashes that may wait in each worker; further ones fail with 503'),
    peppers: secret(z.record(secretName, z.string().min(1).max(1024)).default({})).describe(
      'Peppers of imported bcrypt hashes (Devise) by the name that the hashes contain; take them from the environment',
    ),
    firebase: secret(z.record(secretName, z.base64().min(16).max(1024)).default({})).describe(
      'Signer keys of imported Firebase hashes in base64, by the name that the hashes contain; take them from the environment',
    ),
  }),
}

/** The most expensive hash of each scheme that was imported or found at a sign-in: a handful of rows. */
export const tables = {
  passwordScheme: {
    id: id(),
    scheme: unique(string({ length: 64 })),
    rounds: bigint(),
  },
}

type Rounds = ReadonlyMap<string, number>

/**
 * Verifies a password against a stored hash. A failed check takes the same time whatever is stored, or if nothing is: it does the
 * work of the most expensive hash of every scheme in use, and of the configured hash function if there is one. So the
 * time reveals neither whether an account exists nor where it was imported from (ASVS 6.3.8). Only a correct password returns
 * early.
 * @param stored null when there is no account or it has no password
 * @throws ApiError SERVICE_UNAVAILABLE when too many hashes are waiting
 */
export async function verifyPassword(app: App, stored: string | null, password: string): Promise<boolean> {
  const schemes = await schemesInUse(app)
  // Before the comparison, since the first check of a process makes the decoy, also when the user is known.
  const customDecoy = await app.hasher.decoy()
  const own = stored === null ? [] : passwordCosts(stored)
  for (const cost of own) if (cost.rounds > (schemes.get(cost.scheme) ?? 0)) app.defer(() => recordCost(app, cost))
  if (stored !== null && (await app.hasher.verify(stored, password))) return true
  for (const cost of remainder(schemes, own)) {
    for (const decoy of createDecoys(cost, app.random.bytes)) await app.hasher.verify(decoy, password)
  }
  // The function of the configuration verifies every text of an unknown scheme, so then its work is done already.
  const isCustom = stored !== null && own.length === 0
  if (customDecoy !== null && !isCustom) await app.hasher.verify(customDecoy, password)
  return false
}

/** The work of all schemes that verifying one hash has not done. */
const remainder = (schemes: Rounds, done: readonly PasswordCost[]): PasswordCost[] =>
  [...schemes].map(([scheme, rounds]) => ({ scheme, rounds: rounds - (done.find((one) => one.scheme === scheme)?.rounds ?? 0) }))

/**
 * Records the schemes of imported hashes. Call it before they are stored: failed checks include their cost from then on, in
 * other processes after a minute at most.
 */
export async function recordPasswordSchemes(app: App, hashes: readonly string[]): Promise<void> {
  const highest = new Map(await schemesInUse(app))
  const raised = new Set<string>()
  for (const cost of hashes.flatMap(passwordCosts)) {
    if (cost.rounds <= (highest.get(cost.scheme) ?? 0)) continue
    highest.set(cost.scheme, cost.rounds)
    raised.add(cost.scheme)
  }
  for (const scheme of raised) await recordCost(app, { scheme, rounds: highest.get(scheme) ?? 0 })
}

/**
 * Measures how long a failed check takes once these schemes are in use too. It does that work once.
 * @param added rounds by scheme
 * @returns seconds
 */
export async function measureFailedCheck(app: App, added: Rounds): Promise<number> {
  const rounds = new Map(await schemesInUse(app))
  for (const [scheme, most] of added) rounds.set(scheme, Math.max(most, rounds.get(scheme) ?? 0))
  const [started, work] = [performance.now(), process.cpuUsage()]
  for (const cost of remainder(rounds, []))
    for (const decoy of createDecoys(cost, app.random.bytes)) await app.hasher.verify(decoy, 'a password')
  const { user, system } = process.cpuUsage(work)
  // On a busy machine the clock shows the time of other programs too.
  return Math.min((performance.now() - started) / 1000, (user + system) / 1e6)
}

/** A higher cost is never lost, even when two processes record costs at the same time. */
async function recordCost(app: App, { scheme, rounds }: PasswordCost): Promise<void> {
  const raise = () =>
    app.db.updateTable('passwordScheme').set({ rounds }).where('scheme', '=', scheme).where('rounds', '<', rounds).execute()
  const known = await app.db.selectFrom('passwordScheme').select('id').where('scheme', '=', scheme).executeTakeFirst()
  const insert = app.db.insertInto('passwordScheme').values({ id: app.random.id(), scheme, rounds })
  if (known || !(await insertUnlessExists(app, insert))) await raise()
  schemesCache(app).reading = null
}

const cacheMs = 60_000

interface SchemesCache {
  reading: Promise<Rounds> | null
  readAt: number
}
const schemesCache = memo((_: App): SchemesCache => ({ reading: null, readAt: 0 }))

/** Rounds by scheme: of the configured scheme, and of every recorded one. */
function schemesInUse(app: App): Promise<Rounds> {
  const cache = schemesCache(app)
  const now = app.now().getTime()
  if (cache.reading && now - cache.readAt < cacheMs) return cache.reading
  const reading = readSchemes(app)
  Object.assign(cache, { reading, readAt: now })
  reading.catch(() => {
    if (cache.reading === reading) cache.reading = null
  })
  return reading
}

async function readSchemes(app: App): Promise<Rounds> {
  const rows = await app.db.selectFrom('passwordScheme').select(['scheme', 'rounds']).execute()
  const rounds = new Map(rows.map((row) => [row.scheme, row.rounds]))
  const { memory, parallelism, iterations } = app.config.passwordHash
  const own = ['argon2id', 19, memory, parallelism].join()
  return rounds.set(own, Math.max(iterations, rounds.get(own) ?? 0))
}
