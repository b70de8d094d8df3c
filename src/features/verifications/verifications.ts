import type { App } from '../../core/app.ts'
import { afterCreate, beforeCreate } from '../../core/database-hooks.ts'
import { ApiError } from '../../core/errors.ts'
import { createId } from '../../core/ids.ts'
import { afterCommit, transaction } from '../../core/transaction.ts'
import { errors } from './errors.ts'

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

/**
 * Stores a secret under a keyed hash of purpose and token, if the hook of the installation lets it.
 * @param together what belongs to it, in the same transaction
 * @throws ApiError FAILED_TO_CREATE_VERIFICATION when the hook refuses
 */
export async function createVerification(
  app: App,
  { purpose, token, value, subject, expiresIn }: NewVerification,
  together: (app: App) => Promise<void> = async () => {},
): Promise<void> {
  const now = app.now()
  const draft = await beforeCreate(app, 'verification', {
    id: createId(app, 'verification'),
    identifier: app.keyring.hash(purpose, token),
    subject: subject === undefined ? null : `${purpose}:${subject}`,
    value,
    expiresAt: new Date(now.getTime() + expiresIn * 1000),
    createdAt: now,
    updatedAt: now,
  })
  if (!draft) throw new ApiError(errors.FAILED_TO_CREATE_VERIFICATION)
  await transaction(app, async (inner) => {
    await inner.db.insertInto('verification').values(draft).execute()
    await together(inner)
  })
  const tell = () => afterCreate(app, 'verification', draft)
  await (app.db.isTransaction ? afterCommit(app, tell) : tell())
}

/** Whether a token for this subject is still waiting to be used, and can be: not one of a secret that was taken away. */
export async function hasVerification(app: App, purpose: string, subject: string): Promise<boolean> {
  const found = await app.db
    .selectFrom('verification')
    .select('identifier')
    .where('subject', '=', `${purpose}:${subject}`)
    .where('expiresAt', '>', app.now())
    .execute()
  return found.some(({ identifier }) => app.keyring.knows(identifier))
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

/** Takes back what was made for this subject: whom it concerned is gone, or has proved himself otherwise. */
export async function deleteVerifications(app: App, purpose: string, subject: string): Promise<void> {
  await app.db.deleteFrom('verification').where('subject', '=', `${purpose}:${subject}`).execute()
}

/**
 * Does for nobody what `createVerification` does for somebody, so that the time of an answer does not tell whether there was
 * somebody (ASVS 6.3.8). What is written has expired already, and goes after the answer.
 * @param together what else is done for nobody, in the same transaction
 */
export async function pretendVerification(app: App, together: (app: App) => Promise<void>): Promise<void> {
  const now = app.now()
  const id = app.random.id()
  const identifier = app.keyring.hash('nobody', app.random.token(24))
  await transaction(app, async (inner) => {
    const row = { id, identifier, value: '', expiresAt: now, createdAt: now, updatedAt: now }
    await inner.db.insertInto('verification').values(row).execute()
    await together(inner)
  })
  await afterCommit(app, async () =>
    app.defer(async ({ db }) => {
      await db.deleteFrom('verification').where('id', '=', id).execute()
    }),
  )
}
