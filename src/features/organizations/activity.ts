/** The activity of an organization: who changed what, for its members. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
import { cutPage, isAfter, objectPageQuery, readPosition } from '../../core/pages.ts'
import { isoDate } from '../../core/schemas.ts'
import { sweepEnded } from '../../core/sweep.ts'
import { findUserById } from '../users/index.ts'

const actions = [
  'organization.created',
  'organization.updated',
  'member.added',
  'member.joined',
  'member.role-changed',
  'member.removed',
  'member.left',
  'invitation.created',
  'invitation.resent',
  'invitation.canceled',
  'invitation.rejected',
  'team.created',
  'team.updated',
  'team.removed',
  'team.member-added',
  'team.member-removed',
] as const
export type ActivityAction = (typeof actions)[number]

export interface Activity {
  readonly action: ActivityAction
  /** The member, invitation or team. */
  readonly target?: { readonly id: string; readonly name: string }
  /** Former and new values, such as `{ from: 'member', to: 'admin' }`. */
  readonly details?: Readonly<Record<string, string | null>>
}

/** Records an action in the transaction that makes it. The actor is the one of the call or command. */
export const recordActivity = (tx: App, organizationId: string, activity: Activity): Promise<void> =>
  recordActivities(tx, [{ organizationId, ...activity }])

/** The same for several organizations, in one statement. */
export async function recordActivities(
  tx: App,
  activities: readonly (Activity & { readonly organizationId: string })[],
): Promise<void> {
  const actor = await describeActor(tx)
  const rows = activities.map(({ organizationId, action, target, details = {} }) => ({
    id: tx.random.id(),
    organizationId,
    createdAt: tx.now(),
    action,
    ...actor,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    details: JSON.stringify(details),
  }))
  await tx.db.insertInto('organizationActivity').values(rows).execute()
}

async function describeActor(app: App): Promise<{ actorId: string | null; actorName: string | null }> {
  const { actor } = app
  if (actor.kind !== 'user') return { actorId: null, actorName: null }
  const user = await findUserById(app, actor.userId)
  return { actorId: actor.userId, actorName: user?.name ?? null }
}

export const activityView = z.object({
  id: z.string(),
  createdAt: isoDate,
  action: z.enum(actions).meta({ examples: ['member.role-changed'] }),
  actorId: z.string().nullable(),
  actorName: z.string().nullable().describe('Null for the operator'),
  targetId: z.string().nullable(),
  targetName: z.string().nullable(),
  details: z.record(z.string(), z.string().nullable()).meta({ examples: [{ from: 'member', to: 'admin' }] }),
})

export const activityQuery = z.object({
  ...objectPageQuery,
  limit: objectPageQuery.limit.default(50),
  action: z.enum(actions).optional().describe('Only entries about this action'),
})

/** A page of the activity of an organization, newest first. */
export async function listActivity(app: App, organizationId: string, query: z.output<typeof activityQuery>) {
  const { limit, after, action } = query
  const entries = app.db.selectFrom('organizationActivity').where('organizationId', '=', organizationId)
  const position = await readPosition(after, 'time', async (id) => {
    const found = await entries.select('createdAt').where('id', '=', id).executeTakeFirst()
    return found ? [found.createdAt, id] : null
  })
  const following = position ? entries.where(isAfter(['createdAt', 'id'], position, 'desc')) : entries
  const found = await following
    .selectAll()
    .$narrowType<{ action: ActivityAction }>()
    .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? ''))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return cutPage(found, limit, ({ createdAt, id }) => [createdAt, id])
}

/** Deletes entries past `organization.activityRetention`. */
export const sweepActivity: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, {
    table: 'organizationActivity',
    column: 'createdAt',
    before: ({ now, config }) => new Date(now().getTime() - config.organization.activityRetention * 1000),
  })
