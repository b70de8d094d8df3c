/** Failures of `api-keys create`: the errors of the API name neither the option of the command nor that of the configuration. */
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import type { setOf } from '../../features/api-keys/index.ts'
import { counted } from '../../lib/text.ts'
import { Failure } from '../../project/failure.ts'

type Set = ReturnType<typeof setOf>

/** By error code: what is wrong, and the option of the configuration that says so. */
const rulesOf = (
  apiKey: Set,
  { maximumKeysPerUser, maximumKeysPerOrganization }: App['config']['apiKey'],
): Readonly<Record<string, readonly [message: string, rule: string]>> => ({
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: [
    `--expires-in: the shortest lifetime is ${counted(apiKey.keyExpiration.minExpiresIn, 'day')}`,
    'keyExpiration.minExpiresIn',
  ],
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: [
    `--expires-in: the longest lifetime is ${counted(apiKey.keyExpiration.maxExpiresIn, 'day')}`,
    'keyExpiration.maxExpiresIn',
  ],
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: [
    '--expires-in: the lifetime of keys cannot be chosen',
    'keyExpiration.disableCustomExpiresTime',
  ],
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [
    `--name: expected ${apiKey.minimumNameLength} to ${apiKey.maximumNameLength} characters`,
    'minimumNameLength and apiKey.maximumNameLength',
  ],
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [
    `--prefix: expected ${apiKey.minimumPrefixLength} to ${apiKey.maximumPrefixLength} characters`,
    'minimumPrefixLength and apiKey.maximumPrefixLength',
  ],
  NAME_REQUIRED: ['--name: the keys of this set need a name', 'requireName'],
  METADATA_IS_DISABLED: ['--metadata: metadata is disabled', 'enableMetadata'],
  TOO_MANY_API_KEYS:
    apiKey.references === 'user'
      ? [`The user has the maximum number of API keys: ${maximumKeysPerUser}`, 'maximumKeysPerUser']
      : [`The organization has the maximum number of API keys: ${maximumKeysPerOrganization}`, 'maximumKeysPerOrganization'],
})

/** @returns the failure that explains an error of `createKey`, or the error itself */
export function explainCreation({ config }: App, set: Set, error: unknown): unknown {
  const code = error instanceof ApiError ? error.entry.code : ''
  const [message, rule] = rulesOf(set, config.apiKey)[code] ?? []
  if (message === undefined) return error
  const place = set.configId === 'default' || rule?.startsWith('maximumKeys') ? 'apiKey' : `the set ${set.configId}`
  const hint = place === 'apiKey' ? `Set by apiKey.${rule}.` : `Set by ${rule} of ${place} in apiKey.configurations.`
  return new Failure(code, message, { hint, cause: error })
}
