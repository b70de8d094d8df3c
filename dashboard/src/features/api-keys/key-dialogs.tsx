/** Dialogs for an API key: its name, whether it is enabled, and its revocation. */
import { useMemo } from 'react'
import { hasCode, queryClient } from '../../api/calls.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog, type DialogHandlers, useLast } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages/index.ts'
import { call } from '../../session/session.ts'
import { type ApiKey, keysQuery, useKeyOwner } from './data.ts'
import { messages } from './index.ts'
import { useKeyName } from './key-table.tsx'

export type KeyAction = { readonly kind: 'name' | 'switch' | 'revocation'; readonly apiKey: ApiKey }

interface DialogProps extends DialogHandlers {
  readonly isOpen: boolean
  readonly apiKey: ApiKey
}

export function KeyDialogs({ action, ...handlers }: DialogHandlers & { readonly action: KeyAction | null }) {
  const { last, opening } = useLast(action)
  if (!last || last.kind === 'switch') return null
  const dialog = { ...handlers, isOpen: action !== null, apiKey: last.apiKey }
  return last.kind === 'name' ? <NameDialog key={opening} {...dialog} /> : <RevocationDialog key={opening} {...dialog} />
}

function NameDialog({ isOpen, onClose, onDone, apiKey }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const owner = useKeyOwner()
  const set = owner.sets.find(({ configId }) => configId === apiKey.configId) ?? owner.sets[0]
  const schema = useMemo(() => () => import('./schemas.ts').then(({ apiKeyName }) => apiKeyName(set)), [set])
  const state = useApiForm({
    schema,
    defaults: { name: apiKey.name ?? '' },
    fields: { THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'name' },
    submit: async ({ name }) => {
      await call('POST /api-key/update', { body: { keyId: apiKey.id, configId: apiKey.configId, name } })
      await queryClient.invalidateQueries(keysQuery(owner))
      onClose()
      onDone(t('renamed', { name }))
    },
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('renameNamed', { name: useKeyName()(apiKey) })}>
      <Form state={state} submitLabel={t('rename')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
        <TextField label={t('name')} autoComplete="off" dir="auto" maxLength={set?.name.maxLength} {...state.field('name')} />
      </Form>
    </Dialog>
  )
}

function RevocationDialog({ isOpen, onClose, onDone, focusAfter, apiKey }: DialogProps) {
  const t = useMessages(messages)
  const name = useKeyName()(apiKey)
  const owner = useKeyOwner()
  const revoke = async () => {
    await call('POST /api-key/delete', { body: { keyId: apiKey.id, configId: apiKey.configId } }).catch((failure: unknown) => {
      // It has expired in the meantime, which is what the user wants.
      if (!hasCode(failure, 'API_KEY_NOT_FOUND')) throw failure
    })
    await queryClient.invalidateQueries(keysQuery(owner))
    onDone(t('revoked', { name }))
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('revokeQuestion', { name })}
      confirmLabel={t('revokeKey')}
      call={revoke}
      focusAfter={focusAfter}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
