/** The health of the parts of the instance in one line; each leads to its page. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../permissions.ts'
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
}

const shapes: Record<State, string> = {
  ok: 'rounded-full bg-success',
  warning: 'rounded-full border-2 border-brass',
  failed: 'rounded-[2px] bg-danger',
}
const words = { ok: 'ok', warning: 'warning', failed: 'broken' } as const

/** `MySQL 9.7` of `MySQL 9.7.4`: the rest stands on the page of health. */
const shortName = (product: string): string => product.replace(/(\d+\.\d+)\S*/, '$1')

function useSystemParts(): readonly Part[] {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { data } = useQuery({ ...healthQuery, enabled: useIsPermitted()('system', 'read') })
  if (!data) return []
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
  const isOk = (id: CheckName) => state(id) === 'ok'
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
    part('configuration', t('configuration'), t(isOk('configuration') ? 'inSync' : 'fileChanged'), '/admin/configuration'),
    part('migrations', t('migrations'), t(isOk('migrations') ? 'current' : 'pending'), '/admin/migrations'),
  ]
}

function useChainPart(): readonly Part[] {
  const t = useMessages(messages)
  const { format } = useLocale()
  const { data } = useQuery({ ...chainQuery, enabled: useIsPermitted()('event', 'list') })
  if (!data) return []
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
      {parts.map(({ name, detail, state, to, isProduct = false }) => (
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
      ))}
    </nav>
  )
}
