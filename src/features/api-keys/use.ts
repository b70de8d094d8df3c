/**
 * Uses of API keys (contract 06 §1): one query by the unique index, and one conditional update, which alone decides whether a use still
 * counts. So a key is never used more often than its limits permit, by any number of concurrent requests and daemons.
 */
import { sql } from 'kysely'
import type { App } from '../../core/app.ts'
import { ApiError, type ErrorEntry } from '../../core/errors.ts'
import { allows } from '../../core/permissions.ts'
import type { UserRow } from '../../core/request.ts'
import { command, statement } from '../../core/statement.ts'
import { dayMs } from '../../lib/iso-time.ts'
import { isBanned } from '../admin/index.ts'
import { hasOrganizationKeys } from '../organizations/index.ts'
import { disablesKeys } from '../second-factor/index.ts'
import { deleteEnded } from './expiry.ts'
import { hashesOf, isPlausible, maxLength } from './key-format.ts'
import { keySets, setOf } from './key-sets.ts'
import { type ApiKeyRow, errors, malformedKey, type Permissions, permissionsOf, updateFailed } from './model.ts'

export interface UsedKey {
  readonly key: ApiKeyRow
  /** The owner; null: an organization. */
  readonly user: UserRow | null
}
export interface RejectedKey {
  readonly error: ErrorEntry
  /** When the rate limit rejects it: milliseconds until it would be accepted. */
  readonly details?: { readonly tryAgainIn: number }
  /** The owner, if the key is known. */
  readonly userId?: string
}

const findByHash = statement({ key: 'apikey', user: 'user' }, (db, { hashes }: { hashes: readonly string[] }) =>
  db.selectFrom('apikey as key').innerJoin('user', 'user.id', 'key.userId').where('key.key', 'in', hashes),
)

/** A deleted organization may have rows for a while. */
const findOfOrganization = statement({ key: 'apikey' }, (db, { hashes }: { hashes: readonly string[] }) =>
  db
    .selectFrom('apikey as key')
    .innerJoin('organization', 'organization.id', 'key.organizationId')
    .where('key.key', 'in', hashes)
    .where('organization.deletedAt', 'is', null),
)

async function findUsed(app: App, hashes: readonly string[]): Promise<UsedKey | null> {
  const [found] = await findByHash(app, { hashes })
  if (found || !hasOrganizationKeys(app.config)) return found ?? null
  const [own] = await findOfOrganization(app, { hashes })
  return own ? { key: own.key, user: null } : null
}

/** An update that matches no row means that the row has changed since it was read: it is read again, so often. */
const maxAttempts = 4

/** What a use demands of a key, in addition to its limits. */
interface Demands {
  /** What the key itself must permit. */
  readonly required?: Permissions | undefined
  /** Why a key of this row may not be used here. */
  readonly refuse?: (row: ApiKeyRow) => ErrorEntry | null
}

/** The sets of which a text may be a key. Nearly every installation has one set. */
async function plausibleSets(app: App, presented: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const set of keySets(app)) if (await isPlausible(set, presented)) found.push(set.configId)
  return found
}

/**
 * Verifies a key and counts its use.
 * @throws ApiError with INTERNAL_SERVER_ERROR when the key changes faster than it can be used
 */
export async function useKey(app: App, presented: string, demands: Demands = {}): Promise<UsedKey | RejectedKey> {
  if (presented.length > maxLength) return { error: errors.INVALID_API_KEY }
  const sets = await plausibleSets(app, presented)
  if (sets.length === 0) return { error: malformedKey }
  const hashes = hashesOf(app, presented)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const found = await findUsed(app, hashes)
    if (!found) return { error: errors.INVALID_API_KEY }
    const { key, user } = found
    const owner = user ? { userId: user.id } : {}
    if (!sets.includes(setOf(app, key.configId).configId)) return { error: malformedKey, ...owner }
    const refused = demands.refuse?.(key)
    if (refused) return { error: refused, ...owner }
    // In a trial a key of better-auth stays as it is.
    const use = startUse(app, key, app.config.move?.trial ? key.key : (hashes[0] ?? ''))
    const rejected = reject(app, found, use, demands.required)
    if (rejected) {
      await deleteUsedUp(app, key, rejected.error)
      return { ...rejected, ...owner }
    }
    if (user && (await disablesKeys(app, user))) return { error: errors.KEY_DISABLED, ...owner }
    if (isRecorded(key, use)) return found
    if ((await countUse(app, { ...use })) > 0n) return { key: countedIn(app, key, use), user }
  }
  throw new ApiError(updateFailed)
}

/** Lower than any time of a row. */
const never = new Date('1000-01-01T00:00:00Z')

/**
 * The values that count a use. `windowStart` and `refillBefore` are present when the key has such a limit, `hash` when it is another one,
 * and `isUnlimited` when its set has no rate limits.
 */
interface Use {
  readonly id: string
  readonly now: Date
  readonly hash?: string
  readonly windowStart?: Date
  readonly refillBefore?: Date
  readonly isUnlimited?: true
}

function startUse(app: App, row: ApiKeyRow, newest: string): Use {
  const now = app.now()
  const { id, rateLimitTimeWindow, refillInterval } = row
  return {
    ...{ id, now },
    ...(row.key !== newest && { hash: newest }),
    ...(!limitsUses(app, row) && { isUnlimited: true as const }),
    ...(isRateLimited(app, row) && { windowStart: new Date(now.getTime() - (rateLimitTimeWindow ?? 0)) }),
    ...(row.remaining !== null && { refillBefore: refillInterval ? new Date(now.getTime() - refillInterval * dayMs) : never }),
  }
}

const isRefillDue = ({ refillAmount, lastRefillAt, createdAt }: ApiKeyRow, { refillBefore }: Use): boolean =>
  refillAmount !== null && refillAmount > 0 && (lastRefillAt ?? createdAt) < (refillBefore ?? never)

const limitsUses = (app: App, { configId }: ApiKeyRow): boolean => setOf(app, configId).rateLimit.enabled

const isRateLimited = (app: App, row: ApiKeyRow): boolean =>
  limitsUses(app, row) && row.rateLimitEnabled && row.rateLimitTimeWindow !== null && row.rateLimitMax !== null

const isWindowOver = ({ lastRequest }: ApiKeyRow, { windowStart }: Use): boolean =>
  lastRequest === null || lastRequest < (windowStart ?? never)

/**
 * Whether a use needs no write: the key has no limits, and the time of its last use is known to the second. Otherwise all requests
 * with one key would wait for each other at its row.
 */
const isRecorded = ({ lastRequest }: ApiKeyRow, { now, hash, windowStart, refillBefore }: Use): boolean =>
  (hash ?? windowStart ?? refillBefore) === undefined &&
  lastRequest !== null &&
  Math.abs(now.getTime() - lastRequest.getTime()) < 1000

/** The checks in the order of the contract; a ban of the owner is ours. */
function reject(app: App, { key, user }: UsedKey, use: Use, required: Permissions | undefined): RejectedKey | null {
  if (!key.enabled) return { error: errors.KEY_DISABLED }
  if (key.expiresAt !== null && key.expiresAt <= use.now) return { error: errors.KEY_EXPIRED }
  if (user && isBanned(app, user)) return { error: errors.USER_IS_BANNED }
  if (required && !allows([permissionsOf(key) ?? {}], required)) return { error: errors.KEY_NOT_FOUND }
  if (key.remaining !== null && key.remaining <= 0 && !isRefillDue(key, use)) return { error: errors.USAGE_EXCEEDED }
  if (isRateLimited(app, key) && !isWindowOver(key, use) && key.requestCount >= (key.rateLimitMax ?? 0)) {
    const elapsed = use.now.getTime() - (key.lastRequest?.getTime() ?? 0)
    return { error: errors.RATE_LIMITED, details: { tryAgainIn: Math.max(1, (key.rateLimitTimeWindow ?? 0) - elapsed) } }
  }
  return null
}

/** A key that can never be used again. The condition is repeated, because its owner may have extended it in between. */
async function deleteUsedUp(app: App, { id, refillAmount }: ApiKeyRow, error: ErrorEntry): Promise<void> {
  if (error === errors.KEY_EXPIRED)
    await deleteEnded(app, 'expired', (eb) => eb.and([eb('id', '=', id), eb('expiresAt', '<=', app.now())]))
  if (error === errors.USAGE_EXCEEDED && refillAmount === null)
    await deleteEnded(app, 'used-up', (eb) =>
      eb.and([eb('id', '=', id), eb('remaining', '<=', 0), eb('refillAmount', 'is', null)]),
    )
}

/**
 * Counts a use if the row, as it is now, still permits it. Built once for each combination of limits; a key whose limits have changed
 * since it was read matches no row.
 */
const countUse = command(
  (app, { id, hash, now, windowStart, refillBefore, isUnlimited }: Use & Record<string, unknown>) =>
    app.db
      .updateTable('apikey')
      // MySQL sets columns one after the other: each must be read before it is set.
      .set({
        ...(windowStart && { requestCount: sql`case when ${isOver(windowStart)} then 1 else ${column('requestCount')} + 1 end` }),
        ...(refillBefore && {
          remaining: sql`case when ${isDue(refillBefore)} then ${column('refillAmount')} - 1 else ${column('remaining')} - 1 end`,
          lastRefillAt: sql`case when ${isDue(refillBefore)} then ${now} else ${column('lastRefillAt')} end`,
        }),
        // Clocks of machines differ: the end of a window must not move back.
        lastRequest: sql`case when ${column('lastRequest')} > ${now} then ${column('lastRequest')} else ${now} end`,
        ...(hash && { key: hash }),
      })
      .where('id', '=', id)
      .where(sql<boolean>`${column('enabled')} = 1 and (${column('expiresAt')} is null or ${column('expiresAt')} > ${now})`)
      .where(
        refillBefore
          ? sql<boolean>`(${column('remaining')} > 0 or (${column('remaining')} <= 0 and ${isDue(refillBefore)}))`
          : isNull('remaining'),
      )
      .where(
        windowStart
          ? sql<boolean>`${column('rateLimitEnabled')} = 1 and (${isOver(windowStart)} or ${column('requestCount')} < ${column('rateLimitMax')})`
          : hasNoRateLimit(isUnlimited === undefined),
      ),
  { isPrepared: true },
)

const column = (name: keyof ApiKeyRow) => sql.ref(name)
const isNull = (name: keyof ApiKeyRow) => sql<boolean>`${column(name)} is null`
const isDue = (refillBefore: Date) =>
  sql`(${column('refillAmount')} > 0 and coalesce(${column('lastRefillAt')}, ${column('createdAt')}) < ${refillBefore})`
const isOver = (windowStart: Date) => sql`(${column('lastRequest')} is null or ${column('lastRequest')} < ${windowStart})`
const hasNoRateLimit = (isLimited: boolean) =>
  isLimited
    ? sql<boolean>`(${column('rateLimitEnabled')} = 0 or ${isNull('rateLimitTimeWindow')} or ${isNull('rateLimitMax')})`
    : sql<boolean>`1 = 1`

/** The row after this use, if no other one has come in between. */
function countedIn(app: App, row: ApiKeyRow, use: Use): ApiKeyRow {
  const { now } = use
  const isRefilled = row.remaining !== null && isRefillDue(row, use)
  const remaining = isRefilled ? (row.refillAmount ?? 0) : row.remaining
  const count = isWindowOver(row, use) ? 1 : row.requestCount + 1
  return {
    ...row,
    requestCount: isRateLimited(app, row) ? count : row.requestCount,
    remaining: remaining === null ? null : remaining - 1,
    lastRefillAt: isRefilled ? now : row.lastRefillAt,
    lastRequest: now,
  }
}
