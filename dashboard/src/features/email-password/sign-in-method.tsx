/** Sign-in with a password, and an email address or a username. */
import type { PageRequest } from '../../../../src/core/hosted.ts'
import { canReset } from '../../api/settings.ts'
import { Checkbox, Form, KnownIdentifier, PasswordField, TextField } from '../../hosted/form.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { LastUsed } from '../../hosted/note.tsx'
import { type FormDeclaration, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import type { MethodProps, SignInMethod } from '../../hosted/sign-in-method.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

/** What the user must do with an email before they can sign in. */
const mailed: Readonly<Record<string, string>> = { EMAIL_NOT_VERIFIED: 'verify', PASSWORD_MUST_BE_REPLACED: 'replace' }

const signIn: FormDeclaration = {
  call: 'POST /sign-in/email',
  // The field of the page has either; which usernames are valid, the API decides.
  becomes: ({ email = '', ...values }, settings) =>
    settings.username && !email.includes('@')
      ? { call: 'POST /sign-in/username', values: { ...values, username: email.trim() } }
      : null,
  fields: {
    INVALID_EMAIL: 'email',
    INVALID_EMAIL_OR_PASSWORD: 'password',
    INVALID_USERNAME_OR_PASSWORD: 'password',
    USERNAME_IS_TOO_SHORT: 'email',
    USERNAME_IS_TOO_LONG: 'email',
    USERNAME_IS_INVALID: 'email',
  },
  method: () => 'password',
  next: (_result, { parameters }) => ({ leave: parameters.callbackURL ?? null }),
  onError: (code, { parameters }: PageRequest, { email = '' }) => {
    const reason = mailed[code]
    if (reason === undefined) return null
    const keep = email.includes('@') ? { email } : {}
    return { page: '/check-email', parameters: { reason, callbackURL: parameters.callbackURL }, keep }
  },
}

function Password({ identifier, isFirst = true }: MethodProps) {
  const t = useMessages(messages)
  const { page } = usePage()
  const settings = useSettings()
  const { passkey, username } = settings
  const callbackURL = useParameter('callbackURL')
  const search = { callbackURL }
  const forgot = (
    <TextLink to="/forgot-password" search={search}>
      {t('forgotPassword')}
    </TextLink>
  )
  const resetLink =
    canReset(settings) && page.failure?.retryAfter ? (
      <p>
        <TextLink to="/forgot-password" search={search} isInline>
          {t('resetWithoutWaiting')}
        </TextLink>
      </p>
    ) : null
  return (
    <Form
      call="POST /sign-in/email"
      hidden={{ callbackURL }}
      submitLabel={t('signIn')}
      variant={isFirst ? 'primary' : 'secondary'}
      errorDetail={resetLink}
    >
      {identifier === undefined ? (
        <TextField
          name="email"
          label={username ? t('emailOrUsername') : t('email')}
          type={username ? 'text' : 'email'}
          initial={page.kept.email}
          autoComplete={passkey ? 'username webauthn' : 'username'}
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <KnownIdentifier name="email" value={identifier} />
      )}
      <PasswordField
        name="password"
        label={t('password')}
        autoComplete="current-password"
        action={canReset(settings) ? forgot : null}
      />
      <div className="flex items-center justify-between gap-3">
        <Checkbox name="rememberMe" label={t('rememberMe')} isChecked />
        <LastUsed method="password" />
      </div>
    </Form>
  )
}

export const passwordSignIn: SignInMethod = {
  names: ['password'],
  order: 10,
  kind: 'form',
  exists: ({ emailPassword }) => emailPassword !== null,
  identifiers: ({ username }) => (username ? ['email', 'username'] : ['email']),
  isLast: (lastMethod) => lastMethod === 'password',
  forms: [signIn],
  View: Password,
  phrase: (locale) => messages.translate(locale)('withPassword'),
}
