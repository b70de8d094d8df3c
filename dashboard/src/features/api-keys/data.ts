/** API keys as data, and whose they are. */
import { queryOptions } from '@tanstack/react-query'
import { createContext, use } from 'react'
import type { PublicSettings } from '../../../../src/features/index.ts'
import { organizationKey } from '../../session/organizations.ts'
import { call } from '../../session/session.ts'

/** Whose keys a page shows: those of the current user, or of an organization. */
export interface KeyOwner {
  /** Null: the current user. */
  readonly organizationId: string | null
  /** Its name. */
  readonly organization: string
  readonly maximum: number
  /** Of which the owner can have keys; the first one is offered first. */
  readonly sets: readonly KeySet[]
  readonly may: (action: 'create' | 'update' | 'delete') => boolean
}

export type KeySet = NonNullable<PublicSettings['apiKeys']>['sets'][number]

const OwnerContext = createContext<KeyOwner | null>(null)
export const KeyOwnerProvider = OwnerContext.Provider

export function useKeyOwner(): KeyOwner {
  const owner = use(OwnerContext)
  if (!owner) throw new Error('API keys need an owner')
  return owner
}

/** Keys of an organization are read again with it. */
export const keysQuery = ({ organizationId }: Pick<KeyOwner, 'organizationId'>) =>
  queryOptions({
    queryKey: organizationId === null ? ['api-keys'] : [...organizationKey(organizationId), 'api-keys'],
    queryFn: async () => {
      const listed = await call('GET /api-key/list', { query: organizationId === null ? {} : { organizationId } })
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
