/** Sign-in with a phone number: a page of its own, to which the sign-in page leads, with a code if it has the number. */
import { Form, KnownIdentifier } from '../../hosted/form.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { LastUsed } from '../../hosted/note.tsx'
import { useParameter, useSettings } from '../../hosted/page.ts'
import type { MethodProps, SignInMethod } from '../../hosted/sign-in-method.ts'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages } from '../../messages/index.ts'
import { sendCode } from './sign-in.tsx'

function Phone({ identifier, isFirst }: MethodProps) {
  const t = useMessages(phoneMessages)
  const { phoneNumber } = useSettings()
  const callbackURL = useParameter('callbackURL')
  if (identifier === undefined)
    return (
      <ButtonLink to="/sign-in/phone" search={{ callbackURL }}>
        {t('signInByPhone')}
        <LastUsed method="phone" />
      </ButtonLink>
    )
  return (
    <>
      <Form call={sendCode.call} submitLabel={t('sendCode')} variant={isFirst ? 'primary' : 'secondary'}>
        <KnownIdentifier name="phoneNumber" value={identifier} />
      </Form>
      {phoneNumber?.passwords ? (
        <ButtonLink to="/sign-in/phone" search={{ callbackURL, method: 'password' }} variant="ghost">
          {t('usePassword')}
        </ButtonLink>
      ) : null}
    </>
  )
}

export const phoneSignIn: SignInMethod = {
  names: ['phone-number'],
  order: 30,
  kind: 'button',
  exists: ({ phoneNumber }) => phoneNumber?.codes === true || phoneNumber?.passwords === true,
  // Without codes, its page asks for number and password.
  identifiers: ({ phoneNumber }) => (phoneNumber?.codes ? ['phone'] : []),
  isLast: (lastMethod) => lastMethod === 'phone',
  forms: [sendCode],
  View: Phone,
  phrase: (locale) => phoneMessages.translate(locale)('withPhone'),
}
