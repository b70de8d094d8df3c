/** In the navigation: how many applicants wait for a decision. */
import { PendingCount } from '../../frame/pending-count.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { usePendingCounts } from '../../session/pending-counts.ts'
import { messages } from './index.ts'

export function PendingApplicants() {
  const t = useMessages(messages)
  const { waitingList: count = 0 } = usePendingCounts()
  return <PendingCount count={count} title={t('waitingApplicants', { count })} />
}
