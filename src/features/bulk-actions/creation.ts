/** Creates bulk actions: their targets are fixed in one transaction. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { UserRow } from '../../core/request.ts'
import { transaction } from '../../core/transaction.ts'
import { batchesOf, insertUnlessExists } from '../../core/write.ts'
import { recordEvent } from '../audit/index.ts'
import { errors } from './model.ts'
import { type Planned, planAction } from './targets.ts'

const insertSize = 1000
const retentionMs = 30 * 86_400_000

const findByKey = ({ db }: App, createdBy: string, idempotencyKey: string): Promise<{ id: string } | undefined> =>
  db
    .selectFrom('bulkAction')
    .select('id')
    .where('createdBy', '=', createdBy)
    .where('idempotencyKey', '=', idempotencyKey)
    .executeTakeFirst()

/**
 * Creates an action that the next run of the job starts with.
 * @param key of two calls with the same one, the second returns the action of the first
 * @returns its ID
 * @throws ApiError NO_USER_MATCHES, TOO_MANY_USERS_MATCH, VALIDATION_ERROR, SEARCH_TOO_SLOW
 */
export async function createAction(app: App, administrator: UserRow, planned: Planned, key: string): Promise<string> {
  const known = await findByKey(app, administrator.id, key)
  if (known) return known.id
  const { targets } = await planAction(app, administrator, planned)
  if (targets.length === 0) throw new ApiError(errors.NO_USER_MATCHES)
  await transaction(app, (tx) => insertAction(tx, administrator, planned, { key, targets }))
  const created = await findByKey(app, administrator.id, key)
  if (!created) throw new ApiError(errors.BULK_ACTION_NOT_FOUND)
  return created.id
}

async function insertAction(
  tx: App,
  { id: createdBy }: UserRow,
  { action, input, filter }: Planned,
  { key, targets }: { readonly key: string; readonly targets: readonly string[] },
): Promise<void> {
  const bulkActionId = tx.random.id()
  const createdAt = tx.now()
  const expiresAt = new Date(createdAt.getTime() + retentionMs)
  const row = {
    ...{ id: bulkActionId, action, createdBy, createdAt, expiresAt, state: 'running', idempotencyKey: key },
    ...{ input: JSON.stringify(input), filter: filter ? JSON.stringify(filter) : null, total: targets.length },
  }
  if (!(await insertUnlessExists(tx, tx.db.insertInto('bulkAction').values(row)))) return
  for (const batch of batchesOf(targets, insertSize)) {
    const rows = batch.map((userId) => ({ id: tx.random.id(), bulkActionId, userId, expiresAt }))
    await tx.db.insertInto('bulkActionTarget').values(rows).execute()
  }
  const target = { type: 'bulk-action', id: bulkActionId }
  const details = { action, total: targets.length, bulkActionId }
  await recordEvent(tx, { action: 'bulk-action.created', target, details })
}
