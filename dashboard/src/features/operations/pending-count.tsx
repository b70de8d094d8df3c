/** In the navigation: how many emails or locked accounts wait for an operator. */
import { PendingCount } from '../../frame/pending-count.tsx'
import { useFrameMessages } from '../../messages/index.ts'
import { usePendingCounts } from '../../session/pending-counts.ts'

export function PendingLimits() {
  const t = useFrameMessages()
  return <PendingCount count={usePendingCounts().rateLimits} title={t('pendingLimits')} />
}

export function PendingMails() {
  const t = useFrameMessages()
  return <PendingCount count={usePendingCounts().mails} title={t('pendingMails')} />
}
