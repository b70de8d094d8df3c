/** What a user who has declined terms can do without a session: download their data, and delete their account. */
import type { Next } from '../../../../src/core/hosted.ts'
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink, ExternalButton } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { type FormDeclaration, hostedPage, tokenOf, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { hostedMessages as messages } from './hosted-messages.ts'
import { cancel, exists, type Pending, read, toSignIn } from './terms.tsx'

const deletion = 'POST /terms/delete-account'

/** What the sign-in has proven does not suffice, or does no more: only another one helps. */
const toNewSignIn = (code: string): Next | null =>
  ['SESSION_IS_NOT_FRESH', 'SESSION_EXPIRED_REAUTHENTICATE_TO_PERFORM_THIS_ACTION'].includes(code)
    ? { page: '/sign-in', parameters: { error: code.toLowerCase() } }
    : null

const remove: FormDeclaration = {
  call: deletion,
  next: ({ message }: { readonly message: string }, { parameters: { callbackURL } }) =>
    message === 'User deleted'
      ? { page: '/account-deleted' }
      : { page: '/terms/declined', parameters: { callbackURL, sent: 'true' } },
  onError: (code, request) => toNewSignIn(code) ?? toSignIn(code, request),
}

export const declinedPage = hostedPage({
  path: '/terms/declined',
  messages,
  title: 'declined',
  access: 'anyone',
  exists,
  read,
  onFailure: toSignIn,
  // A signed-in user has pages of their own for both.
  onRead: ({ data, parameters }) =>
    (data as Pending).expiresIn === null ? { page: '/terms', parameters: { callbackURL: parameters.callbackURL } } : null,
  forms: [remove, cancel],
  View: Declined,
})

function Declined() {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const { accountDeletion } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const isSent = useParameter('sent') !== undefined
  const { email = '' } = (page.data as Pending | null) ?? {}
  const isByEmail = accountDeletion?.confirmedByEmail === true
  return (
    <Content title={t('declined')} lead={t('declinedLead')}>
      <section aria-labelledby="own-data" className="grid gap-2.5">
        <h2 id="own-data" className="text-16 font-medium">
          {t('exportTitle')}
        </h2>
        <p id="own-data-text" className="text-14 text-muted">
          {t('exportText')}
        </p>
        <ExternalButton href={`${site.api}/terms/export-data`} describedBy="own-data-text">
          {t('exportData')}
        </ExternalButton>
      </section>
      {accountDeletion ? (
        <section aria-labelledby="own-account" className="grid gap-2.5">
          <h2 id="own-account" className="text-16 font-medium">
            {t('deleteTitle')}
          </h2>
          {isSent ? (
            <Note tone="success" isLive>
              {t('linkSent', { email })}
            </Note>
          ) : null}
          <p className="text-14 text-muted wrap-anywhere">
            {isByEmail ? t('sendLinkText', { email }) : t('deleteText', { email })}
          </p>
          <Form
            call={deletion}
            submitLabel={isByEmail ? t('sendLink') : t('deleteAccount')}
            variant={isByEmail ? 'secondary' : 'danger-filled'}
          />
        </section>
      ) : null}
      <div className="grid gap-2">
        <ButtonLink to="/terms" search={{ callbackURL }}>
          {t('back')}
        </ButtonLink>
        <Form call={cancel.call} submitLabel={t('cancel')} variant="ghost" />
      </div>
    </Content>
  )
}

/** The page of the link in the email. The sign-in still waits in this browser. */
export const deleteInsteadPage = hostedPage({
  path: '/terms/delete-account',
  messages,
  title: 'confirmDeletion',
  access: 'anyone',
  exists: (settings) => exists(settings) && settings.accountDeletion !== null,
  keeps: ['token'],
  read,
  forms: [{ ...remove, onError: toNewSignIn }],
  View: DeleteInstead,
})

const ended = ['INVALID_TOKEN', 'INVALID_TERMS_COOKIE']

function DeleteInstead() {
  const t = useMessages(messages)
  const { page } = usePage()
  const token = tokenOf(page) ?? ''
  const pending = page.data as Pending | null
  if (token === '' || pending?.expiresIn == null || ended.includes(page.failure?.code ?? ''))
    return (
      <Content title={t('linkFailed')} lead={t('linkFailedLead')}>
        <ButtonLink to="/sign-in" variant="primary">
          {t('signIn')}
        </ButtonLink>
      </Content>
    )
  return (
    <Content title={t('confirmDeletion')} lead={t('deleteText', { email: pending.email })}>
      <div className="grid gap-3">
        <Form call={deletion} hidden={{ token }} submitLabel={t('deleteAccount')} variant="danger-filled" />
        <ButtonLink to="/terms">{t('back')}</ButtonLink>
      </div>
    </Content>
  )
}
