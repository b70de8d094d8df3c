/** How much waits for administrators, next to tabs and entries of the navigation. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useSettings } from '../api/calls.ts'
import { useLocale } from '../i18n/messages.ts'
import { call } from './session.ts'

const read = () => call('GET /admin/pending-counts', {})
export type PendingCounts = Awaited<ReturnType<typeof read>>

const refreshMs = 60_000

/** The key starts as that of what administrators see, so that a change reads it again. Without them, pages show no numbers. */
const pendingQuery = queryOptions({
  queryKey: ['admin', 'pending-counts'],
  queryFn: read,
  staleTime: refreshMs / 4,
  refetchInterval: refreshMs,
  retry: false,
})

/** Empty while they are not known. */
export function usePendingCounts(): PendingCounts {
  const { admin } = useSettings()
  return useQuery({ ...pendingQuery, enabled: admin !== null }).data ?? {}
}

/** Counts above this one are not exact. */
const mostExact = 10_000

/** `5,291`, `10K+`. */
export function useCountText(): (count: number) => string {
  const { format } = useLocale()
  return (count) => (count > mostExact ? `${format.compact(mostExact)}+` : format.number(count))
}
