/** The page of setup links: it shows whose password the link sets. */
import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { ClientError, send, useSettings } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { CopyButton, LoadError, Skeleton } from '../../components/feedback.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { NewPasswordField, newPasswordErrors } from '../../components/new-password-field.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useToken } from '../../router-hooks.ts'
import { messages } from './index.ts'

const isInvalid = (error: unknown) => error instanceof ClientError && error.code === 'INVALID_TOKEN'

function InvalidLink() {
  const t = useMessages(messages)
  const command = 'latchkey seed'
  return (
    <HostedPage title={t('linkFailed')} lead={t('linkFailedLead')}>
      <div className="space-y-2">
        <p className="text-muted">{t('linkFailedOperator')}</p>
        <p className="flex items-center justify-between gap-3 rounded-control bg-sunken py-1.5 ps-3 pe-1.5 font-mono text-13">
          <code>{command}</code>
          <CopyButton text={command} label={t('copyCommand')} />
        </p>
      </div>
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
  const { emailPassword } = useSettings()
  const [isSaved, setSaved] = useState(false)
  const state = useApiForm({
    schema: useCallback(
      () => import('../../schemas.ts').then(({ newPasswordOnly }) => newPasswordOnly(emailPassword)),
      [emailPassword],
    ),
    defaults: { newPassword: '' },
    fields: newPasswordErrors('newPassword' as const),
    submit: async ({ newPassword }) => {
      await send('POST /set-up', { body: { token, newPassword } })
      setSaved(true)
    },
    onError: (error) => {
      if (isInvalid(error)) onInvalid()
      return isInvalid(error)
    },
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
  if (token === '' || hasFailed || isInvalid(error)) return <InvalidLink />
  if (error) return <LoadError error={error} retry={() => void refetch()} />
  return data ? <SetPassword token={token} email={data.email} onInvalid={() => setFailed(true)} /> : <Skeleton />
}
