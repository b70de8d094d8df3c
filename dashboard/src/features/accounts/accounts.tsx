/** How the current user signs in: email address, password, and the other sign-in methods. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Link2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Account, accountsQuery, hasPassword, isPassword } from '../../accounts.ts'
import { queryClient } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, LoadError, Note, Skeleton } from '../../components/feedback.tsx'
import { Card, IconTile, Line, Lines, PageHead, Section, Time } from '../../components/layout.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { call } from '../../session.ts'
import { EmailSection } from './email-section.tsx'
import { messages } from './index.ts'
import { PasswordSection } from './password-section.tsx'

export function Screen() {
  const t = useMessages(messages)
  const { data: accounts, error, refetch } = useQuery(accountsQuery)
  return (
    <>
      <PageHead title={t('passwordAndSignIn')}>{t('lead')}</PageHead>
      <div>
        <EmailSection />
        {accounts ? (
          <>
            <PasswordSection hasPassword={hasPassword(accounts)} />
            <MethodsSection accounts={accounts} />
          </>
        ) : (
          <Section title={t('signInMethods')}>
            <Card className="max-w-160 px-4 py-2">
              {error ? <LoadError error={error} retry={() => void refetch()} /> : <Skeleton />}
            </Card>
          </Section>
        )}
      </div>
    </>
  )
}

/** `github` → `Github`: providers describe themselves when they can be configured. */
const providerName = ({ providerId }: Account): string => providerId.charAt(0).toUpperCase() + providerId.slice(1)

function MethodsSection({ accounts }: { readonly accounts: readonly Account[] }) {
  const t = useMessages(messages)
  const [chosen, setChosen] = useState<Account>()
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<string>()
  const resultRef = useRef<HTMLDivElement>(null)
  const provider = chosen ? providerName(chosen) : ''
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: ({ providerId, accountId }: Account) => call('POST /unlink-account', { body: { providerId, accountId } }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(accountsQuery)
      setResult(t('unlinked', { provider }))
      setOpen(false)
    },
  })
  const open = (account: Account) => {
    reset()
    setResult(undefined)
    setChosen(account)
    setOpen(true)
  }
  return (
    <Section title={t('signInMethods')}>
      {result ? (
        <div ref={resultRef} tabIndex={-1} className="mb-4 max-w-160 outline-none">
          <Note tone="success" isLive>
            {result}
          </Note>
        </div>
      ) : null}
      <Card className="max-w-160">
        <Lines>
          {accounts.map((account) => (
            <Method key={account.id} account={account} isOnly={accounts.length === 1} onUnlink={() => open(account)} />
          ))}
        </Lines>
      </Card>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('unlinkQuestion', { provider })}
        confirmLabel={t('unlinkNamed', { provider })}
        isBusy={isPending}
        onConfirm={() => chosen && mutate(chosen)}
        focusAfter={resultRef}
      >
        <p>{t('unlinkText', { provider })}</p>
        {error ? <ErrorNote error={error} /> : null}
      </ConfirmDialog>
    </Section>
  )
}

interface MethodProps {
  readonly account: Account
  readonly isOnly: boolean
  readonly onUnlink: () => void
}

/** The password is changed above, and the only method cannot be removed. */
function Method({ account, isOnly, onUnlink }: MethodProps) {
  const t = useMessages(messages)
  const Icon = isPassword(account) ? KeyRound : Link2
  const name = isPassword(account) ? t('password') : providerName(account)
  return (
    <Line
      icon={
        <IconTile>
          <Icon className="size-4" />
        </IconTile>
      }
      title={name}
      action={
        isPassword(account) || isOnly ? null : (
          <Button onClick={onUnlink} aria-label={t('unlinkNamed', { provider: name })}>
            {t('unlink')}
          </Button>
        )
      }
    >
      {t('addedOn')} <Time value={account.createdAt} style="date" />
    </Line>
  )
}
