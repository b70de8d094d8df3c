/** How a user signs in: the password and linked providers. */
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Mail } from 'lucide-react'
import { useState } from 'react'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, useLast } from '../../components/dialog.tsx'
import { Note, Placeholder } from '../../components/feedback.tsx'
import { Checkbox } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { Card, IconTile, Line, Lines, Section, Time } from '../../components/layout.tsx'
import { NewPasswordField, newPasswordErrors } from '../../components/new-password-field.tsx'
import { ProviderMark } from '../../components/provider-mark.tsx'
import { LinesSkeleton, Pending } from '../../components/skeleton.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call, useSession } from '../../session/session.ts'
import { accountsQuery, refreshAdmin, type UserAccount } from './data.ts'
import { useProviderName } from './filters.tsx'
import { userMessages as messages } from './index.ts'
import type { PartProps } from './user.tsx'
import { useAllowed } from './user-menu.tsx'
import { useDisplayName } from './user-parts.tsx'

export function UserMethods({ user, onChoose, onDone, focusAfter }: PartProps) {
  const t = useMessages(messages)
  const allows = useAllowed()
  const { admin, emailPassword } = useSettings()
  const { data, error, refetch } = useQuery(accountsQuery(user.id))
  const [isSetting, setSetting] = useState(false)
  const [unlinking, setUnlinking] = useState<UserAccount | null>(null)
  return (
    <Section
      title={t('methods')}
      detail={data?.length}
      actions={
        allows('reset') ? (
          <>
            <Button onClick={() => onChoose('reset')}>
              <Mail aria-hidden className="size-4" />
              {t('sendReset')}
            </Button>
            {admin?.setsPasswords && emailPassword ? <Button onClick={() => setSetting(true)}>{t('setPassword')}</Button> : null}
          </>
        ) : null
      }
    >
      {data ? (
        <Methods accounts={data} onUnlink={setUnlinking} />
      ) : (
        <Pending error={error} retry={refetch}>
          <LinesSkeleton count={2} />
        </Pending>
      )}
      {isSetting ? <PasswordDialog user={user} onClose={() => setSetting(false)} onDone={onDone} /> : null}
      <UnlinkDialog user={user} account={unlinking} onClose={() => setUnlinking(null)} onDone={onDone} focusAfter={focusAfter} />
    </Section>
  )
}

interface MethodsProps {
  readonly accounts: readonly UserAccount[]
  readonly onUnlink: (account: UserAccount) => void
}

function Methods({ accounts, onUnlink }: MethodsProps) {
  const t = useMessages(messages)
  const providerName = useProviderName()
  const mayUpdate = useIsPermitted()('user', 'update')
  if (accounts.length === 0)
    return (
      <Card>
        <Placeholder icon={KeyRound} title={t('noMethods')} heading="h3">
          {t('noMethodsText')}
        </Placeholder>
      </Card>
    )
  return (
    <>
      <Card>
        <Lines>
          {accounts.map((account) => {
            const name = providerName(account.providerId)
            return (
              <Line
                key={account.id}
                title={name}
                icon={
                  <IconTile>
                    {account.hasPassword ? <KeyRound className="size-4" /> : <ProviderMark id={account.providerId} name={name} />}
                  </IconTile>
                }
                action={
                  mayUpdate && accounts.length > 1 ? (
                    <Button variant="danger" aria-label={t('unlinkNamed', { provider: name })} onClick={() => onUnlink(account)}>
                      {t('unlink')}
                    </Button>
                  ) : undefined
                }
              >
                <MethodDetail account={account} />
              </Line>
            )
          })}
        </Lines>
      </Card>
      {mayUpdate && accounts.length === 1 ? <p className="mt-2 text-13 text-muted">{t('onlyMethod')}</p> : null}
    </>
  )
}

function MethodDetail({ account }: { readonly account: UserAccount }) {
  const t = useMessages(messages)
  return account.hasPassword ? (
    t('passwordText')
  ) : (
    <>
      <span className="font-mono text-12">{account.accountId}</span> · {t('linkedOn')}{' '}
      <Time value={account.createdAt} style="date" />
      <span className="block font-mono text-12">{account.scopes.join(' ')}</span>
    </>
  )
}

interface UnlinkProps extends Pick<PartProps, 'user' | 'onDone' | 'focusAfter'> {
  readonly account: UserAccount | null
  readonly onClose: () => void
}

function UnlinkDialog({ user, account, onClose, onDone, focusAfter }: UnlinkProps) {
  const t = useMessages(messages)
  const providerName = useProviderName()
  const { last } = useLast(account)
  const provider = last ? providerName(last.providerId) : ''
  const unlink = async ({ id: accountId }: UserAccount) => {
    await call('POST /admin/unlink-user-account', { body: { userId: user.id, accountId } })
    await refreshAdmin()
    onDone(t('unlinked', { provider }))
  }
  return (
    <ConfirmDialog
      isOpen={account !== null}
      onClose={onClose}
      title={t('unlinkQuestion', { provider })}
      confirmLabel={t('unlink')}
      call={async () => last && unlink(last)}
      focusAfter={focusAfter}
    >
      <p>{t('unlinkText')}</p>
    </ConfirmDialog>
  )
}

interface PasswordProps extends Pick<PartProps, 'user' | 'onDone'> {
  readonly onClose: () => void
}

function PasswordDialog({ user, onClose, onDone }: PasswordProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const display = useDisplayName()
  const { admin, emailPassword, passwordReset, passwordResetEnds } = useSettings()
  const isOwn = useSession().user.id === user.id
  // Without reset links, the user could not replace it.
  const [mustReplace, setMustReplace] = useState(passwordReset)
  const isForced = admin?.forcesPasswordChange === true
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ newPasswordOnly }) => newPasswordOnly(emailPassword)),
    defaults: { newPassword: '' },
    fields: newPasswordErrors('newPassword' as const),
    submit: async ({ newPassword }) => {
      await call('POST /admin/set-user-password', { body: { userId: user.id, newPassword, mustReplacePassword: mustReplace } })
      await refreshAdmin()
      onClose()
      onDone(t('passwordSet'))
    },
  })
  return (
    <Dialog isOpen onClose={onClose} title={t('setPasswordOf', { name: display(user) })}>
      <Note>
        {t('setPasswordText')} {passwordResetEnds.apiKeys ? t('setPasswordEndsKeys') : ''}
      </Note>
      <Form state={state} submitLabel={t('setPassword')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <NewPasswordField {...state.field('newPassword')} />
        {isOwn || !(passwordReset || isForced) ? null : (
          <Checkbox
            label={t('mustReplacePassword')}
            checked={mustReplace || isForced}
            disabled={isForced}
            onChange={({ target }) => setMustReplace(target.checked)}
          />
        )}
      </Form>
    </Dialog>
  )
}
