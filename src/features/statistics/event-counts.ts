/** `GET /admin/count-events`: counts for the filters of the audit log, from counts by hour and day, or from the newest events. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { comparableTime } from '../../core/pages.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { startSearch } from '../../core/search.ts'
import { errors as adminErrors } from '../admin/index.ts'
import { type EventFilter, findEvents } from '../audit/index.ts'
import { findUserByEmail } from '../users/index.ts'
import { startOf, type Unit, unitMs } from './counts.ts'

const text = z.string().max(255).optional()
const names = z
  .string()
  .max(2000)
  .optional()
  .transform((list) => (list ? list.split(',') : null))
  .describe('Comma-separated list')
const date = z.iso
  .datetime({ offset: true })
  .transform((value) => new Date(value))
  .pipe(comparableTime)
  .optional()

const idFilters = ['actorId', 'targetType', 'targetId', 'organizationId', 'ipAddress', 'requestId'] as const

const filters = z.object({
  action: names,
  outcome: names,
  actorKind: names,
  actorId: text,
  userId: text.describe('Events by or about the user'),
  targetType: text,
  targetId: text,
  organizationId: text,
  ipAddress: text,
  requestId: text,
  search: text.describe('Email address of a user, or any ID or IP address'),
  createdAfter: date,
  createdBefore: date,
})
type Filters = z.output<typeof filters>

const counts = z.record(z.string(), z.int()).meta({ examples: [{ 'user.signed-in': 12 }] })

/** How often a combination occurs. */
interface Combination {
  readonly action: string
  readonly outcome: string
  readonly actorKind: string
  readonly value: number
}
type Facet = 'action' | 'outcome' | 'actorKind'

/** Counts of a facet under the filters of the others, so that one sees what another choice would find. */
function countBy(facet: Facet, combinations: readonly Combination[], chosen: Filters): Record<string, number> {
  const others = (['action', 'outcome', 'actorKind'] as const).filter((name) => name !== facet)
  const matching = combinations.filter((one) => others.every((name) => chosen[name]?.includes(one[name]) ?? true))
  const found: Record<string, number> = {}
  for (const { [facet]: name, value } of matching) found[name] = (found[name] ?? 0) + value
  return found
}

interface Counted {
  readonly combinations: readonly Combination[]
  readonly isEstimate: boolean
}

const defaultDays = 30

/** Whole days by their counts, and the hours before and after them. */
async function readRollups(app: App, { createdAfter, createdBefore }: Filters): Promise<Counted> {
  const from = startOf(createdAfter ?? new Date(app.now().getTime() - defaultDays * unitMs.day), 'hour').getTime()
  const end = startOf(app.now(), 'hour').getTime() + unitMs.hour
  const to = Math.min(end, Math.ceil((createdBefore?.getTime() ?? end) / unitMs.hour) * unitMs.hour)
  const firstDay = Math.ceil(from / unitMs.day) * unitMs.day
  const lastDay = Math.floor(to / unitMs.day) * unitMs.day
  const parts: readonly (readonly [Unit, number, number])[] =
    firstDay < lastDay
      ? [
          ['hour', from, firstDay],
          ['day', firstDay, lastDay],
          ['hour', lastDay, to],
        ]
      : [['hour', from, to]]
  const found = await Promise.all(parts.filter(([, start, end]) => start < end).map((part) => readPart(app, ...part)))
  return { combinations: found.flat(), isEstimate: false }
}

async function readPart(app: App, unit: Unit, from: number, to: number): Promise<Combination[]> {
  const rows = await app.db
    .selectFrom('statistic')
    .select(['label', (eb) => eb.fn.sum<number | string>('value').as('value')])
    .where('series', '=', 'event')
    .where('unit', '=', unit)
    .where('at', '>=', new Date(from))
    .where('at', '<', new Date(to))
    .groupBy('label')
    .execute()
  return rows.map(({ label, value }) => {
    const [action = '', outcome = '', actorKind = ''] = label.split(' ')
    return { action, outcome, actorKind, value: Number(value) }
  })
}

const mostRead = 1000

/** The newest events with these ids: few enough to read, as a page of the list. */
async function readNewest(app: App, chosen: Filters): Promise<Counted> {
  const filter = await filterOf(app, chosen)
  if (!filter) return { combinations: [], isEstimate: false }
  const page = { limit: mostRead, position: null, direction: 'older' } as const
  const { positions, end } = await findEvents(app, filter, page, startSearch(app, 'auditEvent.id'))
  const isEstimate = end !== null || positions.length === mostRead
  if (positions.length === 0) return { combinations: [], isEstimate }
  const ids = positions.map(({ id }) => id)
  const events = app.db.selectFrom('auditEvent').select(['action', 'outcome', 'actorKind']).where('id', 'in', ids)
  return { combinations: (await events.execute()).map((event) => ({ ...event, value: 1 })), isEstimate }
}

/** Without the filters of the facets, of which each is counted without its own. @returns null when no event can match */
async function filterOf(app: App, { search, ...chosen }: Filters): Promise<EventFilter | null> {
  const filter = { ...chosen, action: undefined, outcome: undefined, actorKind: undefined }
  if (search === undefined) return filter
  if (!search.includes('@')) return { ...filter, anyId: search }
  const user = await findUserByEmail(app, search)
  return !user || (filter.userId !== undefined && filter.userId !== user.id) ? null : { ...filter, userId: user.id }
}

export const countRoutes = {
  'GET /admin/count-events': route({
    summary: 'Count events of the audit log',
    area: 'Audit log',
    description:
      'Returns how many events there are by outcome, action and kind of actor, for the filters of `/admin/list-events`. Each count ignores the filter of its own facet. Without dates: the last 30 days; dates are rounded to whole hours. With a filter by ID, IP address or request, only the newest 1,000 events are counted, and `isEstimate` is true if there are more. Fails with 503 when that takes longer than `admin.listTimeout`. Only for users whose role permits `event:list`.',
    access: permission({ event: ['list'] }),
    query: filters,
    returns: z.object({ byOutcome: counts, byAction: counts, byActorKind: counts, isEstimate: z.boolean() }),
    errors: [adminErrors.SEARCH_TOO_SLOW],
    handler: async (ctx) => {
      const isByID = [...idFilters, 'userId', 'search'].some((name) => Reflect.get(ctx.query, name) !== undefined)
      const { combinations, isEstimate } = await (isByID ? readNewest : readRollups)(ctx, ctx.query)
      return {
        byOutcome: countBy('outcome', combinations, ctx.query),
        byAction: countBy('action', combinations, ctx.query),
        byActorKind: countBy('actorKind', combinations, ctx.query),
        isEstimate,
      }
    },
  }),
}
