/** Sign-in by email: a page of its own, to which the sign-in page leads, with the address if it has one. */
import { Form, KnownIdentifier } from '../../hosted/form.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { LastUsed } from '../../hosted/note.tsx'
import { useParameter } from '../../hosted/page.ts'
import type { MethodProps, SignInMethod } from '../../hosted/sign-in-method.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'
import { sends, useSending } from './sign-in.tsx'

function ByEmail({ identifier, isFirst }: MethodProps) {
  const t = useMessages(messages)
  const { call, hidden, isCode } = useSending()
  const callbackURL = useParameter('callbackURL')
  if (identifier !== undefined)
    return (
      <Form
        call={call}
        hidden={hidden}
        submitLabel={t(isCode ? 'emailCode' : 'emailLink')}
        variant={isFirst ? 'primary' : 'secondary'}
      >
        <KnownIdentifier name="email" value={identifier} />
      </Form>
    )
  return (
    <ButtonLink to="/sign-in/email" search={{ callbackURL }}>
      {t('signInByEmail')}
      <LastUsed method="email" />
    </ButtonLink>
  )
}

export const emailSignIn: SignInMethod = {
  names: ['email-code', 'magic-link'],
  order: 20,
  kind: 'button',
  exists: ({ emailCodes, magicLink }) => emailCodes !== null || magicLink !== null,
  identifiers: () => ['email'],
  isLast: (lastMethod) => lastMethod === 'email',
  forms: sends,
  View: ByEmail,
  phrase: (locale) => messages.translate(locale)('withEmail'),
}
