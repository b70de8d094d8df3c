/** The options of API keys, in the names of the wire contract (06 §1). */
import { z } from 'zod'
import { type ConfigIssue, callback, group, section } from '../../core/config.ts'
import type { Feature } from '../../core/feature.ts'
import type { Config } from '../index.ts'
import { mailSender, mailTemplates } from '../outbox/index.ts'
import type { KeyNotice } from './mails.ts'
import type { Permissions } from './model.ts'

type MaybeAsync<T> = T | Promise<T>

/** A request as `customAPIKeyGetter` gets it. */
export interface KeyedRequest {
  readonly method: string
  /** Below the base path: `/get-session`. */
  readonly path: string
  readonly headers: Pick<Headers, 'get'>
}

const count = z.int().min(1)
/** Browsers and proxies set these, so that every request would have an invalid key. */
const occupied =
  /^(cookie|host|origin|referer|user-agent|accept|accept-.*|content-.*|sec-.*|connection|x-forwarded-.*|forwarded)$/i
const header = z
  .string()
  .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'Expected the name of a header')
  .refine((name) => !occupied.test(name), 'Expected a header of your own: browsers and proxies set this one')
const prefix = z
  .string()
  .regex(/^[a-zA-Z0-9_-]+$/, 'Expected letters, digits, _ and -')
  .max(64)

/** Random characters that are never stored or shown again. */
const hiddenCharacters = 26

const rateLimit = group('Default rate limit of each key', {
  enabled: z.boolean().default(true).describe('Limit the uses of keys; `false`: also of keys that have a limit of their own'),
  timeWindow: z.int().min(1).max(3_155_760_000_000).default(86_400_000).describe('Length of the window in milliseconds'),
  maxRequests: z.int().min(1).max(2_147_483_647).default(10).describe('Uses of a key in the window'),
})

const keyExpiration = group('Expiration of keys', {
  defaultExpiresIn: z
    .int()
    .min(1)
    .max(3_155_760_000)
    .nullable()
    .default(null)
    .describe('Lifetime in seconds of a key that is created without one; null: it does not expire'),
  disableCustomExpiresTime: z.boolean().default(false).describe('Reject an `expiresIn` of users'),
  minExpiresIn: z.number().nonnegative().max(36_500).default(1).describe('Shortest `expiresIn`, in days'),
  maxExpiresIn: z.number().positive().max(36_500).default(365).describe('Longest `expiresIn`, in days'),
})

export const config = {
  ...mailTemplates<{ 'api-key-created': KeyNotice }>({ 'api-key-created': 'that notifies of a new API key' }),
  apiKey: section('API keys', {
    apiKeyHeaders: z
      .union([header, z.array(header).min(1).max(10)])
      .default('x-api-key')
      .describe('Header of requests with the key, or a list: the first one that is present'),
    customAPIKeyGetter: callback<(request: KeyedRequest) => unknown>()
      .optional()
      .describe('Function that returns the key of a request, or null; in place of `apiKeyHeaders`'),
    defaultKeyLength: z.int().min(32).max(255).default(64).describe('Characters of a key without its prefix'),
    defaultPrefix: prefix.optional().describe('Start of every key that is created without a prefix, such as `acme_`'),
    minimumPrefixLength: count.default(1).describe('Minimum length of a prefix'),
    maximumPrefixLength: count.max(64).default(32).describe('Maximum length of a prefix'),
    minimumNameLength: count.default(1).describe('Minimum length of a name'),
    maximumNameLength: count.max(255).default(32).describe('Maximum length of a name'),
    checksum: z
      .enum(['none', 'add', 'require'])
      .default('none')
      .describe(
        '`add`: new keys end with a checksum, by which secret scanners recognize them; `require`: keys without a valid one are rejected without a query',
      ),
    customKeyGenerator: callback<
      (options: { readonly length: number; readonly prefix: string | undefined }) => MaybeAsync<string>
    >()
      .optional()
      .describe('Function that returns a new key with at least `length` characters'),
    customAPIKeyValidator: callback<(data: { readonly key: string }) => MaybeAsync<boolean>>()
      .optional()
      .describe('Function that returns false for a text that cannot be a key; it is then not looked up'),
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
        'Return `{ apiKeys, total }` from `GET /api-key/list`, as clients of 1.5 and later expect, instead of the list of 1.2.12',
      ),
    maximumKeysPerUser: z.int().min(1).max(10_000).default(100).describe('Maximum number of keys of a user'),
    sendApiKeyCreated: mailSender<KeyNotice>('notice of an API key that a user created, to their verified email address'),
    enableMetadata: z.boolean().default(false).describe('Let keys be created with metadata'),
    startingCharactersConfig: group('The start of each key, which is stored so that its owner recognizes it', {
      shouldStore: z.boolean().default(true).describe('Store the start of keys'),
      charactersLength: count.max(64).default(6).describe('Characters of the start, including the prefix'),
    }),
    rateLimit,
    keyExpiration,
    disableSessionForAPIKeys: z
      .boolean()
      .default(false)
      .describe('Only verify keys for servers of yours; requests with a key are not those of its owner'),
    permissions: group('What keys permit in your application', {
      defaultPermissions: z
        .union([
          z.record(z.string(), z.array(z.string())),
          callback<(userId: string) => MaybeAsync<Permissions | null | undefined>>(),
        ])
        .optional()
        .describe('Actions by resource of keys that are created without permissions, or a function that returns them'),
    }),
  }),
}

export const enabled = ({ apiKey }: Config): boolean => apiKey.enabled

export function checkConfig({ apiKey, bearer }: Config, _enabled: readonly Feature[]): ConfigIssue[] {
  const { startingCharactersConfig: start, checksum, keyExpiration } = apiKey
  const issues: ConfigIssue[] = []
  const add = (id: string, option: string, message: string) => issues.push({ id, path: `apiKey.${option}`, message })
  if (bearer.enabled && [apiKey.apiKeyHeaders].flat().some((name) => name.toLowerCase() === 'authorization'))
    add('api-key-header', 'apiKeyHeaders', 'The header authorization has the bearer tokens, which are not keys.')
  if (start.shouldStore && start.charactersLength > apiKey.defaultKeyLength - hiddenCharacters)
    add(
      'api-key-start',
      'startingCharactersConfig.charactersLength',
      `At least ${hiddenCharacters} characters of a key must stay secret: at most ${apiKey.defaultKeyLength - hiddenCharacters}.`,
    )
  if (apiKey.minimumPrefixLength > apiKey.maximumPrefixLength)
    add('api-key-range', 'minimumPrefixLength', 'It is greater than maximumPrefixLength.')
  if (apiKey.minimumNameLength > apiKey.maximumNameLength)
    add('api-key-range', 'minimumNameLength', 'It is greater than maximumNameLength.')
  if (keyExpiration.minExpiresIn > keyExpiration.maxExpiresIn)
    add('api-key-range', 'keyExpiration.minExpiresIn', 'It is greater than maxExpiresIn.')
  if (checksum !== 'none' && apiKey.defaultPrefix === undefined)
    add('api-key-checksum', 'checksum', 'A secret scanner recognizes keys by their prefix: set defaultPrefix.')
  if (checksum !== 'none' && apiKey.customKeyGenerator)
    add('api-key-checksum', 'checksum', 'Keys of customKeyGenerator get no checksum.')
  return issues
}
