/** The page on which reset links end: with `token`, which is kept out of the address, or with `error`. */
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { NewPasswordField, newPasswordErrors, useEndedByReset } from '../../hosted/new-password.tsx'
import { hostedPage, readToken, tokenOf, useErrorParameter, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

export const resetPassword = hostedPage({
  path: '/reset-password',
  messages,
  title: 'newPassword',
  access: 'anyone',
  exists: (settings) => settings.emailPassword !== null,
  keeps: ['token'],
  // Whose password it is: for password managers, and for the sign-in page afterwards.
  read: readToken('POST /reset-password/check'),
  forms: [
    {
      call: 'POST /reset-password',
      fields: newPasswordErrors('newPassword'),
      next: (_result, { parameters: { callbackURL } }, values) => ({
        page: '/reset-password',
        parameters: { callbackURL, saved: 'true' },
        keep: { email: values['latchkey:username'] ?? '' },
      }),
    },
  ],
  View: ResetPassword,
})

/** By a link or a code. */
export function PasswordSaved() {
  const t = useMessages(messages)
  const ended = useEndedByReset()
  return (
    <Content title={t('saved')} lead={`${t('savedLead')} ${ended}`}>
      <ButtonLink to="/sign-in" search={{ callbackURL: useParameter('callbackURL') }} variant="primary">
        {t('signIn')}
      </ButtonLink>
    </Content>
  )
}

function ResetPassword() {
  const t = useMessages(messages)
  const { page } = usePage()
  const { passwordReset } = useSettings()
  const search = { callbackURL: useParameter('callbackURL') }
  const error = useErrorParameter()
  const isSaved = useParameter('saved') !== undefined
  const token = tokenOf(page)
  const owner = page.data as { readonly email: string } | null
  if (isSaved) return <PasswordSaved />
  const isInvalid = error !== undefined || page.failure?.code === 'INVALID_TOKEN' || token === undefined
  if (!isInvalid)
    return (
      <Content title={t('newPassword')} lead={t('newPasswordLead')}>
        <Form call="POST /reset-password" hidden={{ token }} submitLabel={t('savePassword')}>
          <HiddenUsername value={owner?.email ?? ''} />
          <NewPasswordField name="newPassword" />
        </Form>
      </Content>
    )
  return (
    <Content title={t('linkFailed')} lead={t('linkFailedLead')}>
      {passwordReset ? (
        <ButtonLink to="/forgot-password" search={search} variant="primary">
          {t('requestNewLink')}
        </ButtonLink>
      ) : null}
    </Content>
  )
}
