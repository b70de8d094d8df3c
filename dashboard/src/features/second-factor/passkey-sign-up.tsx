/** Sign-up with a passkey, on three pages: name and address, the code that was sent there, and the passkey that creates the account. */
import type { Next, PageRequest } from '../../../../src/core/hosted.ts'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { isSignUpOpen } from '../../api/settings.ts'
import { AdmissionNote } from '../../hosted/admission.tsx'
import { CodeField, Form } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { NewUserFields, newUserErrors } from '../../hosted/new-user-fields.tsx'
import { Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { RedirectNote } from '../../hosted/redirect-note.tsx'
import { SendAgain } from '../../hosted/send-again.tsx'
import { catalogueOf, useMessages } from '../../i18n/messages.ts'
import { CeremonyForm } from './passkey-form.tsx'

const messages = catalogueOf('passkey-sign-up', {
  en: () => import('./passkey-sign-up-en.ts'),
  de: () => import('./passkey-sign-up-de.ts'),
})

const paths = { start: '/sign-up/passkey', code: '/sign-up/passkey/code', create: '/sign-up/passkey/create' } as const

/** What was typed is kept in a cookie, in characters. Without it a new code takes the first page again. */
const mostKept = 1500

const start: FormDeclaration = {
  call: 'POST /passkey/sign-up',
  fields: newUserErrors,
  next: (_result, { path, parameters: { callbackURL } }, values) => ({
    page: paths.code,
    parameters: { callbackURL, sent: path === paths.code ? 'again' : undefined },
    keep: JSON.stringify(values).length <= mostKept ? values : { email: values.email ?? '' },
  }),
}

const verify: FormDeclaration = {
  call: 'POST /passkey/verify-sign-up',
  fields: { INVALID_OTP: 'otp', OTP_EXPIRED: 'otp', TOO_MANY_ATTEMPTS: 'otp' },
  next: ({ context }: { readonly context: string }, { parameters: { callbackURL } }, { email = '' }) => ({
    page: paths.create,
    parameters: { callbackURL },
    keep: { context, email },
  }),
}

const startAgain = (code: string, { parameters: { callbackURL } }: PageRequest): Next => ({
  page: paths.start,
  parameters: { callbackURL, error: code.toLowerCase() },
})

const create: FormDeclaration = {
  call: 'POST /passkey/verify-registration',
  method: () => 'passkey',
  next: ({ session }: { readonly session?: object }, { parameters: { callbackURL } }) =>
    session ? { leave: callbackURL ?? null } : { page: '/sign-in', parameters: { callbackURL }, keep: { isNew: 'true' } },
  onError: (code, page) => (code === 'SESSION_REQUIRED' ? startAgain(code, page) : null),
}

const exists = ({ passkey, signUp }: PublicSettings): boolean => passkey?.signUp === true && isSignUpOpen({ signUp })
const common = { messages, title: 'title', access: 'anyone', exists } as const

export const passkeySignUpPages = [
  hostedPage({ ...common, path: paths.start, forms: [start], View: EnterAddress }),
  hostedPage({ ...common, path: paths.code, forms: [verify, start], View: EnterCode }),
  hostedPage({ ...common, path: paths.create, forms: [create], View: CreatePasskey }),
]

function EnterAddress() {
  const t = useMessages(messages)
  const callbackURL = useParameter('callbackURL')
  return (
    <Content title={t('title')} lead={t('lead')}>
      <RedirectNote />
      <AdmissionNote />
      <Form call={start.call} submitLabel={t('continue')}>
        <NewUserFields labels={{ name: t('name'), email: t('email') }} />
      </Form>
      <OtherWays />
      <Alternative>
        {t('alreadyHaveAccount')}{' '}
        <TextLink to="/sign-in" search={{ callbackURL }}>
          {t('signIn')}
        </TextLink>
      </Alternative>
    </Content>
  )
}

function OtherWays() {
  const t = useMessages(messages)
  const { emailPassword } = useSettings()
  const callbackURL = useParameter('callbackURL')
  return emailPassword?.signUp ? (
    <Alternative>
      <TextLink to="/sign-up" search={{ callbackURL }}>
        {t('usePassword')}
      </TextLink>
    </Alternative>
  ) : null
}

/** Opened from elsewhere: nothing was sent from here. */
function StartFirst() {
  const t = useMessages(messages)
  const callbackURL = useParameter('callbackURL')
  return (
    <Content title={t('title')} lead={t('lead')}>
      <ButtonLink to={paths.start} search={{ callbackURL }} variant="primary">
        {t('continue')}
      </ButtonLink>
    </Content>
  )
}

function EnterCode() {
  const t = useMessages(messages)
  const { page } = usePage()
  const callbackURL = useParameter('callbackURL')
  const { emailResendAfter } = useSettings()
  const typed = page.kept.email === undefined ? page.form?.values : page.kept
  if (typed?.email === undefined) return <StartFirst />
  return (
    <Content title={t('codeTitle')} lead={t('codeSent', { email: typed.email })}>
      <Form call={verify.call} hidden={{ email: typed.email }} submitLabel={t('continue')}>
        <CodeField name="otp" label={t('code')} />
      </Form>
      {typed.name === undefined ? null : (
        <SendAgain
          call={start.call}
          hidden={typed}
          texts={{ sent: t('sentAgain'), send: t('sendAgain'), sendIn: t('sendAgainIn', { time: '{time}' }) }}
          wait={emailResendAfter}
        />
      )}
      <Alternative>
        <TextLink to={paths.start} search={{ callbackURL }}>
          {t('wrongAddress')}
        </TextLink>
      </Alternative>
      <OtherWays />
    </Content>
  )
}

function CreatePasskey() {
  const t = useMessages(messages)
  const { page } = usePage()
  const { context = page.form?.values.context, email = page.form?.values.email } = page.kept
  if (context === undefined || email === undefined) return <StartFirst />
  return (
    <Content title={t('createTitle')} lead={t('createLead', { email })}>
      {/* The script takes it away. */}
      <div data-passkey-missing>
        <Note tone="warning">{t('notHere')}</Note>
      </div>
      <CeremonyForm
        kind="new"
        call={create.call}
        options={`/passkey/generate-register-options?context=${encodeURIComponent(context)}`}
        hidden={{ createSession: 'true' }}
        label={t('create')}
        variant="primary"
        sentence={t}
      />
      <OtherWays />
    </Content>
  )
}
