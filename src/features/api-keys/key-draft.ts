/** The columns of a new key, and those that a change writes. */
import type { Updateable } from 'kysely'
import type { App } from '../../core/app.ts'
import { createId } from '../../core/write.ts'
import type { Database } from '../index.ts'
import { hashKey } from './key-format.ts'
import { defaultSetId, type KeySet } from './key-sets.ts'
import type { ApiKeyRow } from './model.ts'
import { checkChanges, type KeyChanges, type NewKey } from './rules.ts'

/** A user or an organization. */
export type KeyOwner =
  | { readonly userId: string; readonly organizationId?: never }
  | { readonly organizationId: string; readonly userId?: never }

const inSeconds = ({ now }: App, seconds: number): Date => new Date(now().getTime() + seconds * 1000)

/** What the key permits: as given, or by the options of its set. */
async function permittedBy({ permissions: { defaultPermissions } }: KeySet, owner: KeyOwner, given: NewKey) {
  if (given.permissions) return given.permissions
  if (typeof defaultPermissions !== 'function') return defaultPermissions
  return defaultPermissions(owner.userId ?? owner.organizationId)
}

/** @param key the key itself, of which only the hash is stored */
export async function draftKey(app: App, set: KeySet, owner: KeyOwner, given: NewKey, key: string): Promise<ApiKeyRow> {
  const { startingCharactersConfig: start, rateLimit, keyExpiration } = set
  const now = app.now()
  const expiresIn = given.expiresIn || keyExpiration.defaultExpiresIn
  const permitted = await permittedBy(set, owner, given)
  return {
    id: createId(app, 'apikey'),
    configId: set.configId === defaultSetId ? null : set.configId,
    name: given.name ?? null,
    start: start.shouldStore ? key.slice(0, start.charactersLength) : null,
    prefix: given.prefix ?? set.defaultPrefix ?? null,
    key: hashKey(app, key),
    userId: owner.userId ?? null,
    // Without keys of organizations, there is no such column.
    ...(owner.organizationId !== undefined && { organizationId: owner.organizationId }),
    refillInterval: given.refillInterval ?? null,
    refillAmount: given.refillAmount ?? null,
    lastRefillAt: null,
    enabled: true,
    rateLimitEnabled: given.rateLimitEnabled ?? rateLimit.enabled,
    rateLimitTimeWindow: given.rateLimitTimeWindow ?? rateLimit.timeWindow,
    rateLimitMax: given.rateLimitMax ?? rateLimit.maxRequests,
    requestCount: 0,
    remaining: given.remaining ?? given.refillAmount ?? null,
    lastRequest: null,
    expiresAt: expiresIn === null ? null : inSeconds(app, expiresIn),
    createdAt: now,
    updatedAt: now,
    permissions: permitted ? JSON.stringify(permitted) : null,
    metadata: given.metadata ? JSON.stringify(given.metadata) : null,
  }
}

/** The columns to write. @throws ApiError for each rule of the set that the values do not meet, in the order of the contract */
export function changedColumns(app: App, set: KeySet, given: KeyChanges): Updateable<Database['apikey']> {
  const { name, enabled, expiresIn, metadata, permissions } = given
  const { remaining, refillAmount, refillInterval, rateLimitEnabled, rateLimitTimeWindow, rateLimitMax } = given
  checkChanges(set, given)
  const columns = {
    ...{ name, enabled, remaining, refillAmount, refillInterval, rateLimitEnabled, rateLimitTimeWindow, rateLimitMax },
    ...(expiresIn !== undefined && { expiresAt: expiresIn === null ? null : inSeconds(app, expiresIn) }),
    ...(metadata !== undefined && { metadata: metadata === null ? null : JSON.stringify(metadata) }),
    ...(permissions !== undefined && { permissions: permissions === null ? null : JSON.stringify(permissions) }),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
}
