/** Creates, changes and deletes API keys, for calls and for commands. */
import { setTimeout as pause } from 'node:timers/promises'
import { type App, memo } from '../../core/app.ts'
import { endCredentials } from '../../core/credential-hold.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { countRows } from '../../core/statement.ts'
import { transaction } from '../../core/transaction.ts'
import { isBanned } from '../admin/index.ts'
import { recordEvent, recordEvents } from '../audit/index.ts'
import { lockOrganization } from '../organizations/index.ts'
import { findUserById, holdUser } from '../users/index.ts'
import { batchSize, deleteEnded } from './expiry.ts'
import { changedColumns, draftKey, type KeyOwner } from './key-draft.ts'
import { keyEvent } from './key-events.ts'
import { generateKey } from './key-format.ts'
import { ownedBy } from './key-page.ts'
import { type KeySet, setOf } from './key-sets.ts'
import { sendKeyNotice } from './mails.ts'
import { type ApiKeyRow, errors } from './model.ts'
import { checkNew, type KeyChanges, type NewKey } from './rules.ts'

interface Created {
  readonly row: ApiKeyRow
  /** The key itself: it cannot be read again. */
  readonly key: string
}

/** @param step holds the owner in the transaction, and does what else belongs to a new key */
async function create(
  app: App,
  set: KeySet,
  owner: KeyOwner,
  given: NewKey,
  [hold, written]: readonly [hold: (tx: App) => Promise<void>, written?: (tx: App, row: ApiKeyRow) => Promise<void>],
): Promise<Created> {
  checkNew(set, given)
  const key = await generateKey(app, set, given.prefix)
  const row = await draftKey(app, set, owner, given, key)
  await deleteExpiredSoon(app)
  await transaction(app, async (tx) => {
    // One at a time for each owner, so that the count is exact.
    await hold(tx)
    const { maximumKeysPerUser, maximumKeysPerOrganization } = tx.config.apiKey
    const maximum = owner.userId === undefined ? maximumKeysPerOrganization : maximumKeysPerUser
    if ((await countOf(tx, owner)) >= maximum) throw new ApiError(errors.TOO_MANY_API_KEYS)
    await tx.db.insertInto('apikey').values(row).execute()
    const details = { name: row.name, expiresAt: row.expiresAt, permissions: given.permissions }
    await recordEvent(tx, keyEvent('created', row, details))
    await written?.(tx, row)
  })
  return { row, key }
}

/**
 * Creates an API key of a user.
 * @param user the owner, as read in this call
 * @param set default: that of the section
 * @throws ApiError for each rule that the values do not meet, in the order of the contract; TOO_MANY_API_KEYS;
 * UNAUTHORIZED_OR_INVALID_SESSION when the sign-in methods of the user have changed since they were read, or they were deleted
 */
export const createKey = (app: App, user: UserRow, given: NewKey, set: KeySet = setOf(app, null)): Promise<Created> =>
  create(app, set, { userId: user.id }, given, [
    async (tx) => {
      if (!(await holdUser(tx, user))) throw new ApiError(errors.UNAUTHORIZED_OR_INVALID_SESSION)
    },
    (tx, row) => sendKeyNotice(tx, user, row),
  ])

/** Waits for other changes of the organization, and checks once more that the member may make this one. */
async function holdOrganization(tx: App, organizationId: string): Promise<void> {
  if (!(await lockOrganization(tx, organizationId))) throw new ApiError(errors.USER_NOT_MEMBER_OF_ORGANIZATION)
}

/**
 * Creates an API key of an organization, in a set of organizations.
 * @throws ApiError as `createKey`; USER_NOT_MEMBER_OF_ORGANIZATION when the organization was deleted
 */
export const createOrganizationKey = (app: App, organizationId: string, given: NewKey, set: KeySet): Promise<Created> =>
  create(app, set, { organizationId }, given, [(tx) => holdOrganization(tx, organizationId)])

/**
 * Changes an API key. This does not count as a use of it.
 * @param row as read in this call
 * @throws ApiError API_KEY_NOT_FOUND, NO_VALUES_TO_UPDATE, and the rules of `createKey`
 */
export async function updateKey(app: App, row: ApiKeyRow, given: KeyChanges): Promise<ApiKeyRow> {
  const columns = changedColumns(app, setOf(app, row.configId), given)
  const fields = Object.keys(columns)
  if (fields.length === 0) throw new ApiError(errors.NO_VALUES_TO_UPDATE)
  const updated = await transaction(app, async (tx) => {
    if (row.organizationId) await holdOrganization(tx, row.organizationId)
    await tx.db
      .updateTable('apikey')
      .set({ ...columns, updatedAt: tx.now() })
      .where('id', '=', row.id)
      .execute()
    const changed = await findKey(tx, row.id)
    if (changed) await recordEvent(tx, keyEvent('updated', changed, { fields }))
    return changed
  })
  if (!updated) throw new ApiError(errors.API_KEY_NOT_FOUND)
  await deleteExpiredSoon(app)
  return updated
}

export const findKey = async ({ db }: App, id: string): Promise<ApiKeyRow | null> =>
  (await db.selectFrom('apikey').selectAll().where('id', '=', id).executeTakeFirst()) ?? null

/**
 * Locks a key of a user until the transaction ends.
 * @returns false when the key was deleted or disabled or has expired, or its owner was banned
 */
export async function holdKey(tx: App, id: string, userId: string): Promise<boolean> {
  const owner = await findUserById(tx, userId)
  const key = await tx.db.selectFrom('apikey').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  const isLive = key?.enabled === true && (key.expiresAt === null || key.expiresAt > tx.now())
  return isLive && owner !== null && !isBanned(tx, owner)
}

/** The keys of an owner that have not expired. */
const countOf = (app: App, owner: KeyOwner): Promise<number> =>
  countRows(ownedBy(app, owner).where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', app.now())])))

/** The keys of a user that have not expired. */
export const countKeys = (app: App, userId: string): Promise<number> => countOf(app, { userId })

/** Oldest first. */
const keysOf = (app: App, owner: KeyOwner): Promise<ApiKeyRow[]> =>
  ownedBy(app, owner).selectAll().orderBy('createdAt').orderBy('id').execute()

/** What is deleted: `ids` default to all, and `reason` is for the audit log; absent: someone asked for it. */
interface Deletion {
  readonly ids?: readonly string[]
  readonly reason?: string
}

/**
 * Deletes keys of one user.
 * @returns how many there were; a concurrent call may delete some of them
 */
export const deleteKeys = (app: App, userId: string, deletion: Deletion = {}): Promise<number> =>
  transaction(app, (tx) => deleteOf(tx, { userId }, deletion))

/** The same for one organization. @throws ApiError USER_NOT_MEMBER_OF_ORGANIZATION when it was deleted */
export const deleteOrganizationKeys = (app: App, organizationId: string, deletion: Deletion = {}): Promise<number> =>
  transaction(app, async (tx) => {
    await holdOrganization(tx, organizationId)
    return deleteOf(tx, { organizationId }, deletion)
  })

async function deleteOf(tx: App, owner: KeyOwner, { ids, reason }: Deletion): Promise<number> {
  const own = await keysOf(tx, owner)
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
    deleted.map((row) => keyEvent('deleted', row, { name: row.name, reason })),
  )
  return deleted.length
}

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
