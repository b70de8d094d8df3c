import { PageHead } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './invitation-screens.ts'

export function Screen() {
  const t = useMessages(messages)
  return <PageHead title={t('invitations')} />
}
