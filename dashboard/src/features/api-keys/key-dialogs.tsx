/** Dialogs for an API key: its name, whether it is enabled, and its revocation. */
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { hasCode, queryClient, useSettings } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog, Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { Form, useApiForm } from '../../components/form.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useFrameMessages } from '../../messages.ts'
import { call } from '../../session.ts'
import { type ApiKey, keysQuery } from './data.ts'
import { messages } from './index.ts'
import { useKeyName } from './key-table.tsx'

export type KeyAction = { readonly kind: 'name' | 'switch' | 'revocation'; readonly apiKey: ApiKey }

interface Handlers {
  readonly onClose: () => void
  /** Says what was done. */
  readonly onDone: (text: string) => void
  readonly focusAfter: React.RefObject<HTMLElement | null>
}

interface DialogProps extends Handlers {
  readonly isOpen: boolean
  readonly apiKey: ApiKey
}

/** The last one keeps its content while it closes. */
export function KeyDialogs({ action, ...handlers }: Handlers & { readonly action: KeyAction | null }) {
  const [last, setLast] = useState<KeyAction | null>(null)
  const [opening, setOpening] = useState(0)
  if (action && action !== last) {
    setLast(action)
    setOpening(opening + 1)
  }
  if (!last || last.kind === 'switch') return null
  const dialog = { ...handlers, isOpen: action !== null, apiKey: last.apiKey }
  return last.kind === 'name' ? <NameDialog key={opening} {...dialog} /> : <RevocationDialog key={opening} {...dialog} />
}

function NameDialog({ isOpen, onClose, onDone, apiKey }: DialogProps) {
  const t = useMessages(messages)
  const frame = useFrameMessages()
  const settings = useSettings().apiKeys
  const schema = useMemo(() => () => import('../../schemas.ts').then(({ apiKeyName }) => apiKeyName(settings)), [settings])
  const state = useApiForm({
    schema,
    defaults: { name: apiKey.name ?? '' },
    fields: { THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: 'name' },
    submit: async ({ name }) => {
      await call('POST /api-key/update', { body: { keyId: apiKey.id, name } })
      await queryClient.invalidateQueries(keysQuery)
      onClose()
      onDone(t('renamed', { name }))
    },
  })
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('renameNamed', { name: useKeyName()(apiKey) })}>
      <Form state={state} submitLabel={t('rename')} actions={<Button onClick={onClose}>{frame('cancel')}</Button>}>
        <TextField
          label={t('name')}
          autoComplete="off"
          dir="auto"
          maxLength={settings?.name.maxLength}
          {...state.field('name')}
        />
      </Form>
    </Dialog>
  )
}

function RevocationDialog({ isOpen, onClose, onDone, focusAfter, apiKey }: DialogProps) {
  const t = useMessages(messages)
  const name = useKeyName()(apiKey)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call('POST /api-key/delete', { body: { keyId: apiKey.id } }).catch((failure: unknown) => {
        // It has expired in the meantime, which is what the user wants.
        if (!hasCode(failure, 'API_KEY_NOT_FOUND')) throw failure
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(keysQuery)
      onClose()
      onDone(t('revoked', { name }))
    },
  })
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={t('revokeQuestion', { name })}
      confirmLabel={t('revokeKey')}
      isBusy={isPending}
      error={error}
      onConfirm={() => mutate()}
      focusAfter={focusAfter}
    >
      <p>{t('revokeText')}</p>
    </ConfirmDialog>
  )
}
