/** Sign-in by email: a page of its own, to which the sign-in page leads. */
import { ButtonLink } from '../../hosted/link.tsx'
import { LastUsed } from '../../hosted/note.tsx'
import { useParameter } from '../../hosted/page.ts'
import type { SignInMethod } from '../../hosted/sign-in-method.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

function ByEmail() {
  const t = useMessages(messages)
  return (
    <ButtonLink to="/sign-in/email" search={{ callbackURL: useParameter('callbackURL') }}>
      {t('signInByEmail')}
      <LastUsed method="email" />
    </ButtonLink>
  )
}

export const emailSignIn: SignInMethod = {
  order: 20,
  kind: 'button',
  exists: ({ emailCodes, magicLink }) => emailCodes !== null || magicLink !== null,
  forms: [],
  View: ByEmail,
}
