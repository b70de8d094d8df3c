/** A forgotten password, reset with a code that is sent to the phone number. */
import { CodeField, Form } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { ButtonLink, TextLink } from '../../hosted/link.tsx'
import { NewPasswordField, newPasswordErrors, useEndedByReset } from '../../hosted/new-password.tsx'
import { type FormDeclaration, hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { phoneMessages as messages } from '../../messages/index.ts'
import { codeErrors, NewCode, PhoneField } from './fields.tsx'

const codePage = '/forgot-password/phone/code'

const request: FormDeclaration = {
  call: 'POST /phone-number/request-password-reset',
  fields: { INVALID_PHONE_NUMBER: 'phoneNumber', PHONE_NUMBER_ISNT_REGISTERED: 'phoneNumber' },
  next: (_result, { parameters: { callbackURL }, path }, { phoneNumber = '' }) => ({
    page: codePage,
    parameters: { callbackURL, sent: path === codePage ? 'again' : undefined },
    keep: { phoneNumber },
  }),
}

const save: FormDeclaration = {
  call: 'POST /phone-number/reset-password',
  fields: { ...codeErrors('otp'), ...newPasswordErrors('newPassword') },
  next: (_result, { parameters: { callbackURL } }) => ({ page: codePage, parameters: { callbackURL, saved: 'true' } }),
}

const common = {
  messages,
  title: 'resetByPhone',
  access: 'anyone',
  exists: ({ phoneNumber }: ReturnType<typeof useSettings>) => phoneNumber?.passwordReset === true,
} as const

export const phoneResetPages = [
  hostedPage({ ...common, path: '/forgot-password/phone', forms: [request], View: Request }),
  hostedPage({ ...common, path: codePage, forms: [save, request], View: NewPassword }),
]

function Request() {
  const t = useMessages(messages)
  const { passwordReset } = useSettings()
  const search = { callbackURL: useParameter('callbackURL') }
  return (
    <Content title={t('resetByPhone')} lead={t('resetByPhoneLead')}>
      <Form call="POST /phone-number/request-password-reset" submitLabel={t('sendCode')}>
        <PhoneField />
      </Form>
      <Alternative>
        <TextLink to={passwordReset ? '/forgot-password' : '/sign-in'} search={search}>
          {passwordReset ? t('resetByEmail') : t('signIn')}
        </TextLink>
      </Alternative>
    </Content>
  )
}

function NewPassword() {
  const t = useMessages(messages)
  const { page } = usePage()
  const ended = useEndedByReset()
  const search = { callbackURL: useParameter('callbackURL') }
  const number = page.kept.phoneNumber ?? page.form?.values.phoneNumber
  if (useParameter('saved'))
    return (
      <Content title={t('passwordSaved')} lead={`${t('passwordSavedLead')} ${ended}`}>
        <ButtonLink to="/sign-in" search={search} variant="primary">
          {t('signIn')}
        </ButtonLink>
      </Content>
    )
  if (number === undefined)
    return (
      <Content title={t('resetByPhone')} lead={t('resetByPhoneLead')}>
        <ButtonLink to="/forgot-password/phone" search={search} variant="primary">
          {t('sendCode')}
        </ButtonLink>
      </Content>
    )
  return (
    <Content title={t('enterCode')} lead={t('codeSent', { number })}>
      <Form call="POST /phone-number/reset-password" hidden={{ phoneNumber: number }} submitLabel={t('savePassword')}>
        <HiddenUsername value={number} />
        <CodeField name="otp" label={t('code')} />
        <NewPasswordField name="newPassword" label={t('newPassword')} />
      </Form>
      <NewCode call="POST /phone-number/request-password-reset" number={number} changeAt="/forgot-password/phone" />
    </Content>
  )
}
