/** Creates, changes and deletes API keys, for calls and for commands. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Updateable } from 'kysely'
import { type App, memo } from '../../core/app.ts'
import { endCredentials } from '../../core/credential-hold.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { isBanned } from '../admin/index.ts'
import { type AuditAction, type AuditEvent, recordEvent, recordEvents } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { batchSize, deleteEnded } from './expiry.ts'
import { generateKey, hashKey } from './key-format.ts'
import { sendKeyNotice } from './mails.ts'
import { type ApiKeyRow, errors } from './model.ts'
import { checkChanges, checkNew, type KeyChanges, type NewKey } from './rules.ts'

const inSeconds = ({ now }: App, seconds: number): Date => new Date(now().getTime() + seconds * 1000)

async function draftOf(app: App, userId: string, given: NewKey, key: string): Promise<ApiKeyRow> {
  const { defaultPrefix, startingCharactersConfig: start, rateLimit, keyExpiration, permissions } = app.config.apiKey
  const { defaultPermissions } = permissions
  const now = app.now()
  const expiresIn = given.expiresIn || keyExpiration.defaultExpiresIn
  const permitted =
    given.permissions ?? (typeof defaultPermissions === 'function' ? await defaultPermissions(userId) : defaultPermissions)
  return {
    id: createId(app, 'apikey'),
    name: given.name ?? null,
    start: start.shouldStore ? key.slice(0, start.charactersLength) : null,
    prefix: given.prefix ?? defaultPrefix ?? null,
    key: hashKey(app, key),
    userId,
    refillInterval: given.refillInterval ?? null,
    refillAmount: given.refillAmount ?? null,
    lastRefillAt: null,
    enabled: true,
    rateLimitEnabled: given.rateLimitEnabled ?? rateLimit.enabled,
    rateLimitTimeWindow: given.rateLimitTimeWindow ?? rateLimit.timeWindow,
    rateLimitMax: given.rateLimitMax ?? rateLimit.maxRequests,
    requestCount: 0,
    remaining: given.remaining ?? given.refillAmount ?? null,
    lastRequest: null,
    expiresAt: expiresIn === null ? null : inSeconds(app, expiresIn),
    createdAt: now,
    updatedAt: now,
    permissions: permitted ? JSON.stringify(permitted) : null,
    metadata: given.metadata ? JSON.stringify(given.metadata) : null,
  }
}

const eventOf = (action: AuditAction, { id, userId }: Pick<ApiKeyRow, 'id' | 'userId'>, details: object): AuditEvent => ({
  ...{ action, target: { type: 'api-key', id }, userId },
  details: { ...details },
})

/**
 * Creates an API key.
 * @param user the owner, as read in this call
 * @returns the row, and the key itself: it cannot be read again
 * @throws ApiError for each rule that the values do not meet, in the order of the contract; TOO_MANY_API_KEYS;
 * UNAUTHORIZED_OR_INVALID_SESSION when the sign-in methods of the user have changed since they were read, or they were deleted
 */
export async function createKey(
  app: App,
  user: UserRow,
  given: NewKey,
): Promise<{ readonly row: ApiKeyRow; readonly key: string }> {
  checkNew(app, given)
  const key = await generateKey(app, given.prefix || app.config.apiKey.defaultPrefix)
  const row = await draftOf(app, user.id, given, key)
  await deleteExpiredSoon(app)
  await transaction(app, async (tx) => {
    // One at a time for each user, so that the count is exact.
    if (!(await holdUser(tx, user))) throw new ApiError(errors.UNAUTHORIZED_OR_INVALID_SESSION)
    if ((await countKeys(tx, user.id)) >= tx.config.apiKey.maximumKeysPerUser) throw new ApiError(errors.TOO_MANY_API_KEYS)
    await tx.db.insertInto('apikey').values(row).execute()
    const details = { name: row.name, expiresAt: row.expiresAt, permissions: given.permissions }
    await recordEvent(tx, eventOf('api-key.created', row, details))
    await sendKeyNotice(tx, user, row)
  })
  return { row, key }
}

/** The columns to write. */
function columnsOf(app: App, given: KeyChanges): Updateable<Database['apikey']> {
  const { name, enabled, expiresIn, metadata, permissions } = given
  const { remaining, refillAmount, refillInterval, rateLimitEnabled, rateLimitTimeWindow, rateLimitMax } = given
  checkChanges(app, given)
  const columns = {
    ...{ name, enabled, remaining, refillAmount, refillInterval, rateLimitEnabled, rateLimitTimeWindow, rateLimitMax },
    ...(expiresIn !== undefined && { expiresAt: expiresIn === null ? null : inSeconds(app, expiresIn) }),
    ...(metadata !== undefined && { metadata: metadata === null ? null : JSON.stringify(metadata) }),
    ...(permissions !== undefined && { permissions: permissions === null ? null : JSON.stringify(permissions) }),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}

/**
 * Changes an API key. This does not count as a use of it.
 * @param userId the owner that the key must have; undefined: any
 * @throws ApiError API_KEY_NOT_FOUND, NO_VALUES_TO_UPDATE, and the rules of `createKey`
 */
export async function updateKey(app: App, id: string, given: KeyChanges, userId?: string): Promise<ApiKeyRow> {
  if (!(await findKey(app, id, userId))) throw new ApiError(errors.API_KEY_NOT_FOUND)
  const columns = columnsOf(app, given)
  const fields = Object.keys(columns)
  if (fields.length === 0) throw new ApiError(errors.NO_VALUES_TO_UPDATE)
  const updated = await transaction(app, async (tx) => {
    await tx.db
      .updateTable('apikey')
      .set({ ...columns, updatedAt: tx.now() })
      .where('id', '=', id)
      .execute()
    const row = await findKey(tx, id, userId)
    if (row) await recordEvent(tx, eventOf('api-key.updated', row, { fields }))
    return row
  })
  if (!updated) throw new ApiError(errors.API_KEY_NOT_FOUND)
  await deleteExpiredSoon(app)
  return updated
}

export async function findKey(app: App, id: string, userId?: string): Promise<ApiKeyRow | null> {
  const found = app.db.selectFrom('apikey').selectAll().where('id', '=', id)
  return (await (userId === undefined ? found : found.where('userId', '=', userId)).executeTakeFirst()) ?? null
}

/**
 * Locks a key until the transaction ends.
 * @returns false when the key was deleted or disabled or has expired, or its owner was banned
 */
export async function holdKey(tx: App, { id, userId }: Pick<ApiKeyRow, 'id' | 'userId'>): Promise<boolean> {
  const owner = await findUserById(tx, userId)
  const key = await tx.db.selectFrom('apikey').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  const isLive = key?.enabled === true && (key.expiresAt === null || key.expiresAt > tx.now())
  return isLive && owner !== null && !isBanned(tx, owner)
}

/** The keys of a user that have not expired. */
export const countKeys = (app: App, userId: string): Promise<number> =>
  countRows(
    app.db
      .selectFrom('apikey')
      .where('userId', '=', userId)
      .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', app.now())])),
  )

/** Oldest first. */
export const listKeys = (app: App, userId: string): Promise<ApiKeyRow[]> =>
  app.db.selectFrom('apikey').selectAll().where('userId', '=', userId).orderBy('createdAt').orderBy('id').execute()

/**
 * Deletes keys of one user.
 * @param options.ids default: all
 * @param options.reason for the audit log; absent: someone asked for it
 * @returns how many there were; a concurrent call may delete some of them
 */
export const deleteKeys = (
  app: App,
  userId: string,
  { ids, reason }: { readonly ids?: readonly string[]; readonly reason?: string } = {},
): Promise<number> =>
  transaction(app, async (tx) => {
    const own = await listKeys(tx, userId)
    const rows = ids === undefined ? own : own.filter(({ id }) => ids.includes(id))
    const deleted: ApiKeyRow[] = []
    // One by one, because of two concurrent calls only one may report it.
    for (const row of rows) {
      const { numDeletedRows } = await tx.db.deleteFrom('apikey').where('id', '=', row.id).executeTakeFirst()
      if (numDeletedRows > 0n) deleted.push(row)
    }
    const deletedIds = deleted.map(({ id }) => id)
    endCredentials(tx, deletedIds)
    await recordEvents(
      tx,
      deleted.map((row) => eventOf('api-key.deleted', row, { name: row.name, reason })),
    )
    return deleted.length
  })

const pauseMs = 20

/** Deletes all expired keys, in small batches. @param signal stops between two of them */
export async function deleteExpired(app: App, signal?: AbortSignal): Promise<void> {
  while ((await deleteEnded(app, 'expired', (eb) => eb('expiresAt', '<=', app.now()))) === batchSize) {
    if (signal?.aborted) return
    await pause(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

const cleanupPauseMs = 10_000
const cleanup = memo((_: App) => ({ at: Number.NEGATIVE_INFINITY }))

/** The same after the response, at most every ten seconds (contract 06 §1). */
async function deleteExpiredSoon(app: App): Promise<void> {
  const last = cleanup(app)
  const now = app.now().getTime()
  if (now - last.at < cleanupPauseMs) return
  last.at = now
  app.defer((outer) => deleteExpired(outer))
}
