/** In the navigation: how many applicants wait for a decision. */
import { useMessages } from '../../i18n/messages.ts'
import { useCountText, usePendingCounts } from '../../session/pending-counts.ts'
import { messages } from './index.ts'

export function PendingApplicants() {
  const t = useMessages(messages)
  const text = useCountText()
  const { waitingList: count = 0 } = usePendingCounts()
  if (count === 0) return null
  return (
    <span title={t('waitingApplicants', { count })} className="ms-auto text-12 text-brass tabular-nums">
      {text(count)}
    </span>
  )
}
