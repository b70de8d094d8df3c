/** In the navigation: how many of something wait for a decision or an operator. */
import { useCountText } from '../session/pending-counts.ts'

interface Props {
  readonly count: number | undefined
  /** What is counted. */
  readonly title: string
}

/** Nothing when nothing waits, or when it is not known. */
export function PendingCount({ count = 0, title }: Props) {
  const text = useCountText()
  if (count === 0) return null
  return (
    <span title={title} className="ms-auto text-12 text-brass tabular-nums">
      {text(count)}
    </span>
  )
}
