/** Reads the values of a chart one interval at a time, with the pointer or the arrow keys, and opens what an interval counts. */
import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { type FocusEvent, type KeyboardEvent, type PointerEvent, type ReactNode, useState } from 'react'
import { useFrameMessages } from '../messages/index.ts'

/** The list of what an interval counts. */
export interface IntervalLink {
  readonly to: string
  readonly search: Readonly<Record<string, string>>
}

interface Interval {
  readonly at: string
  readonly label: string
}

interface Props {
  readonly intervals: readonly Interval[]
  /** What the chart shows, in a sentence. */
  readonly summary: string
  /** The values of an interval as text, and as they are shown. */
  readonly textOf: (at: string) => string
  readonly children: (at: string) => ReactNode
  /** The middle of an interval, from 0 to 100. */
  readonly centerOf: (at: string) => number
  readonly isMirrored: boolean
  readonly linkOf?: ((at: string) => IntervalLink) | undefined
}

const keys: Readonly<Record<string, (position: number, last: number) => number>> = {
  ArrowLeft: (position) => position - 1,
  ArrowRight: (position) => position + 1,
  Home: () => 0,
  End: (_, last) => last,
}

/** The interval that is read, and how pointer and keys choose it. */
function useReading({ intervals, isMirrored, linkOf }: Pick<Props, 'intervals' | 'isMirrored' | 'linkOf'>) {
  const navigate = useNavigate()
  const last = intervals.length - 1
  const [chosen, setPosition] = useState(last)
  const [isShown, setShown] = useState(false)
  const position = Math.min(chosen, last)
  const open = () => {
    const link = linkOf?.(intervals[position]?.at ?? '')
    if (link) void navigate({ to: link.to, search: link.search } as never)
  }
  const show = (next: number) => {
    setPosition(Math.max(0, Math.min(last, next)))
    setShown(true)
  }
  const positionAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = (clientX - left) / width
    return Math.floor((isMirrored ? 1 - share : share) * intervals.length)
  }
  const press = (event: KeyboardEvent) => {
    const move = keys[event.key]
    if (event.key === 'Enter') open()
    if (!move) return
    event.preventDefault()
    const target = move(position, last)
    show(isMirrored && event.key.startsWith('Arrow') ? 2 * position - target : target)
  }
  const handlers = {
    onKeyDown: press,
    onFocus: ({ currentTarget }: FocusEvent) => currentTarget.matches(':focus-visible') && setShown(true),
    onBlur: () => setShown(false),
    onPointerMove: (event: PointerEvent) => show(positionAt(event)),
    onPointerLeave: () => setShown(false),
    onClick: open,
  }
  return { position, isShown, handlers }
}

/** Lies on the chart. For assistive technology it is a slider, whose value is an interval with its numbers. */
export function ChartReader({ intervals, summary, textOf, children, centerOf, isMirrored, linkOf }: Props) {
  const t = useFrameMessages()
  const { position, isShown, handlers } = useReading({ intervals, isMirrored, linkOf })
  const current = intervals[position]
  if (!current) return null
  const center = centerOf(current.at)
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={summary}
      aria-valuemin={1}
      aria-valuemax={intervals.length}
      aria-valuenow={position + 1}
      aria-valuetext={textOf(current.at)}
      aria-description={linkOf ? t('opensInterval') : undefined}
      className={clsx('absolute inset-0 rounded-sm', linkOf && 'cursor-pointer')}
      {...handlers}
    >
      {isShown ? (
        <>
          <span aria-hidden className="absolute inset-y-0 w-px bg-control" style={{ left: `${center}%` }} />
          <span
            aria-hidden
            style={{ left: `${center}%` }}
            className={clsx(
              'pointer-events-none absolute -top-2 z-10 rounded-control bg-raised px-2.5 py-1.5 text-12 whitespace-nowrap shadow-menu',
              center > 50 ? '-translate-x-[calc(100%+0.5rem)]' : 'translate-x-2',
            )}
          >
            <span className="block font-medium">{current.label}</span>
            {children(current.at)}
          </span>
        </>
      ) : null}
    </div>
  )
}
