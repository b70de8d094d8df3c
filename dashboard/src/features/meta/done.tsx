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

/** Deletion links end here, with `error` when the account still exists. */
export function AccountDeleted() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { appName } = useSettings()
  const error = useParameter('error')
  if (error === undefined) {
    return (
      <HostedPage title={t('accountDeleted')} lead={t('accountDeletedLead', { appName })}>
        <ExternalButton href="/" size="large">
          {t('returnToApplication')}
        </ExternalButton>
      </HostedPage>
    )
  }
  const isSignedOut = error === 'FAILED_TO_GET_USER_INFO'
  return (
    <HostedPage title={t('accountNotDeleted')} lead={isSignedOut ? t('notSignedIn') : t('deletionLinkFailed')}>
      <ButtonLink to={isSignedOut ? '/sign-in' : '/account'} variant="primary" size="large">
        {isSignedOut ? frame('signIn') : frame('continueToAccount')}
      </ButtonLink>
    </HostedPage>
  )
}
