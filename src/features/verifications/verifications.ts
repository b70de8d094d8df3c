import type { App } from '../../core/app.ts'

interface NewVerification {
  /** What the token permits, such as `set-up`. */
  readonly purpose: string
  readonly token: string
  /** What the holder of the token will be told about, such as a user id; it must be no secret. */
  readonly value: string
  /** Whom it concerns, for asking whether there is one; no token can be found from it. */
  readonly subject?: string
  /** Seconds. */
  readonly expiresIn: number
}

/** Stores a secret under a keyed hash of purpose and token. */
export async function createVerification(app: App, { purpose, token, value, subject, expiresIn }: NewVerification): Promise<void> {
  const now = app.now()
  const verification = {
    id: app.random.id(),
    identifier: app.keyring.hash(purpose, token),
    subject: subject === undefined ? null : `${purpose}:${subject}`,
    value,
    expiresAt: new Date(now.getTime() + expiresIn * 1000),
    createdAt: now,
    updatedAt: now,
  }
  await app.db.insertInto('verification').values(verification).execute()
}

/** Whether a token for this subject is still waiting to be used. */
export async function hasVerification(app: App, purpose: string, subject: string): Promise<boolean> {
  const found = await app.db
    .selectFrom('verification')
    .select('id')
    .where('subject', '=', `${purpose}:${subject}`)
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()
  return found !== undefined
}

/** The value behind a token that has not expired; null otherwise. The token stays usable. */
export async function findVerification(app: App, purpose: string, token: string): Promise<string | null> {
  const found = await app.db
    .selectFrom('verification')
    .select('value')
    .where('identifier', 'in', app.keyring.hashes(purpose, token))
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()
  return found?.value ?? null
}

/** Uses a token up. Of many callers at once exactly one gets the value: the delete decides, not the look-up. */
export async function consumeVerification(app: App, purpose: string, token: string): Promise<string | null> {
  const value = await findVerification(app, purpose, token)
  if (value === null) return null
  const deleted = await app.db
    .deleteFrom('verification')
    .where('identifier', 'in', app.keyring.hashes(purpose, token))
    .where('expiresAt', '>', app.now())
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n ? value : null
}
