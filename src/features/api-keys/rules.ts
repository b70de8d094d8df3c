/** What API keys may be created with, and changed to (contract 06 §1). */
import { ApiError } from '../../core/errors.ts'
import type { KeySet } from './key-sets.ts'
import { errors, type Permissions } from './model.ts'

/** What a server of the operator may set in addition to what users may. */
interface Limits {
  readonly remaining?: number | null | undefined
  readonly refillAmount?: number | undefined
  /** In days. */
  readonly refillInterval?: number | undefined
  /** In milliseconds. */
  readonly rateLimitTimeWindow?: number | undefined
  readonly rateLimitMax?: number | undefined
  readonly rateLimitEnabled?: boolean | undefined
}

export interface NewKey extends Limits {
  readonly name?: string | undefined
  /** Seconds; null or absent: as configured. */
  readonly expiresIn?: number | null | undefined
  readonly prefix?: string | undefined
  readonly metadata?: unknown
  readonly permissions?: Permissions | undefined
}

export interface KeyChanges extends Limits {
  readonly name?: string | undefined
  readonly enabled?: boolean | undefined
  /** Seconds from now; null: it does not expire. */
  readonly expiresIn?: number | null | undefined
  readonly metadata?: unknown
  readonly permissions?: Permissions | null | undefined
}

/** Whether any property is given that only servers of the operator may set. */
export const hasServerProperties = (
  { remaining, ...given }: Limits & { readonly permissions?: unknown },
  isNew: boolean,
): boolean =>
  (isNew ? (remaining ?? null) !== null : remaining !== undefined) ||
  [
    given.refillAmount,
    given.refillInterval,
    given.rateLimitTimeWindow,
    given.rateLimitMax,
    given.rateLimitEnabled,
    given.permissions,
  ].some((value) => value !== undefined)

const secondsPerDay = 86_400

function checkMetadata(metadata: unknown): void {
  if (typeof metadata !== 'object' || Array.isArray(metadata)) throw new ApiError(errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED)
}

/** The texts are exchanged in the wire contract. */
function checkRefill({ refillAmount, refillInterval }: Limits): void {
  if (refillAmount !== undefined && refillInterval === undefined)
    throw new ApiError(errors.REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED)
  if (refillInterval !== undefined && refillAmount === undefined)
    throw new ApiError(errors.REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED)
}

function checkExpiration({ keyExpiration }: KeySet, expiresIn: number | null): void {
  const { disableCustomExpiresTime, minExpiresIn, maxExpiresIn } = keyExpiration
  if (disableCustomExpiresTime) throw new ApiError(errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED)
  if (expiresIn === null) return
  const days = expiresIn / secondsPerDay
  if (days < minExpiresIn) throw new ApiError(errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE)
  if (days > maxExpiresIn) throw new ApiError(errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE)
}

function checkName({ minimumNameLength, maximumNameLength }: KeySet, name: string): void {
  if (name.length < minimumNameLength || name.length > maximumNameLength)
    throw new ApiError(errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL)
}

/** In the order of the contract. */
export function checkNew(set: KeySet, given: NewKey): void {
  const { enableMetadata, minimumPrefixLength, maximumPrefixLength } = set
  if (given.metadata) {
    if (!enableMetadata) throw new ApiError(errors.METADATA_IS_DISABLED)
    checkMetadata(given.metadata)
  }
  checkRefill(given)
  if (given.expiresIn) checkExpiration(set, given.expiresIn)
  const { prefix, name } = given
  if (prefix && (prefix.length < minimumPrefixLength || prefix.length > maximumPrefixLength))
    throw new ApiError(errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL)
  if (name) checkName(set, name)
  else if (set.requireName) throw new ApiError(errors.NAME_REQUIRED)
}

/** In the order of the contract, which does not check here whether metadata is enabled. */
export function checkChanges(set: KeySet, given: KeyChanges): void {
  if (given.name !== undefined) checkName(set, given.name)
  if (given.expiresIn !== undefined) checkExpiration(set, given.expiresIn)
  if (given.metadata !== undefined) checkMetadata(given.metadata)
  checkRefill(given)
}
