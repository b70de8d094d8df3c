/** The activity of an organization: who changed what, for its members. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { Job } from '../../core/feature.ts'
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
export async function recordActivity(tx: App, organizationId: string, { action, target, details = {} }: Activity): Promise<void> {
  const actor = await describeActor(tx)
  const row = {
    id: tx.random.id(),
    organizationId,
    createdAt: tx.now(),
    action,
    ...actor,
    targetId: target?.id ?? null,
    targetName: target?.name ?? null,
    details: JSON.stringify(details),
  }
  await tx.db.insertInto('organizationActivity').values(row).execute()
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

/** Deletes entries past `organization.activityRetention`. */
export const sweepActivity: Job['run'] = (app, signal) =>
  sweepEnded(app, signal, {
    table: 'organizationActivity',
    column: 'createdAt',
    before: ({ now, config }) => new Date(now().getTime() - config.organization.activityRetention * 1000),
  })
