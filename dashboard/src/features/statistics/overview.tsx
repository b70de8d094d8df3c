/** The state of the instance at a glance: health, and charts of a range that stands in the address. */
import { useQuery } from '@tanstack/react-query'
import { Link, Navigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChartLine } from 'lucide-react'
import { useSettings } from '../../api/calls.ts'
import { CodeBlock, Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { Bar, Loading } from '../../components/skeleton.tsx'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useInstancePath } from '../../frame/frame-navigation.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useParameter } from '../../routes/parameters.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { isRange, type Overview, overviewQuery, type Range, ranges, sum } from './data.ts'
import { segment, segments } from './figure.tsx'
import { ActiveUsers, SignIns, SignUps } from './figures.tsx'
import { Invitations, Verification } from './funnels.tsx'
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
  const query = useQuery(overviewQuery(range))
  const { data } = query
  const users = data && { users: data.users.isEstimate ? format.estimate(data.users.total) : format.number(data.users.total) }
  return (
    <AdminPage
      title={t('overview')}
      lead={users ? t(data.users.isEstimate ? 'leadAbout' : 'lead', users) : null}
      query={query}
      actions={<RangeLinks current={range} />}
      controls={<HealthStrip />}
      skeleton={<FiguresSkeleton />}
    >
      {(overview) => (isUnused(overview) ? <FirstUse /> : <Figures overview={overview} />)}
    </AdminPage>
  )
}

/** On a new instance, the administrator who reads this page is the only user. */
const isUnused = ({ users, signUps, mails, signIns }: Overview): boolean =>
  users.total <= 1 && sum(signUps) + sum(mails.sent) === 0 && sum(signIns.succeeded) <= 1

/** The figures of the range, without their values. */
const FiguresSkeleton = () => (
  <Loading>
    <div className={grid}>
      {['console:col-span-2 wide:col-span-4', 'wide:col-span-2', 'wide:col-span-3', 'wide:col-span-3 '].map((place) => (
        <Card key={place} className={clsx('flex h-86 flex-col p-4 card:px-5', place)}>
          <Bar className="mt-1" />
          <Bar className="mt-3.5 h-5 w-32" />
          <span className="pulse mt-auto mb-9 h-40 rounded-control bg-fill" />
        </Card>
      ))}
    </div>
  </Loading>
)

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-4 console:grid-cols-2 wide:grid-cols-6'

function Figures({ overview }: { readonly overview: Overview }) {
  const hasInvitations = useSettings().organization !== null
  const third = hasInvitations ? 'wide:col-span-2' : 'wide:col-span-3'
  return (
    <div className={grid}>
      <SignIns overview={overview} />
      <Verification overview={overview} />
      <SignUps overview={overview} />
      <ActiveUsers overview={overview} />
      <RateLimits overview={overview} className={third} />
      {hasInvitations ? <Invitations overview={overview} /> : null}
      <Mails overview={overview} className={hasInvitations ? third : `console:col-span-2 ${third}`} />
    </div>
  )
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
