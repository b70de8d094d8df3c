import { canReset } from '../../api/settings.ts'
import { Form, TextField } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { hostedPage, pageURL, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

export const forgotPassword = hostedPage({
  path: '/forgot-password',
  messages,
  title: 'forgotPassword',
  access: 'anyone',
  exists: canReset,
  leadsTo: ({ passwordReset }) => (passwordReset ? null : '/forgot-password/code'),
  forms: [
    {
      call: 'POST /request-password-reset',
      fields: { INVALID_EMAIL: 'email', VALIDATION_ERROR: 'email' },
      next: (_result, { parameters: { callbackURL } }, { email = '' }) => ({
        page: '/check-email',
        parameters: { reason: 'reset', callbackURL },
        keep: { email },
      }),
    },
  ],
  View: ForgotPassword,
})

function ForgotPassword() {
  const t = useMessages(messages)
  const { site, page } = usePage()
  const { emailCodes, phoneNumber } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const redirectTo = pageURL(site, '/reset-password', { callbackURL })
  return (
    <Content title={t('forgotPassword')} lead={t('forgotLead')}>
      <Form call="POST /request-password-reset" hidden={{ redirectTo }} submitLabel={t('sendLink')}>
        <TextField name="email" label={t('email')} type="email" initial={page.kept.email} autoComplete="username" />
      </Form>
      {emailCodes ? (
        <Alternative>
          <TextLink to="/forgot-password/code" search={{ callbackURL }}>
            {t('byCode')}
          </TextLink>
        </Alternative>
      ) : null}
      {phoneNumber?.passwordReset ? (
        <Alternative>
          <TextLink to="/forgot-password/phone" search={{ callbackURL }}>
            {t('byPhone')}
          </TextLink>
        </Alternative>
      ) : null}
      <Alternative>
        {t('rememberedIt')}{' '}
        <TextLink to="/sign-in" search={{ callbackURL }}>
          {t('signIn')}
        </TextLink>
      </Alternative>
    </Content>
  )
}
