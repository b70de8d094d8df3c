/** What was rejected, when a sign-in came back to a page with an error in its address. */
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/messages.ts'
import { socialMessages } from '../messages/index.ts'
import { WaitingListLink } from './admission.tsx'
import { TextLink } from './link.tsx'
import { Note } from './note.tsx'
import { useErrorParameter, useParameter, useSettings } from './page.ts'
import { useFailureText } from './texts.ts'

interface CodeNoteProps {
  /** As it stands in the address: it may come from anywhere. */
  readonly code: string
  /** What did not happen. */
  readonly title: string
  /** In place of the usual sentence. */
  readonly sentence?: string | undefined
  /** What the visitor can do next. */
  readonly children?: ReactNode
}

export function CodeNote({ code, title, sentence, children }: CodeNoteProps) {
  const texts = useFailureText()
  return (
    <Note tone="danger" title={title} isLive>
      <p>{sentence ?? texts.redirect(code) ?? texts.code('UNKNOWN')}</p>
      {children}
      <p className="mt-1 font-mono text-12">{code}</p>
    </Note>
  )
}

export function RedirectNote() {
  const t = useMessages(socialMessages)
  const code = useErrorParameter()
  const id = useParameter('provider')
  const callbackURL = useParameter('callbackURL')
  const { socialProviders, emailPassword } = useSettings()
  if (code === undefined) return null
  const provider = socialProviders.find((each) => each.id === id)
  const needsSignUp = code === 'signup_disabled' && (emailPassword?.signUp || provider?.signUp === 'requested')
  const notLinked = code === 'account_not_linked' && provider ? t('accountNotLinked', { provider: provider.name }) : undefined
  return (
    <CodeNote
      code={code}
      title={provider ? t('notSignedInWith', { provider: provider.name }) : t('notSignedIn')}
      sentence={needsSignUp ? t('noAccountYet') : notLinked}
    >
      {needsSignUp ? (
        <p>
          <TextLink to="/sign-up" search={{ callbackURL }} isInline>
            {t('createAccount')}
          </TextLink>
        </p>
      ) : null}
      {code === 'signup_not_allowed' ? <WaitingListLink /> : null}
    </CodeNote>
  )
}
