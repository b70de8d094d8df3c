/** Pauses, resumes and cancels a bulk action. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Pause, Play, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/feedback.tsx'
import { useMessages } from '../../i18n/messages.ts'
import { useIsPermitted } from '../../session/permissions.ts'
import { call } from '../../session/session.ts'
import { type BulkAction, bulkActionsKey } from './data.ts'
import { messages } from './index.ts'

const required = {
  ban: ['user', 'ban'],
  unban: ['user', 'ban'],
  'revoke-sessions': ['session', 'revoke'],
  'set-role': ['user', 'set-role'],
  remove: ['user', 'delete'],
} as const satisfies Record<BulkAction['action'], readonly [string, string]>

export function Controls({ action: { id, action, state } }: { readonly action: BulkAction }) {
  const t = useMessages(messages)
  const isPermitted = useIsPermitted()
  const client = useQueryClient()
  const [isCanceling, setCanceling] = useState(false)
  const refresh = () => client.invalidateQueries({ queryKey: bulkActionsKey })
  const change = useMutation({
    mutationFn: (name: 'pause' | 'resume') => call(`POST /admin/${name}-bulk-action`, { body: { id } }),
    onSettled: refresh,
  })
  const [resource, permitted] = required[action]
  if ((state !== 'running' && state !== 'paused') || !isPermitted(resource, permitted)) return null
  const next = state === 'running' ? 'pause' : 'resume'
  const Icon = state === 'running' ? Pause : Play
  return (
    <>
      <Button isBusy={change.isPending} onClick={() => change.mutate(next)}>
        <Icon aria-hidden className="size-4" />
        {t(next)}
      </Button>
      <Button variant="danger" onClick={() => setCanceling(true)}>
        <X aria-hidden className="size-4" />
        {t('cancel')}
      </Button>
      {change.error ? <ErrorNote error={change.error} /> : null}
      <ConfirmDialog
        isOpen={isCanceling}
        onClose={() => setCanceling(false)}
        title={t('cancelQuestion')}
        confirmLabel={t('cancel')}
        cancelLabel={t('keepRunning')}
        call={() => call('POST /admin/cancel-bulk-action', { body: { id } }).finally(refresh)}
      >
        <p>{t('cancelText')}</p>
      </ConfirmDialog>
    </>
  )
}
