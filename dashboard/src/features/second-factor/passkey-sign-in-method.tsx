/** Sign-in with a passkey, also from the list that the browser shows at the field for the email address. */
import type { SignInMethod } from '../../hosted/sign-in-method.ts'
import { useMessages } from '../../i18n/messages.ts'
import { PasskeyForm, passkeyForm } from './passkey-form.tsx'
import { signInMessages } from './passkey-messages.ts'

function Passkey() {
  const t = useMessages(signInMessages)
  return <PasskeyForm label={t('signInWithPasskey')} variant="secondary" isOffered />
}

export const passkeySignIn: SignInMethod = {
  names: ['passkey'],
  order: 15,
  kind: 'button',
  exists: ({ passkey }) => passkey !== null,
  isLast: (lastMethod) => lastMethod === 'passkey',
  forms: [passkeyForm],
  View: Passkey,
  phrase: (locale) => signInMessages.translate(locale)('withPasskey'),
}
