/** The page on which a sign-in in a second window ends. It notifies the page that needs the session, and closes the window. */
import { useEffect } from 'react'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { RedirectNote } from '../../frame/redirect-note.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { socialMessages } from '../../messages.ts'
import { useErrorParameter, useParameter } from '../../router-hooks.ts'
import { announceSignIn } from '../../session.ts'
import { messages } from './index.ts'

export function Screen() {
  const t = useMessages(messages)
  const social = useMessages(socialMessages)
  const error = useErrorParameter()
  const isWindow = useParameter('window') !== undefined
  useEffect(() => {
    announceSignIn(error)
    // Only a window that a script has opened closes; elsewhere the browser would complain.
    if (error === undefined && isWindow) window.close()
  }, [error, isWindow])
  if (error === undefined) return <HostedPage title={t('signedInAgain')} lead={t('closeWindow')} />
  return (
    <HostedPage title={t('notCompleted')} lead={t('closeAndRetry')}>
      <RedirectNote code={error} title={social('notSignedIn')} />
    </HostedPage>
  )
}
