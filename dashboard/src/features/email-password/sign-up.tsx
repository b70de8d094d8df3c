/** The sign-up page, with the configured fields. */
import { hasSignUpPage, isSignUpOpen, onlyWithPasskey } from '../../api/settings.ts'
import { AdmissionNote, toWaitingList } from '../../hosted/admission.tsx'
import { Form } from '../../hosted/form.tsx'
import { Alternative, Content, OrDivider } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { NewPasswordField, newPasswordErrors } from '../../hosted/new-password.tsx'
import { NewUserFields, newUserErrors } from '../../hosted/new-user-fields.tsx'
import { Note } from '../../hosted/note.tsx'
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
    SIGN_UP_NOT_ALLOWED: 'email',
    ...newPasswordErrors('password'),
  },
  next: ({ token }: { readonly token: string | null }, { parameters: { callbackURL } }, { email = '' }, settings) => {
    if (token !== null) return { leave: callbackURL ?? null }
    if (settings.emailPassword?.requiresVerification)
      return { page: '/check-email', parameters: { reason: 'verify', callbackURL }, keep: { email } }
    return { page: '/sign-in', parameters: { callbackURL }, keep: { email, isNew: 'true' } }
  },
  onError: toWaitingList,
}

export const signUpPage = hostedPage({
  path: '/sign-up',
  messages,
  title: 'signUp',
  access: 'anyone',
  exists: hasSignUpPage,
  leadsTo: onlyWithPasskey,
  forms: [signUp, startSocial],
  View: SignUp,
})

function SignUp() {
  const settings = useSettings()
  return isSignUpOpen(settings) ? <OpenSignUp /> : <ClosedSignUp />
}

/** Users whom an administrator has created sign in. */
function ClosedSignUp() {
  const t = useMessages(messages)
  const { appName } = useSettings()
  return (
    <Content title={t('signUpClosed')} lead={t('signUpClosedLead', { appName })}>
      <RedirectNote />
      <ToSignIn />
    </Content>
  )
}

function ToSignIn() {
  const t = useMessages(messages)
  const callbackURL = useParameter('callbackURL')
  return (
    <Alternative>
      {t('alreadyHaveAccount')}{' '}
      <TextLink to="/sign-in" search={{ callbackURL }}>
        {t('signIn')}
      </TextLink>
    </Alternative>
  )
}

function OpenSignUp() {
  const t = useMessages(messages)
  const { site } = usePage()
  const { appName, emailPassword, passkey, phoneNumber, signUp: policy, socialProviders } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const hasForm = emailPassword?.signUp === true
  const providers = socialProviders.filter(({ signUp: kind }) => kind !== 'never')
  return (
    <Content title={t('signUp')} lead={t('signUpLead', { appName })}>
      <RedirectNote />
      <AdmissionNote />
      {policy.mode === 'closed' ? <Note tone="info">{t('onlyInvited')}</Note> : null}
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
      <ToSignIn />
    </Content>
  )
}
