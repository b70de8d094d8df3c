/** The keys of one owner in the order and the part that a client asks for, as 1.5 and later have it. */
import type { App } from '../../core/app.ts'
import { countRows } from '../../core/statement.ts'
import type { KeyOwner } from './key-draft.ts'
import { defaultSetId, isOfOrganizations, keySets } from './key-sets.ts'
import type { ApiKeyRow } from './model.ts'

/** What keys can be sorted by. */
export const sortedBy = [
  ...(['createdAt', 'updatedAt', 'expiresAt', 'name', 'start', 'prefix', 'id', 'configId', 'enabled'] as const),
  ...(['lastRequest', 'lastRefillAt', 'remaining', 'requestCount', 'refillAmount', 'refillInterval'] as const),
  ...(['rateLimitEnabled', 'rateLimitMax', 'rateLimitTimeWindow'] as const),
] as const

interface PageOfKeys {
  readonly configId?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly sortBy?: (typeof sortedBy)[number] | undefined
  readonly sortDirection?: 'asc' | 'desc' | undefined
}

/** The sets of the other kind of owner: keys that an owner has in them, since their `references` were changed, are not listed. */
const otherSets = (app: App, { userId }: KeyOwner): string[] =>
  keySets(app)
    .filter((set) => isOfOrganizations(set) === (userId !== undefined))
    .map(({ configId }) => configId)

export const ownedBy = ({ db }: App, { userId, organizationId }: KeyOwner) => {
  const keys = db.selectFrom('apikey')
  return userId === undefined ? keys.where('organizationId', '=', organizationId) : keys.where('userId', '=', userId)
}

function select(app: App, owner: KeyOwner, configId: string | undefined) {
  const others = otherSets(app, owner)
  const named = others.filter((id) => id !== defaultSetId)
  const visible = ownedBy(app, owner)
    .$if(named.length > 0, (query) => query.where((eb) => eb.or([eb('configId', 'is', null), eb('configId', 'not in', named)])))
    .$if(others.includes(defaultSetId), (query) => query.where('configId', 'is not', null))
  if (!configId) return visible
  return configId === defaultSetId ? visible.where('configId', 'is', null) : visible.where('configId', '=', configId)
}

/**
 * Without a page: all, oldest first.
 * @returns the keys, and how many there are in all
 */
export async function readKeys(
  app: App,
  owner: KeyOwner,
  { configId, limit, offset, sortBy, sortDirection = 'asc' }: PageOfKeys,
): Promise<{ readonly rows: readonly ApiKeyRow[]; readonly total: number }> {
  const found = select(app, owner, configId)
  const sorted = found
    .selectAll()
    .orderBy(sortBy ?? 'createdAt', sortDirection)
    .orderBy('id', sortDirection)
  if (limit === undefined && offset === undefined) {
    const rows = await sorted.execute()
    return { rows, total: rows.length }
  }
  // More than an owner may have.
  const page = sorted.limit(Math.min(limit ?? maximumKeys, maximumKeys)).offset(Math.min(offset ?? 0, maximumKeys))
  return { rows: await page.execute(), total: await countRows(found) }
}

const maximumKeys = 1_000_000
