/** The page on which a sign-in in a second window ends. Its script notifies the page that needs the session, and closes the window. */
import { Content } from '../../hosted/layout.tsx'
import { hostedPage, useErrorParameter, useParameter } from '../../hosted/page.ts'
import { CodeNote } from '../../hosted/redirect-note.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { socialMessages } from '../../messages/index.ts'
import { messages } from './messages.ts'

export const signedInAgain = hostedPage({
  path: '/signed-in-again',
  messages,
  title: 'signInWindow',
  access: 'anyone',
  View: SignedInAgain,
})

function SignedInAgain() {
  const t = useMessages(messages)
  const social = useMessages(socialMessages)
  const error = useErrorParameter()
  const isWindow = useParameter('window') !== undefined
  return (
    <div data-signed-in={error ?? ''} data-close={isWindow && error === undefined ? '' : undefined}>
      {error === undefined ? (
        <Content title={t('signedInAgain')} lead={t('closeWindow')} />
      ) : (
        <Content title={t('notCompleted')} lead={t('closeAndRetry')}>
          <CodeNote code={error} title={social('notSignedIn')} />
        </Content>
      )}
    </div>
  )
}
