/** What stands in the place of data that is loading: rows and facts of the final shape, so that nothing moves when the data arrives. */
import { clsx } from 'clsx'
import { Fragment, type ReactNode } from 'react'
import { useFrameMessages } from '../messages/index.ts'
import { LoadError, Skeleton } from './feedback.tsx'
import { Card, Lines } from './layout.tsx'
import { Cell, Row, Table } from './table.tsx'
import type { Column } from './table-parts.tsx'

/** A line of text that is not known yet. */
export const Bar = ({ className = 'w-24' }: { readonly className?: string }) => (
  <span className={clsx('pulse inline-block h-2.5 max-w-full rounded-sm bg-border align-middle', className)} />
)

/** What a page shows before it has its data: after 300 ms, as one word to screen readers, and out of the reach of the keyboard. */
export function Loading({ children }: { readonly children: ReactNode }) {
  const t = useFrameMessages()
  return (
    <>
      <p role="status" className="sr-only">
        {t('loading')}
      </p>
      <div inert aria-hidden className="delayed">
        {children}
      </div>
    </>
  )
}

type Shape = 'circle' | 'square'

const Tile = ({ shape, isLarge = false }: { readonly shape: Shape; readonly isLarge?: boolean }) => (
  <span
    className={clsx(
      'pulse shrink-0 bg-fill',
      shape === 'circle' ? 'rounded-full' : 'rounded-control',
      isLarge ? 'size-14' : shape === 'circle' ? 'size-7' : 'size-8',
    )}
  />
)

const widths = ['w-40', 'w-32', 'w-48', 'w-36'] as const
const widthOf = (row: number): string => widths[row % widths.length] ?? widths[0]

interface TableProps {
  readonly columns: readonly Column[]
  readonly hasActions?: boolean
  readonly isSelectable?: boolean
  /** Before the name; absent: nothing. */
  readonly icon?: Shape
  /** Whether a second line stands below the name. */
  readonly hasDetail?: boolean
  /** Whether `Pages` stand below the rows. */
  readonly hasPages?: boolean
  readonly rows?: number
}

const noSelection = { label: '', isSelected: false, onToggle: () => undefined }

export function TableSkeleton({
  columns,
  hasActions = false,
  isSelectable = false,
  icon,
  hasDetail = true,
  hasPages = false,
  rows = 8,
}: TableProps) {
  const [, ...others] = columns
  const selection = isSelectable ? noSelection : undefined
  return (
    <Loading>
      <Table
        columns={columns}
        hasActions={hasActions}
        selection={selection}
        footer={hasPages ? <div className="min-h-12 border-t border-border" /> : undefined}
      >
        {Array.from({ length: rows }, (_, row) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: rows without data have nothing else
            key={row}
            selection={selection}
            head={
              <div className="flex items-center gap-3">
                {icon ? <Tile shape={icon} /> : null}
                <div className="min-w-0 grow">
                  <div className="h-5">
                    <Bar className={widthOf(row)} />
                  </div>
                  {hasDetail ? (
                    <div className="h-4 text-12">
                      <Bar className={clsx('h-2', widthOf(row + 1))} />
                    </div>
                  ) : null}
                </div>
              </div>
            }
            action={hasActions ? <span className="inline-block size-(--target)" /> : undefined}
          >
            {others.map((column) => (
              <Cell key={column.label} {...column}>
                <Bar className="w-20" />
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </Loading>
  )
}

/** Lines with an icon, in a card. */
export const LinesSkeleton = ({ count = 3 }: { readonly count?: number }) => (
  <Loading>
    <Card>
      <Lines>
        {Array.from({ length: count }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines without data have nothing else
          <li key={row} className="flex items-center gap-x-4 px-4 py-3.5">
            <Tile shape="square" />
            <div className="min-w-0 grow">
              <div className="h-5">
                <Bar className={widthOf(row)} />
              </div>
              <div className="h-5">
                <Bar className="w-56" />
              </div>
            </div>
          </li>
        ))}
      </Lines>
    </Card>
  </Loading>
)

/** A page of one thing: its head, its tabs, and facts. @param tabs how many */
export const DetailSkeleton = ({ shape = 'circle', tabs = 0 }: { readonly shape?: Shape; readonly tabs?: number }) => (
  <Loading>
    <div className="mb-5 flex items-center gap-4 pt-9">
      <Tile shape={shape} isLarge />
      <div className="min-w-0 grow">
        <div className="h-7">
          <Bar className="h-4 w-48" />
        </div>
        <div className="h-6">
          <Bar className="w-72" />
        </div>
      </div>
    </div>
    {tabs > 0 ? (
      <div className="mb-4 flex h-10 items-center gap-5 overflow-hidden border-b border-border">
        {Array.from({ length: tabs }, (_, tab) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tabs without names have nothing else
          <Bar key={tab} className="w-16" />
        ))}
      </div>
    ) : null}
    <Card className="mt-11 grid gap-x-8 px-5 py-2 card:grid-cols-2">
      {widths.map((width) => (
        <Fragment key={width}>
          <span className="flex h-10 items-center">
            <Bar className={width} />
          </span>
          <span className="flex h-10 items-center">
            <Bar className={width} />
          </span>
        </Fragment>
      ))}
    </Card>
  </Loading>
)

interface PendingProps {
  readonly error: unknown
  readonly retry: () => unknown
  readonly heading?: 'h1' | 'h2' | 'h3'
  /** The shape of the data; default: lines in a card. */
  readonly children?: ReactNode
}

/** In place of data that is loading, or could not be loaded. */
export const Pending = ({ error, retry, heading = 'h2', children }: PendingProps) => {
  if (!error && children) return children
  return (
    <Card className="px-4 py-2">
      {error ? <LoadError error={error} retry={() => void retry()} heading={heading} /> : <Skeleton />}
    </Card>
  )
}
