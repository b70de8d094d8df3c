/** After a sign-in with the last backup code: the page asks for new ones before it leaves. */
import { Form, PasswordField } from '../../hosted/form.tsx'
import { Content } from '../../hosted/layout.tsx'
import { ContinueLink } from '../../hosted/link.tsx'
import { FailureNote } from '../../hosted/note.tsx'
import { hostedPage, usePage, userOf } from '../../hosted/page.ts'
import { HiddenUsername } from '../../hosted/username-field.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { recoveryMessages as messages } from './recovery-messages.ts'

const path = '/two-factor/new-codes'
const create = 'POST /two-factor/generate-backup-codes'

export const newCodesPage = hostedPage({
  path,
  messages,
  title: 'newCodes',
  access: 'session',
  exists: ({ twoFactor }) => twoFactor !== null,
  read: () => ({ call: 'GET /list-accounts', input: {} }),
  forms: [
    {
      call: create,
      fields: { INVALID_PASSWORD: 'password' },
      next: ({ backupCodes }: { readonly backupCodes: readonly string[] }, { parameters: { callbackURL } }) => ({
        page: path,
        parameters: { callbackURL },
        keep: { codes: backupCodes.join('\n') },
      }),
    },
  ],
  View: NewCodes,
})

function NewCodes() {
  const t = useMessages(messages)
  const { page } = usePage()
  const { codes } = page.kept
  const accounts = page.data as readonly { readonly provider: string }[] | null
  if (codes !== undefined)
    return (
      <Content title={t('newCodes')} lead={t('newCodesLead')}>
        <ul dir="ltr" className="grid grid-cols-2 gap-x-4 gap-y-1 rounded-control bg-sunken px-4 py-3">
          {codes.split('\n').map((code) => (
            <li key={code} translate="no" className="font-mono text-13 [font-variant-ligatures:none]">
              {code}
            </li>
          ))}
        </ul>
        <ContinueLink label={t('kept')} />
      </Content>
    )
  const needsPassword = accounts?.some(({ provider }) => provider === 'credential') ?? false
  return (
    <Content title={t('lastCode')} lead={t('lastCodeLead')}>
      {page.failure && !page.form ? <FailureNote failure={page.failure} /> : null}
      <Form call={create} submitLabel={t('createCodes')}>
        {needsPassword ? (
          <>
            <HiddenUsername value={userOf(page)?.email ?? ''} />
            <PasswordField name="password" label={t('password')} autoComplete="current-password" />
          </>
        ) : null}
      </Form>
      <ContinueLink label={t('later')} variant="ghost" />
    </Content>
  )
}
