/** The calls for API keys (contract 06 §1). */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { optionalSession, sensitiveCalls, server, session } from '../../core/permissions.ts'
import type { CallContext, UserRow } from '../../core/request.ts'
import { route } from '../../core/route.ts'
import { fitsAsJSON } from '../../lib/objects.ts'
import { errors as adminErrors, isBanned } from '../admin/index.ts'
import type { Config } from '../index.ts'
import { findUserById } from '../users/index.ts'
import { createKey, deleteExpired, deleteKeys, findKey, listKeys, updateKey } from './keys.ts'
import { describeKey, errors, keyView, updateFailed } from './model.ts'
import { hasServerProperties } from './rules.ts'
import { useKey } from './use.ts'

/** The list of 1.2.12, or what later versions wrap it into. */
const listView = ({ apiKey }: Config) =>
  apiKey.listAsObject ? z.object({ apiKeys: z.array(keyView), total: z.int() }) : z.array(keyView)

const maxInteger = 2_147_483_647
const maxJSONLength = 16_000
const fits = (value: unknown): boolean => fitsAsJSON(value, maxJSONLength)

const permissions = z.record(z.string().max(64), z.array(z.string().max(64)).max(64)).refine(fits)
const keyId = z.string().max(255)
const serverOnly = 'Only on the private listener'

const limits = {
  refillAmount: z.int().min(1).max(maxInteger).optional().describe(serverOnly),
  refillInterval: z.int().min(1).max(36_500).optional().describe(`In days. ${serverOnly}`),
  rateLimitTimeWindow: z.int().min(1).max(3_155_760_000_000).optional().describe(`In milliseconds. ${serverOnly}`),
  rateLimitMax: z.int().min(1).max(maxInteger).optional().describe(serverOnly),
  rateLimitEnabled: z.boolean().optional().describe(serverOnly),
}

const given = {
  name: z.string().optional(),
  expiresIn: z.number().min(1).nullish().describe('In seconds'),
  metadata: z.unknown().refine(fits).optional(),
  userId: z
    .union([z.string().max(255), z.number().transform(String)])
    .nullish()
    .catch(undefined)
    .describe(`The owner. ${serverOnly}; ignored elsewhere`),
}

// The examples are what a user may send: those of all members would fail, since some are only for servers.
const newKey = z
  .object({
    ...given,
    ...limits,
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

/**
 * The user whose keys a call concerns: the current one; on the private listener the given one.
 * @throws ApiError UNAUTHORIZED_OR_INVALID_SESSION, USER_NOT_FOUND
 */
async function ownerOf(
  ctx: CallContext & { readonly user: UserRow | null },
  userId: string | null | undefined,
): Promise<UserRow> {
  if (!ctx.isPrivileged || !userId) {
    if (!ctx.user) throw new ApiError(errors.UNAUTHORIZED_OR_INVALID_SESSION)
    return ctx.user
  }
  const user = await findUserById(ctx, userId)
  if (!user) throw new ApiError(adminErrors.USER_NOT_FOUND)
  return user
}

const serverProperty = errors.THE_PROPERTY_YOURE_TRYING_TO_SET_CAN_ONLY_BE_SET_FROM_THE_SERVER_AUTH_INSTANCE_ONLY
const expirationErrors = [
  errors.CUSTOM_KEY_EXPIRATION_VALUES_ARE_DISABLED,
  errors.THE_EXPIRESIN_IS_SMALLER_THAN_THE_PREDEFINED_MINIMUM_VALUE,
  errors.THE_EXPIRESIN_IS_LARGER_THAN_THE_PREDEFINED_MAXIMUM_VALUE,
]
const inputErrors = [
  errors.UNAUTHORIZED_OR_INVALID_SESSION,
  adminErrors.USER_NOT_FOUND,
  serverProperty,
  errors.METADATA_MUST_BE_AN_OBJECT_OR_UNDEFINED,
  errors.REFILLAMOUNT_IS_REQUIRED_WHEN_REFILLINTERVAL_IS_PROVIDED,
  errors.REFILLINTERVAL_IS_REQUIRED_WHEN_REFILLAMOUNT_IS_PROVIDED,
  ...expirationErrors,
  errors.THE_NAME_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
]

const ownRoutes = {
  'POST /api-key/create': route({
    summary: 'Create an API key',
    description:
      'Creates an API key of the current user; fails with 401 without a session. `key` is the key itself, which is returned only here. On the private listener, `userId` names the owner, and limits and permissions may be set. Fails when the user has too many keys.',
    access: optionalSession(sensitiveCalls),
    stepUp: 'established',
    alsoPrivileged: true,
    sensitive: true,
    body: newKey,
    returns: keyView.extend({ key: z.string().describe('The key, which is not shown again') }),
    errors: [
      ...inputErrors,
      errors.METADATA_IS_DISABLED,
      errors.THE_PREFIX_LENGTH_IS_EITHER_TOO_LARGE_OR_TOO_SMALL,
      errors.TOO_MANY_API_KEYS,
    ],
    handler: async (ctx) => {
      const { userId, ...given } = ctx.body
      const owner = await ownerOf(ctx, userId)
      if (!ctx.isPrivileged && hasServerProperties(given, true)) throw new ApiError(serverProperty)
      const { row, key } = await createKey(ctx, owner, given)
      return { ...describeKey(row), key }
    },
  }),
  'GET /api-key/get': route({
    summary: 'Get an API key',
    description: 'Returns an API key of the current user, without the key itself.',
    access: session(),
    query: z.object({ id: keyId }),
    returns: keyView,
    errors: [errors.API_KEY_NOT_FOUND],
    handler: async (ctx) => {
      const row = await findKey(ctx, ctx.query.id, ctx.user.id)
      if (!row) throw new ApiError(errors.API_KEY_NOT_FOUND)
      return describeKey(row)
    },
  }),
  'GET /api-key/list': route({
    summary: 'List API keys',
    description:
      'Returns the API keys of the current user, oldest first, without the keys themselves. With `apiKey.listAsObject` they are `apiKeys` of an object.',
    access: session(),
    returns: listView,
    handler: async (ctx) => {
      const apiKeys = (await listKeys(ctx, ctx.user.id)).map(describeKey)
      return ctx.config.apiKey.listAsObject ? { apiKeys, total: apiKeys.length } : apiKeys
    },
  }),
  'POST /api-key/update': route({
    summary: 'Update an API key',
    description:
      'Renames, enables or disables an API key of the current user, or changes its expiration or metadata; fails with 401 without a session. On the private listener also its limits and permissions, of any user.',
    access: optionalSession(sensitiveCalls),
    stepUp: 'recent',
    alsoPrivileged: true,
    sensitive: true,
    body: keyChanges,
    returns: keyView,
    errors: [...inputErrors, errors.API_KEY_NOT_FOUND, errors.NO_VALUES_TO_UPDATE],
    handler: async (ctx) => {
      const { userId, keyId, ...given } = ctx.body
      const owner = await ownerOf(ctx, userId)
      if (!ctx.isPrivileged && hasServerProperties(given, false)) throw new ApiError(serverProperty)
      return describeKey(await updateKey(ctx, keyId, given, owner.id))
    },
  }),
  'POST /api-key/delete': route({
    summary: 'Delete an API key',
    description: 'Deletes an API key of the current user, which takes effect immediately.',
    access: session(),
    sensitive: true,
    body: z.object({ keyId }),
    returns: z.object({ success: z.literal(true) }),
    errors: [errors.USER_IS_BANNED, errors.API_KEY_NOT_FOUND],
    handler: async (ctx) => {
      if (isBanned(ctx, ctx.user)) throw new ApiError(errors.USER_IS_BANNED)
      if ((await deleteKeys(ctx, ctx.user.id, { ids: [ctx.body.keyId] })) === 0) throw new ApiError(errors.API_KEY_NOT_FOUND)
      return { success: true as const }
    },
  }),
}

const shownError = z.object({
  message: z.string().meta({ examples: ['API Key is disabled'] }),
  code: z.string().meta({ examples: ['KEY_DISABLED'] }),
  details: z.object({ tryAgainIn: z.int().describe('In milliseconds') }).optional(),
})

/** A text that cannot be a key has another code here than in a header (contract 06 §1). */
async function verifyKey(app: CallContext, key: string, required?: z.output<typeof permissions>) {
  const used = await useKey(app, key, required)
  if (!('error' in used)) return { valid: true, error: null, key: describeKey(used.key) }
  const { error, details, userId } = used
  Object.assign(app.subject, { hasFailed: true, ...(userId !== undefined && { userId }) })
  const code = error.status === 403 ? errors.KEY_NOT_FOUND.code : error.code
  return { valid: false, error: { message: error.message, code, ...(details && { details }) }, key: null }
}

const serverRoutes = {
  'POST /api-key/verify': route({
    summary: 'Verify an API key',
    description:
      'Verifies an API key and counts its use. Returns whether it is valid, with the key or the reason. With `permissions`, the key must have them all. Only on the private listener, for servers of the operator.',
    access: server(),
    body: z.object({ key: z.string(), permissions: permissions.optional() }),
    returns: z.object({ valid: z.boolean(), error: shownError.nullable(), key: keyView.nullable() }),
    errors: [updateFailed],
    handler: (ctx) => verifyKey(ctx, ctx.body.key, ctx.body.permissions),
  }),
  'POST /api-key/delete-all-expired-api-keys': route({
    summary: 'Delete all expired API keys',
    description:
      'Deletes the expired API keys of all users immediately. A job does the same every few minutes. Only on the private listener.',
    access: server(),
    returns: z.object({ success: z.boolean(), error: z.null() }),
    handler: async (ctx: App) => {
      await deleteExpired(ctx)
      return { success: true, error: null }
    },
  }),
}

export const routes = { ...ownRoutes, ...serverRoutes }
