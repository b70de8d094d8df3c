/** Deletes organizations with any number of rows, without statements or locks that last long. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { neverAborted } from '../../core/sweep.ts'
import { afterCommit, deferAfterCommit, transaction } from '../../core/transaction.ts'
import { batches, batchSize, clearActiveOfUsers } from './store.ts'

/** Rows that one statement reads, before they are deleted in batches: a database reads deleted rows again until it purges them. */
const readSize = 50_000

type Table = 'member' | 'invitation'
type Column = 'organizationId' | 'inviterId' | 'userId' | 'email'

/** The ids of rows with one of these values, in batches. Each batch must be deleted before the next one is taken. */
async function* readIds({ db }: App, table: Table, column: Column, values: readonly string[]) {
  for (let isLast = false; !isLast; ) {
    const found = await sql<{ id: string }>`select id from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(values)})
      limit ${sql.lit(readSize)}`.execute(db)
    yield* batches(found.rows.map(({ id }) => id))
    isLast = found.rows.length < readSize
  }
}

/**
 * Deletes rows in batches, within a transaction. Without it, the foreign key would delete any number of them in one statement, which
 * would exceed `database.queryTimeout`: an organization with many members could never be deleted.
 */
export async function deleteRows(tx: App, table: Table, column: Column, values: readonly string[]): Promise<void> {
  for await (const ids of readIds(tx, table, column, values)) await deleteBatch(tx, table, ids)
}

/** Deletes organizations with their rows, within a transaction that has locked them. */
export async function deleteWithRows(tx: App, ids: readonly string[]): Promise<void> {
  for (const table of ['member', 'invitation'] as const) await deleteRows(tx, table, 'organizationId', ids)
  await tx.db.deleteFrom('organization').where('id', 'in', ids).execute()
}

/** Whether one transaction would take long, in which all other calls of the organization wait. Call it with the organization locked. */
export async function isLarge(tx: App, organizationId: string): Promise<boolean> {
  for (const [table, column] of [
    ['member', 'organizationId'],
    ['invitation', 'organizationId'],
    ['session', 'activeOrganizationId'],
  ] as const) {
    const rows = tx.db
      .selectFrom(table as 'member')
      .select('id')
      .where(column as 'organizationId', '=', organizationId)
    if ((await rows.limit(batchSize + 1).execute()).length > batchSize) return true
  }
  return false
}

/**
 * Deletes an organization for every call, within a transaction that has locked it; its slug is free then. The rows follow after the
 * response, or by the job when the process dies.
 */
export async function markDeleted(tx: App, id: string): Promise<void> {
  // A space is in no slug of a user.
  const slug = `deleted ${id}`
  await tx.db.updateTable('organization').set({ deletedAt: tx.now(), slug }).where('id', '=', id).execute()
  await deferAfterCommit(tx, (outermost) => finishDeletion(outermost, id))
}

/**
 * Deletes the rows of an organization that is marked as deleted, in many short transactions. Idempotent; several processes may do it
 * at the same time.
 * @param signal stops between two transactions; the rest is left for the job
 * @param onProgress called after each transaction with the members deleted so far
 */
export async function finishDeletion(
  app: App,
  organizationId: string,
  signal: AbortSignal = neverAborted,
  onProgress?: (members: number) => void,
): Promise<void> {
  const marked = app.db
    .selectFrom('organization')
    .select('id')
    .where('id', '=', organizationId)
    .where('deletedAt', 'is not', null)
  if (!(await marked.executeTakeFirst())) return
  await inSteps(app, 'invitation', organizationId, signal, (tx, ids) => deleteBatch(tx, 'invitation', ids))
  let deleted = 0
  await inSteps(app, 'member', organizationId, signal, async (tx, ids) => {
    await deleteMembers(tx, organizationId, ids)
    await afterCommit(tx, async () => {
      deleted += ids.length
      onProgress?.(deleted)
    })
  })
  await clearSessions(app, organizationId, signal)
  if (signal.aborted) return
  await transaction(app, async (tx) => {
    if (await lockDeleted(tx, organizationId)) await deleteWithRows(tx, [organizationId])
  })
}

/** Organizations whose rows are being deleted, and the members that are left. */
export async function readDeletions({ db }: App): Promise<{ readonly organizations: number; readonly members: number }> {
  const marked = await db.selectFrom('organization').select('memberCount').where('deletedAt', 'is not', null).execute()
  return { organizations: marked.length, members: marked.reduce((sum, { memberCount }) => sum + memberCount, 0) }
}

/** Goes on with deletions whose process died. */
export const deletions: Job = {
  every: 60,
  run: async (app, signal) => {
    const marked = await app.db.selectFrom('organization').select('id').where('deletedAt', 'is not', null).execute()
    for (const { id } of marked) await finishDeletion(app, id, signal)
  },
}

const deleteBatch = (tx: App, table: Table, ids: readonly string[]) => tx.db.deleteFrom(table).where('id', 'in', ids).execute()

/** Whether it is still there: another process may have deleted it. */
async function lockDeleted(tx: App, id: string): Promise<boolean> {
  const lock = tx.db.updateTable('organization').set((eb) => ({ revision: eb('revision', '+', 1) }))
  const locked = await lock.where('id', '=', id).where('deletedAt', 'is not', null).executeTakeFirst()
  return locked.numUpdatedRows > 0n
}

type Step = (tx: App, ids: readonly string[]) => Promise<unknown>

async function inSteps(app: App, table: Table, organizationId: string, signal: AbortSignal, step: Step): Promise<void> {
  for await (const ids of readIds(app, table, 'organizationId', [organizationId])) {
    if (signal.aborted) return
    await transaction(app, (tx) => step(tx, ids))
  }
}

async function deleteMembers(tx: App, organizationId: string, ids: readonly string[]): Promise<void> {
  if (!(await lockDeleted(tx, organizationId))) return
  const rows = await tx.db.selectFrom('member').select(['id', 'userId']).where('id', 'in', ids).execute()
  if (rows.length === 0) return
  await deleteBatch(tx, 'member', ids)
  const count = rows.length
  await tx.db
    .updateTable('organization')
    .set((eb) => ({ memberCount: eb('memberCount', '-', count) }))
    .where('id', '=', organizationId)
    .execute()
  const users = rows.map(({ userId }) => userId)
  await clearActiveOfUsers(tx, organizationId, users)
}

/** Of users who are not members any more: none can make it active again. */
async function clearSessions(app: App, organizationId: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const active = app.db.selectFrom('session').select('userId').distinct().where('activeOrganizationId', '=', organizationId)
    const users = (await active.limit(batchSize).execute()).map(({ userId }) => userId)
    if (users.length === 0) return
    await transaction(app, (tx) => clearActiveOfUsers(tx, organizationId, users))
  }
}
