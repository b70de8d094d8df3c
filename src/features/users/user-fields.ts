/** Fields of users that a body sets: additional fields of the configuration, and those that features own. */
import type { z } from 'zod'
import type { App } from '../../core/app.ts'
import type { Feature, UserFieldSource } from '../../core/feature.ts'
import { fieldShape, readFields, readMappedFields } from '../custom-fields/index.ts'
import type { Config } from '../index.ts'

/** Additional fields as members of a body. `readUserFields` checks their values, after other checks. */
export const userFieldShape = (
  config: Config,
  features: readonly Feature[],
  source: 'sign-up' | 'update',
): Record<never, z.ZodType> => ({ ...fieldShape(config.user.additionalFields), ...ownedShape(config, features, source) })

/** Fields that features own, as members of a body. `readOwnedFields` reads their columns. */
export const ownedShape = (config: Config, features: readonly Feature[], source: UserFieldSource): Record<never, z.ZodType> =>
  Object.assign({}, ...features.map(({ userFields }) => userFields?.shape(config, source)))

/**
 * The columns that the fields of features set.
 * @throws ApiError of the feature that owns the field
 */
export async function readOwnedFields(app: App, given: object, source: UserFieldSource): Promise<object> {
  const columns = {}
  const owners = app.features.filter(({ userFields }) => userFields)
  for (const { userFields } of owners) Object.assign(columns, await userFields?.read(app, given, source))
  return columns
}

/**
 * The columns that a body sets. Fields with `input: false` are ignored.
 * @param mode `create`: required fields must be present; `update`: absent fields stay unchanged
 * @throws ApiError `<field> is required`, VALIDATION_ERROR, those of features that own fields
 */
export const readUserFields = async (app: App, given: object, mode: 'create' | 'update'): Promise<object> => ({
  ...(await readFields(app.config.user.additionalFields, given, mode)),
  ...(await readOwnedFields(app, given, mode === 'create' ? 'sign-up' : mode)),
})

/**
 * The columns for values of additional fields that do not come from the user, also of those with `input: false`.
 * @throws ApiError VALIDATION_ERROR
 */
export const readMappedUserFields = (app: App, given: object): object =>
  readMappedFields(app.config.user.additionalFields, { ...given })
