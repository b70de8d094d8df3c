/** Changes of signing keys: rotation, retirement, and the job that does what is due. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvent } from '../audit/index.ts'
import { canOpen, isOfOtherKind, resealPrivateKey } from './key-pairs.ts'
import { describeKeys, findSigningKey, isPublished, isUpcoming, type KeyRow, type SigningKey } from './key-states.ts'
import { automatic, createKey, discardKnownKeys, ensureKeys, errors, listKeys, maxTries, readKeyRows, targetOf } from './keys.ts'

export interface Rotation {
  /** The key that signs next. */
  readonly key: SigningKey
  /** False: it was published already. */
  readonly isCreated: boolean
}

/**
 * Publishes the next key, which signs after `activationDelay`; without any key, one that signs immediately. Of concurrent rotations
 * one creates a key, and the others return it.
 */
export async function rotateKeys(app: App): Promise<Rotation> {
  let isCreated = false
  for (let tries = 0; tries < maxTries; tries += 1) {
    const rows = await readKeyRows(app)
    const newest = describeKeys(rows, app.config.jwt.jwks.gracePeriod, app.now()).at(-1)
    if (newest && (isCreated || newest.status === 'upcoming')) return { key: newest, isCreated }
    if (findSigningKey(rows, app.now(), (row) => canOpen(app, row)))
      isCreated = await createKey(app, rows, new Date(app.now().getTime() + app.config.jwt.jwks.activationDelay * 1000))
    else return { key: await findKey(app, (await ensureKeys(app)).signing.id), isCreated: true }
  }
  throw new Error('Signing keys cannot be rotated, because other processes change them')
}

/** @throws ApiError SIGNING_KEY_NOT_FOUND */
export async function findKey(app: App, id: string): Promise<SigningKey> {
  const found = (await listKeys(app)).find(({ row }) => row.id === id)
  if (!found) throw new ApiError(errors.SIGNING_KEY_NOT_FOUND)
  return found
}

export interface Retirement {
  /** The key that signs from now on. */
  readonly signing: SigningKey
  /** The retired key; null: it is not published any more. */
  readonly retired: SigningKey | null
}

/**
 * Ends the use of a key: another one signs immediately. It stays published until its tokens have expired.
 * @param removeNow also end its publication, so that its tokens are rejected: for a key that is compromised
 * @throws ApiError SIGNING_KEY_NOT_FOUND, SIGNING_KEY_ALREADY_RETIRED
 */
export async function retireKey(app: App, id: string, removeNow: boolean): Promise<Retirement> {
  await transaction(app, async (tx) => {
    const rows = await tx.db.selectFrom('jwks').selectAll().orderBy('sequence').forUpdate().execute()
    const key = describeKeys(rows, tx.config.jwt.jwks.gracePeriod, tx.now()).find(({ row }) => row.id === id)
    if (!key) throw new ApiError(errors.SIGNING_KEY_NOT_FOUND)
    // A key that has not signed has no tokens that would have to stay valid.
    if (removeNow || isUpcoming(key.row, tx.now())) await removeKey(tx, key.row)
    else await endKey(tx, key)
  })
  discardKnownKeys(app)
  const { signing } = await ensureKeys(app, automatic(app))
  const keys = await listKeys(app)
  return { signing: await findKey(app, signing.id), retired: keys.find(({ row }) => row.id === id) ?? null }
}

/** Deletes a key, in the transaction of `tx`. @returns false when there is none */
async function removeKey(tx: App, { id, algorithm, sequence, activatesAt }: KeyRow): Promise<boolean> {
  // What ended the use of older keys is deleted: without it, they would sign again.
  if (activatesAt <= tx.now()) {
    const older = tx.db.updateTable('jwks').set({ retiredAt: activatesAt }).where('sequence', '<', sequence)
    await older.where('retiredAt', 'is', null).execute()
  }
  const deleted = await tx.db.deleteFrom('jwks').where('id', '=', id).executeTakeFirst()
  if (deleted.numDeletedRows === 0n) return false
  await recordEvent(tx, { action: 'signing-key.removed', target: targetOf(id), details: { algorithm } })
  return true
}

async function endKey(tx: App, { row: { id, algorithm }, status }: SigningKey): Promise<void> {
  const update = tx.db.updateTable('jwks').set({ retiredAt: tx.now() }).where('id', '=', id).where('retiredAt', 'is', null)
  const isEnded = status !== 'retired' && (await update.executeTakeFirst()).numUpdatedRows > 0n
  if (!isEnded) throw new ApiError(errors.SIGNING_KEY_ALREADY_RETIRED)
  await recordEvent(tx, { action: 'signing-key.retired', target: targetOf(id), details: { algorithm } })
}

/** Whether a new key should be published: the newest is due to be replaced, or of another kind than configured. */
function isRotationDue({ config, now }: App, { row, status }: SigningKey): boolean {
  const { rotationInterval, activationDelay } = config.jwt.jwks
  const dueAt = row.activatesAt.getTime() + (rotationInterval - activationDelay) * 1000
  return status === 'current' && (isOfOtherKind(config, row) || (rotationInterval > 0 && dueAt <= now().getTime()))
}

/** Encrypts private keys with the newest secret, deletes keys whose tokens have expired, and rotates keys that are due. */
export async function maintainKeys(app: App): Promise<void> {
  for (const row of await readKeyRows(app)) {
    const privateKey = resealPrivateKey(app, row)
    if (privateKey === null) continue
    const update = app.db.updateTable('jwks').set({ privateKey }).where('id', '=', row.id)
    await update.where('privateKey', '=', row.privateKey).execute()
  }
  const keys = await listKeys(app)
  const ended = keys.filter((key) => !isPublished(key, app.now()))
  for (const { row } of ended) await transaction(app, (tx) => removeKey(tx, row))
  const newest = keys.at(-1)
  if (newest && isRotationDue(app, newest)) await rotateKeys(app)
}
