/** What the screens of bulk actions read. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'

export const bulkActionsKey = ['admin', 'bulk-actions'] as const
export const pageSize = 50
/** Milliseconds after which a running action is read again. */
const refreshMs = 1500

const listActions = (cursor: string | undefined) => call('GET /admin/list-bulk-actions', { query: { cursor, limit: pageSize } })
export type BulkAction = Awaited<ReturnType<typeof listActions>>['actions'][number]

export const bulkActionsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...bulkActionsKey, 'list', cursor ?? ''],
    queryFn: () => listActions(cursor),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.actions.some(({ state }) => state === 'running') ? refreshMs : false),
  })

export const bulkActionQuery = (id: string) =>
  queryOptions({
    queryKey: [...bulkActionsKey, id, 'itself'],
    queryFn: () => call('GET /admin/get-bulk-action', { query: { id } }),
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? refreshMs : false),
  })

export const outcomes = ['failed', 'skipped', 'done'] as const
export type Outcome = (typeof outcomes)[number]

const listTargets = (id: string, outcome: Outcome, cursor: string | undefined, limit: number) =>
  call('GET /admin/list-bulk-action-targets', { query: { id, outcome, cursor, limit } })
export type BulkTarget = Awaited<ReturnType<typeof listTargets>>['targets'][number]

/** @param count as the action says, so that new targets are read */
export const targetsQuery = (id: string, outcome: Outcome, cursor: string | undefined, count: number) =>
  queryOptions({
    queryKey: [...bulkActionsKey, id, outcome, cursor ?? '', count],
    queryFn: () => listTargets(id, outcome, cursor, pageSize),
    placeholderData: keepPreviousData,
  })
