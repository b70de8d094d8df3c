/** The page of a lock link: opening it changes nothing. It says what ends, and one button locks the account. */
import { Form } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ButtonLink, ExternalButton } from '../../hosted/link.tsx'
import { Note } from '../../hosted/note.tsx'
import { hostedPage, readToken, tokenOf, usePage, useParameter, useSettings } from '../../hosted/page.ts'
import { useMessages } from '../../i18n/messages.ts'
import type { Ends } from './en.ts'
import { messages } from './messages.ts'

const path = '/lock-account'

/** As `POST /lock-account/check` responds. */
interface Preview {
  /** Null: the link was sent by text message. */
  readonly email: string | null
  readonly isLocked: boolean
  readonly opensByReset: boolean
  readonly ends: Ends
}

export const lockAccountPage = hostedPage({
  path,
  messages,
  title: 'lockAccount',
  access: 'anyone',
  keeps: ['token'],
  read: readToken('POST /lock-account/check'),
  forms: [
    {
      call: 'POST /lock-account',
      next: ({ opensByReset }: { readonly opensByReset: boolean }) => ({
        page: path,
        parameters: { done: opensByReset ? 'reset' : 'support' },
      }),
    },
  ],
  View: LockAccount,
})

function LockAccount() {
  const t = useMessages(messages)
  const { page } = usePage()
  const done = useParameter('done')
  const token = tokenOf(page)
  const preview = page.data as Preview | null
  const email = preview?.email ?? null
  const lead = email === null ? t('textLead') : t('lead', { email })
  if (done !== undefined) return <Locked opensByReset={done === 'reset'} />
  if (token === undefined || page.failure?.code === 'INVALID_TOKEN')
    return (
      <Content title={t('linkFailed')} lead={t('linkFailedLead')}>
        <NextSteps hasReset />
      </Content>
    )
  return (
    <Content title={t('question')} lead={preview ? lead : ''}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 wrap-anywhere">
        {preview ? <Effects {...preview} /> : null}
        <div className="grid gap-3">
          <Form call="POST /lock-account" hidden={{ token }} submitLabel={t('lockAccount')} variant="danger-filled" />
          <ButtonLink to="/sign-in">{t('wasMe')}</ButtonLink>
        </div>
      </div>
    </Content>
  )
}

/** What ends, in words: what the account does not have is left out. */
function Effects({ email, ends, isLocked, opensByReset }: Preview) {
  const t = useMessages(messages)
  const opensByStaff = email === null ? 'textOpens' : 'opensBySupport'
  const names = ['sessions', 'apiKeys', 'linksAndCodes', 'linkedAccounts', 'trustedBrowsers'] as const
  const effects = [...names.filter((name) => ends[name] > 0).map((name) => t(name, ends)), t('everySignIn')]
  return (
    <div className="grid gap-3 text-15">
      {isLocked ? <Note>{t('isLocked')}</Note> : null}
      <p>{t('ends')}</p>
      <ul className="grid list-disc gap-1 ps-5">
        {effects.map((effect) => (
          <li key={effect}>{effect}</li>
        ))}
      </ul>
      <p>{t(opensByReset ? 'opensByReset' : opensByStaff)}</p>
    </div>
  )
}

function Locked({ opensByReset }: { readonly opensByReset: boolean }) {
  const t = useMessages(messages)
  return (
    <Content title={t('locked')} lead={t('lockedLead')}>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5 wrap-anywhere">
        <p>{t(opensByReset ? 'nextReset' : 'nextSupport')}</p>
        <NextSteps hasReset={opensByReset} />
      </div>
    </Content>
  )
}

function NextSteps({ hasReset }: { readonly hasReset: boolean }) {
  const t = useMessages(messages)
  const { passwordReset, branding } = useSettings()
  const support = branding.supportEmail
  const canReset = hasReset && passwordReset
  if (!canReset && !support) return null
  return (
    <div className="grid gap-3">
      {canReset ? (
        <ButtonLink to="/forgot-password" variant="primary">
          {t('resetPassword')}
        </ButtonLink>
      ) : null}
      {support ? <ExternalButton href={`mailto:${support}`}>{t('contactSupport')}</ExternalButton> : null}
    </div>
  )
}
