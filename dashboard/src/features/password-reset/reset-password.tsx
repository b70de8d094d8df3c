/** The page on which reset links end: with `token`, or with `error`. */
import { useState } from 'react'
import { queryClient, send, sessionQuery, useSettings } from '../../api.ts'
import { ButtonLink } from '../../components/button.tsx'
import { Form } from '../../components/form.tsx'
import { NewPasswordField, usePasswordLinkForm } from '../../components/new-password-field.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useErrorParameter, useParameter, useToken } from '../../router-hooks.ts'
import { messages } from './index.ts'

type Outcome = 'open' | 'saved' | 'failed'

interface NewPasswordProps {
  readonly token: string
  readonly onOutcome: (outcome: Outcome) => void
}

function NewPassword({ token, onOutcome }: NewPasswordProps) {
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
        <NewPasswordField size="large" {...state.field('newPassword')} />
      </Form>
    </HostedPage>
  )
}

export function Screen() {
  const t = useMessages(messages)
  const { passwordReset } = useSettings()
  const search = { callbackURL: useParameter('callbackURL') }
  const error = useErrorParameter()
  const token = useToken()
  const [outcome, setOutcome] = useState<Outcome>('open')
  if (outcome === 'saved') {
    return (
      <HostedPage title={t('saved')} lead={t('savedLead')}>
        <ButtonLink to="/sign-in" search={search} variant="primary" size="large">
          {t('signIn')}
        </ButtonLink>
      </HostedPage>
    )
  }
  if (outcome === 'open' && error === undefined && token !== undefined)
    return <NewPassword token={token} onOutcome={setOutcome} />
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
