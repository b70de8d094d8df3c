/** The page of setup links: it shows whose password the link sets. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode, send } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CodeBlock, LoadError, Skeleton } from '../../components/feedback.tsx'
import { Form } from '../../components/form.tsx'
import { NewPasswordField, usePasswordLinkForm } from '../../components/new-password-field.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useToken } from '../../router-hooks.ts'
import { messages } from './index.ts'

function InvalidLink() {
  const t = useMessages(messages)
  return (
    <HostedPage title={t('linkFailed')} lead={t('linkFailedLead')}>
      <CodeBlock label={t('linkFailedOperator')} copyLabel={t('copyCommand')} code="latchkey seed" />
    </HostedPage>
  )
}

interface SetPasswordProps {
  readonly token: string
  readonly email: string
  readonly onInvalid: () => void
}

function SetPassword({ token, email, onInvalid }: SetPasswordProps) {
  const t = useMessages(messages)
  const [isSaved, setSaved] = useState(false)
  const state = usePasswordLinkForm({
    submit: async (newPassword) => {
      await send('POST /set-up', { body: { token, newPassword } })
      setSaved(true)
    },
    onInvalid,
  })
  if (isSaved) {
    return (
      <HostedPage title={t('saved')} lead={t('savedLead', { email })}>
        <ButtonLink to="/sign-in" state={() => ({ email })} variant="primary" size="large">
          {t('signIn')}
        </ButtonLink>
      </HostedPage>
    )
  }
  return (
    <HostedPage title={t('setPassword')} lead={t('setPasswordLead', { email })}>
      <Form state={state} size="large" submitLabel={t('savePassword')}>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordField size="large" {...state.field('newPassword')} />
      </Form>
    </HostedPage>
  )
}

export function Screen() {
  const token = useToken() ?? ''
  const [hasFailed, setFailed] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['set-up', token],
    queryFn: () => send('POST /set-up/check', { body: { token } }),
    enabled: token !== '',
    // What was valid when the page opened is decided again when it is submitted.
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (token === '' || hasFailed || hasCode(error, 'INVALID_TOKEN')) return <InvalidLink />
  if (error) return <LoadError error={error} retry={() => void refetch()} />
  return data ? <SetPassword token={token} email={data.email} onInvalid={() => setFailed(true)} /> : <Skeleton />
}
