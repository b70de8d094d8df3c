/** Backup codes between a sign-in and the application: those of a set-up, and new ones after the last was used. */
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Pending } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { accountsQuery, hasPassword } from '../../session/accounts.ts'
import { call } from '../../session/session.ts'
import { BackupCodes } from './backup-codes.tsx'
import { factorsQuery } from './data.ts'
import { messages as securityMessages } from './messages.ts'
import { type PasswordProof, ProofForm } from './proof-form.tsx'
import { leaveTo } from './setup-data.ts'
import { setupMessages as messages } from './setup-messages.ts'

export function Codes(props: { readonly codes: readonly string[]; readonly onDone: () => void }) {
  const t = useMessages(messages)
  return (
    <div className="grid grid-cols-1 gap-4">
      <header className="grid gap-2">
        <h1 className="text-24 font-semibold">{t('codesTitle')}</h1>
        <p className="text-muted">{t('codesLead')}</p>
      </header>
      <BackupCodes {...props} />
    </div>
  )
}

/** After a sign-in with the last backup code. */
export function Screen() {
  const t = useMessages(messages)
  const own = useMessages(securityMessages)
  const factors = useQuery(factorsQuery)
  const accounts = useQuery(accountsQuery)
  const { callbackURL } = useSearch({ strict: false }) as { readonly callbackURL?: string }
  const [codes, setCodes] = useState<readonly string[]>()
  const leave = () => leaveTo(callbackURL)
  if (codes) return <Codes codes={codes} onDone={leave} />
  if (!factors.data || !accounts.data)
    return (
      <Pending
        error={factors.error ?? accounts.error}
        retry={() => void Promise.all([factors.refetch(), accounts.refetch()])}
        heading="h1"
      />
    )
  // The page was opened later, or again.
  if (!factors.data.enabled || factors.data.backupCodesLeft > 0) {
    leave()
    return null
  }
  const create = async (proof: PasswordProof) =>
    setCodes((await call('POST /two-factor/generate-backup-codes', { body: proof })).backupCodes)
  return (
    <div className="grid grid-cols-1 gap-4">
      <h1 className="text-24 font-semibold">{t('lastCode')}</h1>
      <ProofForm
        hasPassword={hasPassword(accounts.data)}
        submitLabel={own('createCodes')}
        submit={create}
        cancelLabel={t('later')}
        onCancel={leave}
      >
        <p className="text-muted">{t('lastCodeLead')}</p>
      </ProofForm>
    </div>
  )
}
