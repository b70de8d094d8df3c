/** The page of setup links: it shows whose password the link sets. */
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { NewPasswordField, newPasswordErrors } from '../../hosted/new-password.tsx'
import { Copyable, FailureNote } from '../../hosted/note.tsx'
import { hostedPage, readToken, tokenOf, usePage, useParameter } from '../../hosted/page.ts'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

export const setUp = hostedPage({
  path: '/set-up',
  messages,
  title: 'setPassword',
  access: 'anyone',
  exists: (settings) => settings.emailPassword !== null,
  keeps: ['token'],
  read: readToken('POST /set-up/check'),
  forms: [
    {
      call: 'POST /set-up',
      fields: newPasswordErrors('newPassword'),
      next: (_result, _page, values) => ({
        page: '/set-up',
        parameters: { saved: 'true' },
        keep: { email: values['latchkey:username'] ?? '' },
      }),
    },
  ],
  View: SetUp,
})

function SetUp() {
  const t = useMessages(messages)
  const { page } = usePage()
  const token = tokenOf(page)
  const { email = page.kept.email ?? '' } = (page.data ?? {}) as { readonly email?: string }
  if (useParameter('saved'))
    return (
      <Content title={t('saved')} lead={t('savedLead', { email })}>
        <ButtonLink to="/sign-in" variant="primary">
          {t('signIn')}
        </ButtonLink>
      </Content>
    )
  if (page.data)
    return (
      <Content title={t('setPassword')} lead={t('setPasswordLead', { email })}>
        <Form call="POST /set-up" hidden={{ token }} submitLabel={t('savePassword')}>
          <HiddenUsername value={email} />
          <NewPasswordField name="newPassword" />
        </Form>
      </Content>
    )
  return (
    <Content title={t('linkFailed')} lead={t('linkFailedLead')}>
      {page.failure && page.failure.code !== 'INVALID_TOKEN' ? <FailureNote failure={page.failure} /> : null}
      <p className="text-13 text-muted">
        {t('linkFailedOperator')}{' '}
        <span className="-ms-1 font-mono text-12 text-text">
          <Copyable text="latchkey seed" label={t('copyCommand')} />
        </span>
      </p>
    </Content>
  )
}
