/** Keys that Latchkey itself deletes, because they are of no use any more. */
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import { type App, actorFor } from '../../core/app.ts'
import { transaction } from '../../core/transaction.ts'
import { recordEvents } from '../audit/index.ts'
import type { Database } from '../index.ts'
import { hasOrganizationKeys } from '../organizations/index.ts'
import { keyEvent } from './key-events.ts'

/** Rows that one statement deletes. */
export const batchSize = 500

type Condition = (eb: ExpressionBuilder<Database, 'apikey'>) => ExpressionWrapper<Database, 'apikey', SqlBool>

/**
 * Deletes keys that can never be used again, and records it. They are locked, because an owner may be extending one.
 * @param reason `expired`: their time is over; `used-up`: they have no use left
 * @returns how many, at most `batchSize`
 */
export const deleteEnded = (app: App, reason: 'expired' | 'used-up', isEnded: Condition): Promise<number> =>
  transaction(app, async (tx) => {
    const rows = await tx.db
      .selectFrom('apikey')
      .select(['id', 'userId', 'name'])
      // Without such keys, there is no such column.
      .$if(hasOrganizationKeys(tx.config), (query) => query.select('organizationId'))
      .where(isEnded)
      .orderBy('expiresAt')
      .limit(batchSize)
      .forUpdate()
      .execute()
    if (rows.length === 0) return 0
    const ids = rows.map(({ id }) => id)
    await tx.db.deleteFrom('apikey').where('id', 'in', ids).execute()
    const actor = actorFor(tx, 'apiKeys')
    await recordEvents(
      tx,
      rows.map((row) => ({ ...keyEvent('expired', row, { name: row.name, reason }), actor })),
    )
    return rows.length
  })
