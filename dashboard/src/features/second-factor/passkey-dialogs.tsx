/** Dialogs for one passkey of the current user: its name, its removal, and the end of its suspension. */
import { useQuery } from '@tanstack/react-query'
import { useSettings } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { accountsQuery, hasPassword } from '../../session/accounts.ts'
import { call } from '../../session/session.ts'
import { factorsQuery } from './data.ts'
import { WhatRemains } from './factor-dialogs.tsx'
import { type Passkey, passkeysQuery, refreshPasskeys } from './passkey-data.ts'
import { messages } from './passkey-messages.ts'
import { usePasskeyName } from './passkeys.tsx'

export interface PasskeyAction {
  readonly kind: 'rename' | 'remove' | 'restore'
  readonly passkey: Passkey
}

interface DialogProps extends DialogHandlers {
  readonly isOpen: boolean
  readonly passkey: Passkey
}

export function PasskeyDialogs({ action, ...handlers }: DialogHandlers & { readonly action: PasskeyAction | null }) {
  const { last, opening } = useLast(action)
  if (!last) return null
  const dialog = { ...handlers, isOpen: action !== null, passkey: last.passkey }
  const Shown = dialogs[last.kind]
  return <Shown key={opening} {...dialog} />
}

/** As the API takes it. */
const longestName = 64

function NameDialog({ isOpen, onClose, onDone, focusAfter, passkey }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const state = useApiForm({
    schema: () => import('./schemas.ts').then(({ passkeyName }) => passkeyName),
    defaults: { name: passkey.name ?? passkey.provider ?? '' },
    submit: async ({ name }) => {
      await call('POST /passkey/update-passkey', { body: { id: passkey.id, name } })
      await refreshPasskeys()
      onClose()
      onDone(t('renamed', { name }))
    },
  })
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('renameNamed', { name: usePasskeyName()(passkey) })}
      focusAfter={focusAfter}
    >
      <Form state={state} submitLabel={t('rename')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
        <TextField label={t('name')} autoComplete="off" dir="auto" maxLength={longestName} {...state.field('name')} />
      </Form>
    </Dialog>
  )
}

function RemovalDialog({ isOpen, onClose, onDone, focusAfter, passkey }: DialogProps) {
  const t = useMessages(messages)
  const name = usePasskeyName()(passkey)
  const remove = async () => {
    await call('POST /passkey/delete-passkey', { body: { id: passkey.id } })
    await refreshPasskeys()
    onDone(t('removed', { name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('removeQuestion', { name })}
      confirmLabel={t('remove')}
      call={remove}
      focusAfter={focusAfter}
    >
      <p>{t('removeText')}</p>
      <WithoutFactor passkey={passkey} />
    </ConfirmDialog>
  )
}

/** The call demands another method than the passkey, and the dialog to sign in again offers what there is. */
function RestorationDialog({ isOpen, onClose, onDone, focusAfter, passkey }: DialogProps) {
  const t = useMessages(messages)
  const name = usePasskeyName()(passkey)
  const restore = async () => {
    await call('POST /passkey/restore-passkey', { body: { id: passkey.id } })
    await refreshPasskeys()
    onDone(t('usedAgain', { name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('useAgainQuestion', { name })}
      confirmLabel={t('useAgain')}
      variant="primary"
      call={restore}
      focusAfter={focusAfter}
    >
      <p>{t('useAgainText')}</p>
    </ConfirmDialog>
  )
}

const dialogs = { rename: NameDialog, remove: RemovalDialog, restore: RestorationDialog }

/** The last passkey that works may have been a second factor. */
function WithoutFactor({ passkey }: Pick<DialogProps, 'passkey'>) {
  const { twoFactor } = useSettings()
  const { data: status } = useQuery({ ...factorsQuery, enabled: twoFactor !== null })
  const { data: passkeys = [] } = useQuery(passkeysQuery)
  const { data: accounts = [] } = useQuery(accountsQuery)
  const isWorking = ({ suspendedAt }: Passkey) => suspendedAt === null
  const isLast = passkeys.filter(isWorking).every(({ id }) => id === passkey.id)
  if (!status?.enabled || !isLast || !isWorking(passkey) || !status.enabledMethods.includes('passkey')) return null
  return <WhatRemains without="passkey" status={status} hasPassword={hasPassword(accounts)} />
}
