/** How the current user signs in: email address, password, and the other sign-in methods. */
import { useQuery } from '@tanstack/react-query'
import { useSettings } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { LoadError, Skeleton } from '../../components/feedback.tsx'
import { Card, PageHead, Setting } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { accountsQuery, hasPassword } from '../../session/accounts.ts'
import { EmailSection } from './email-section.tsx'
import { messages } from './index.ts'
import { MethodsSection } from './methods-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { PhoneSection } from './phone-section.tsx'

export function Screen() {
  const t = useMessages(messages)
  const { phoneNumber, socialProviders } = useSettings()
  const { data: accounts, error, refetch } = useQuery(accountsQuery)
  return (
    <>
      <PageHead title={t('passwordAndSignIn')}>{t('lead')}</PageHead>
      <NotWhileImpersonating>
        <EmailSection />
        {accounts ? (
          <>
            {phoneNumber ? <PhoneSection canRemove={accounts.length > 0} /> : null}
            <PasswordSection hasPassword={hasPassword(accounts)} />
            {accounts.length > 0 || socialProviders.length > 0 ? <MethodsSection accounts={accounts} /> : null}
          </>
        ) : (
          <Setting title={t('signInMethods')} description={t('methodsText')}>
            <Card className="px-4 py-2">{error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}</Card>
          </Setting>
        )}
      </NotWhileImpersonating>
    </>
  )
}
