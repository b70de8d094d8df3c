/** The page on which visitors join the waiting list. */
import { RejectedNote } from '../../hosted/admission.tsx'
import { Form, TextField } from '../../hosted/form.tsx'
import { Alternative, Content } from '../../hosted/layout.tsx'
import { TextLink } from '../../hosted/link.tsx'
import { hostedPage, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { messages } from './messages.ts'

const path = '/waiting-list'

export const waitingListPage = hostedPage({
  path,
  messages,
  title: 'waitingList',
  access: 'anyone',
  exists: ({ waitingList }) => waitingList,
  forms: [
    {
      call: 'POST /waiting-list/join',
      fields: { INVALID_EMAIL: 'email', VALIDATION_ERROR: 'email' },
      next: (_result, _page, { email = '' }) => ({ page: path, parameters: { step: 'joined' }, keep: { email } }),
    },
  ],
  View: WaitingList,
})

function WaitingList() {
  const t = useMessages(messages)
  const { page } = usePage()
  const { appName } = useSettings()
  const { email, name } = page.kept
  if (useParameter('step') === 'joined' && email !== undefined)
    return (
      <Content title={t('onTheList')} lead={t('onTheListLead', { email })}>
        <Approved />
      </Content>
    )
  return (
    <Content title={t('joinWaitingList')} lead={t('waitingListLead', { appName })}>
      <RejectedNote />
      <Form call="POST /waiting-list/join" submitLabel={t('joinWaitingList')}>
        <TextField name="name" label={t('name')} initial={name} autoComplete="name" maxLength={200} />
        <TextField name="email" label={t('email')} type="email" initial={email} autoComplete="email" />
      </Form>
      <Approved />
    </Content>
  )
}

function Approved() {
  const t = useMessages(messages)
  return (
    <Alternative>
      {t('approved')}{' '}
      <TextLink to="/sign-up" search={{}}>
        {t('createAccount')}
      </TextLink>
    </Alternative>
  )
}
