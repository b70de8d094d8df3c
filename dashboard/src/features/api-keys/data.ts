/** The API keys of the current user as data. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session.ts'

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: () => call('GET /api-key/list', {}),
})

type ListKeys = () => ReturnType<typeof call<'GET /api-key/list'>>
export type ApiKey = Awaited<ReturnType<ListKeys>>[number]

export type KeyState = 'active' | 'disabled' | 'expired'

export function stateOf({ enabled, expiresAt }: Pick<ApiKey, 'enabled' | 'expiresAt'>, now: Date): KeyState {
  if (expiresAt !== null && new Date(expiresAt) <= now) return 'expired'
  return enabled ? 'active' : 'disabled'
}
