/** The page on which verification links end: without `error`, the email address is verified. */
import { useQuery } from '@tanstack/react-query'
import { sessionQuery, useSettings } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { useCodeText } from '../../errors.ts'
import { ContinueButton } from '../../frame/continue.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useErrorParameter, useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

export function NotVerified({ error }: { readonly error: string }) {
  const t = useMessages(messages)
  const codeText = useCodeText()
  const { emailVerification } = useSettings()
  const search = { reason: 'verify', callbackURL: useParameter('callbackURL') }
  return (
    <HostedPage title={t('notVerified')}>
      <Note tone="danger">
        <p className="font-semibold">{codeText(error.toUpperCase()) ?? codeText('INVALID_TOKEN')}</p>
        <p className="font-mono text-12">{error}</p>
      </Note>
      {emailVerification ? (
        <ButtonLink to="/check-email" search={search} variant="primary" size="large">
          {t('verifyAgain')}
        </ButtonLink>
      ) : null}
    </HostedPage>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const { appName } = useSettings()
  const { data: session } = useQuery({ ...sessionQuery, retry: false })
  const search = { callbackURL: useParameter('callbackURL') }
  const error = useErrorParameter()
  if (error !== undefined) return <NotVerified error={error} />
  return (
    <HostedPage title={t('verified')} lead={t('verifiedLead', { appName })}>
      {session ? (
        <ContinueButton />
      ) : (
        <ButtonLink to="/sign-in" search={search} variant="primary" size="large">
          {t('signIn')}
        </ButtonLink>
      )}
    </HostedPage>
  )
}
