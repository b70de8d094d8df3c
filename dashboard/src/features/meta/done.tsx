/** Pages after the end of a session or an account. */
import { useSettings } from '../../api.ts'
import { ButtonLink, ExternalButton } from '../../components/button.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

export function SignedOut() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { appName } = useSettings()
  return (
    <HostedPage title={t('signedOut')} lead={t('signedOutLead', { appName })}>
      <ButtonLink to="/sign-in" search={{ callbackURL: useParameter('callbackURL') }} variant="primary" size="large">
        {frame('signIn')}
      </ButtonLink>
    </HostedPage>
  )
}

/** Deletion links end here. */
export function AccountDeleted() {
  const t = useMessages(messages)
  const { appName } = useSettings()
  return (
    <HostedPage title={t('accountDeleted')} lead={t('accountDeletedLead', { appName })}>
      <ExternalButton href="/" size="large">
        {t('returnToApplication')}
      </ExternalButton>
    </HostedPage>
  )
}
