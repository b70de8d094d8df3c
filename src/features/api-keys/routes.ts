/** The calls for API keys (contract 06 §1). */
import { z } from 'zod'
import { ApiError } from '../../core/errors.ts'
import { optionalSession, sensitiveCalls, session } from '../../core/permissions.ts'
import { route } from '../../core/route.ts'
import { isBanned } from '../admin/index.ts'
import type { Config } from '../index.ts'
import { actingUser, organizationAccessErrors, ownerErrors, requireKey, requireKeyPermission } from './key-access.ts'
import { readKeys, sortedBy } from './key-page.ts'
import { isOfOrganizations, setOf } from './key-sets.ts'
import { createKey, createOrganizationKey, deleteKeys, deleteOrganizationKeys, updateKey } from './keys.ts'
import { describeKey, errors, keyView } from './model.ts'
import { hasServerProperties } from './rules.ts'
import { configId, fits, keyId, maxInteger, ownerId, permissions } from './schemas.ts'

/** The list of 1.2.12, or what later versions wrap it into. */
const listView = ({ apiKey }: Config) =>
  apiKey.listAsObject
    ? z.object({ apiKeys: z.array(keyView), total: z.int(), limit: z.int().optional(), offset: z.int().optional() })
    : z.array(keyView)

const count = z.coerce.number().int().nonnegative()

const serverOnly = 'Only on the private listener'

const limits = {
  refillAmount: z.int().min(1).max(maxInteger).optional().describe(serverOnly),
  refillInterval: z.int().min(1).max(36_500).optional().describe(`In days. ${serverOnly}`),
  rateLimitTimeWindow: z.int().min(1).max(3_155_760_000_000).optional().describe(`In milliseconds. ${serverOnly}`),
  rateLimitMax: z.int().min(1).max(maxInteger).optional().describe(serverOnly),
  rateLimitEnabled: z.boolean().optional().describe(serverOnly),
}

const given = {
  configId,
  name: z.string().optional(),
  expiresIn: z.number().min(1).nullish().describe('In seconds'),
  metadata: z.unknown().refine(fits).optional(),
  userId: ownerId.nullish().catch(undefined).describe(`The owner, or the member who acts. ${serverOnly}; ignored elsewhere`),
}

// The examples are what a user may send: those of all members would fail, since some are only for servers.
const newKey = z
  .object({
    ...given,
    ...limits,
    organizationId: ownerId.optional().describe('The owner, in a set of organizations'),
    prefix: z
      .string()
      .max(255)
      .regex(/^[a-zA-Z0-9_-]+$/)
      .optional(),
    remaining: z.int().min(0).max(maxInteger).nullish().describe(serverOnly),
    permissions: permissions.optional().describe(serverOnly),
  })
  .meta({ examples: [{ name: 'Deployment', expiresIn: 7_776_000 }] })

const keyChanges = z
  .object({
    ...given,
    ...limits,
    keyId,
    enabled: z.boolean().optional(),
    remaining: z.int().min(1).max(maxInteger).optional().describe(serverOnly),
    permissions: permissions.nullish().describe(serverOnly),
  })
  .meta({ examples: [{ keyId: '5Xn1Q0c8m2VZk3a9RtYbLw7EuDfGhJpS', name: 'Deployment', enabled: false }] })

const serverProperty = errors.THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY
const expirationErrors = [
  errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED,
  errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE,
  errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE,
]
const inputErrors = [
  ...ownerErrors,
  ...organizationAccessErrors,
  serverProperty,
  errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED,
  errors.REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED,
  errors.REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED,
  ...expirationErrors,
  errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
]

export const ownRoutes = {
  'POST /api-key/create': route({
    summary: 'Create an API key',
    description:
      'Creates an API key of the current user; fails with 401 without a session. In a set of organizations, the key belongs to `organizationId`, and the role of the member must permit `apiKey:create`. `key` is the key itself, which is returned only here. On the private listener, `userId` names the owner, and limits and permissions may be set. Fails when the owner has too many keys.',
    access: optionalSession(sensitiveCalls),
    stepUp: 'established',
    alsoPrivileged: true,
    sensitive: true,
    body: newKey,
    returns: keyView.extend({ key: z.string().describe('The key, which is not shown again') }),
    errors: [
      ...inputErrors,
      errors.ORGANIZATION_ID_REQUIRED,
      errors.ORGANIZATION_PLUGIN_REQUIRED,
      errors.NAME_REQUIRED,
      errors.METADATA_IS_DISABLED,
      errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
      errors.TOO_MANY_API_KEYS,
    ],
    handler: async (ctx) => {
      const { userId, configId, organizationId, ...given } = ctx.body
      const set = setOf(ctx, configId)
      const user = await actingUser(ctx, userId)
      if (!ctx.isPrivileged && hasServerProperties(given, true)) throw new ApiError(serverProperty)
      if (isOfOrganizations(set)) {
        if (!organizationId) throw new ApiError(errors.ORGANIZATION_ID_REQUIRED)
        await requireKeyPermission(ctx, user, organizationId, 'create')
      }
      const { row, key } =
        organizationId && isOfOrganizations(set)
          ? await createOrganizationKey(ctx, organizationId, given, set)
          : await createKey(ctx, user, given, set)
      return { ...describeKey(ctx, row), key }
    },
  }),
  'GET /api-key/get': route({
    summary: 'Get an API key',
    description:
      'Returns an API key of the current user, or of an organization whose member has the permission `apiKey:read`, without the key itself.',
    access: session(),
    query: z.object({ id: keyId, configId }),
    returns: keyView,
    errors: [errors.API_KEY_NOT_FOUND, ...organizationAccessErrors, errors.ORGANIZATION_PLUGIN_REQUIRED],
    handler: async (ctx) => describeKey(ctx, await requireKey(ctx, ctx.user, ctx.query, 'read')),
  }),
  'GET /api-key/list': route({
    summary: 'List API keys',
    description:
      'Returns the API keys of the current user, or of an organization whose member has the permission `apiKey:read`, without the keys themselves: oldest first, or sorted by `sortBy`, and all of them or a page. With `apiKey.listAsObject` they are `apiKeys` of an object.',
    access: session(),
    query: z.object({
      configId: configId.describe('Only keys of this set'),
      organizationId: ownerId.optional().describe('The owner; default: the current user'),
      limit: count.optional().describe('Maximum number of keys'),
      offset: count.optional().describe('Keys to skip'),
      sortBy: z.enum(sortedBy).optional(),
      sortDirection: z.enum(['asc', 'desc']).optional(),
    }),
    returns: listView,
    errors: [...organizationAccessErrors, errors.ORGANIZATION_PLUGIN_REQUIRED],
    handler: async (ctx) => {
      const { organizationId, ...page } = ctx.query
      if (organizationId) await requireKeyPermission(ctx, ctx.user, organizationId, 'read')
      const { rows, total } = await readKeys(ctx, organizationId ? { organizationId } : { userId: ctx.user.id }, page)
      const apiKeys = rows.map((row) => describeKey(ctx, row))
      const { limit, offset } = page
      return ctx.config.apiKey.listAsObject ? { apiKeys, total, limit, offset } : apiKeys
    },
  }),
  'POST /api-key/update': route({
    summary: 'Update an API key',
    description:
      'Renames, enables or disables an API key of the current user, or changes its expiration or metadata; fails with 401 without a session. Keys of an organization require the permission `apiKey:update`. On the private listener also its limits and permissions, of any user.',
    access: optionalSession(sensitiveCalls),
    stepUp: 'recent',
    alsoPrivileged: true,
    sensitive: true,
    body: keyChanges,
    returns: keyView,
    errors: [...inputErrors, errors.ORGANIZATION_PLUGIN_REQUIRED, errors.API_KEY_NOT_FOUND, errors.NO_VALUES_TO_UPDATE],
    handler: async (ctx) => {
      const { userId, keyId: id, configId, ...given } = ctx.body
      const user = await actingUser(ctx, userId)
      if (!ctx.isPrivileged && hasServerProperties(given, false)) throw new ApiError(serverProperty)
      return describeKey(ctx, await updateKey(ctx, await requireKey(ctx, user, { id, configId }, 'update'), given))
    },
  }),
  'POST /api-key/delete': route({
    summary: 'Delete an API key',
    description:
      'Deletes an API key of the current user, or of an organization whose member has the permission `apiKey:delete`, which takes effect immediately.',
    access: session(),
    sensitive: true,
    body: z.object({ keyId, configId }),
    returns: z.object({ success: z.literal(true) }),
    errors: [errors.USER_IS_BANNED, errors.API_KEY_NOT_FOUND, ...organizationAccessErrors, errors.ORGANIZATION_PLUGIN_REQUIRED],
    handler: async (ctx) => {
      if (isBanned(ctx, ctx.user)) throw new ApiError(errors.USER_IS_BANNED)
      const { keyId: id, configId } = ctx.body
      const { organizationId } = await requireKey(ctx, ctx.user, { id, configId }, 'delete')
      const deleted = organizationId
        ? await deleteOrganizationKeys(ctx, organizationId, { ids: [id] })
        : await deleteKeys(ctx, ctx.user.id, { ids: [id] })
      if (deleted === 0) throw new ApiError(errors.API_KEY_NOT_FOUND)
      return { success: true as const }
    },
  }),
}
