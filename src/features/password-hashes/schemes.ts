/** Which schemes of hashes are in use, and at what cost at most. */
import type { App } from '../../core/app.ts'
import type { Hasher } from '../../core/ports.ts'
import { type PasswordCost, passwordCost } from '../../lib/password-costs.ts'

/** Seconds for which a process believes what it has read. */
const lifetime = 60

interface Known {
  /** Rounds by scheme. */
  readonly rounds: ReadonlyMap<string, number>
  readonly readAt: number
}
const known = new WeakMap<Hasher, Promise<Known>>()

/** Rounds by scheme: the configured scheme, and every other that an account is known to hold. */
export async function schemesInUse(app: App): Promise<ReadonlyMap<string, number>> {
  const now = app.now().getTime()
  const found = await known.get(app.hasher)
  if (found && now - found.readAt < lifetime * 1000) return found.rounds
  const reading = read(app, now)
  known.set(app.hasher, reading)
  reading.catch(() => known.delete(app.hasher))
  return (await reading).rounds
}

async function read(app: App, readAt: number): Promise<Known> {
  const rows = await app.db.selectFrom('passwordScheme').select(['scheme', 'rounds']).execute()
  const rounds = new Map(rows.map((row) => [row.scheme, row.rounds]))
  const { memory, parallelism, iterations } = app.config.passwordHash
  const own = ['argon2id', 19, memory, parallelism].join()
  rounds.set(own, Math.max(iterations, rounds.get(own) ?? 0))
  return { rounds, readAt }
}

/**
 * To be told of every hash that comes from elsewhere before it is stored: a refusal takes as long as the dearest of its
 * scheme from then on, in other processes after a minute at most.
 */
export async function notePasswordScheme(app: App, stored: string): Promise<void> {
  const cost = passwordCost(stored)
  if (cost && cost.rounds > ((await schemesInUse(app)).get(cost.scheme) ?? 0)) await raise(app, cost)
}

/** Writes the cost unless as much or more is known already; also when two do so at once. */
export async function raise(app: App, { scheme, rounds }: PasswordCost): Promise<void> {
  const notedAt = app.now()
  const update = () =>
    app.db
      .updateTable('passwordScheme')
      .set({ rounds, notedAt })
      .where('scheme', '=', scheme)
      .where('rounds', '<', rounds)
      .executeTakeFirst()
  if ((await update()).numUpdatedRows === 0n) {
    try {
      const row = { id: app.random.id(), scheme, rounds, notedAt }
      // Somebody may have noted a smaller one since.
      if (await isNoted(app, scheme)) await update()
      else await app.db.insertInto('passwordScheme').values(row).execute()
    } catch (error) {
      if (!app.database.isUniqueViolation(error)) throw error
      await update()
    }
  }
  known.delete(app.hasher)
}

async function isNoted(app: App, scheme: string): Promise<boolean> {
  const found = await app.db.selectFrom('passwordScheme').select('id').where('scheme', '=', scheme).executeTakeFirst()
  return found !== undefined
}
