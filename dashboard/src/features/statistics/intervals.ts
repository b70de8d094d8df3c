/** What the figures of the overview have in common: their intervals. */
import { useLocale } from '../../i18n/messages.ts'
import type { Overview, Point } from './data.ts'

export interface FigureProps {
  readonly overview: Overview
}

/** Intervals in words: hours in the time zone of the browser, days of UTC as they are counted. */
export function useInterval({ bucket }: Overview): (point: Pick<Point, 'at'>) => string {
  const { format } = useLocale()
  return ({ at }) => format[bucket === 'hour' ? 'hour' : 'shortDay'](new Date(at))
}

/** Points of several series in one list, oldest first. */
export const zip = (...series: readonly (readonly Point[])[]) =>
  (series[0] ?? []).map(({ at }, position) => ({ at, values: series.map((points) => points[position]?.value ?? 0) }))

/** The first and the last interval, for summaries. */
export const endsOf = (buckets: readonly { readonly label: string }[]) => ({
  first: buckets[0]?.label ?? '',
  last: buckets.at(-1)?.label ?? '',
})

const dayMs = 86_400_000

/**
 * The list of what a day counts. Lists are filtered by day, so that hours have none.
 * @param names of the parameters for the first and the last day
 */
export const dayLink = (
  { bucket }: Overview,
  to: string,
  [first, last]: readonly [string, string],
  search: Readonly<Record<string, string>> = {},
  lastDays = 0,
) =>
  bucket === 'day'
    ? (at: string) => ({
        to,
        search: {
          ...search,
          [first]: at.slice(0, 10),
          [last]: new Date(Date.parse(at) + lastDays * dayMs).toISOString().slice(0, 10),
        },
      })
    : undefined
