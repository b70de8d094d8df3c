/** The API keys of the current user or of an organization: the list, and how to create, change and revoke them. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { queryClient, useSettings } from '../../api/calls.ts'
import { NotWhileImpersonating } from '../../components/blocked.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote, Note, Placeholder } from '../../components/feedback.tsx'
import { Card, PageHead } from '../../components/layout.tsx'
import { Pending, TableSkeleton } from '../../components/skeleton.tsx'
import { useResult } from '../../components/toast.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { isImpersonation } from '../../session/impersonation.ts'
import { call, useSession } from '../../session/session.ts'
import { CreateDialog } from './create-dialog.tsx'
import { type ApiKey, type KeyOwner, KeyOwnerProvider, keysQuery, stateOf, useKeyOwner } from './data.ts'
import { messages } from './index.ts'
import { type KeyAction, KeyDialogs } from './key-dialogs.tsx'
import { KeyTable, useKeyColumns, useKeyName } from './key-table.tsx'

/** Enables or disables a key without a question: it can be undone. */
function useSwitch(onDone: (text: string) => void) {
  const t = useMessages(messages)
  const nameOf = useKeyName()
  const query = keysQuery(useKeyOwner())
  return useMutation({
    mutationFn: ({ id, configId, enabled }: ApiKey) =>
      call('POST /api-key/update', { body: { keyId: id, configId, enabled: !enabled } }),
    onSuccess: async (_, key) => {
      await queryClient.invalidateQueries(query)
      onDone(t(key.enabled ? 'wasDisabled' : 'wasEnabled', { name: nameOf(key) }))
    },
    onError: () => void queryClient.invalidateQueries(query),
  })
}

export function Screen() {
  const settings = useSettings().apiKeys
  const owner: KeyOwner = {
    ...{ organizationId: null, organization: '', maximum: settings?.maximum ?? 0, sets: settings?.sets ?? [] },
    may: () => true,
  }
  return (
    <KeyOwnerProvider value={owner}>
      <KeysOfOwner />
    </KeyOwnerProvider>
  )
}

export function KeysOfOwner() {
  const t = useMessages(messages)
  const owner = useKeyOwner()
  const { maximum, organization } = owner
  const { data, error, refetch } = useQuery(keysQuery(owner))
  const isActingAs = isImpersonation(useSession())
  const result = useResult()
  const [action, setAction] = useState<KeyAction | null>(null)
  const [creation, setCreation] = useState({ isOpen: false, opening: 0 })
  const switching = useSwitch(result.show)
  // The API does not count expired keys, which it deletes soon.
  const isFull = (data ?? []).filter((key) => stateOf(key, new Date()) !== 'expired').length >= maximum
  const create = owner.may('create') ? (
    <Button
      variant="primary"
      disabled={!data || isFull}
      onClick={() => {
        result.clear()
        setCreation(({ opening }) => ({ isOpen: true, opening: opening + 1 }))
      }}
    >
      <Plus aria-hidden className="size-4" />
      {t('createKey')}
    </Button>
  ) : null
  const choose = (next: KeyAction) => {
    result.clear()
    switching.reset()
    if (next.kind === 'switch') switching.mutate(next.apiKey)
    else setAction(next)
  }
  return (
    <>
      <PageHead title={t('apiKeys')} actions={data && data.length > 0 && !isActingAs ? create : null}>
        {owner.organizationId === null ? t('apiKeysLead') : t('organizationLead', { name: organization })}
      </PageHead>
      {result.note}
      <NotWhileImpersonating>
        <div className="grid grid-cols-1 gap-4">
          {switching.error ? <ErrorNote error={switching.error} /> : null}
          <Keys keys={data} error={error} retry={() => void refetch()} create={create} onChoose={choose} />
          {isFull ? <MaximumNote /> : null}
        </div>
      </NotWhileImpersonating>
      <CreateDialog
        key={creation.opening}
        isOpen={creation.isOpen}
        onClose={() => setCreation(({ opening }) => ({ isOpen: false, opening }))}
        onDone={result.show}
        focusAfter={result.ref}
      />
      <KeyDialogs action={action} onClose={() => setAction(null)} onDone={result.show} focusAfter={result.ref} />
    </>
  )
}

function MaximumNote() {
  const t = useMessages(messages)
  const { maximum: count, organizationId, organization: name } = useKeyOwner()
  return <Note>{organizationId === null ? t('maximum', { count }) : t('organizationMaximum', { count, name })}</Note>
}

interface KeysProps {
  readonly keys: readonly ApiKey[] | undefined
  readonly error: unknown
  readonly retry: () => void
  readonly create: React.ReactNode
  readonly onChoose: (action: KeyAction) => void
}

function Keys({ keys, error, retry, create, onChoose }: KeysProps) {
  const t = useMessages(messages)
  const columns = useKeyColumns()
  const { organizationId, organization: name } = useKeyOwner()
  if (!keys)
    return (
      <Pending error={error} retry={retry}>
        <TableSkeleton columns={columns} icon="square" hasActions rows={3} />
      </Pending>
    )
  if (keys.length === 0)
    return (
      <Card>
        <Placeholder icon={KeyRound} title={t('noKeys')} actions={create}>
          {organizationId === null ? t('noKeysText') : t('organizationNoKeysText', { name })}
        </Placeholder>
      </Card>
    )
  return (
    <>
      {error ? <ErrorNote error={error} /> : null}
      <KeyTable keys={keys} onChoose={onChoose} />
    </>
  )
}
