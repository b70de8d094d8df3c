/** Table, response and errors of API keys (contract 06 §1 and 08). */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { defineErrors, type ErrorEntry, errors as kernelErrors } from '../../core/errors.ts'
import { isoDate } from '../../core/schemas.ts'
import {
  bigint,
  boolean,
  id,
  index,
  integer,
  nullable,
  references,
  secret,
  string,
  text,
  timestamp,
  unique,
} from '../../core/table.ts'
import { isRecord } from '../../lib/objects.ts'
import type { Database } from '../index.ts'
import { defaultSetId } from './key-sets.ts'

/**
 * `key` is a keyed hash, or the SHA-256 hash of a key that better-auth created, until its next use. `start` are its first characters,
 * by which its owner recognizes it. `remaining`, `requestCount`, `lastRequest` and `lastRefillAt` are written by each use. `configId` is
 * the set of the key; null: that of the section. `userId` is null for a key of an organization (`organization-keys`).
 */
export const tables = {
  apikey: {
    id: id(),
    configId: nullable(string({ length: 64 })),
    name: nullable(string({ length: 255 })),
    start: nullable(string({ length: 64 })),
    prefix: nullable(string({ length: 64 })),
    key: secret(unique(string({ length: 64 }))),
    userId: nullable(references('user')),
    /** In days. */
    refillInterval: nullable(integer()),
    refillAmount: nullable(integer()),
    lastRefillAt: nullable(timestamp()),
    enabled: boolean({ default: true }),
    rateLimitEnabled: boolean({ default: true }),
    /** In milliseconds. */
    rateLimitTimeWindow: nullable(bigint()),
    rateLimitMax: nullable(integer()),
    requestCount: integer({ default: 0 }),
    remaining: nullable(integer()),
    lastRequest: nullable(timestamp()),
    expiresAt: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    /** JSON text, as better-auth stores it. */
    permissions: nullable(text()),
    metadata: nullable(text()),
  },
}

export const secretUses = { apiKeys: { table: 'apikey', column: 'key', noun: 'API key' } } as const
export const indexes = { apikey: [index('userId', 'createdAt', 'id'), index('expiresAt')] }

type Row = Selectable<Database['apikey']>
/** `organizationId` is absent when organizations own the keys of no set. */
export type ApiKeyRow = Omit<Row, 'organizationId'> & Partial<Pick<Row, 'organizationId'>>
export type Permissions = Readonly<Record<string, readonly string[]>>

/** What a key permits in the application; null: nothing, also when the text is not that of permissions. */
export function permissionsOf({ permissions }: Pick<ApiKeyRow, 'permissions'>): Permissions | null {
  const parsed = parseObject(permissions)
  return parsed && isPermissions(parsed) ? parsed : null
}

const isPermissions = (value: object): value is Permissions =>
  Object.values(value).every((actions) => Array.isArray(actions) && actions.every((action) => typeof action === 'string'))

/** Null also for a text that is not a JSON object: another application may have written the row. */
function parseObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

/** An API key in responses: everything but the key itself. */
export const keyView = z.object({
  id: z.string(),
  configId: z
    .string()
    .optional()
    .describe('The set of the key; absent while there is one set, in the form of 1.2.12')
    .meta({ examples: ['default'] }),
  name: z
    .string()
    .nullable()
    .meta({ examples: ['Deployment'] }),
  start: z
    .string()
    .nullable()
    .describe('The first characters of the key')
    .meta({ examples: ['acme_a'] }),
  prefix: z
    .string()
    .nullable()
    .meta({ examples: ['acme_'] }),
  userId: z.string().optional().describe('The owner; absent when it is an organization'),
  referenceId: z.string().optional().describe('The owner: a user or an organization; absent like `configId`'),
  refillInterval: z.int().nullable().describe('In days'),
  refillAmount: z.int().nullable(),
  lastRefillAt: isoDate.nullable(),
  enabled: z.boolean(),
  rateLimitEnabled: z.boolean(),
  rateLimitTimeWindow: z.int().nullable().describe('In milliseconds'),
  rateLimitMax: z.int().nullable().describe('Uses in the window'),
  requestCount: z.int().describe('Uses in the current window'),
  remaining: z.int().nullable().describe('Remaining uses; null: unlimited'),
  lastRequest: isoDate.nullable().describe('The last use'),
  expiresAt: isoDate.nullable(),
  createdAt: isoDate,
  updatedAt: isoDate,
  permissions: z
    .record(z.string(), z.array(z.string()).readonly())
    .nullable()
    .meta({ examples: [{ projects: ['read'] }] }),
  metadata: z.record(z.string(), z.unknown()).nullable(),
})

/**
 * A row as `keyView` takes it: with the set and the ID of the owner, of either kind, as clients of 1.5 and later expect it, or only with
 * that of the user.
 */
export function describeKey({ config }: Pick<App, 'config'>, { key: _, ...row }: ApiKeyRow): z.input<typeof keyView> {
  const { configId, userId, organizationId, ...common } = row
  const { listAsObject, configurations } = config.apiKey
  const isNewForm = listAsObject || configurations.length > 0
  return {
    ...common,
    ...(userId !== null && { userId }),
    ...(isNewForm && { configId: configId ?? defaultSetId, referenceId: userId ?? organizationId ?? '' }),
    permissions: permissionsOf(row),
    metadata: parseObject(row.metadata),
  }
}

export const errors = defineErrors({
  UNAUTHORIZED_OR_INVALID_SESSION: [401, 'Unauthorized or invalid session'],
  THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY: [
    400,
    "The property you're trying to set can only be set from the server auth instance only.",
  ],
  METADATA_IS_DISABLED: [400, 'Metadata is disabled.'],
  METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED: [400, 'metadata must be an object or undefined'],
  REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED: [400, 'refillAmount is required when refillInterval is provided'],
  REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED: [400, 'refillInterval is required when refillAmount is provided'],
  CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED: [400, 'Custom key expiration values are disabled.'],
  THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE: [
    400,
    'The expiresIn is smaller than the predefined minimum value.',
  ],
  THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE: [400, 'The expiresIn is larger than the predefined maximum value.'],
  THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [400, 'The prefix length is either too large or too small.'],
  THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL: [400, 'The name length is either too large or too small.'],
  TOO_MANY_API_KEYS: [400, 'Too many API keys'],
  API_KEY_NOT_FOUND: [404, 'API Key not found'],
  NO_VALUES_TO_UPDATE: [400, 'No values to update.'],
  USER_IS_BANNED: [401, 'User is banned'],
  INVALID_API_KEY: [401, 'Invalid API key.'],
  KEY_DISABLED: [401, 'API Key is disabled'],
  KEY_EXPIRED: [401, 'API Key has expired'],
  KEY_NOT_FOUND: [401, 'API Key not found'],
  USAGE_EXCEEDED: [401, 'API Key has reached its usage limit'],
  RATE_LIMITED: [401, 'Rate limit exceeded.'],
  ORGANIZATION_ID_REQUIRED: [400, 'Organization ID is required for organization-owned API keys.'],
  ORGANIZATION_PLUGIN_REQUIRED: [
    400,
    'Organization plugin is required for organization-owned API keys. Please install and configure the organization plugin.',
  ],
  USER_NOT_MEMBER_OF_ORGANIZATION: [403, 'You are not a member of the organization that owns this API key.'],
  INSUFFICIENT_API_KEY_PERMISSIONS: [403, 'You do not have permission to perform this action on organization API keys.'],
  NAME_REQUIRED: [400, 'API Key name is required.'],
  INVALID_REFERENCE_ID_FROM_API_KEY: [401, 'The reference id from the API key is invalid.'],
  API_KEY_GETTER_RETURNED_AN_INVALID_KEY_TYPE_EXPECTED_STRING: [
    400,
    'API Key getter returned an invalid key type. Expected string.',
  ],
})

/** A text that cannot be a key: it is not looked up. */
export const malformedKey: ErrorEntry = { ...errors.INVALID_API_KEY, status: 403 }

export const updateFailed: ErrorEntry = { ...kernelErrors.INTERNAL_SERVER_ERROR, message: 'Failed to update API key' }
