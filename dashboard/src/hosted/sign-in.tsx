/** The sign-in page, also for apps that send their users here with `callbackURL`. It knows no method by name: it lists the declared ones. */

import { canSignUp, onlyByPhone } from '../api/settings.ts'
import { catalogue, useMessages } from '../i18n/messages.ts'
import { Form } from './form.tsx'
import { Alternative, Content, OrDivider } from './layout.tsx'
import { ButtonLink, ContinueLink, TextLink } from './link.tsx'
import type { messages as english } from './messages/sign-in-en.ts'
import { Note } from './note.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, userOf, useSettings } from './page.ts'
import { RedirectNote } from './redirect-note.tsx'
import { signInMethods } from './sign-in-methods.ts'

const messages = catalogue<typeof english>({
  en: () => import('./messages/sign-in-en.ts'),
  de: () => import('./messages/sign-in-de.ts'),
})

/** The same page, as a visitor. */
const signOut: FormDeclaration = {
  call: 'POST /sign-out',
  next: (_result, { path, parameters }) => ({ page: path, parameters }),
  onError: (code, { path, parameters }) => (code === 'FAILED_TO_GET_SESSION' ? { page: path, parameters } : null),
}

export const signInPage = hostedPage({
  path: '/sign-in',
  messages,
  title: 'signIn',
  access: 'optional-session',
  leadsTo: onlyByPhone,
  forms: [signOut, ...signInMethods.flatMap(({ forms }) => forms)],
  View: SignIn,
})

function SignIn() {
  const { page } = usePage()
  const { multiSession } = useSettings()
  const isAnother = useParameter('account') === 'another' && multiSession !== null
  // A form that has failed was shown before the sign-in in another tab.
  const hasFailed = page.form !== null && page.form.call !== signOut.call
  return userOf(page) && !isAnother && !hasFailed ? <SignedIn /> : <Methods />
}

function Methods() {
  const t = useMessages(messages)
  const { page } = usePage()
  const settings = useSettings()
  const callbackURL = useParameter('callbackURL')
  const current = userOf(page)
  const available = signInMethods.filter(({ exists }) => exists(settings))
  const [forms, buttons] = [available.filter(({ kind }) => kind === 'form'), available.filter(({ kind }) => kind === 'button')]
  if (available.length === 0) return <Content title={t('signIn')} lead={t('noMethod')} />
  return (
    <Content
      title={current ? t('addAccount') : t('signIn')}
      lead={current ? t('stayLead', { email: current.email }) : t('signInLead', { appName: settings.appName })}
    >
      {page.kept.isNew ? <Note tone="success">{t('accountCreated')}</Note> : null}
      <RedirectNote />
      {forms.map(({ View }) => (
        <View key={View.name} />
      ))}
      {forms.length > 0 && buttons.length > 0 ? <OrDivider /> : null}
      {buttons.length > 0 ? (
        <div className="grid grid-cols-1 gap-2">
          {buttons.map(({ View }) => (
            <View key={View.name} />
          ))}
        </div>
      ) : null}
      {canSignUp(settings) ? (
        <Alternative>
          {t('noAccountYet')}{' '}
          <TextLink to="/sign-up" search={{ callbackURL }}>
            {t('createAccount')}
          </TextLink>
        </Alternative>
      ) : null}
      {current ? (
        <Alternative>
          <TextLink to="/account">{t('backToAccount')}</TextLink>
        </Alternative>
      ) : null}
    </Content>
  )
}

/** In place of the methods for users who are signed in already. */
function SignedIn() {
  const t = useMessages(messages)
  const { page } = usePage()
  const { multiSession } = useSettings()
  const user = userOf(page)
  if (!user) return null
  return (
    <Content title={t('signedInAs')} lead={t('signedInLead', { email: user.email })}>
      <div className="grid gap-3">
        <ContinueLink label={t('continueAs', { name: user.name })} />
        {multiSession ? (
          // The account stays signed in with this browser.
          <ButtonLink to={page.path} search={{ ...page.parameters, account: 'another' }}>
            {t('useAnotherAccount')}
          </ButtonLink>
        ) : (
          <Form call="POST /sign-out" submitLabel={t('useAnotherAccount')} variant="secondary" />
        )}
      </div>
    </Content>
  )
}
