/** The options of a set of keys, in the names of the wire contract (06 §1): of the section itself, and of each further set. */
import { z } from 'zod'
import { callback, group } from '../../core/config.ts'
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

const plainOptions = {
  references: z
    .enum(['user', 'organization'])
    .default('user')
    .describe('Who owns the keys: `user`, or `organization`, whose members manage them with the permission `apiKey`'),
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
  requireName: z.boolean().default(false).describe('Reject keys that are created without a name'),
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
  enableMetadata: z.boolean().default(false).describe('Let keys be created with metadata'),
  disableSessionForAPIKeys: z
    .boolean()
    .default(false)
    .describe('Only verify keys for servers of yours; requests with a key are not those of its owner'),
}

const nested = {
  startingCharactersConfig: [
    'The start of each key, which is stored so that its owner recognizes it',
    {
      shouldStore: z.boolean().default(true).describe('Store the start of keys'),
      charactersLength: count.max(64).default(6).describe('Characters of the start, including the prefix'),
    },
  ],
  rateLimit: [
    'Default rate limit of each key',
    {
      enabled: z.boolean().default(true).describe('Limit the uses of keys; `false`: also of keys that have a limit of their own'),
      timeWindow: z.int().min(1).max(3_155_760_000_000).default(86_400_000).describe('Length of the window in milliseconds'),
      maxRequests: z.int().min(1).max(2_147_483_647).default(10).describe('Uses of a key in the window'),
    },
  ],
  keyExpiration: [
    'Expiration of keys',
    {
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
    },
  ],
  permissions: [
    'What keys permit in your application',
    {
      defaultPermissions: z
        .union([
          z.record(z.string(), z.array(z.string())),
          callback<(ownerId: string) => MaybeAsync<Permissions | null | undefined>>(),
        ])
        .optional()
        .describe(
          'Actions by resource of keys that are created without permissions, or a function that returns them for the ID of the owner',
        ),
    },
  ],
} as const

/** Those of the section. */
export const sectionOptions = {
  ...plainOptions,
  startingCharactersConfig: group(...nested.startingCharactersConfig),
  rateLimit: group(...nested.rateLimit),
  keyExpiration: group(...nested.keyExpiration),
  permissions: group(...nested.permissions),
}

const member = <S extends z.core.$ZodLooseShape>([description, shape]: readonly [string, S]) =>
  z
    .strictObject(shape)
    .prefault({} as never)
    .describe(description)

/** Those of a set in a list of sets, which has no sections. */
export const setOptions = {
  ...plainOptions,
  startingCharactersConfig: member(nested.startingCharactersConfig),
  rateLimit: member(nested.rateLimit),
  keyExpiration: member(nested.keyExpiration),
  permissions: member(nested.permissions),
}
