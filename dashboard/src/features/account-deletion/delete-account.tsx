/** The page of deletion links: it says whose account the link deletes, and deletes it when the user confirms. */
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { hostedPage, pagePath, tokenOf, usePage, userOf } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

export const deleteAccount = hostedPage({
  path: '/delete-account',
  messages,
  title: 'confirmDeletion',
  access: 'session',
  keeps: ['token'],
  forms: [
    {
      call: 'POST /delete-user',
      next: (_result, { parameters: { callbackURL } }) =>
        callbackURL === undefined ? { page: '/account-deleted' } : { leave: callbackURL },
    },
  ],
  View: DeleteAccount,
})

function DeleteAccount() {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const user = userOf(page)
  const { callbackURL } = page.parameters
  const token = tokenOf(page) ?? ''
  if (!user) return null
  // Without a token, the call would request a link or delete the account immediately.
  if (token === '' || page.failure?.code === 'INVALID_TOKEN') {
    return (
      <Content title={t('linkFailed')} lead={t('linkFailedLead', { email: user.email })}>
        <div className="grid gap-3">
          <ButtonLink to="/account/delete" variant="primary">
            {t('requestNewLink')}
          </ButtonLink>
          {token === '' ? null : (
            <ButtonLink to="/sign-in" search={{ callbackURL: pagePath(site, page.path, page.parameters) }}>
              {t('useAnotherAccount')}
            </ButtonLink>
          )}
        </div>
      </Content>
    )
  }
  return (
    <Content title={t('confirmDeletion')} lead={t('confirmDeletionLead')}>
      <div className="grid gap-3">
        <Form call="POST /delete-user" hidden={{ token, callbackURL }} submitLabel={t('deleteAccount')} variant="danger-filled">
          <div className="rounded-control border border-border bg-surface px-3 py-2.5 wrap-anywhere">
            <div className="text-14 font-medium">{user.name}</div>
            <div className="text-13 text-muted">{user.email}</div>
          </div>
        </Form>
        <ButtonLink to="/account">{t('keepAccount')}</ButtonLink>
      </div>
    </Content>
  )
}
