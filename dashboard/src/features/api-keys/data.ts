/** The API keys of the current user as data. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../session/session.ts'

export const keysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async () => {
    const listed = await call('GET /api-key/list', {})
    return Array.isArray(listed) ? listed : listed.apiKeys
  },
})

type Listed = Awaited<ReturnType<typeof call<'GET /api-key/list'>>>
export type ApiKey = Extract<Listed, readonly unknown[]>[number]

export type KeyState = 'active' | 'disabled' | 'expired'

export function stateOf({ enabled, expiresAt }: Pick<ApiKey, 'enabled' | 'expiresAt'>, now: Date): KeyState {
  if (expiresAt !== null && new Date(expiresAt) <= now) return 'expired'
  return enabled ? 'active' : 'disabled'
}

const windowUnits = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** Uses in the window of a rate limit, which is said in the largest unit that fits it exactly; null: no rate limit. */
export function rateLimitOf(
  { rateLimitEnabled, rateLimitMax, rateLimitTimeWindow }: ApiKey,
  locale: string,
): { readonly count: number; readonly window: string } | null {
  if (!rateLimitEnabled || rateLimitMax === null || rateLimitTimeWindow === null) return null
  const seconds = rateLimitTimeWindow / 1000
  const [unit, size] = windowUnits.find(([, each]) => seconds % each === 0) ?? (['second', 1] as const)
  const window = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
  return { count: rateLimitMax, window }
}
