/**
 * The page of verification links. In the browser that signed up, or is signed in, it has one button. In any other it asks first:
 * another person may have signed up with the email address. Then it goes on to the target of the link.
 */
import type { Next, PageRequest } from '../../../../src/core/hosted.ts'
import { withParameter } from '../../../../src/lib/url.ts'
import { Form, PasswordField } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { NewPasswordField, newPasswordErrors } from '../../hosted/new-password.tsx'
import { FailureNote, Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, pagePath, tokenOf, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { NotVerified } from './email-verified.tsx'
import { messages } from './messages.ts'

/** As `POST /verification-link` responds. */
interface Link {
  readonly email: string
  readonly newEmail: string | null
  readonly step: 'confirm' | 'prove' | 'sign-in'
  readonly hasPassword: boolean
  readonly providers: readonly string[]
}

/** The codes with which a link is of no use any more: it ends on its target, with the error. */
const ended = new Set(['INVALID_TOKEN', 'TOKEN_EXPIRED', 'USER_NOT_FOUND', 'UNAUTHORIZED'])

/** Where the link ends: its target, else a hosted page. */
const end = (page: string, { parameters }: PageRequest, more: Readonly<Record<string, string>> = {}): Next => {
  const { callbackURL } = parameters
  if (callbackURL === undefined) return { page, parameters: more }
  return { leave: Object.entries(more).reduce((url, [name, value]) => withParameter(url, name, value), callbackURL) }
}

/** An error ends on the target too, which may say more about it. */
const onEnded = (code: string, page: PageRequest): Next | null =>
  ended.has(code) ? end('/email-verified', page, { error: code.toLowerCase() }) : null

const openLink = (call: string, fields: FormDeclaration['fields'] = {}): FormDeclaration => ({
  call,
  fields,
  next: (result: { readonly user?: object; readonly isPending?: boolean }, page) =>
    call === 'POST /verify-email'
      ? end(result.user ? '/email-changed' : '/email-verified', page, result.isPending ? { pending: 'true' } : {})
      : end('/email-verified', page),
  onError: onEnded,
})

export const verifyEmail = hostedPage({
  path: '/verify-email',
  messages,
  title: 'emailVerification',
  access: 'anyone',
  keeps: ['token'],
  read: (request) => {
    const token = tokenOf(request)
    if (token === undefined) return null
    const { callbackURL } = request.parameters
    return { call: 'POST /verification-link', input: { token, ...(callbackURL !== undefined && { callbackURL }) } }
  },
  onFailure: onEnded,
  forms: [
    openLink('POST /verify-email'),
    openLink('POST /verify-email/with-password', { INVALID_PASSWORD: 'password' }),
    openLink('POST /verify-email/with-new-password', newPasswordErrors('newPassword')),
  ],
  View: VerifyEmail,
})

function VerifyEmail() {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const { page } = usePage()
  const link = page.data as Link | null
  const isNotMe = useParameter('step') === 'take-over'
  if (tokenOf(page) === undefined) return <NotVerified error="invalid_token" />
  if (!link)
    return (
      <Content title={t('notVerified')}>
        {page.failure ? <FailureNote failure={page.failure} /> : null}
        <ButtonLink to={page.path} search={page.parameters} variant="primary">
          {frame('tryAgain')}
        </ButtonLink>
      </Content>
    )
  if (link.step === 'confirm') return <Confirm {...link} />
  if (link.step === 'sign-in') return <SignInToChange {...link} />
  return isNotMe ? <TakeOver {...link} /> : <Prove {...link} />
}

function useTarget() {
  const { page } = usePage()
  return { token: tokenOf(page), callbackURL: page.parameters.callbackURL }
}

function Confirm({ email, newEmail }: Link) {
  const t = useMessages(messages)
  const target = useTarget()
  const isChange = newEmail !== null
  return (
    <Content
      title={isChange ? t('changeTitle') : t('confirmTitle')}
      lead={isChange ? t('changeLead', { email, newEmail }) : t('confirmLead', { email })}
    >
      <Form call="POST /verify-email" hidden={target} submitLabel={isChange ? t('confirmChange') : t('verify')} />
    </Content>
  )
}

/** A sign-in that leads back to this link. */
function SignInHere({ variant, children }: { readonly variant: 'primary' | 'secondary'; readonly children: string }) {
  const { site, page } = usePage()
  // The token is kept for this page.
  return (
    <ButtonLink to="/sign-in" search={{ callbackURL: pagePath(site, page.path, page.parameters) }} variant={variant}>
      {children}
    </ButtonLink>
  )
}

function SignInToChange({ email }: Link) {
  const t = useMessages(messages)
  return (
    <Content title={t('changeTitle')} lead={t('signInToChange', { email })}>
      <SignInHere variant="primary">{t('signIn')}</SignInHere>
    </Content>
  )
}

function Prove({ email, hasPassword, providers }: Link) {
  const t = useMessages(messages)
  const { page } = usePage()
  const target = useTarget()
  const linked = useSettings().socialProviders.filter(({ id }) => providers.includes(id))
  const variant = hasPassword ? 'secondary' : 'primary'
  return (
    <Content title={t('confirmTitle')} lead={hasPassword ? t('proveLead', { email }) : t('proveLeadByProvider', { email })}>
      {hasPassword ? (
        <Form call="POST /verify-email/with-password" hidden={target} submitLabel={t('verify')}>
          <HiddenUsername value={email} />
          <PasswordField name="password" label={t('password')} autoComplete="current-password" />
        </Form>
      ) : null}
      <div className="grid gap-3">
        {linked.map(({ id, name }) => (
          <SignInHere key={id} variant={variant}>
            {t('signInWith', { provider: name })}
          </SignInHere>
        ))}
        {hasPassword || linked.length > 0 ? null : <SignInHere variant="primary">{t('signIn')}</SignInHere>}
        <ButtonLink to={page.path} search={{ ...page.parameters, step: 'take-over' }}>
          {hasPassword ? t('notMe') : t('notMeByProvider')}
        </ButtonLink>
      </div>
    </Content>
  )
}

function TakeOver({ email }: Link) {
  const t = useMessages(messages)
  const { page } = usePage()
  const target = useTarget()
  const { emailPassword } = useSettings()
  return (
    <Content
      title={t('takeOverTitle')}
      lead={emailPassword ? t('takeOverLead', { email }) : t('takeOverWithoutPassword', { email })}
    >
      <Note tone="warning">{t('takeOverEnds')}</Note>
      <Form call="POST /verify-email/with-new-password" hidden={target} submitLabel={t('takeOver')}>
        {emailPassword ? (
          <>
            <HiddenUsername value={email} />
            <NewPasswordField name="newPassword" />
          </>
        ) : null}
      </Form>
      <ButtonLink to={page.path} search={{ ...page.parameters, step: undefined }} variant="ghost">
        {t('back')}
      </ButtonLink>
    </Content>
  )
}
