/** The page on which verification links end: without `error`, the email address is verified. */
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink, ContinueLink } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { hostedPage, useErrorParameter, usePage, useParameter, userOf, useSettings } from '../../hosted/page.ts'
import { useFailureText } from '../../hosted/texts.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

export const emailVerified = hostedPage({
  path: '/email-verified',
  messages,
  title: 'emailVerification',
  access: 'optional-session',
  View: EmailVerified,
})

/** @param error code, as in an address */
export function NotVerified({ error }: { readonly error: string }) {
  const t = useMessages(messages)
  const texts = useFailureText()
  const { emailVerification } = useSettings()
  const search = { reason: 'verify', callbackURL: useParameter('callbackURL') }
  return (
    <Content title={t('notVerified')}>
      <Note tone="danger">
        <p className="font-semibold">{texts.code(error.toUpperCase()) ?? texts.code('INVALID_TOKEN')}</p>
        <p className="font-mono text-12">{error}</p>
      </Note>
      {emailVerification ? (
        <ButtonLink to="/check-email" search={search} variant="primary">
          {t('verifyAgain')}
        </ButtonLink>
      ) : null}
    </Content>
  )
}

function EmailVerified() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { page } = usePage()
  const { appName } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const error = useErrorParameter()
  if (error !== undefined) return <NotVerified error={error} />
  return (
    <Content title={t('verified')} lead={t('verifiedLead', { appName })}>
      {userOf(page) ? (
        <ContinueLink label={callbackURL === undefined ? frame('continueToAccount') : frame('continue')} />
      ) : (
        <ButtonLink to="/sign-in" search={{ callbackURL }} variant="primary">
          {t('signIn')}
        </ButtonLink>
      )}
    </Content>
  )
}
