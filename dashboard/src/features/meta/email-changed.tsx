/** The page on which links of a change of email address end: with `pending`, the new address must still confirm. */
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink, ContinueLink } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { hostedPage, useErrorParameter, usePage, useParameter, userOf, useSettings } from '../../hosted/page.ts'
import { useFailureText } from '../../hosted/texts.ts'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

export const emailChanged = hostedPage({
  path: '/email-changed',
  messages,
  title: 'emailChange',
  access: 'optional-session',
  View: EmailChanged,
})

/** To the account or the application; visitors sign in first. */
function Onward() {
  const frame = useFrameMessages()
  const { page } = usePage()
  const callbackURL = useParameter('callbackURL')
  if (userOf(page)) return <ContinueLink label={callbackURL === undefined ? frame('continueToAccount') : frame('continue')} />
  return (
    <ButtonLink to="/sign-in" search={{ callbackURL }} variant="primary">
      {frame('signIn')}
    </ButtonLink>
  )
}

function EmailChanged() {
  const t = useMessages(messages)
  const texts = useFailureText()
  const { page } = usePage()
  const { emailVerification } = useSettings()
  const error = useErrorParameter()
  const isPending = useParameter('pending') !== undefined
  const user = userOf(page)
  if (error !== undefined) {
    const sentence = error === 'unauthorized' ? t('unauthorized') : texts.code(error.toUpperCase())
    return (
      <Content title={t('emailNotChanged')}>
        <Note tone="danger">
          <p className="font-semibold">{sentence ?? texts.code('INVALID_TOKEN')}</p>
          <p className="font-mono text-12">{error}</p>
        </Note>
        <p className="text-muted">{t('changeAgain')}</p>
        <Onward />
      </Content>
    )
  }
  if (isPending)
    return (
      <Content title={t('confirmNew')} lead={t('confirmNewLead')}>
        <Onward />
      </Content>
    )
  return (
    <Content title={t('emailChanged')} lead={user ? t('emailChangedTo', { email: user.email }) : t('emailChangedLead')}>
      {user && !user.emailVerified && emailVerification ? (
        <Note tone="info">{t('verifyNewLead', { email: user.email })}</Note>
      ) : null}
      <Onward />
    </Content>
  )
}
