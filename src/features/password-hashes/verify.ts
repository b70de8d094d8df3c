import type { App } from '../../core/app.ts'
import { createDecoys, type PasswordCost, passwordCost } from '../../lib/password-costs.ts'
import { raise, schemesInUse } from './schemes.ts'

/**
 * Whether a password is the one behind a stored hash. A refusal takes the same time whatever is stored, nothing included:
 * it does the work of the dearest hash of every scheme in use, and of the configuration's own function if there is one, so
 * that time tells neither whether there is an account nor where it came from (ASVS 6.3.8). Only the right password is
 * answered at once.
 * @param stored null when there is none to compare with
 * @throws ApiError SERVICE_UNAVAILABLE when too many hashes wait already
 */
export async function verifyPassword(app: App, stored: string | null, password: string): Promise<boolean> {
  const schemes = await schemesInUse(app)
  // Before anything is compared: the first of a process makes it, whoever that is.
  const customDecoy = await app.hasher.decoy()
  if (stored !== null && (await app.hasher.verify(stored, password))) return true
  const own = stored === null ? null : passwordCost(stored)
  if (own && own.rounds > (schemes.get(own.scheme) ?? 0)) app.defer(() => raise(app, own))
  for (const cost of remainder(schemes, own)) {
    for (const decoy of createDecoys(cost, app.random.bytes)) await app.hasher.verify(decoy, password)
  }
  // The function of the configuration decides about every text of no known scheme, and has then done its work.
  const isCustom = stored !== null && own === null
  if (customDecoy !== null && !isCustom) await app.hasher.verify(customDecoy, password)
  return false
}

/** What is left to be done of the work of all schemes. */
const remainder = (schemes: ReadonlyMap<string, number>, done: PasswordCost | null): PasswordCost[] =>
  [...schemes].map(([scheme, rounds]) => ({ scheme, rounds: rounds - (scheme === done?.scheme ? done.rounds : 0) }))
