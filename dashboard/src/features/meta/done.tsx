/** Pages after the end of a session or an account. */
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink, ExternalButton } from '../../hosted/link.tsx'
import { hostedPage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

const common = { messages, access: 'anyone' } as const

export const signedOut = hostedPage({ ...common, path: '/signed-out', title: 'signedOut', View: SignedOut })
/** Deletion links end here. */
export const accountDeleted = hostedPage({ ...common, path: '/account-deleted', title: 'accountDeletion', View: AccountDeleted })

function SignedOut() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { appName } = useSettings()
  return (
    <Content title={t('signedOut')} lead={t('signedOutLead', { appName })}>
      <ButtonLink to="/sign-in" search={{ callbackURL: useParameter('callbackURL') }} variant="primary">
        {frame('signIn')}
      </ButtonLink>
    </Content>
  )
}

function AccountDeleted() {
  const t = useMessages(messages)
  const { appName } = useSettings()
  return (
    <Content title={t('accountDeleted')} lead={t('accountDeletedLead', { appName })}>
      <div data-account-deleted>
        <ExternalButton href="/">{t('returnToApplication')}</ExternalButton>
      </div>
    </Content>
  )
}
