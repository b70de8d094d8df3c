/** The health of the parts of the instance in one line; each leads to its page. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Bar } from '../../components/skeleton.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { chainQuery, type Health, healthQuery } from './data.ts'
import { messages } from './index.ts'

type State = 'ok' | 'warning' | 'failed'
type CheckName = Health['checks'][number]['id']

interface Part {
  readonly name: string
  readonly detail: string
  readonly state: State
  readonly to: string
  /** Whether the name is the name of a product. */
  readonly isProduct?: boolean
  /** Whether it is a place for what is being read: nothing below moves when that is known. */
  readonly isPending?: boolean
}

/** Without Redis, which not every instance has. */
const usualParts = ['/admin/health', '/admin/mails', '/admin/jobs', '/admin/configuration', '/admin/migrations']
const placesOf = (pages: readonly string[]): readonly Part[] =>
  pages.map((to) => ({ name: to, detail: '', state: 'ok', to, isPending: true }))

const shapes: Record<State, string> = {
  ok: 'rounded-full bg-success forced-colors:bg-[CanvasText]',
  warning: 'rounded-full border-2 border-brass',
  failed: 'rounded-[2px] bg-danger forced-colors:bg-[CanvasText]',
}
const words = { ok: 'ok', warning: 'warning', failed: 'broken' } as const

/** `MySQL 9.7` of `MySQL 9.7.4`: the rest stands on the page of health. */
const shortName = (product: string): string => product.replace(/(\d+\.\d+)\S*/, '$1')

function useSystemParts(): readonly Part[] {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { data, isPending, isFetching } = useQuery({ ...healthQuery, enabled: useIsPermitted()('system', 'read') })
  if (!data) return isPending && isFetching ? placesOf(usualParts) : []
  const { database, redis, mail, jobs } = data
  const state = (id: CheckName): State => data.checks.find((check) => check.id === id)?.state ?? 'ok'
  const ms = (latency: number | null) => (latency === null ? t('noResponse') : t('latency', { latency: format.number(latency) }))
  const used = (latency: number | null) =>
    database.pool && latency !== null
      ? t('poolUsed', {
          latency: format.number(latency),
          active: format.number(database.pool.active),
          size: format.number(database.pool.size),
        })
      : ms(latency)
  const mailDetail = () => {
    if (mail.failed) return t('mailFailed', { count: mail.failed })
    return mail.isConfigured ? t('mailWaiting', { count: mail.waiting ?? 0 }) : t('mailNotConfigured')
  }
  const health = '/admin/health'
  const part = (id: CheckName, name: string, detail: string, to = health): Part => ({ name, detail, state: state(id), to })
  /** What a check says when it is in order, and when it is not; a check that timed out has found neither. */
  const outcome = (id: CheckName, ok: 'inSync' | 'current', other: 'fileChanged' | 'pending') => {
    const check = data.checks.find((each) => each.id === id)
    if (check?.message === 'no-response') return t('noResponse')
    return t((check?.state ?? 'ok') === 'ok' ? ok : other)
  }
  const problems = jobs && jobs.failed + jobs.late > 0
  const databaseDetail = database.isReadOnly ? t('readOnly') : used(database.latencyMs)
  return [
    {
      ...part('database', shortName(database.product ?? t('database')), databaseDetail),
      isProduct: database.product !== null,
    },
    ...(redis ? [{ ...part('redis', `Redis ${shortName(redis.version ?? '')}`, ms(redis.latencyMs)), isProduct: true }] : []),
    part('mail', t('mail'), mailDetail(), '/admin/mails'),
    part(
      'jobs',
      t('jobs'),
      problems ? t('jobsProblem', { failed: format.number(jobs.failed), late: format.number(jobs.late) }) : t('onTime'),
      '/admin/jobs',
    ),
    part('configuration', t('configuration'), outcome('configuration', 'inSync', 'fileChanged'), '/admin/configuration'),
    part('migrations', t('migrations'), outcome('migrations', 'current', 'pending'), '/admin/migrations'),
  ]
}

function useChainPart(): readonly Part[] {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { data, isPending, isFetching } = useQuery({ ...chainQuery, enabled: useIsPermitted()('event', 'list') })
  if (!data) return isPending && isFetching ? placesOf(['/admin/events']) : []
  const { state, verifiedAt } = data
  const detail = {
    broken: t('chainBroken'),
    unverified: t('chainUnverified'),
    intact: t('chainVerified', { time: verifiedAt ? format.relative(new Date(verifiedAt), new Date()) : '' }),
  }[state]
  const states = { broken: 'failed', unverified: 'ok', intact: 'ok' } as const
  return [{ name: t('auditChain'), detail, state: states[state], to: '/admin/events' }]
}

export function HealthStrip() {
  const t = useMessages(messages)
  const parts = [...useSystemParts(), ...useChainPart()]
  if (parts.length === 0) return null
  return (
    <nav
      aria-label={t('health')}
      className="mb-4 flex flex-wrap gap-px overflow-hidden rounded-card border border-border bg-border text-13"
    >
      {parts.map(({ name, detail, state, to, isProduct = false, isPending = false }) =>
        isPending ? (
          <span key={to} aria-hidden className="grid min-w-0 grow basis-34 gap-2 bg-surface px-4 py-4">
            <Bar className="w-20" />
            <Bar className="w-28" />
          </span>
        ) : (
          <Link key={to + name} to={to} className="min-w-0 grow basis-34 bg-surface px-4 py-3 -outline-offset-2 hover:bg-hover">
            <span className="flex items-center gap-2 font-medium">
              <span aria-hidden className={clsx('size-2 shrink-0', shapes[state])} />
              <span className="sr-only">{t(words[state])}: </span>
              <span translate={isProduct ? 'no' : undefined} className="truncate">
                {name}
              </span>
            </span>
            <span className="block truncate ps-4 text-12 text-muted tabular-nums" title={detail}>
              {detail}
            </span>
          </Link>
        ),
      )}
    </nav>
  )
}
