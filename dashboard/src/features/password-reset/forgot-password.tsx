import { useNavigate } from '@tanstack/react-router'
import { pageURL, useSettings } from '../../api.ts'
import { TextLink } from '../../components/button.tsx'
import { useCaptcha } from '../../components/captcha.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { checkCallback } from '../../frame/continue.tsx'
import { HostedAlternative, HostedPage } from '../../frame/hosted-frame.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useHistoryState, useParameter } from '../../router-hooks.ts'
import { messages } from './index.ts'

const schema = () => import('../../schemas.ts').then(({ emailOnly }) => emailOnly)

export function Screen() {
  const t = useMessages(messages)
  const navigate = useNavigate()
  const { phoneNumber } = useSettings()
  const callbackURL = useParameter('callbackURL')
  const { email: given = '' } = useHistoryState()
  const captcha = useCaptcha('/request-password-reset')
  const state = useApiForm({
    schema,
    defaults: { email: given },
    fields: { INVALID_EMAIL: 'email' },
    submit: async ({ email }) => {
      await checkCallback(callbackURL)
      const redirectTo = pageURL('/reset-password', { callbackURL })
      await captcha.send('POST /request-password-reset', { body: { email, redirectTo } })
      await navigate({ to: '/check-email', search: { reason: 'reset', callbackURL } as never, state: { email } })
    },
  })
  return (
    <HostedPage title={t('forgotPassword')} lead={t('forgotLead')}>
      <Form state={state} size="large" submitLabel={t('sendLink')}>
        <TextField size="large" label={t('email')} type="email" autoComplete="username" {...state.field('email')} />
        {captcha.widget}
      </Form>
      {phoneNumber?.passwordReset ? (
        <HostedAlternative>
          <TextLink to="/forgot-password/phone" search={{ callbackURL }}>
            {t('byPhone')}
          </TextLink>
        </HostedAlternative>
      ) : null}
      <HostedAlternative>
        {t('rememberedIt')}{' '}
        <TextLink to="/sign-in" search={{ callbackURL }} state={() => ({ email: state.form.getValues('email') })}>
          {t('signIn')}
        </TextLink>
      </HostedAlternative>
    </HostedPage>
  )
}
