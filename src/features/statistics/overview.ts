/** `GET /admin/overview`: a few reads of counts by their index. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { permission } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isoDate } from '../../core/schemas.ts'
import { countRows } from '../../core/statement.ts'
import { type Series, startOf, type Unit, unitMs } from './counts.ts'
import { flushStatistics } from './recording.ts'

const point = z.object({ at: isoDate, value: z.int() }).meta({ title: 'Point' })
const points = z.array(point)
type Point = z.input<typeof point>

/** Intervals of each range; the last one is not over yet. */
const ranges = {
  '24h': { unit: 'hour', length: 24 },
  '7d': { unit: 'day', length: 7 },
  '30d': { unit: 'day', length: 30 },
  '90d': { unit: 'day', length: 90 },
} as const
const range = z.enum(['24h', '7d', '30d', '90d'])

const overview = z.object({
  range,
  from: isoDate,
  to: isoDate,
  bucket: z.enum(['hour', 'day']).describe('Length of the interval that each point counts'),
  signUps: points.describe('Without accounts that an operator or an administrator created'),
  signIns: z.object({ succeeded: points, failed: points }),
  activeUsers: z
    .object({ day: points, week: points, month: points })
    .describe(
      'Different users who signed in or renewed a session on the day, or in the 7 or 30 days that end with it; by day, also with `24h`',
    ),
  rateLimits: z.object({
    points,
    byRoute: z.array(z.object({ route: z.string().meta({ examples: ['POST /sign-in/email'] }), count: z.int() })),
  }),
  mails: z.object({
    sent: points,
    failed: points.describe('Failed permanently'),
    byKind: z.array(z.object({ kind: z.string(), sent: z.int(), failed: z.int() })),
  }),
  verification: z
    .object({ signedUp: z.int(), emailSent: z.int(), verified: z.int(), signedIn: z.int() })
    .describe('Sign-ups, verification emails sent, email addresses verified, and users who signed in for the first time'),
  invitations: z
    .object({ sent: z.int(), accepted: z.int(), rejected: z.int(), canceled: z.int(), expired: z.int() })
    .describe('Invitations to organizations, each counted when it happens; `expired` without those of the current hour'),
  previous: z.object({ signUps: z.int(), signIns: z.int() }).describe('In the period of the same length before'),
  users: z.object({ total: z.int(), isEstimate: z.boolean() }).describe('Exact up to 10,000 users, an estimate above'),
})

interface Total {
  readonly series: string
  readonly label: string
  readonly value: number
}

/** An interval, `from` included and `to` not. */
interface Interval {
  readonly unit: Unit
  readonly from: Date
  readonly to: Date
}

const readSeries = (app: App, series: readonly Series[], { unit, from, to }: Interval) =>
  app.db
    .selectFrom('statistic')
    .where('series', 'in', series)
    .where('unit', '=', unit)
    .where('at', '>=', from)
    .where('at', '<', to)

/** The counts of these series, which have no labels, in each interval. */
async function readPoints(app: App, series: readonly Series[], interval: Interval) {
  const rows = await readSeries(app, series, interval).select(['series', 'at', 'value']).execute()
  return new Map(rows.map(({ series, at, value }) => [keyOf(series, at), Number(value)]))
}

const keyOf = (series: string, at: Date): string => `${series} ${at.getTime()}`

/** The counts of these series in the whole interval, by label; the highest first. */
async function readTotals(app: App, series: readonly Series[], interval: Interval, labels?: readonly string[]): Promise<Total[]> {
  const rows = await readSeries(app, series, interval)
    .$if(labels !== undefined, (query) => query.where('label', 'in', labels ?? []))
    .select(['series', 'label', (eb) => eb.fn.sum<number | string>('value').as('value')])
    .groupBy(['series', 'label'])
    .execute()
  const totals = rows.map(({ value, ...row }) => ({ ...row, value: Number(value) }))
  return totals.sort((one, other) => other.value - one.value || (one.label < other.label ? -1 : 1))
}

/** A point for each interval, also where nothing was counted. */
function pointsOf(counts: ReadonlyMap<string, number>, series: Series, { unit, from, to }: Interval): Point[] {
  const length = Math.round((to.getTime() - from.getTime()) / unitMs[unit])
  const starts = Array.from({ length }, (_, position) => new Date(from.getTime() + position * unitMs[unit]))
  return starts.map((at) => ({ at, value: counts.get(keyOf(series, at)) ?? 0 }))
}

const charts = ['sign-up', 'sign-in', 'sign-in-failed', 'rate-limit', 'mail-sent', 'mail-failed'] as const
const steps = ['first-sign-in', 'email-verified'] as const
const labeled = ['rate-limit by route', 'mail-sent by kind', 'mail-failed by kind'] as const
const compared = ['sign-up', 'sign-in'] as const
const activity = ['active-day', 'active-week', 'active-month'] as const

/** The last intervals of a unit, up to the one of now. */
function lastIntervals(now: Date, unit: Unit, length: number): Interval {
  const to = new Date(startOf(now, unit).getTime() + unitMs[unit])
  return { unit, from: new Date(to.getTime() - length * unitMs[unit]), to }
}

/** Requests that rate limits have rejected in this hour and the last one, by route; the highest first. */
export async function readRejections(app: App): Promise<{ readonly route: string; readonly count: number }[]> {
  return byRoute(await readTotals(app, ['rate-limit by route'], lastIntervals(app.now(), 'hour', 2)))
}

async function readOverview(app: App, name: z.output<typeof range>) {
  await flushStatistics(app)
  const { unit, length } = ranges[name]
  const current = lastIntervals(app.now(), unit, length)
  const before = { unit, from: lastIntervals(app.now(), unit, 2 * length).from, to: current.from }
  const days = unit === 'day' ? current : lastIntervals(app.now(), 'day', 7)
  const [counts, previous, active, totals, invitations, users] = await Promise.all([
    readPoints(app, [...charts, ...steps], current),
    readTotals(app, compared, before),
    readPoints(app, activity, days),
    readTotals(app, labeled, current),
    readInvitations(app, current),
    countUsers(app),
  ])
  const shown = (series: Series) => pointsOf(counts, series, current)
  const sum = (series: Series) => shown(series).reduce((total, { value }) => total + value, 0)
  return {
    ...{ range: name, from: current.from, to: app.now(), bucket: unit, users, invitations },
    signUps: shown('sign-up'),
    signIns: { succeeded: shown('sign-in'), failed: shown('sign-in-failed') },
    activeUsers: {
      day: pointsOf(active, 'active-day', days),
      week: pointsOf(active, 'active-week', days),
      month: pointsOf(active, 'active-month', days),
    },
    rateLimits: { points: shown('rate-limit'), byRoute: byRoute(totals) },
    mails: { sent: shown('mail-sent'), failed: shown('mail-failed'), byKind: byKind(totals) },
    verification: {
      signedUp: sum('sign-up'),
      emailSent: totalOf(totals, 'mail-sent by kind', 'verification'),
      verified: sum('email-verified'),
      signedIn: sum('first-sign-in'),
    },
    previous: { signUps: totalOf(previous, 'sign-up', ''), signIns: totalOf(previous, 'sign-in', '') },
  }
}

const actors = ['user', 'operator', 'system', 'anonymous']
const invitationActions = {
  sent: 'invitation.created',
  accepted: 'member.joined',
  rejected: 'invitation.rejected',
  canceled: 'invitation.canceled',
} as const

/** What happened to invitations, from the counts of events. */
async function readInvitations(app: App, current: Interval) {
  const labels = Object.values(invitationActions).flatMap((action) => actors.map((actor) => `${action} succeeded ${actor}`))
  const past: Interval = { unit: 'hour', from: current.from, to: startOf(app.now(), 'hour') }
  const [events, expired] = await Promise.all([
    readTotals(app, ['event'], current, labels),
    readTotals(app, ['invitation-expired'], past),
  ])
  const count = (action: string) =>
    events.filter(({ label }) => label.startsWith(`${action} `)).reduce((total, { value }) => total + value, 0)
  const { sent, accepted, rejected, canceled } = invitationActions
  return {
    ...{ sent: count(sent), accepted: count(accepted), rejected: count(rejected), canceled: count(canceled) },
    // An invitation of a former version is only subtracted.
    expired: Math.max(0, totalOf(expired, 'invitation-expired', '')),
  }
}

const byRoute = (totals: readonly Total[]) =>
  totals.filter(({ series }) => series === 'rate-limit by route').map(({ label, value }) => ({ route: label, count: value }))

const totalOf = (totals: readonly Total[], series: Series, label: string): number =>
  totals.find((one) => one.series === series && one.label === label)?.value ?? 0

function byKind(totals: readonly Total[]) {
  const kinds = totals.filter(({ series }) => series.endsWith('by kind')).map(({ label }) => label)
  return [...new Set(kinds)].map((kind) => ({
    kind,
    sent: totalOf(totals, 'mail-sent by kind', kind),
    failed: totalOf(totals, 'mail-failed by kind', kind),
  }))
}

const mostCounted = 10_000

/** Exact up to a bound; above it, as the database estimates it. */
async function countUsers(app: App): Promise<{ total: number; isEstimate: boolean }> {
  const some = app.db
    .selectFrom('user')
    .select('id')
    .limit(mostCounted + 1)
  const total = await countRows(app.db.selectFrom(some.as('some')))
  if (total <= mostCounted) return { total, isEstimate: false }
  return { total: Math.max(total, await app.database.estimateRows(app.db, 'user')), isEstimate: true }
}

export const overviewRoutes = {
  'GET /admin/overview': route({
    summary: 'Get statistics of the installation',
    description:
      'Returns counts by hour (`24h`) or by day, without gaps: sign-ups, sign-ins, active users, rate limits and emails. Days are days of UTC. Counts lag a few seconds behind. Only for users whose role permits `statistics:read`.',
    access: permission({ statistics: ['read'] }),
    query: z.object({ range: range.default('7d') }),
    returns: overview,
    handler: (ctx) => readOverview(ctx, ctx.query.range),
  }),
}
