/** The state of the instance at a glance: health, and charts of a range that stands in the address. */
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { ChartLine } from 'lucide-react'
import { useEffect, useState } from 'react'
import { ClientError } from '../../api.ts'
import { CodeBlock, ErrorNote, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useInstancePath } from '../../frame/frame-navigation.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../permissions.ts'
import { useParameter } from '../../router-hooks.ts'
import { isRange, type Overview, overviewQuery, type Range, ranges, sum } from './data.ts'
import { segment, segments } from './figure.tsx'
import { ActiveUsers, Funnel, SignIns, SignUps } from './figures.tsx'
import { HealthStrip } from './health-strip.tsx'
import { messages } from './index.ts'
import { Mails, RateLimits } from './operation-figures.tsx'

/** Its address stands for the whole area: users who may not open it get the first page that they may. */
export function Screen() {
  const isPermitted = useIsPermitted()
  const first = useInstancePath()
  if (isPermitted('statistics', 'read')) return <OverviewPage />
  return first === undefined ? <NotPermitted /> : <Navigate to={first as string} replace />
}

function OverviewPage() {
  const t = useMessages(messages)
  const { format } = useLocale()
  const parameter = useParameter('range')
  const range = isRange(parameter) ? parameter : '30d'
  const { data, error, refetch, dataUpdatedAt, isPlaceholderData } = useQuery(overviewQuery(range))
  if (error instanceof ClientError && error.status === 403) return <NotPermitted />
  const users = data && { users: format.number(data.users.total) }
  return (
    <>
      <PageHead title={t('overview')} actions={<RangeLinks current={range} />}>
        {users ? t(data.users.isEstimate ? 'leadAbout' : 'lead', users) : null} {data ? <Updated at={dataUpdatedAt} /> : null}
      </PageHead>
      <HealthStrip />
      {error && data ? (
        <div className="mb-4">
          <ErrorNote error={error} />
        </div>
      ) : null}
      {data ? (
        <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : undefined}>
          {isUnused(data) ? <FirstUse /> : <Figures overview={data} />}
        </div>
      ) : (
        <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
      )}
    </>
  )
}

/** On a new instance, the administrator who reads this page is the only user. */
const isUnused = ({ users, signUps, mails, signIns }: Overview): boolean =>
  users.total <= 1 && sum(signUps) + sum(mails.sent) === 0 && sum(signIns.succeeded) <= 1

const Figures = ({ overview }: { readonly overview: Overview }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-4 console:grid-cols-2 wide:grid-cols-6">
    <SignIns overview={overview} />
    <Funnel overview={overview} />
    <SignUps overview={overview} />
    <ActiveUsers overview={overview} />
    <RateLimits overview={overview} />
    <Mails overview={overview} />
  </div>
)

/** Said again every few seconds. */
function Updated({ at }: { readonly at: number }) {
  const t = useMessages(messages)
  const { locale } = useLocale()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.round((now - at) / 1000))
  const time = new Intl.RelativeTimeFormat(locale.startsWith('de') ? 'de' : 'en', { style: 'short' }).format(-seconds, 'second')
  return <span className="tabular-nums">{t('updated', { time })}</span>
}

const names = { '24h': 'day', '7d': 'week', '30d': 'month', '90d': 'quarter' } as const

function RangeLinks({ current }: { readonly current: Range }) {
  const t = useMessages(messages)
  return (
    <nav aria-label={t('range')} className={segments}>
      {ranges.map((range) => (
        <Link
          key={range}
          to="."
          search={{ range } as never}
          replace
          activeProps={{ 'aria-current': undefined }}
          aria-current={range === current ? 'true' : undefined}
          className={segment(range === current)}
        >
          {t(names[range])}
        </Link>
      ))}
    </nav>
  )
}

function FirstUse() {
  const t = useMessages(messages)
  return (
    <Card>
      <Placeholder icon={ChartLine} title={t('firstUse')}>
        <p className="mb-3">{t('firstUseText')}</p>
        <CodeBlock
          code="latchkey users create --email ann@example.com --name Ann"
          label={t('command')}
          copyLabel={t('copyCommand')}
        />
      </Placeholder>
    </Card>
  )
}
