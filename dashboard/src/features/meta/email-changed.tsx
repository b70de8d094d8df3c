/** The page on which links of a change of email address end: with `pending`, the new address must still confirm. */
import { useQuery } from '@tanstack/react-query'
import { sessionQuery, useSettings } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { useCodeText } from '../../errors.ts'
import { ContinueButton } from '../../frame/continue.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { useErrorParameter, useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

function NotChanged({ error }: { readonly error: string }) {
  const t = useMessages(messages)
  const codeText = useCodeText()
  const sentence = error === 'unauthorized' ? t('unauthorized') : codeText(error.toUpperCase())
  return (
    <>
      <Note tone="danger">
        <p className="font-semibold">{sentence ?? codeText('INVALID_TOKEN')}</p>
        <p className="font-mono text-12">{error}</p>
      </Note>
      <p className="text-muted">{t('changeAgain')}</p>
    </>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { emailVerification } = useSettings()
  const { data: session } = useQuery({ ...sessionQuery, retry: false })
  const search = { callbackURL: useParameter('callbackURL') }
  const error = useErrorParameter()
  const isPending = useParameter('pending') !== undefined
  const onward = session ? (
    <ContinueButton />
  ) : (
    <ButtonLink to="/sign-in" search={search} variant="primary" size="large">
      {frame('signIn')}
    </ButtonLink>
  )
  if (error !== undefined) {
    return (
      <HostedPage title={t('emailNotChanged')}>
        <NotChanged error={error} />
        {onward}
      </HostedPage>
    )
  }
  if (isPending) {
    return (
      <HostedPage title={t('confirmNew')} lead={t('confirmNewLead')}>
        {onward}
      </HostedPage>
    )
  }
  const user = session?.user
  return (
    <HostedPage title={t('emailChanged')} lead={user ? t('emailChangedTo', { email: user.email }) : t('emailChangedLead')}>
      {user && !user.emailVerified && emailVerification ? (
        <Note tone="info">{t('verifyNewLead', { email: user.email })}</Note>
      ) : null}
      {onward}
    </HostedPage>
  )
}
