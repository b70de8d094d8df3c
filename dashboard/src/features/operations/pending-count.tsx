/** In the navigation: how many emails or locked accounts wait for an operator. */
import { useFrameMessages } from '../../messages/index.ts'
import { useCountText, usePendingCounts } from '../../session/pending-counts.ts'

interface Props {
  readonly count: number | undefined
  /** What is counted. */
  readonly title: string
}

/** Nothing when nothing waits, or when it is not known. */
function PendingCount({ count = 0, title }: Props) {
  const text = useCountText()
  if (count === 0) return null
  return (
    <span title={title} className="ms-auto text-12 text-brass tabular-nums">
      {text(count)}
    </span>
  )
}

export function PendingLimits() {
  const t = useFrameMessages()
  return <PendingCount count={usePendingCounts().rateLimits} title={t('pendingLimits')} />
}

export function PendingMails() {
  const t = useFrameMessages()
  return <PendingCount count={usePendingCounts().mails} title={t('pendingMails')} />
}
