/** The sign-up page, with the configured fields. */

import { canSignUp, onlyWithPasskey } from '../../api/settings.ts'
import { Form } from '../../hosted/form.tsx'
import { Alternative, Content, OrDivider } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { NewPasswordField, newPasswordErrors } from '../../hosted/new-password.tsx'
import { NewUserFields, newUserErrors } from '../../hosted/new-user-fields.tsx'
import { type FormDeclaration, hostedPage, pageURL, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { ProviderButtons, startSocial } from '../../hosted/providers.tsx'
import { RedirectNote } from '../../hosted/redirect-note.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

const signUp: FormDeclaration = {
  call: 'POST /sign-up/email',
  method: () => 'password',
  fields: {
    ...newUserErrors,
    USER_ALREADY_EXISTS: 'email',
    ...newPasswordErrors('password'),
  },
  next: ({ token }: { readonly token: string | null }, { parameters: { callbackURL } }, { email = '' }, settings) => {
    if (token !== null) return { leave: callbackURL ?? null }
    if (settings.emailPassword?.requiresVerification)
      return { page: '/check-email', parameters: { reason: 'verify', callbackURL }, keep: { email } }
    return { page: '/sign-in', parameters: { callbackURL }, keep: { email, isNew: 'true' } }
  },
}

export const signUpPage = hostedPage({
  path: '/sign-up',
  messages,
  title: 'signUp',
  access: 'anyone',
  exists: canSignUp,
  leadsTo: onlyWithPasskey,
  forms: [signUp, startSocial],
  View: SignUp,
})

function SignUp() {
  const t = useMessages(messages)
  const { site } = usePage()
  const { appName, emailPassword, passkey, phoneNumber, socialProviders } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const hasForm = emailPassword?.signUp === true
  const providers = socialProviders.filter(({ signUp: kind }) => kind !== 'never')
  return (
    <Content title={t('signUp')} lead={t('signUpLead', { appName })}>
      <RedirectNote />
      {hasForm ? (
        <Form
          call="POST /sign-up/email"
          hidden={{ callbackURL: pageURL(site, '/email-verified', { callbackURL }) }}
          submitLabel={t('submitSignUp')}
        >
          <NewUserFields labels={{ name: t('name'), email: t('email') }}>
            <NewPasswordField name="password" label={t('password')} />
          </NewUserFields>
        </Form>
      ) : null}
      {hasForm && (providers.length > 0 || passkey?.signUp) ? <OrDivider /> : null}
      <ProviderButtons providers={providers} isSignUp />
      {passkey?.signUp ? (
        <ButtonLink to="/sign-up/passkey" search={{ callbackURL }}>
          {t('signUpWithPasskey')}
        </ButtonLink>
      ) : null}
      {phoneNumber?.signUp ? (
        <Alternative>
          <TextLink to="/sign-in/phone" search={{ callbackURL }}>
            {t('signUpByPhone')}
          </TextLink>
        </Alternative>
      ) : null}
      <Alternative>
        {t('alreadyHaveAccount')}{' '}
        <TextLink to="/sign-in" search={{ callbackURL }}>
          {t('signIn')}
        </TextLink>
      </Alternative>
    </Content>
  )
}
