/** The page of deletion links: it says whose account the link deletes, and deletes it when the user confirms. */
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { hasCode, pageURL } from '../../api.ts'
import { Button, ButtonLink } from '../../components/button.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Avatar } from '../../components/layout.tsx'
import { continueURL } from '../../frame/continue.tsx'
import { HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useParameter, useToken } from '../../router-hooks.ts'
import { call, useSession } from '../../session.ts'
import { messages } from './index.ts'

interface LinkProps {
  readonly token: string
  readonly callbackURL: string | undefined
}

function Account() {
  const { name, email } = useSession().user
  return (
    <div className="flex items-center gap-3 rounded-control border border-border bg-surface px-3 py-2.5">
      <Avatar name={name} />
      <div className="min-w-0 wrap-anywhere">
        <div className="text-14 font-medium">{name}</div>
        <div className="text-13 text-muted">{email}</div>
      </div>
    </div>
  )
}

function LinkFailed({ token, callbackURL }: LinkProps) {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const { email } = useSession().user
  const signInAs = () =>
    navigate({ to: '/sign-in', search: { callbackURL: pageURL('/delete-account', { token, callbackURL }) } as never })
  return (
    <HostedPage title={t('linkFailed')} lead={t('linkFailedLead', { email })}>
      <div className="grid gap-3">
        <ButtonLink to="/account/delete" variant="primary" size="large">
          {t('requestNewLink')}
        </ButtonLink>
        {token === '' ? null : (
          <Button size="large" onClick={() => void signInAs()}>
            {t('useAnotherAccount')}
          </Button>
        )}
      </div>
    </HostedPage>
  )
}

const schema = () => import('../../schemas.ts').then(({ empty }) => empty)

function Confirmation({ token, callbackURL, onInvalid }: LinkProps & { readonly onInvalid: () => void }) {
  const t = useMessages(messages)
  const state = useApiForm({
    schema,
    defaults: {},
    submit: async () => {
      await call('POST /delete-user', { body: callbackURL === undefined ? { token } : { token, callbackURL } })
      // A new page replaces this one, so that nothing of the user stays in the memory of the tab.
      location.replace(callbackURL === undefined ? pageURL('/account-deleted') : continueURL(callbackURL))
    },
    onError: (error) => {
      const isInvalid = hasCode(error, 'INVALID_TOKEN')
      if (isInvalid) onInvalid()
      return isInvalid
    },
  })
  return (
    <HostedPage title={t('confirmDeletion')} lead={t('confirmDeletionLead')}>
      <div className="grid gap-3">
        <Form state={state} size="large" submitLabel={t('deleteAccount')} submitVariant="danger-filled">
          <Account />
        </Form>
        <ButtonLink to="/account" size="large">
          {t('keepAccount')}
        </ButtonLink>
      </div>
    </HostedPage>
  )
}

export function Screen() {
  const link = { token: useToken() ?? '', callbackURL: useParameter('callbackURL') }
  const [isInvalid, setInvalid] = useState(false)
  // Without a token, the call would request a link or delete the account immediately.
  if (link.token === '' || isInvalid) return <LinkFailed {...link} />
  return <Confirmation {...link} onInvalid={() => setInvalid(true)} />
}
