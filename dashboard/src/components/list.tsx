/** What lists and pages that show one response share: its states, and the way to its other pages. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocale } from '../i18n/messages.ts'
import { useFrameMessages } from '../messages/index.ts'
import { useListPage } from '../routes/list-state.ts'
import { ErrorNote, Note } from './feedback.tsx'
import { Pending } from './skeleton.tsx'
import { PageButtons, type PageButtonsProps } from './table-parts.tsx'

interface PagesProps extends PageButtonsProps {
  /** Of the page, from 1. */
  readonly page: number
  readonly pageSize: number
  /** Rows on this page. */
  readonly count: number
  /** Of all pages; undefined: not known. */
  readonly total?: number
  readonly isEstimate?: boolean
  readonly children?: ReactNode
}

/** Which rows of how many a list shows, and the way to the others. */
export function Pages({ page, pageSize, count, total, isEstimate = false, goBack, goNext, children }: PagesProps) {
  const t = useFrameMessages()
  const { format } = useLocale()
  const first = (page - 1) * pageSize + 1
  const range = { first: format.number(first), last: format.number(first + count - 1) }
  const all = total === undefined ? null : { ...range, total: isEstimate ? format.estimate(total) : format.number(total) }
  const text = all ? t(isEstimate ? 'rowsOfAbout' : 'rowsOf', all) : t('rows', range)
  const hasOthers = goBack !== undefined || goNext !== undefined
  return (
    <div className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-2 border-t border-border py-2 ps-4 pe-2 text-13 text-muted tabular-nums">
      <p role="status" className="me-auto">
        {text}
      </p>
      {children}
      {hasOthers ? <PageButtons goBack={goBack} goNext={goNext} /> : null}
    </div>
  )
}

export interface LoadedProps<T> {
  readonly query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>
  /** The shape of the data while it is loading; default: lines in a card. */
  readonly skeleton?: ReactNode
  /** Of the error while there is no data. */
  readonly heading?: 'h2' | 'h3'
  /** What to do about the error. */
  readonly advice?: ReactNode
  readonly children: (data: T) => ReactNode
}

/** What a call returned; while there is nothing, why. Data that is older than the address is pale. */
export function Loaded<T>({
  query: { data, error, refetch, isPlaceholderData },
  skeleton,
  heading = 'h2',
  advice,
  children,
}: LoadedProps<T>) {
  if (data === undefined)
    return (
      <>
        <Pending error={error} retry={refetch} heading={heading}>
          {skeleton}
        </Pending>
        {error && advice ? <Note>{advice}</Note> : null}
      </>
    )
  return (
    <>
      {error ? (
        <div className="mb-3">
          <ErrorNote error={error}>{advice}</ErrorNote>
        </div>
      ) : null}
      <div aria-busy={isPlaceholderData || undefined} className={isPlaceholderData ? 'opacity-60' : undefined}>
        {children(data)}
      </div>
    </>
  )
}

interface ListPagesProps {
  /** The position after the last row, as the response names it; null: this is the last page. */
  readonly next: string | null | undefined
  readonly count: number
  readonly pageSize: number
  readonly total?: number | undefined
  readonly isEstimate?: boolean
  readonly children?: ReactNode
}

/** The pages of the list in the address. */
export function ListPages({ next, total, ...rows }: ListPagesProps) {
  const { page, goToNext, goBack } = useListPage()
  const goNext = typeof next === 'string' ? () => goToNext(next) : undefined
  return <Pages {...{ ...rows, page, goBack, goNext }} {...(total !== undefined && { total })} />
}
