/** Rows of team members for databases from before a member could be in several teams: `member.teamId` had the only one. */
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { transaction } from '../../core/transaction.ts'
import { createId } from '../../core/write.ts'
import { batchSize } from './store.ts'

/** Databases in which every row was found: none is missing later, because each change writes both. */
const complete = new WeakSet<object>()

const findMissing = (app: App) =>
  app.db
    .selectFrom('member')
    .leftJoin('teamMember', (join) =>
      join.onRef('teamMember.teamId', '=', 'member.teamId').onRef('teamMember.userId', '=', 'member.userId'),
    )
    .select(['member.id', 'member.organizationId', 'member.userId', 'member.teamId', 'member.createdAt'])
    .where('member.teamId', 'is not', null)
    .where('teamMember.id', 'is', null)
    .orderBy('member.id')
    .limit(batchSize)

/** Writes the rows of one batch. @returns whether there may be more */
const writeMissing = (app: App): Promise<boolean> =>
  transaction(app, async (tx) => {
    // Locked, so that none of them leaves the team in between.
    const missing = await findMissing(tx).forUpdate().execute()
    const rows = missing.flatMap(({ id: memberId, userId, teamId, createdAt }) =>
      teamId === null ? [] : [{ id: createId(tx, 'teamMember'), teamId, userId, memberId, createdAt }],
    )
    if (rows.length > 0) await tx.db.insertInto('teamMember').values(rows).execute()
    return missing.length === batchSize
  })

export const teamRowsJob: Job = {
  every: 600,
  run: async (app, signal) => {
    if (!app.config.organization.teams.enabled || complete.has(app.database)) return
    while (!signal.aborted) {
      if (await writeMissing(app)) continue
      complete.add(app.database)
      return
    }
  },
}
