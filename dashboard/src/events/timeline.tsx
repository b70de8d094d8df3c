/** Events on one line, by day: a time, a shape for the outcome, a sentence, the action and the IP address. */
import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Time } from '../components/layout.tsx'
import { useLocale, useMessages } from '../i18n/messages.ts'
import { type AuditEvent, eventMessages } from './index.ts'
import { EventSentence } from './sentence.tsx'

type Outcome = AuditEvent['outcome']

const shapes: Record<Outcome, string> = {
  succeeded: 'rounded-full border-success bg-surface',
  failed: 'rounded-[2px] border-danger bg-danger forced-colors:bg-[CanvasText]',
  denied: 'rotate-45 rounded-[1px] border-danger bg-surface',
}

/** A shape for each outcome: color alone does not say it. */
export const OutcomeMark = ({ outcome }: { readonly outcome: Outcome }) => (
  <span aria-hidden className={clsx('inline-block size-[9px] shrink-0 border-[1.5px]', shapes[outcome])} />
)

const dayOf = ({ createdAt }: AuditEvent): string => new Date(createdAt).toDateString()

interface TimelineProps {
  /** The newest first. */
  readonly events: readonly AuditEvent[]
  /** The address of the details of an event. */
  readonly linkOf: (event: AuditEvent) => { readonly to: string; readonly search: Readonly<Record<string, string | undefined>> }
  /** ID of the event whose details are open. */
  readonly chosen?: string | undefined
  /** IDs of events that have just arrived. */
  readonly fresh?: ReadonlySet<string>
  /** At the end of the line with the first day. */
  readonly notice?: ReactNode
  /** Level of the headings of days. */
  readonly heading?: 'h2' | 'h3'
}

export function Timeline({ events, notice, heading: Heading = 'h2', ...rest }: TimelineProps) {
  const t = useMessages(eventMessages)
  const { format } = useLocale()
  const days = [...Map.groupBy(events, dayOf)]
  const today = new Date().toDateString()
  const timeline = days.map(([day, own], position) => {
    const date = format.date(new Date(day))
    return (
      <div key={day}>
        <div
          className={clsx(
            'flex min-h-9 items-center gap-3 border-b border-border bg-sunken px-4 py-1.5',
            position === 0 ? 'rounded-t-card' : 'border-t',
          )}
        >
          <Heading className="text-12 font-medium text-muted">
            {day === today ? t('today', { date }) : <time>{date}</time>}
          </Heading>
          {position === 0 ? <div className="ms-auto text-12 text-muted">{notice}</div> : null}
        </div>
        <ol className="py-1">
          {own.map((event, index) => (
            <EventLine key={event.id} event={event} isFirst={index === 0} isLast={index === own.length - 1} {...rest} />
          ))}
        </ol>
      </div>
    )
  })
  return (
    <section aria-label={t('events')} tabIndex={-1} data-list className="outline-none">
      {timeline}
    </section>
  )
}

interface LineProps extends Pick<TimelineProps, 'linkOf' | 'chosen' | 'fresh'> {
  readonly event: AuditEvent
  readonly isFirst: boolean
  readonly isLast: boolean
}

const times = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' })

function EventLine({ event, linkOf, chosen, fresh, isFirst, isLast }: LineProps) {
  const t = useMessages(eventMessages)
  const { details, outcome } = event
  const isChosen = event.id === chosen
  const date = new Date(event.createdAt)
  return (
    <li
      className={clsx(
        'relative grid grid-cols-[9px_minmax(0,1fr)] gap-x-3 px-4 py-2 text-13 card:grid-cols-[3.75rem_9px_minmax(0,1fr)]',
        isChosen
          ? 'bg-accent-soft before:absolute before:inset-y-0 before:start-0 before:w-[3px] before:bg-accent'
          : 'hover:bg-hover',
        fresh?.has(event.id) && !isChosen && 'bg-info-soft',
      )}
    >
      <time dateTime={date.toISOString()} className="hidden text-12 leading-5 text-muted card:block">
        {times.format(date)}
      </time>
      <ChainMark {...{ outcome, isFirst, isLast }} />
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <Statement event={event} />
          {typeof details.count === 'number' && details.count > 1 && isRejection(event) ? (
            <span className="text-muted"> · {t('times', { count: details.count })}</span>
          ) : null}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-2.5 text-12 text-muted">
          <span className="tabular-nums card:hidden">{times.format(date)}</span>
          <Link
            {...linkProps(linkOf(event))}
            id={`event-${event.id}`}
            aria-current={isChosen ? 'true' : undefined}
            className="min-h-6 min-w-0 rounded-sm py-1 font-mono wrap-anywhere after:absolute after:inset-0 hover:text-text"
          >
            <span className="sr-only">{t('detailsOf')} </span>
            <span translate="no">{event.action}</span>
          </Link>
          {isRejection(event) && typeof details.code === 'string' ? (
            <span className="min-w-0 font-mono wrap-anywhere">{details.code}</span>
          ) : null}
          {event.ipAddress ? <span className="min-w-0 font-mono wrap-anywhere">{event.ipAddress}</span> : null}
        </p>
      </div>
    </li>
  )
}

/** One line: the events are a chain. */
const ChainMark = ({ outcome, isFirst, isLast }: Pick<LineProps, 'isFirst' | 'isLast'> & { readonly outcome: Outcome }) => (
  <span aria-hidden className="relative grid justify-items-center">
    <span className={clsx('absolute w-px bg-border-strong', isFirst ? 'top-2.5' : '-top-2', isLast ? 'h-4' : '-bottom-2')} />
    <span className="relative flex h-5 items-center">
      <OutcomeMark outcome={outcome} />
    </span>
  </span>
)

/** The sentence, after an outcome that only the mark would show. */
function Statement({ event }: Pick<LineProps, 'event'>) {
  const t = useMessages(eventMessages)
  return (
    <>
      {event.outcome === 'succeeded' ? null : <span className="sr-only">{t(event.outcome)}: </span>}
      <EventSentence event={event} />
    </>
  )
}

/** A few events in a narrow column: a sentence, and how long ago. */
export function RecentEvents({ events, linkOf }: Pick<TimelineProps, 'events' | 'linkOf'>) {
  const t = useMessages(eventMessages)
  return (
    <ol>
      {events.map((event, index) => (
        <li key={event.id} className="relative grid grid-cols-[9px_minmax(0,1fr)] gap-x-3 py-2 text-13">
          <ChainMark outcome={event.outcome} isFirst={index === 0} isLast={index === events.length - 1} />
          <div className="min-w-0">
            <p className="wrap-anywhere">
              <Statement event={event} />
            </p>
            <Link
              {...linkProps(linkOf(event))}
              className="inline-block min-h-6 rounded-sm py-1 text-12 text-muted after:absolute after:inset-0 hover:text-text"
            >
              <span className="sr-only">
                {t('detailsOf')} <span translate="no">{event.action}</span>,{' '}
              </span>
              <Time value={event.createdAt} />
            </Link>
          </div>
        </li>
      ))}
    </ol>
  )
}

const linkProps = ({ to, search }: ReturnType<TimelineProps['linkOf']>) => ({
  to,
  search: search as never,
  resetScroll: false,
  activeProps: { 'aria-current': undefined } as const,
})

/** Equal rejected calls of one client are one event with a count. */
const isRejection = ({ action }: AuditEvent): boolean =>
  action === 'access.denied' || action === 'sign-in.failed' || action === 'rate-limit.reached'
