/** Sign-in with a phone number: a page of its own, to which the sign-in page leads. */
import { ButtonLink } from '../../hosted/link.tsx'
import { LastUsed } from '../../hosted/note.tsx'
import { useParameter } from '../../hosted/page.ts'
import type { SignInMethod } from '../../hosted/sign-in-method.ts'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages } from '../../messages/index.ts'

function Phone() {
  const t = useMessages(phoneMessages)
  return (
    <ButtonLink to="/sign-in/phone" search={{ callbackURL: useParameter('callbackURL') }}>
      {t('signInByPhone')}
      <LastUsed method="phone" />
    </ButtonLink>
  )
}

export const phoneSignIn: SignInMethod = {
  order: 30,
  kind: 'button',
  exists: ({ phoneNumber }) => phoneNumber?.codes === true || phoneNumber?.passwords === true,
  forms: [],
  View: Phone,
}
