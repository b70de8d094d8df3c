/** Signed tokens, which have no row until they are used: a mark that they are. */
import type { App } from '../../core/app.ts'
import { insertUnlessExists } from '../../core/write.ts'

/** A claim that is neither consumed nor released expires after this time, because its process has died. */
const claimTimeoutMs = 60_000

const identifierOf = (name: string) => `spent:${name}`

/**
 * Claims a signed token, which has no row until it is used. Of concurrent requests exactly one gets true: the unique key decides.
 * It then calls `consumeToken` in the transaction that the token permits, or `releaseToken` when that fails.
 * @param name public name of the token; ASCII, 58 characters at most
 */
export async function claimToken(app: App, name: string): Promise<boolean> {
  const now = app.now()
  const identifier = identifierOf(name)
  await app.db.deleteFrom('verification').where('identifier', '=', identifier).where('expiresAt', '<=', now).execute()
  const row = {
    id: app.random.id(),
    identifier,
    value: '',
    expiresAt: new Date(now.getTime() + claimTimeoutMs),
    createdAt: now,
    updatedAt: now,
  }
  return insertUnlessExists(app, app.db.insertInto('verification').values(row))
}

/** Marks a claimed token as used. @param until when the token expires and the mark can be deleted */
export async function consumeToken(app: App, name: string, until: Date): Promise<void> {
  await app.db
    .updateTable('verification')
    .set({ expiresAt: until, updatedAt: app.now() })
    .where('identifier', '=', identifierOf(name))
    .execute()
}

/** Makes a claimed token usable again. */
export async function releaseToken(app: App, name: string): Promise<void> {
  await app.db.deleteFrom('verification').where('identifier', '=', identifierOf(name)).execute()
}
