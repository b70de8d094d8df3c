/** The sign-in methods: the password, linked accounts, and providers that can be linked. */
import { useNavigate } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { pageURL, queryClient, useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote, Note } from '../../components/feedback.tsx'
import { Card, IconTile, Line, Lines, Setting, Time } from '../../components/layout.tsx'
import { ProviderMark } from '../../components/provider-mark.tsx'
import { RedirectNote } from '../../frame/redirect-note.tsx'
import { useDeparture } from '../../frame/social-sign-in.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useErrorParameter, useParameter } from '../../routes/parameters.ts'
import { type Account, accountsQuery, isPassword } from '../../session/accounts.ts'
import { call } from '../../session/session.ts'
import { messages } from './index.ts'

/** `github` → `Github`, for providers that are no longer configured. */
const nameOfId = (id: string): string => id.charAt(0).toUpperCase() + id.slice(1)

function useProviderName(): (id: string) => string {
  const { socialProviders } = useSettings()
  return (id) => socialProviders.find((provider) => provider.id === id)?.name ?? nameOfId(id)
}

export function MethodsSection({ accounts }: { readonly accounts: readonly Account[] }) {
  const t = useMessages(messages)
  const nameOf = useProviderName()
  const [chosen, setChosen] = useState<Account>()
  const [isOpen, setOpen] = useState(false)
  const [result, setResult] = useState<string>()
  const resultRef = useRef<HTMLDivElement>(null)
  const provider = chosen ? nameOf(chosen.providerId) : ''
  const unlink = async ({ providerId, accountId }: Account) => {
    await call('POST /unlink-account', { body: { providerId, accountId } })
    await queryClient.invalidateQueries(accountsQuery)
    setResult(t('unlinked', { provider }))
  }
  const open = (account: Account) => {
    setResult(undefined)
    setChosen(account)
    setOpen(true)
  }
  return (
    <Setting title={t('signInMethods')} description={t('methodsText')}>
      <LinkResult accounts={accounts} />
      {result ? (
        <div ref={resultRef} tabIndex={-1} className="mb-4 outline-none">
          <Note tone="success" isLive>
            {result}
          </Note>
        </div>
      ) : null}
      <Card>
        <Lines>
          {accounts.map((account) => (
            <Method key={account.id} account={account} isOnly={accounts.length === 1} onUnlink={() => open(account)} />
          ))}
          <UnlinkedProviders accounts={accounts} />
        </Lines>
      </Card>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={t('unlinkQuestion', { provider })}
        confirmLabel={t('unlinkNamed', { provider })}
        call={async () => chosen && unlink(chosen)}
        focusAfter={resultRef}
      >
        <p>{t('unlinkText', { provider })}</p>
      </ConfirmDialog>
    </Setting>
  )
}

/** What happened at the provider, from the address to which it returned: once, so that a reload does not repeat it. */
function LinkResult({ accounts }: { readonly accounts: readonly Account[] }) {
  const t = useMessages(messages)
  const nameOf = useProviderName()
  const navigate = useNavigate()
  const { socialProviders } = useSettings()
  const given = { error: useErrorParameter(), id: useParameter('provider') }
  const [{ error, id }] = useState(given)
  const hasParameters = given.error !== undefined || given.id !== undefined
  useEffect(() => {
    if (hasParameters) void navigate({ to: '.', search: {}, replace: true })
  }, [hasParameters, navigate])
  // Anyone can link to this page: it names only providers that exist, and only accounts that are linked.
  const provider = socialProviders.some((each) => each.id === id) && id !== undefined ? nameOf(id) : undefined
  const isLinked = provider !== undefined && accounts.some(({ providerId }) => providerId === id)
  if (error === undefined && !isLinked) return null
  const isOtherEmail = error === 'account_not_linked' || error === "email_doesn't_match"
  return (
    <div className="mb-4">
      {error === undefined ? (
        <Note tone="success" isLive>
          {provider ? t('linked', { provider }) : null}
        </Note>
      ) : (
        <RedirectNote
          code={error}
          title={provider ? t('linkFailed', { provider }) : t('linkFailedUnnamed')}
          sentence={provider && isOtherEmail ? t('otherEmail', { provider }) : undefined}
        />
      )}
    </div>
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
  const name = useProviderName()(account.providerId)
  const added = (
    <>
      {t('addedOn')} <Time value={account.createdAt} style="date" />
    </>
  )
  if (isPassword(account)) {
    return (
      <Line
        icon={
          <IconTile>
            <KeyRound className="size-4" />
          </IconTile>
        }
        title={t('password')}
      >
        {added}
      </Line>
    )
  }
  return (
    <Line
      icon={
        <IconTile>
          <ProviderMark id={account.providerId} name={name} />
        </IconTile>
      }
      title={<span translate="no">{name}</span>}
      action={
        isOnly ? null : (
          <Button onClick={onUnlink} aria-label={t('unlinkNamed', { provider: name })}>
            {t('unlink')}
          </Button>
        )
      }
    >
      <p>{added}</p>
      <p>
        {t('accountId')} <span className="font-mono text-12">{account.accountId}</span>
      </p>
      {account.scopes.length > 0 ? (
        <p>
          {t('access')} <span className="font-mono text-12">{account.scopes.join(' ')}</span>
        </p>
      ) : null}
      {isOnly ? <p>{t('onlyMethod')}</p> : null}
    </Line>
  )
}

/** Providers without an account of this user. The provider returns to this page. */
function UnlinkedProviders({ accounts }: { readonly accounts: readonly Account[] }) {
  const t = useMessages(messages)
  const { socialProviders } = useSettings()
  const { busy, error, wait, go } = useDeparture(async (provider) => {
    const target = pageURL('/account/password', { provider })
    const { url } = await call('POST /link-social', { body: { provider, callbackURL: target, errorCallbackURL: target } })
    location.assign(url)
  })
  const providers = socialProviders.filter(({ id }) => !accounts.some(({ providerId }) => providerId === id))
  return (
    <>
      {error === undefined ? null : (
        <li className="px-4 py-3.5">
          <ErrorNote error={error} />
        </li>
      )}
      {providers.map(({ id, name }) => (
        <Line
          key={id}
          icon={
            <IconTile>
              <ProviderMark id={id} name={name} />
            </IconTile>
          }
          title={<span translate="no">{name}</span>}
          action={
            <Button
              isBusy={busy === id}
              disabled={wait > 0 || (busy !== undefined && busy !== id)}
              onClick={() => go(id)}
              aria-label={t('linkNamed', { provider: name })}
            >
              {t('link')}
            </Button>
          }
        >
          {t('notLinked')}
        </Line>
      ))}
    </>
  )
}
