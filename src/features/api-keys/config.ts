/** The section of API keys: the options of its own set of keys, those of all sets, and further sets. */
import { z } from 'zod'
import { type ConfigIssue, section } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { hasOrganizationKeys } from '../organizations/index.ts'
import { mailSender, mailTemplates } from '../outbox/index.ts'
import { defaultSetId, type KeySet, keySet } from './key-sets.ts'
import type { KeyNotice } from './mails.ts'
import { sectionOptions } from './set-options.ts'

const maximum = z.int().min(1).max(10_000).default(100)

export const config = {
  ...mailTemplates<{ 'api-key-created': KeyNotice }>({ 'api-key-created': 'that notifies of a new API key' }),
  apiKey: section('API keys', {
    ...sectionOptions,
    configurations: z
      .array(keySet)
      .max(50)
      .default([])
      .describe(
        'Further sets of keys, such as those of organizations: each with `configId` and its own options of this section, from `references` to `permissions`',
      ),
    keepOnPasswordReset: z
      .boolean()
      .default(false)
      .describe(
        'Keep the keys of a user whose password is set without the former one: by a reset link or code, an administrator or an operator; a thief may have created one',
      ),
    listAsObject: z
      .boolean()
      .default(false)
      .describe(
        'Return `{ apiKeys, total }` from `GET /api-key/list`, as clients of 1.5 and later expect, instead of the list of 1.2.12; keys then have `configId` and `referenceId`',
      ),
    maximumKeysPerUser: maximum.describe('Maximum number of keys of a user, of all sets'),
    maximumKeysPerOrganization: maximum.describe('Maximum number of keys of an organization, of all sets'),
    sendApiKeyCreated: mailSender<KeyNotice>('notice of an API key that a user created, to their verified email address'),
  }),
}

export const enabled = ({ apiKey }: Config): boolean => apiKey.enabled

/** Random characters that are never stored or shown again. */
const hiddenCharacters = 26

export function checkConfig(config: Config, _enabled: readonly Feature[]): ConfigIssue[] {
  const { apiKey, organization } = config
  const ids = [defaultSetId, ...apiKey.configurations.map(({ configId }) => configId)]
  const twice = ids.filter((id, position) => ids.indexOf(id) !== position)
  return [
    ...setIssues(config, apiKey, 'apiKey'),
    ...apiKey.configurations.flatMap((set, position) => setIssues(config, set, `apiKey.configurations[${position}]`)),
    ...twice.map((id) => ({
      id: 'api-key-sets',
      path: 'apiKey.configurations',
      message: `The set "${id}" exists twice.`,
      ...(id === defaultSetId && { hint: 'The options of `apiKey` itself are the set `default`.' }),
    })),
    ...(hasOrganizationKeys(config) && !organization.enabled
      ? [{ id: 'api-key-sets', path: 'apiKey', message: 'Keys of organizations need organizations: set `organization: true`.' }]
      : []),
  ]
}

type Options = Omit<KeySet, 'configId'>

function setIssues({ bearer }: Config, set: Options, path: string): ConfigIssue[] {
  const { startingCharactersConfig: start, checksum, keyExpiration } = set
  const issues: ConfigIssue[] = []
  const add = (id: string, option: string, message: string) => issues.push({ id, path: `${path}.${option}`, message })
  if (bearer.enabled && [set.apiKeyHeaders].flat().some((name) => name.toLowerCase() === 'authorization'))
    add('api-key-header', 'apiKeyHeaders', 'The header authorization has the bearer tokens, which are not keys.')
  if (start.shouldStore && start.charactersLength > set.defaultKeyLength - hiddenCharacters)
    add(
      'api-key-start',
      'startingCharactersConfig.charactersLength',
      `At least ${hiddenCharacters} characters of a key must stay secret: at most ${set.defaultKeyLength - hiddenCharacters}.`,
    )
  if (set.minimumPrefixLength > set.maximumPrefixLength)
    add('api-key-range', 'minimumPrefixLength', 'It is greater than maximumPrefixLength.')
  if (set.minimumNameLength > set.maximumNameLength)
    add('api-key-range', 'minimumNameLength', 'It is greater than maximumNameLength.')
  if (keyExpiration.minExpiresIn > keyExpiration.maxExpiresIn)
    add('api-key-range', 'keyExpiration.minExpiresIn', 'It is greater than maxExpiresIn.')
  if (checksum !== 'none' && set.defaultPrefix === undefined)
    add('api-key-checksum', 'checksum', 'A secret scanner recognizes keys by their prefix: set defaultPrefix.')
  if (checksum !== 'none' && set.customKeyGenerator)
    add('api-key-checksum', 'checksum', 'Keys of customKeyGenerator get no checksum.')
  return issues
}
