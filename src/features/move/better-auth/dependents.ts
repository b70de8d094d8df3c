/** What a foreign key deletes with a row of Latchkey: a later run must not take it for copied. */
import { sql } from 'kysely'
import type { App } from '../../../core/app.ts'
import { columnsOf, hasTable } from '../../../core/table.ts'
import { deleteEntriesByTarget } from './entries.ts'
import type { KindName } from './shapes.ts'

const dependents: Readonly<Partial<Record<KindName, readonly (readonly [kind: KindName, column: string])[]>>> = {
  user: [
    ...(['account', 'member', 'teamMember', 'apikey', 'twoFactor', 'passkey', 'session'] as const).map(
      (kind) => [kind, 'userId'] as const,
    ),
    ['invitation', 'inviterId'],
  ],
  organization: (['team', 'member', 'organizationRole', 'invitation', 'apikey'] as const).map(
    (kind) => [kind, 'organizationId'] as const,
  ),
  team: [['teamMember', 'teamId']],
  member: [['teamMember', 'memberId']],
}

/** Deletes the entries of the rows that refer to these, in the transaction that deletes them. @param ids of Latchkey */
export async function removeDependents(tx: App, kind: KindName, ids: readonly string[]): Promise<void> {
  for (const [other, column] of dependents[kind] ?? []) {
    if (!hasTable(tx, other) || !(column in columnsOf(tx, other))) continue
    const key = other === 'twoFactor' ? 'userId' : 'id'
    const { rows } = await sql<{ id: string }>`select ${sql.ref(key)} as id from ${sql.table(other)}
      where ${sql.ref(column)} in (${sql.join(ids)})`.execute(tx.db)
    const found = rows.map(({ id }) => id)
    if (found.length === 0) continue
    await removeDependents(tx, other, found)
    await deleteEntriesByTarget(tx, other, found)
  }
}
