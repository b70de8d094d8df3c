/** Deletes organizations with any number of rows, without statements or locks that last long. */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { transaction } from '../../core/transaction.ts'
import { hasRole } from '../roles/index.ts'
import { batches, batchSize, clearActiveOfUsers, lockOrganization } from './store.ts'

/** Rows that one statement reads, before they are deleted in batches: a database reads deleted rows again until it purges them. */
const readSize = 50_000

type Table = 'member' | 'invitation'

/**
 * Deletes rows in batches, within a transaction. Without it, the foreign key would delete any number of them in one statement, which
 * would exceed `database.queryTimeout`: an organization with many members could never be deleted.
 */
export async function deleteRows(
  tx: App,
  table: Table,
  column: 'organizationId' | 'inviterId',
  values: readonly string[],
): Promise<void> {
  for (let isLast = false; !isLast; ) {
    const found = await sql<{ id: string }>`select id from ${sql.table(table)} where ${sql.ref(column)} in (${sql.join(values)})
      limit ${sql.lit(readSize)}`.execute(tx.db)
    const ids = found.rows.map(({ id }) => id)
    for (const batch of batches(ids)) await tx.db.deleteFrom(table).where('id', 'in', batch).execute()
    isLast = ids.length < readSize
  }
}

/** Deletes organizations with their rows, within a transaction that has locked them. */
export async function deleteWithRows(tx: App, ids: readonly string[]): Promise<void> {
  for (const table of ['member', 'invitation'] as const) await deleteRows(tx, table, 'organizationId', ids)
  await tx.db.deleteFrom('organization').where('id', 'in', ids).execute()
}

/**
 * Deletes most rows of a large organization in many short transactions, before the one that deletes it: while it is locked, its other
 * calls wait, each with a connection that the calls of all organizations need. Members with the creator role stay until the end, so
 * that they can repeat a deletion that was interrupted.
 */
export async function deleteInSteps(app: App, organizationId: string): Promise<void> {
  await inSteps(app, 'invitation', organizationId, deleteBatch('invitation'))
  await inSteps(app, 'member', organizationId, (tx, ids) => deleteMembers(tx, organizationId, ids))
}

type Step = (tx: App, ids: readonly string[]) => Promise<unknown>

const deleteBatch =
  (table: Table): Step =>
  (tx, ids) =>
    tx.db.deleteFrom(table).where('id', 'in', ids).execute()

/** Leaves as many rows as one statement deletes. */
async function inSteps(app: App, table: Table, organizationId: string, step: Step): Promise<void> {
  const { creatorRole } = app.config.organization
  const condition = table === 'member' ? sql`and not ${hasRole('role', creatorRole)}` : sql``
  for (;;) {
    const { rows } = await sql<{ id: string }>`select id from ${sql.table(table)}
      where ${sql.ref('organizationId')} = ${organizationId} ${condition} limit ${sql.lit(readSize)}`.execute(app.db)
    if (rows.length <= batchSize) return
    for (const batch of batches(rows.map(({ id }) => id))) await transaction(app, (tx) => step(tx, batch))
  }
}

async function deleteMembers(tx: App, organizationId: string, ids: readonly string[]): Promise<void> {
  await lockOrganization(tx, organizationId)
  const members = tx.db.selectFrom('member').select(['id', 'userId']).where('id', 'in', ids)
  // Read again: they may have got the role of the creator.
  const rows = await members.where(({ not }) => not(hasRole('role', tx.config.organization.creatorRole))).execute()
  if (rows.length === 0) return
  await deleteBatch('member')(
    tx,
    rows.map(({ id }) => id),
  )
  await tx.db
    .updateTable('organization')
    .set((eb) => ({ memberCount: eb('memberCount', '-', rows.length) }))
    .where('id', '=', organizationId)
    .execute()
  await clearActiveOfUsers(
    tx,
    organizationId,
    rows.map(({ userId }) => userId),
  )
}
