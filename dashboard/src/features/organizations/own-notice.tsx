/** In the navigation: how many invitations wait for the current user. */
import { useLocale, useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { useOwnInvitations } from './own-invitation-data.ts'

export function OwnNotice() {
  const t = useMessages(messages)
  const { format } = useLocale()
  const count = useOwnInvitations().data?.length ?? 0
  if (count === 0) return null
  return (
    <span className="ms-auto rounded-full border border-accent-edge bg-accent-fill px-1.5 text-12 text-on-accent tabular-nums">
      <span aria-hidden>{format.number(count)}</span>
      <span className="sr-only">{t('waiting', { count })}</span>
    </span>
  )
}
