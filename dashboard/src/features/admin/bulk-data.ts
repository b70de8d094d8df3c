/** Bulk actions as the dialogs create them. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'
import type { ActionTargets } from './action-dialog.tsx'
import { adminKey, matchOf } from './data.ts'

export interface BulkInput {
  readonly action: 'ban' | 'unban' | 'revoke-sessions' | 'set-role' | 'remove'
  readonly role?: string[]
  readonly banReason?: string
  readonly banExpiresIn?: number
}

const chosen = ({ users, matching }: ActionTargets) =>
  matching ? { filter: matchOf(matching.filter) } : { userIds: users.map(({ id }) => id) }

/** Whom the action would change now. */
export function bulkPreviewQuery({ action, role }: BulkInput, targets: ActionTargets) {
  const body = { action, ...(role && { role }), ...chosen(targets) }
  return queryOptions({
    queryKey: [...adminKey, 'bulk-preview', body],
    queryFn: () => call('POST /admin/preview-bulk-action', { body }),
    gcTime: 0,
    retry: false,
  })
}

export const createBulkAction = (input: BulkInput, targets: ActionTargets, idempotencyKey: string) =>
  call('POST /admin/create-bulk-action', { body: { ...input, ...chosen(targets), idempotencyKey } })
