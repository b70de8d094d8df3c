/** The sign-in page, also for apps that send their users here with `callbackURL`. It knows no method by name: it lists the declared ones. */
import { Fragment } from 'react'
import { canSignUp, onlyByPhone } from '../api/settings.ts'
import { useMessages } from '../i18n/messages.ts'
import { Form } from './form.tsx'
import { everyMethod, hasSteps, IdentifierFirst } from './identifier-first.tsx'
import { LastAccount } from './last-account.tsx'
import { Alternative, Content, OrDivider } from './layout.tsx'
import { ButtonLink, ContinueLink, TextLink } from './link.tsx'
import { Note } from './note.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, userOf, useSettings } from './page.ts'
import { RedirectNote } from './redirect-note.tsx'
import { messages } from './sign-in-messages.ts'
import { orderMethods, type SignInMethod } from './sign-in-method.ts'
import { signInMethods } from './sign-in-methods.ts'

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
  const isEvery = useParameter('methods') === everyMethod.methods
  const isFirst = settings.signIn.page === 'identifier-first' && !isEvery
  const available = orderMethods(signInMethods, settings, isFirst ? page.lastMethod : null)
  if (available.length === 0) return <Content title={t('signIn')} lead={t('noMethod')} />
  return (
    <Content
      title={current ? t('addAccount') : t('signIn')}
      lead={current ? t('stayLead', { email: current.email }) : t('signInLead', { appName: settings.appName })}
    >
      {page.kept.isNew ? <Note tone="success">{t('accountCreated')}</Note> : null}
      <RedirectNote />
      <LastAccount methods={available} />
      {isFirst && hasSteps(available, settings) ? <IdentifierFirst methods={available} /> : <AllMethods methods={available} />}
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

/** Neighbours of one kind, with a line between forms and buttons. */
function AllMethods({ methods }: { readonly methods: readonly SignInMethod[] }) {
  const groups: (readonly SignInMethod[])[] = []
  for (const method of methods) {
    const last = groups.at(-1)
    if (last?.[0]?.kind === method.kind) groups[groups.length - 1] = [...last, method]
    else groups.push([method])
  }
  return groups.map((group, at) => (
    <Fragment key={group[0]?.names[0]}>
      {at > 0 ? <OrDivider /> : null}
      <div className="grid grid-cols-1 gap-2">
        {group.map(({ names: [name], View }) => (
          <div key={name} data-method={name}>
            <View />
          </div>
        ))}
      </div>
    </Fragment>
  ))
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
