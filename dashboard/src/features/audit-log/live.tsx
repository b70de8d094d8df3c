/** New events as they are recorded: shown immediately at the top of the page, and behind a button further down, where they would move it. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AuditEvent, EventPage } from '../../events/index.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFilter } from '../../routes/list-state.ts'
import { useParameter } from '../../routes/parameters.ts'
import { type EventFilter, newerQuery } from './data.ts'
import { messages } from './index.ts'

const useIsLive = (): boolean => useParameter('live') !== 'off'

export function LiveSwitch() {
  const t = useMessages(messages)
  const change = useFilter()
  const isLive = useIsLive()
  return (
    <label
      title={t('liveNote')}
      className="inline-flex min-h-[max(2.25rem,var(--target))] cursor-pointer items-center gap-2 rounded-control border border-border-strong bg-surface px-3 text-13 font-medium"
    >
      <input
        type="checkbox"
        checked={isLive}
        onChange={({ target }) => change({ live: target.checked ? undefined : 'off' })}
        className="size-4 cursor-pointer accent-(--accent)"
      />
      {t('live')}
    </label>
  )
}

/** Pixels from the top of the page within which new events do not disturb. */
const topOfPage = 160

/**
 * @param first the first page of events; undefined: another one is shown
 * @param readAgain reads the first page again, when there are more new events than are shown above it
 */
export function useLive(filter: EventFilter, first: EventPage | undefined, readAgain: () => void) {
  const t = useMessages(messages)
  const isLive = useIsLive()
  const cursor = first?.previousCursor ?? null
  const enabled = isLive && cursor !== null && filter.until === undefined
  const { data, dataUpdatedAt } = useQuery({ ...newerQuery(filter, cursor ?? ''), enabled })
  const known = new Set(first?.events.map(({ id }) => id))
  // A page that shows how it is read itself would never be quiet; the next visit shows it.
  const isNew = ({ id, action }: AuditEvent) => !known.has(id) && action !== 'events.read'
  const found: readonly AuditEvent[] = enabled && data ? data.events.filter(isNew).reverse() : []
  const isFull = enabled && typeof data?.nextCursor === 'string'
  useEffect(() => {
    if (dataUpdatedAt > 0 && isFull && scrollY <= topOfPage) readAgain()
  }, [dataUpdatedAt, isFull, readAgain])
  const [seen, setSeen] = useState({ cursor, count: 0 })
  const isSame = seen.cursor === cursor
  const count = isSame ? Math.min(seen.count, found.length) : 0
  // Not in an effect: what is at the top of the page is shown in the same frame.
  const shown = scrollY <= topOfPage ? found.length : count
  if (shown !== seen.count || !isSame) setSeen({ cursor, count: shown })
  const waiting = found.length - shown
  const notice = (
    <span role="status" className="tabular-nums">
      {waiting > 0 ? (
        <button
          type="button"
          onClick={() => {
            if (isFull) readAgain()
            setSeen({ cursor, count: found.length })
            scrollTo({ top: 0 })
          }}
          className="fixed inset-x-0 top-20 z-10 mx-auto min-h-(--target) w-fit cursor-pointer rounded-control border border-accent-edge bg-accent-fill px-3 text-13 font-medium text-on-accent shadow-menu"
        >
          {t('showNew', { count: waiting })}
        </button>
      ) : found.length > 0 ? (
        t('newEvents', { count: found.length })
      ) : null}
    </span>
  )
  return { fresh: found.slice(waiting), notice }
}
