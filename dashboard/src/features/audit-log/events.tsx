/** The audit log: a timeline with facets, filters and search in the address, new events as they come, and the details of one. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { CodeBlock, Placeholder } from '../../components/feedback.tsx'
import { Card } from '../../components/layout.tsx'
import { ListPages } from '../../components/list.tsx'
import { SearchField } from '../../components/table.tsx'
import type { AuditEvent, EventPage } from '../../events/index.ts'
import { Timeline } from '../../events/timeline.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { AdminPage } from '../../frame/admin-page.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../routes/list-state.ts'
import { useParameters } from '../../routes/parameters.ts'
import { countsQuery, type EventFilter, eventsQuery, pageSize, queryOf, readFilter, statusQuery } from './data.ts'
import { EventDetails } from './event-details.tsx'
import { Facets } from './facets.tsx'
import { EventFilters, isFiltered, unfiltered } from './filters.tsx'
import { messages } from './index.ts'
import { IntegrityBadge } from './integrity.tsx'
import { LiveSwitch, useLive } from './live.tsx'

export function Screen() {
  const t = useMessages(messages)
  const parameters = useParameters()
  const filter = readFilter(parameters)
  const after = parameters('after')
  const query = useQuery(eventsQuery(filter, after))
  const { data: status } = useQuery(statusQuery)
  const event = parameters('event')
  const { data: page, isPlaceholderData, refetch } = query
  return (
    <AdminPage
      title={t('auditLog')}
      lead={status ? t('lead', { days: Math.round(status.retention / 86_400) }) : t('searchNote')}
      query={query}
      actions={
        <>
          <IntegrityBadge />
          <EventExport filter={filter} />
        </>
      }
      controls={<Tools filter={filter} page={page} />}
      arrange={(list) => (
        <div
          className={clsx(
            'grid items-start gap-4 console:grid-cols-[10.5rem_minmax(0,1fr)] console:gap-6',
            event !== undefined && 'wide:grid-cols-[10.5rem_minmax(0,1fr)_24rem]',
          )}
        >
          <div className="hidden console:block">
            <Facets filter={filter} />
          </div>
          <div className="min-w-0">{list}</div>
          {event === undefined ? null : <EventDetails id={event} />}
        </div>
      )}
    >
      {(data) => (
        <Events
          {...{ filter, refetch, page: data, chosen: event, isFirstPage: after === undefined, isLive: !isPlaceholderData }}
        />
      )}
    </AdminPage>
  )
}

function EventExport({ filter }: { readonly filter: EventFilter }) {
  const t = useMessages(messages)
  return (
    <ExportButton
      source="events"
      filter={queryOf(filter)}
      label={t('export')}
      text={t('exportText')}
      command="latchkey audit list --json > audit-log.ndjson"
    />
  )
}

interface ToolsProps {
  readonly filter: EventFilter
  readonly page: EventPage | undefined
}

function Tools({ filter, page }: ToolsProps) {
  const t = useMessages(messages)
  const { text, setText } = useSearchText()
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <SearchField label={t('search')} placeholder={t('searchHint')} title={t('searchNote')} value={text} onSearch={setText} />
      <EventFilters filter={filter} events={page?.events ?? []} />
      <div className="card:ms-auto">
        <LiveSwitch />
      </div>
    </div>
  )
}

interface EventsProps {
  readonly filter: EventFilter
  readonly page: EventPage
  readonly refetch: () => unknown
  readonly chosen: string | undefined
  readonly isFirstPage: boolean
  /** Whether the address names this page. */
  readonly isLive: boolean
}

/** The details of an event, on this page. */
function useLinkToEvent() {
  const parameters = useParameters()
  const kept = ['search', 'outcome', 'actor', 'group', 'action', 'range', 'from', 'until', 'actorId', 'userId']
  const names = [...kept, 'organizationId', 'targetId', 'ipAddress', 'requestId', 'after', 'page', 'live']
  const search = Object.fromEntries(names.map((name) => [name, parameters(name)]))
  return ({ id }: AuditEvent) => ({ to: '/admin/events', search: { ...search, event: id } })
}

function Events({ filter, page, refetch, chosen, isFirstPage, isLive }: EventsProps) {
  const linkOf = useLinkToEvent()
  const { fresh, notice } = useLive(filter, isFirstPage && isLive ? page : undefined, refetch)
  const [former, setFormer] = useState<ReadonlySet<string>>(new Set())
  // Some of the new ones were recorded late.
  const events = [...fresh, ...page.events].sort((one, other) => other.createdAt.localeCompare(one.createdAt, 'en'))
  const isNew = new Set(fresh.map(({ id }) => id).filter((id) => !former.has(id)))
  return (
    <Card>
      <div onPointerMove={() => isNew.size > 0 && setFormer(new Set(fresh.map(({ id }) => id)))}>
        {events.length === 0 ? (
          <NoEvents filter={filter} isFirstPage={isFirstPage} notice={notice} />
        ) : (
          <>
            <Timeline events={events} linkOf={linkOf} chosen={chosen} fresh={isNew} notice={notice} />
            <EventPages page={page} filter={filter} />
          </>
        )}
      </div>
    </Card>
  )
}

/** The number of all is counted, never read: it may be one of the last 30 days. */
function EventPages({ page, filter }: { readonly page: EventPage; readonly filter: EventFilter }) {
  const { page: number } = useListPage()
  const { nextCursor } = page
  const { data: counts } = useQuery(countsQuery(filter))
  const isCounted = filter.range !== undefined || filter.from !== undefined || counts?.isEstimate === false
  const total = counts && sum(counts.byOutcome)
  const shown = number * pageSize
  // A count lags, and is one of whole hours.
  const isPlausible = total !== undefined && total > shown && isCounted && nextCursor !== null && filter.outcome.length === 0
  return (
    <ListPages {...{ pageSize, count: page.events.length, next: nextCursor, ...(isPlausible && { total, isEstimate: true }) }} />
  )
}

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, one) => all + one, 0)

interface NoEventsProps {
  readonly filter: EventFilter
  readonly isFirstPage: boolean
  readonly notice: React.ReactNode
}

function NoEvents({ filter, isFirstPage, notice }: NoEventsProps) {
  const t = useMessages(messages)
  const change = useFilter()
  const navigate = useNavigate()
  if (isFiltered(filter) || !isFirstPage)
    return (
      <>
        <Placeholder
          icon={SearchX}
          title={t('noEventFound')}
          actions={
            isFirstPage ? (
              <Button onClick={() => change(unfiltered)}>{t('clearFilters')}</Button>
            ) : (
              <Button onClick={() => void navigate({ to: '/admin/events' as string })}>{t('newest')}</Button>
            )
          }
        >
          {t('noEventFoundText')}
        </Placeholder>
        <div className="px-6 pb-4 text-12 text-muted empty:hidden">{notice}</div>
      </>
    )
  return (
    <Placeholder icon={ShieldCheck} title={t('noEvents')}>
      <p className="mb-3">{t('noEventsText')}</p>
      <CodeBlock code="latchkey audit list" label={t('command')} copyLabel={t('copyCommand')} />
    </Placeholder>
  )
}
