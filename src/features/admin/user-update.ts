/** Changes of the profile of a user by administrators and operators. */
import { z } from 'zod'
import type { App } from '../../core/app.ts'
import { ApiError } from '../../core/errors.ts'
import { emit } from '../../core/events.ts'
import type { Feature } from '../../core/feature.ts'
import type { UserRow } from '../../core/request.ts'
import { longText } from '../../core/schemas.ts'
import type { Tables } from '../../core/table.ts'
import { isPlaceholderEmail } from '../../lib/placeholder-email.ts'
import type { Config } from '../index.ts'
import { roleInput } from '../roles/index.ts'
import {
  emailAddress,
  findUserById,
  imageURL,
  ownedShape,
  readMappedUserFields,
  readOwnedFields,
  type UserUpdate,
  errors as userErrors,
} from '../users/index.ts'
import { changeUser, checkRole, revokeImpersonationsBy, roleChange } from './changes.ts'
import { errors, userExists } from './model.ts'

/** Columns that an administrator may set, in addition to additional fields. */
const settable = {
  name: longText.optional(),
  email: emailAddress.optional(),
  emailVerified: z.boolean().optional(),
  image: imageURL.nullable().optional(),
  role: roleInput.optional(),
}

/** Strict: a column that cannot be set is an error, such as `banned`, for which there are calls. */
export const userData = (config: Config, _tables: Tables, features: readonly Feature[]) => {
  const fields = Object.keys(config.user.additionalFields).map((name) => [name, z.unknown().optional()])
  const owned = ownedShape(config, features, 'operator')
  return z.strictObject({ ...settable, ...owned, ...(Object.fromEntries(fields) as Record<never, z.ZodType>) })
}
export type UserData = z.output<z.ZodObject<typeof settable>>

/** The columns for this data. @throws ApiError VALIDATION_ERROR, or that of the owner of a field, when it has a wrong value */
export const columnsOf = async (app: App, { email, ...data }: UserData): Promise<UserUpdate> => ({
  ...readMappedUserFields(app, data),
  ...(await readOwnedFields(app, data, 'operator')),
  ...Object.fromEntries(
    Object.keys(settable).flatMap((name) => (Object.hasOwn(data, name) ? [[name, Reflect.get(data, name)]] : [])),
  ),
  ...(email !== undefined && { email: email.toLowerCase() }),
})

/**
 * Updates a user, with the hooks of the configuration. A new email address is unverified, unless `emailVerified` is given.
 * @param administrator null: an operator
 * @throws ApiError NO_DATA_TO_UPDATE, USER_NOT_FOUND, INVALID_EMAIL for a placeholder, USER_ALREADY_EXISTS, FAILED_TO_UPDATE_USER, VALIDATION_ERROR, and those of
 * permissions and roles
 */
export async function updateUserOf(app: App, administrator: UserRow | null, id: string, data: UserData): Promise<UserRow> {
  const { role } = data
  const current = data.email === undefined ? null : await findUserById(app, id)
  const isNewEmail = current !== null && current.email !== data.email?.toLowerCase()
  if (isNewEmail && isPlaceholderEmail(data.email ?? '')) throw new ApiError(userErrors.INVALID_EMAIL)
  const columns = await columnsOf(app, { ...(isNewEmail && { emailVerified: false }), ...data })
  const names = Object.keys(columns)
  if (names.length === 0) throw new ApiError(errors.NO_DATA_TO_UPDATE)
  const setsRole = role !== undefined ? { user: ['update', 'set-role'] } : { user: ['update'] }
  const refusal =
    role !== undefined ? errors.YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE : errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS
  return changeUser(
    app,
    { administrator, required: setsRole, refusal },
    {
      userId: id,
      columns,
      check: async (tx, target) => {
        if (data.emailVerified && isPlaceholderEmail(data.email ?? target.email)) throw new ApiError(userErrors.INVALID_EMAIL)
        if (role !== undefined) await checkRole(tx, administrator, target, role)
      },
      finish: async (tx) => role !== undefined && revokeImpersonationsBy(tx, id),
      event: (before, after) => (role === undefined ? null : roleChange(before, after)),
    },
  ).catch(async (error: unknown) => {
    if (!app.database.isUniqueViolation(error)) throw error
    await emit(app, 'user.conflicting', { userId: id, columns })
    throw new ApiError(userExists, { cause: error })
  })
}
