/** The figures of the overview about limits and emails. */
import { Bars, Share } from '../../components/charts.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useMailKind } from '../../messages/mail-kinds.ts'
import { sum } from './data.ts'
import { Figure } from './figure.tsx'
import { messages } from './index.ts'
import { endsOf, type FigureProps, useInterval, zip } from './intervals.ts'
import { outlierOf } from './outlier.ts'

/** As many as there is room for; the table has all. */
const mostRoutes = 5

interface Props extends FigureProps {
  readonly className: string
}

export function RateLimits({ overview, className }: Props) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { points, byRoute } = overview.rateLimits
  const most = byRoute[0]?.count ?? 1
  return (
    <Figure
      className={className}
      headlines={[{ name: t('rateLimits'), value: format.number(sum(points)) }]}
      chart={
        byRoute.length === 0 ? (
          <p className="text-13 text-muted">{t('noLimits')}</p>
        ) : (
          <ul className="grid gap-3 text-13">
            {byRoute.slice(0, mostRoutes).map(({ route, count }) => (
              <li key={route} className="grid gap-1">
                <span className="flex items-baseline gap-3">
                  <span translate="no" dir="ltr" className="min-w-0 grow font-mono text-12 wrap-anywhere">
                    {route}
                  </span>
                  <span className="tabular-nums">{format.number(count)}</span>
                </span>
                <Share value={count / most} tone="brass" />
              </li>
            ))}
          </ul>
        )
      }
      table={{ columns: [t('call'), t('rateLimits')], rows: byRoute.map(({ route, count }) => [route, format.number(count)]) }}
      link={{ label: t('limitEvents'), to: '/admin/events', search: { group: 'denials' } }}
    />
  )
}

export function Mails({ overview, className }: Props) {
  const t = useMessages(messages)
  const { format } = useLocale()
  const interval = useInterval(overview)
  const kindName = useMailKind()
  const { sent, failed, byKind } = overview.mails
  const [total, wrong] = [sum(sent), sum(failed)].map(format.number)
  const peak = outlierOf(failed)
  const buckets = zip(sent, failed).map((each) => ({ ...each, label: interval(each) }))
  return (
    <Figure
      className={className}
      headlines={[
        { name: t('mails'), tone: 'success', value: total ?? '' },
        { name: t('mailsFailed'), tone: 'brass', value: wrong ?? '' },
      ]}
      chart={
        <Bars
          buckets={buckets}
          series={[
            { name: t('sent'), tone: 'success' },
            { name: t('failed'), tone: 'brass' },
          ]}
          note={peak && { at: peak.at, text: t('peak', { at: interval(peak), count: format.number(peak.value) }) }}
          summary={t('mailsSummary', { total: total ?? '', failed: wrong ?? '', ...endsOf(buckets) })}
        />
      }
      table={{
        columns: [t('kind'), t('sent'), t('failed')],
        rows: byKind.map((each) => [kindName(each.kind), format.number(each.sent), format.number(each.failed)]),
      }}
      link={{ label: t('outbox'), to: '/admin/mails' }}
    />
  )
}
