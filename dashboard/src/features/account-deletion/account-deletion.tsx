/** The deletion of the account: confirmed by its email address, and by the password or a mailed link. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pageURL, useSettings } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { TextLink } from '../../components/button.tsx'
import { LoadError, Note, Skeleton } from '../../components/feedback.tsx'
import { PasswordField, TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, PageHead, Setting } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { accountsQuery, hasPassword } from '../../session/accounts.ts'
import { call, useSession } from '../../session/session.ts'
import { messages } from './messages.ts'

export function Screen() {
  const t = useMessages(messages)
  const { data: accounts, error, refetch } = useQuery(accountsQuery)
  const hasOrganizations = useSettings().organization !== null
  const losses = [t('deletedProfile'), t('deletedMethods'), t('deletedSessions')]
  if (hasOrganizations) losses.push(t('deletedOrganizations'))
  return (
    <>
      <PageHead title={t('deleteAccount')}>{t('deleteLead')}</PageHead>
      <Setting
        title={t('whatIsDeleted')}
        description={
          <>
            {t('exportFirst')}{' '}
            <TextLink to="/account/data" isInline>
              {t('exportLink')}
            </TextLink>
          </>
        }
      >
        <Card className="px-4 py-5 card:px-5">
          <ul className="list-disc space-y-1 ps-5 marker:text-muted">
            {losses.map((loss) => (
              <li key={loss}>{loss}</li>
            ))}
          </ul>
          {hasOrganizations ? (
            <p className="mt-3 text-13 text-muted">
              {t('handOverFirst')}{' '}
              <TextLink to="/organizations" isInline>
                {t('organizationsLink')}
              </TextLink>
            </p>
          ) : null}
        </Card>
      </Setting>
      <Setting title={t('confirmation')} description={t('confirmationText')} isDanger>
        <Card className="px-4 py-5 card:px-5">
          {accounts ? (
            <NotWhileImpersonating>
              <DeletionForm hasPassword={hasPassword(accounts)} />
            </NotWhileImpersonating>
          ) : error ? (
            <LoadError error={error} retry={() => void refetch()} />
          ) : (
            <Skeleton />
          )}
        </Card>
      </Setting>
    </>
  )
}

function DeletionForm({ hasPassword: has }: { readonly hasPassword: boolean }) {
  const t = useMessages(messages)
  const { email } = useSession().user
  const byEmail = useSettings().accountDeletion?.confirmedByEmail ?? false
  const needsPassword = has && !byEmail
  const [isSent, setSent] = useState(false)
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ accountDeletion }) => accountDeletion(email, needsPassword)),
    defaults: { email: '', password: '' },
    fields: { INVALID_PASSWORD: 'password', EMAIL_DOES_NOT_MATCH: 'email' },
    submit: async ({ password }) => {
      await call('POST /delete-user', { body: needsPassword ? { password } : {} })
      if (byEmail) setSent(true)
      else location.replace(pageURL('/account-deleted'))
    },
  })
  if (isSent) {
    return (
      <Note tone="success" title={t('linkSent')} isLive>
        {t('linkSentText', { email })}
      </Note>
    )
  }
  return (
    <Form state={state} submitLabel={byEmail ? t('sendLink') : t('deleteAccount')} submitVariant="danger-filled">
      {byEmail ? <p className="text-13 wrap-anywhere">{t('sendLinkText', { email })}</p> : null}
      <TextField label={t('typeEmail', { email })} type="email" autoComplete="off" {...state.field('email')} />
      {needsPassword ? (
        <>
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordField label={t('password')} autoComplete="current-password" {...state.field('password')} />
        </>
      ) : null}
    </Form>
  )
}
