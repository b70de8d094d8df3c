/** Secrets that are kept nowhere, because they are signed, are remembered once they have been used. */
import type { App } from '../../core/app.ts'

/** Milliseconds after which whoever began to use a secret and never ended is taken for dead. */
const longestUse = 60_000

const identifierOf = (name: string) => `spent:${name}`

/**
 * Begins the only use of a secret. Of many callers at once exactly one gets true: the unique key decides. What it then does
 * ends in `endUse`, in the transaction of the effect, or in `giveUseBack` when there was none.
 * @param name of the secret, which must not be secret itself; ASCII, 58 characters at most
 */
export async function beginUse(app: App, name: string): Promise<boolean> {
  const now = app.now()
  const identifier = identifierOf(name)
  await app.db.deleteFrom('verification').where('identifier', '=', identifier).where('expiresAt', '<=', now).execute()
  const row = {
    id: app.random.id(),
    identifier,
    value: '',
    expiresAt: new Date(now.getTime() + longestUse),
    createdAt: now,
    updatedAt: now,
  }
  try {
    await app.db.insertInto('verification').values(row).execute()
    return true
  } catch (error) {
    if (app.database.isUniqueViolation(error)) return false
    throw error
  }
}

/** @param until when the secret expires, and may be forgotten */
export async function endUse(app: App, name: string, until: Date): Promise<void> {
  await app.db
    .updateTable('verification')
    .set({ expiresAt: until, updatedAt: app.now() })
    .where('identifier', '=', identifierOf(name))
    .execute()
}

/** The use came to nothing: the secret may be used again. */
export async function giveUseBack(app: App, name: string): Promise<void> {
  await app.db.deleteFrom('verification').where('identifier', '=', identifierOf(name)).execute()
}
