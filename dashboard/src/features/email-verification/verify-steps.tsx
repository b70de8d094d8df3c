/** What the visitor of a verification link must do before it is used. */
import { useCallback, useState } from 'react'
import { ClientError, pageURL, queryClient, send, sessionQuery, useSettings } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Note } from '../../components/feedback.tsx'
import { PasswordField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { NewPasswordField, newPasswordErrors } from '../../components/new-password-field.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './index.ts'

/** The pages on which links end without a target. */
export const ends = ['/email-verified', '/email-changed'] as const

export interface Outcome {
  readonly end: (typeof ends)[number]
  /** Parameters for the target. */
  readonly error?: string
  readonly pending?: string
}

/** The failures of links are 401. Redirects have their codes in lower case. @throws other errors */
export function failureOf(error: unknown): Outcome {
  if (!(error instanceof ClientError) || error.status !== 401) throw error
  return { end: '/email-verified', error: error.code.toLowerCase() }
}

interface LinkProps {
  readonly link: {
    readonly email: string
    readonly newEmail: string | null
    readonly step: 'confirm' | 'prove' | 'sign-in'
    readonly hasPassword: boolean
    readonly providers: readonly string[]
  }
  readonly target: { readonly token: string; readonly callbackURL?: string }
  readonly onOutcome: (outcome: Outcome) => void
}

const empty = () => import('../../schemas.ts').then((schemas) => schemas.empty)
const passwordOnly = () => import('../../schemas.ts').then((schemas) => schemas.passwordOnly)
const verified: Outcome = { end: '/email-verified' }

/** A form whose call uses the link: a link that failed ends on its target, with the error. */
function useLinkForm<V extends Record<string, string>>(
  { onOutcome }: LinkProps,
  options: Omit<Parameters<typeof useApiForm<V>>[0], 'submit' | 'onError'>,
  use: (values: V) => Promise<Outcome>,
) {
  return useApiForm<V>({
    ...options,
    submit: async (values) => {
      const outcome = await use(values).catch(failureOf)
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onOutcome(outcome)
    },
  })
}

/** Back to this page after a sign-in, as the user of the link. */
const useHere = ({ target }: LinkProps) => ({ callbackURL: pageURL('/verify-email', { ...target }) })

function Confirm(props: LinkProps) {
  const t = useMessages(messages)
  const { email, newEmail } = props.link
  const state = useLinkForm(props, { schema: empty, defaults: {} }, async () => {
    const { user, isPending } = await send('POST /verify-email', { body: props.target })
    return { end: user ? '/email-changed' : '/email-verified', ...(isPending && { pending: 'true' }) }
  })
  return newEmail === null ? (
    <HostedPage title={t('confirmTitle')} lead={t('confirmLead', { email })}>
      <Form state={state} size="large" submitLabel={t('verify')}>
        {null}
      </Form>
    </HostedPage>
  ) : (
    <HostedPage title={t('changeTitle')} lead={t('changeLead', { email, newEmail })}>
      <Form state={state} size="large" submitLabel={t('confirmChange')}>
        {null}
      </Form>
    </HostedPage>
  )
}

function SignInToChange(props: LinkProps) {
  const t = useMessages(messages)
  const here = useHere(props)
  return (
    <HostedPage title={t('changeTitle')} lead={t('signInToChange', { email: props.link.email })}>
      <ButtonLink to="/sign-in" search={here} variant="primary" size="large">
        {t('signIn')}
      </ButtonLink>
    </HostedPage>
  )
}

function PasswordProof(props: LinkProps) {
  const t = useMessages(messages)
  const { email } = props.link
  const options = { schema: passwordOnly, defaults: { password: '' }, fields: { INVALID_PASSWORD: 'password' as const } }
  const state = useLinkForm(props, options, async ({ password }) => {
    await send('POST /verify-email/with-password', { body: { ...props.target, password } })
    return verified
  })
  return (
    <Form state={state} size="large" submitLabel={t('verify')}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField size="large" label={t('password')} autoComplete="current-password" {...state.field('password')} />
    </Form>
  )
}

/** The configured providers of the user's social accounts, by their names. */
function useProviders({ link }: LinkProps) {
  const { socialProviders } = useSettings()
  return socialProviders.filter(({ id }) => link.providers.includes(id))
}

function Prove({ onNotMe, ...props }: LinkProps & { readonly onNotMe: () => void }) {
  const t = useMessages(messages)
  const { email, hasPassword } = props.link
  const here = useHere(props)
  const providers = useProviders(props)
  return (
    <HostedPage title={t('confirmTitle')} lead={hasPassword ? t('proveLead', { email }) : t('proveLeadByProvider', { email })}>
      {hasPassword ? <PasswordProof {...props} /> : null}
      <div className="grid gap-3">
        {providers.map(({ id, name }) => (
          <ButtonLink key={id} to="/sign-in" search={here} size="large" variant={hasPassword ? 'secondary' : 'primary'}>
            {t('signInWith', { provider: name })}
          </ButtonLink>
        ))}
        {hasPassword || providers.length > 0 ? null : (
          <ButtonLink to="/sign-in" search={here} size="large" variant="primary">
            {t('signIn')}
          </ButtonLink>
        )}
        <Button size="large" onClick={onNotMe}>
          {hasPassword ? t('notMe') : t('notMeByProvider')}
        </Button>
      </div>
    </HostedPage>
  )
}

function TakeOver({ onBack, ...props }: LinkProps & { readonly onBack: () => void }) {
  const t = useMessages(messages)
  const { emailPassword } = useSettings()
  const { email } = props.link
  const schema = useCallback(
    () => import('../../schemas.ts').then((schemas) => (emailPassword ? schemas.newPasswordOnly(emailPassword) : schemas.empty)),
    [emailPassword],
  )
  const options = {
    schema: schema as () => Promise<never>,
    defaults: emailPassword ? { newPassword: '' } : {},
    fields: newPasswordErrors('newPassword' as const),
  }
  const state = useLinkForm<{ newPassword: string }>(props, options, async (values) => {
    await send('POST /verify-email/with-new-password', { body: { ...props.target, ...values } })
    return verified
  })
  return (
    <HostedPage
      title={t('takeOverTitle')}
      lead={emailPassword ? t('takeOverLead', { email }) : t('takeOverWithoutPassword', { email })}
    >
      <Note tone="warning">{t('takeOverEnds')}</Note>
      <Form state={state} size="large" submitLabel={t('takeOver')}>
        {emailPassword ? (
          <>
            <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
            <NewPasswordField size="large" {...state.field('newPassword')} />
          </>
        ) : null}
      </Form>
      <Button size="large" variant="ghost" onClick={onBack}>
        {t('back')}
      </Button>
    </HostedPage>
  )
}

export function Steps(props: LinkProps) {
  const [isNotMe, setNotMe] = useState(false)
  const { step } = props.link
  if (step === 'confirm') return <Confirm {...props} />
  if (step === 'sign-in') return <SignInToChange {...props} />
  return isNotMe ? <TakeOver {...props} onBack={() => setNotMe(false)} /> : <Prove {...props} onNotMe={() => setNotMe(true)} />
}
