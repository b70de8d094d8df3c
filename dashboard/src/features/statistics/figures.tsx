/** The figures of the overview. */
import { Bars, Trend } from '../../components/charts.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { type Overview, type Point, sum } from './data.ts'
import { Figure } from './figure.tsx'
import { messages } from './index.ts'
import { dayLink, endsOf, type FigureProps, useInterval, zip } from './intervals.ts'
import { outlierOf } from './outlier.ts'

/** @returns undefined when there is nothing to compare with */
function useChange(): (now: number, before: number) => string | undefined {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (now, before) => {
    if (before === 0) return undefined
    const change = now / before - 1
    return t('againstBefore', { change: `${change > 0 ? '+' : ''}${format.percent(change)}` })
  }
}

/** The day since when a list shows what a figure counts. */
const dayOf = ({ from }: Overview): string => from.slice(0, 10)

export function SignIns({ overview }: FigureProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const interval = useInterval(overview)
  const change = useChange()
  const { succeeded, failed } = overview.signIns
  const [ok, wrong] = [sum(succeeded), sum(failed)]
  const share = (one: number, all: number) => (all === 0 ? '–' : format.percent(one / all))
  const buckets = zip(succeeded, failed).map((each) => ({ ...each, label: interval(each) }))
  const peak = outlierOf(failed)
  const range = overview.range === '90d' ? { from: dayOf(overview) } : { range: overview.range }
  return (
    <Figure
      className="console:col-span-2 wide:col-span-4"
      headlines={[
        { name: t('signIns'), tone: 'accent', value: format.number(ok), detail: change(ok, overview.previous.signIns) },
        {
          name: t('failed'),
          tone: 'brass',
          value: format.number(wrong),
          detail: t('failedShare', { share: share(wrong, ok + wrong) }),
        },
      ]}
      chart={
        <Bars
          isTall
          buckets={buckets}
          series={[
            { name: t('succeeded'), tone: 'accent' },
            { name: t('failed'), tone: 'brass' },
          ]}
          summary={t('signInsSummary', {
            ...{ total: format.number(ok), failed: format.number(wrong) },
            ...endsOf(buckets),
          })}
          linkOf={dayLink(overview, '/admin/events', ['from', 'until'], { group: 'signIns' })}
          note={peak && { at: peak.at, text: t('peak', { at: interval(peak), count: format.number(peak.value) }) }}
        />
      }
      table={{
        columns: [t('time'), t('succeeded'), t('failed'), t('share')],
        rows: buckets
          .toReversed()
          .map(({ label, values: [good = 0, bad = 0] }) => [
            label,
            format.number(good),
            format.number(bad),
            share(bad, good + bad),
          ]),
      }}
      link={{ label: t('failedSignIns'), to: '/admin/events', search: { group: 'signIns', outcome: 'failed', ...range } }}
    />
  )
}

export function SignUps({ overview }: FigureProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const interval = useInterval(overview)
  const change = useChange()
  const total = sum(overview.signUps)
  const peak = outlierOf(overview.signUps)
  const buckets = zip(overview.signUps).map((each) => ({ ...each, label: interval(each) }))
  return (
    <Figure
      className="wide:col-span-3"
      headlines={[{ name: t('signUps'), value: format.number(total), detail: change(total, overview.previous.signUps) }]}
      chart={
        <Bars
          buckets={buckets}
          series={[{ name: t('signUps'), tone: 'info' }]}
          summary={t('signUpsSummary', { total: format.number(total), ...endsOf(buckets) })}
          linkOf={dayLink(overview, '/admin/users', ['createdAfter', 'createdBefore'], {}, 1)}
          note={peak && { at: peak.at, text: t('signUpPeak', { at: interval(peak), count: format.number(peak.value) }) }}
        />
      }
      table={{
        columns: [t('time'), t('signUps')],
        rows: buckets.toReversed().map(({ label, values: [count = 0] }) => [label, format.number(count)]),
      }}
      link={{ label: t('createdUsers'), to: '/admin/users', search: { createdAfter: dayOf(overview) } }}
    />
  )
}

export function ActiveUsers({ overview: { activeUsers, ...overview } }: FigureProps) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const day = ({ at }: Pick<Point, 'at'>) => format.shortDay(new Date(at))
  const parts = [
    { name: t('perDay'), points: activeUsers.day, tone: 'accent' },
    { name: t('perWeek'), points: activeUsers.week, tone: 'info' },
    { name: t('perMonth'), points: activeUsers.month, tone: 'success' },
  ] as const
  const last = (points: readonly Point[]) => format.number(points.at(-1)?.value ?? 0)
  return (
    <Figure
      className="wide:col-span-3"
      headlines={[{ name: t('activeUsers'), value: last(activeUsers.day), detail: t('today') }]}
      chart={
        <div className="grid gap-5 card:grid-cols-3">
          {parts.map(({ name, points, tone }) => (
            <div key={name}>
              <p className="mb-1 flex items-baseline gap-2 text-13">
                <span className="font-medium">{name}</span>
                <span className="text-muted tabular-nums">{last(points)}</span>
              </p>
              <Trend
                tone={tone}
                values={points.map(({ value }) => value)}
                summary={t('activeSummary', { name, first: format.number(points[0]?.value ?? 0), last: last(points) })}
              />
              <p aria-hidden className="mt-1 flex justify-between text-[11px] text-muted">
                <span>{points[0] ? day(points[0]) : ''}</span>
                <span>{points.at(-1) ? day(points.at(-1) ?? { at: '' }) : ''}</span>
              </p>
            </div>
          ))}
        </div>
      }
      table={{
        columns: [t('time'), ...parts.map(({ name }) => name)],
        rows: zip(...parts.map(({ points }) => points))
          .toReversed()
          .map((each) => [day(each), ...each.values.map(format.number)]),
      }}
      link={{ label: t('recentUsers'), to: '/admin/users', search: { lastSignInAfter: dayOf({ ...overview, activeUsers }) } }}
    />
  )
}
