/** The audit log: a timeline with facets, filters and search in the address, new events as they come, and the details of one. */
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { ClientError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock, ErrorNote, LoadError, Placeholder, Skeleton } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { Pages, SearchField } from '../../components/table.tsx'
import type { AuditEvent, EventPage } from '../../events/index.ts'
import { Timeline } from '../../events/timeline.tsx'
import { ExportButton } from '../../exports/export-button.tsx'
import { mostRows, ndjson } from '../../exports/index.ts'
import { NotPermitted } from '../../frame/admin-frame.tsx'
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { useFilter, useListPage, useSearchText } from '../../list-state.ts'
import { useParameters } from '../../router-hooks.ts'
import { countsQuery, type EventFilter, eventsQuery, pageSize, readFilter, readPage, statusQuery } from './data.ts'
import { EventDetails } from './event-details.tsx'
import { Facets } from './facets.tsx'
import { Filters, isFiltered, unfiltered } from './filters.tsx'
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
  if (query.error instanceof ClientError && query.error.status === 403) return <NotPermitted />
  return (
    <>
      <PageHead
        title={t('auditLog')}
        actions={
          <>
            <IntegrityBadge />
            <EventExport filter={filter} />
          </>
        }
      >
        {status ? t('lead', { days: Math.round(status.retention / 86_400) }) : t('searchNote')}
      </PageHead>
      <Tools filter={filter} page={query.data} />
      <div
        className={clsx(
          'grid items-start gap-4 console:grid-cols-[10.5rem_minmax(0,1fr)] console:gap-6',
          event !== undefined && 'wide:grid-cols-[10.5rem_minmax(0,1fr)_24rem]',
        )}
      >
        <div className="hidden console:block">
          <Facets filter={filter} />
        </div>
        <Events filter={filter} query={query} chosen={event} isFirstPage={after === undefined} />
        {event === undefined ? null : <EventDetails id={event} />}
      </div>
    </>
  )
}

function EventExport({ filter }: { readonly filter: EventFilter }) {
  const t = useMessages(messages)
  const { format } = useLocale()
  return (
    <ExportButton
      texts={{
        label: t('export'),
        title: t('exportTitle'),
        text: t('exportText', { most: format.number(mostRows) }),
        running: (count) => t('exporting', { count }),
        done: (count, hasMore) => t(hasMore ? 'exportCapped' : 'exported', { count }),
      }}
      formats={[ndjson]}
      command="latchkey audit list --json > audit-log.ndjson"
      fileName="audit-log"
      readPage={(cursor, limit) => readPage(filter, cursor, limit)}
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
      <Filters filter={filter} events={page?.events ?? []} />
      <div className="card:ms-auto">
        <LiveSwitch />
      </div>
    </div>
  )
}

interface EventsProps {
  readonly filter: EventFilter
  readonly query: {
    readonly data: EventPage | undefined
    readonly error: unknown
    readonly isPlaceholderData: boolean
    readonly refetch: () => unknown
  }
  readonly chosen: string | undefined
  readonly isFirstPage: boolean
}

/** The details of an event, on this page. */
function useLinkToEvent() {
  const parameters = useParameters()
  const kept = ['search', 'outcome', 'actor', 'group', 'action', 'range', 'from', 'until', 'actorId', 'userId']
  const names = [...kept, 'organizationId', 'targetId', 'ipAddress', 'requestId', 'after', 'page', 'live']
  const search = Object.fromEntries(names.map((name) => [name, parameters(name)]))
  return ({ id }: AuditEvent) => ({ to: '/admin/events', search: { ...search, event: id } })
}

function Events({ filter, query, chosen, isFirstPage }: EventsProps) {
  const { data, error, isPlaceholderData, refetch } = query
  const linkOf = useLinkToEvent()
  const { fresh, notice } = useLive(filter, isFirstPage && !isPlaceholderData ? data : undefined, refetch)
  const [former, setFormer] = useState<ReadonlySet<string>>(new Set())
  if (!data)
    return <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
  // Some of the new ones were recorded late.
  const events = [...fresh, ...data.events].sort((one, other) => other.createdAt.localeCompare(one.createdAt))
  const isNew = new Set(fresh.map(({ id }) => id).filter((id) => !former.has(id)))
  return (
    <div className="min-w-0">
      {error ? (
        <div className="mb-3">
          <ErrorNote error={error} />
        </div>
      ) : null}
      <Card>
        <div
          aria-busy={isPlaceholderData || undefined}
          className={isPlaceholderData ? 'opacity-60' : undefined}
          onPointerMove={() => isNew.size > 0 && setFormer(new Set(fresh.map(({ id }) => id)))}
        >
          {events.length === 0 ? (
            <NoEvents filter={filter} isFirstPage={isFirstPage} notice={notice} />
          ) : (
            <>
              <Timeline events={events} linkOf={linkOf} chosen={chosen} fresh={isNew} notice={notice} />
              <EventPages page={data} filter={filter} />
            </>
          )}
        </div>
      </Card>
    </div>
  )
}

/** The number of all is counted, never read: it may be one of the last 30 days. */
function EventPages({ page, filter }: { readonly page: EventPage; readonly filter: EventFilter }) {
  const { page: number, goToNext, goBack } = useListPage()
  const { nextCursor } = page
  const { data: counts } = useQuery(countsQuery(filter))
  const isCounted = filter.range !== undefined || filter.from !== undefined || counts?.isEstimate === false
  const total = counts && sum(counts.byOutcome)
  const shown = number * pageSize
  // A count lags, and is one of whole hours.
  const isPlausible = total !== undefined && total > shown && isCounted && nextCursor !== null && filter.outcome.length === 0
  return (
    <Pages
      {...{ page: number, pageSize, count: page.events.length, goBack, ...(isPlausible && { total, isEstimate: true }) }}
      goNext={nextCursor === null ? undefined : () => goToNext(nextCursor)}
    />
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
