/** The page on which a reset of second factors that waits is cancelled, by the link of its emails. */
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink } from '../../hosted/link.tsx'
import { hostedPage, tokenOf, usePage, useParameter } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import { recoveryMessages as messages } from './recovery-messages.ts'

const cancelReset = 'POST /two-factor/cancel-reset'

export const cancelResetPage = hostedPage({
  messages,
  access: 'anyone',
  exists: ({ twoFactor }) => twoFactor !== null,
  path: '/two-factor/cancel-reset',
  title: 'cancelReset',
  keeps: ['token'],
  forms: [{ call: cancelReset, next: () => ({ page: '/two-factor/cancel-reset', parameters: { done: 'true' } }) }],
  View: CancelReset,
})

function CancelReset() {
  const t = useMessages(messages)
  const { page } = usePage()
  const isDone = useParameter('done') !== undefined
  const token = tokenOf(page)
  if (isDone)
    return (
      <Content title={t('cancelled')} lead={t('cancelledLead')}>
        <ButtonLink to="/account/password" variant="primary">
          {t('changePassword')}
        </ButtonLink>
      </Content>
    )
  if (token === undefined || page.failure?.code === 'INVALID_TOKEN')
    return (
      <Content title={t('linkFailed')} lead={t('linkFailedLead')}>
        <ButtonLink to="/account/security">{t('toSignIn')}</ButtonLink>
      </Content>
    )
  return (
    <Content title={t('cancelQuestion')} lead={t('cancelLead')}>
      <Form call={cancelReset} hidden={{ token }} submitLabel={t('cancelReset')} />
    </Content>
  )
}
