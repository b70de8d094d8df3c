/** The page on which reset links end: with `token`, or with `error`. */
import { skipToken, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, queryClient, send, sessionQuery, useSettings } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Form } from '../../components/form.tsx'
import { NewPasswordField, useEndedByReset, usePasswordLinkForm } from '../../components/new-password-field.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useErrorParameter, useParameter, useToken } from '../../router-hooks.ts'
import { messages } from './index.ts'

type Outcome = 'open' | 'saved' | 'failed'

/** Whose password a link sets: for password managers, and for the sign-in page afterwards. */
const useOwner = (token: string | undefined) =>
  useQuery({
    queryKey: ['reset-password', token],
    queryFn: token === undefined ? skipToken : () => send('POST /reset-password/check', { body: { token } }),
    // What was valid when the page opened is decided again when it is submitted.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

interface NewPasswordProps {
  readonly token: string
  /** Undefined until it is known. */
  readonly email: string | undefined
  readonly onOutcome: (outcome: Outcome) => void
}

function NewPassword({ token, email, onOutcome }: NewPasswordProps) {
  const t = useMessages(messages)
  const state = usePasswordLinkForm({
    submit: async (newPassword) => {
      await send('POST /reset-password', { body: { token, newPassword } })
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      onOutcome('saved')
    },
    onInvalid: () => onOutcome('failed'),
  })
  return (
    <HostedPage title={t('newPassword')} lead={t('newPasswordLead')}>
      <Form state={state} size="large" submitLabel={t('savePassword')}>
        <input type="text" name="username" autoComplete="username" value={email ?? ''} readOnly hidden />
        <NewPasswordField size="large" {...state.field('newPassword')} />
      </Form>
    </HostedPage>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const { passwordReset } = useSettings()
  const ended = useEndedByReset()
  const search = { callbackURL: useParameter('callbackURL') }
  const error = useErrorParameter()
  const token = useToken()
  const [outcome, setOutcome] = useState<Outcome>('open')
  const { data: owner, error: failure } = useOwner(token)
  if (outcome === 'saved') {
    return (
      <HostedPage title={t('saved')} lead={`${t('savedLead')} ${ended}`}>
        <ButtonLink
          to="/sign-in"
          search={search}
          state={() => (owner ? { email: owner.email } : {})}
          variant="primary"
          size="large"
        >
          {t('signIn')}
        </ButtonLink>
      </HostedPage>
    )
  }
  if (outcome === 'open' && error === undefined && token !== undefined && !hasCode(failure, 'INVALID_TOKEN'))
    return <NewPassword token={token} email={owner?.email} onOutcome={setOutcome} />
  return (
    <HostedPage title={t('linkFailed')} lead={t('linkFailedLead')}>
      {passwordReset ? (
        <ButtonLink to="/forgot-password" search={search} variant="primary" size="large">
          {t('requestNewLink')}
        </ButtonLink>
      ) : null}
    </HostedPage>
  )
}
